#include "ui/inspect/inspector_pane.h"

#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/theme/labels.h"

#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace ui {

InspectorPane::InspectorPane(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidedLabel(this))
    , m_tabs(new QTabWidget(this))
    , m_tokens(new TokensTab(m_tabs))
{
    const int unit = gridUnit(this);
    setObjectName(QStringLiteral("inspector"));
    setMinimumWidth(unit * 28);
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setAccessibleName(tr("Parts of the inspector"));
    m_tabs->addTab(m_tokens, tr("Tokens"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, unit, 0, 0);
    column->setSpacing(unit);
    auto* titleLine = new QHBoxLayout;
    titleLine->setContentsMargins(unit, 0, unit, 0);
    titleLine->addWidget(m_title);
    column->addLayout(titleLine);
    column->addWidget(m_tabs, 1);
}

void InspectorPane::setTitle(const QString& title)
{
    if (m_title->wholeText() != title)
        m_title->setWholeText(title);
}

} // namespace ui
