#include "ui/inspect/inspector_pane.h"

#include "ui/inspect/prompt_tab.h"
#include "ui/inspect/sampler_panel.h"
#include "ui/inspect/timeline_tab.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/theme/labels.h"

#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace ui {

InspectorPane::InspectorPane(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidedLabel(this))
    , m_tabs(new QTabWidget(this))
    , m_tokens(new TokensTab(m_tabs))
    , m_sampler(new SamplerPanel)
    , m_prompt(new PromptTab(m_tabs))
    , m_timeline(new TimelineTab)
{
    const int unit = gridUnit(this);
    setObjectName(QStringLiteral("inspector"));
    setMinimumWidth(unit * 28);
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setAccessibleName(tr("Parts of the inspector"));
    m_tabs->addTab(m_tokens, tr("Tokens"));
    addScrolled(m_sampler, "samplerStages", tr("Sampler"));
    m_tabs->addTab(m_prompt, tr("Prompt"));
    addScrolled(m_timeline, "runTimeline", tr("Timeline"));
    connect(m_tokens, &TokensTab::tokenShown, this, &InspectorPane::showSampler);
    connect(m_tokens, &TokensTab::tokenShown, m_timeline, &TimelineTab::setCurrent);
    connect(m_timeline, &TimelineTab::tokenChosen, &m_tokens->strip(), &TokenStrip::setCurrent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, unit, 0, 0);
    column->setSpacing(unit);
    auto* titleLine = new QHBoxLayout;
    titleLine->setContentsMargins(unit, 0, unit, 0);
    titleLine->addWidget(m_title);
    titleLine->addStretch(1);
    column->addLayout(titleLine);
    column->addWidget(m_tabs, 1);
}

void InspectorPane::addScrolled(QWidget* part, const char* name, const QString& title)
{
    auto* area = new QScrollArea(m_tabs);
    area->setObjectName(QLatin1String(name));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(part);
    m_tabs->addTab(area, title);
}

void InspectorPane::showSampler(int token)
{
    if (token >= 0)
        m_sampler->show(*m_tokens->track(), *m_tokens->answer(), token);
    else
        m_sampler->clear();
}

void InspectorPane::setTitle(const QString& title)
{
    if (m_title->wholeText() != title)
        m_title->setWholeText(title);
}

} // namespace ui
