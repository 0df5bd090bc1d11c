#include "ui/inspect/tokens_tab.h"

#include "ui/inspect/curve_view.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/token_legend.h"
#include "ui/inspect/token_names.h"
#include "ui/inspect/token_strip.h"
#include "ui/theme/labels.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedLayout>

namespace ui {

TokensTab::TokensTab(QWidget* parent)
    : QWidget(parent)
    , m_measures(new QComboBox(this))
    , m_units(new QComboBox(this))
    , m_prompt(new QCheckBox(tr("Prompt"), this))
    , m_legend(new TokenLegend(this))
    , m_strip(new TokenStrip(this))
    , m_line(new ElidedLabel(this))
    , m_curves(new CurveView)
    , m_details(new TokenDetails)
    , m_notice(new NoteLabel(this))
    , m_pages(new QStackedLayout(this))
{
    m_measures->setObjectName(QStringLiteral("tokenMeasure"));
    m_measures->setAccessibleName(tr("What the tint stands for"));
    m_measures->setToolTip(tr("What the tint and the underline of a token stand for"));
    for (const TokenMeasureInfo& info : tokenMeasures())
        m_measures->addItem(measureWords(info.name));
    m_units->setObjectName(QStringLiteral("tokenUnit"));
    m_units->setAccessibleName(tr("Unit of the numbers"));
    m_units->setToolTip(tr("Unit of the numbers"));
    m_prompt->setObjectName(QStringLiteral("promptTokens"));
    m_prompt->setToolTip(
        tr("Also the tokens the model was given: framed, dashed where the cache had them"));
    m_line->setObjectName(QStringLiteral("tokenLine"));
    m_notice->setObjectName(QStringLiteral("noTokens"));
    m_notice->setAlignment(Qt::AlignTop | Qt::AlignLeft);

    m_pages->addWidget(makeContent());
    auto* empty = new QWidget(this);
    auto* column = new QVBoxLayout(empty);
    column->addWidget(m_notice);
    column->addStretch(1);
    m_pages->addWidget(empty);

    connect(m_measures, &QComboBox::currentIndexChanged, this, &TokensTab::chooseMeasure);
    connect(m_units, &QComboBox::currentIndexChanged, this, &TokensTab::chooseUnit);
    connect(m_prompt, &QCheckBox::toggled, m_strip, &TokenStrip::setPromptShown);
    connect(m_strip, &TokenStrip::currentChanged, this, &TokensTab::showDetails);
    connect(m_strip, &TokenStrip::hoveredChanged, this, &TokensTab::showLine);
    connect(m_curves, &CurveView::tokenChosen, m_strip, &TokenStrip::setCurrent);
    fillUnits();
    setNotice(tr("There is no answer yet. Its tokens will be shown here as they are written."));
    updatePage();
}

QWidget* TokensTab::makeContent()
{
    const int unit = gridUnit(this);
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, unit, 0, 0);
    column->setSpacing(unit);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(unit, 0, unit, 0);
    line->setSpacing(unit);
    line->addWidget(m_measures);
    line->addWidget(m_units);
    line->addStretch(1);
    line->addWidget(m_prompt);
    column->addLayout(line);
    auto* legendLine = new QHBoxLayout;
    legendLine->setContentsMargins(unit, 0, unit, 0);
    legendLine->addWidget(m_legend);
    column->addLayout(legendLine);
    auto* upper = new QWidget(content);
    auto* upperColumn = new QVBoxLayout(upper);
    upperColumn->setContentsMargins(0, 0, 0, unit / 2);
    upperColumn->setSpacing(unit / 2);
    upperColumn->addWidget(m_strip, 1);
    auto* tokenLine = new QHBoxLayout;
    tokenLine->setContentsMargins(unit, 0, unit, 0);
    tokenLine->addWidget(m_line);
    tokenLine->addStretch(1);
    upperColumn->addLayout(tokenLine);
    auto* lower = new QScrollArea(content);
    lower->setObjectName(QStringLiteral("tokenDetails"));
    lower->setAccessibleName(tr("Details of the token"));
    lower->setFrameShape(QFrame::NoFrame);
    lower->setWidgetResizable(true);
    lower->setWidget(m_details);
    auto* splitter = new QSplitter(Qt::Vertical, content);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(upper);
    splitter->addWidget(m_curves);
    splitter->addWidget(lower);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 0);
    splitter->setStretchFactor(2, 1);
    splitter->setSizes({ unit * 70, unit * 20, unit * 100 }); // the curves as low as they go
    column->addWidget(splitter, 1);
    return content;
}

void TokensTab::setAnswer(const app::TokenTrack* track, const app::Answer* answer)
{
    m_details->clear();
    m_track = track;
    m_answer = answer;
    m_curves->setTrack(track);
    m_strip->setTrack(track);
    showDetails();
    updatePage();
}

void TokensTab::takeTokens(bool restarts)
{
    m_strip->takeTokens(restarts);
    m_curves->followTrack(restarts);
    if (restarts)
        showDetails();
    updatePage();
}

void TokensTab::setNotice(const QString& words)
{
    if (m_notice->text() != words)
        m_notice->setNote(words);
}

void TokensTab::updatePage()
{
    const bool hasTokens = m_track && int(m_track->tokens().size()) > m_strip->firstToken();
    m_pages->setCurrentIndex(hasTokens ? 0 : 1);
}

void TokensTab::setMeasure(TokenMeasure measure)
{
    const auto& all = tokenMeasures();
    for (size_t row = 0; row < all.size(); ++row)
        if (all[row].measure == measure)
            m_measures->setCurrentIndex(int(row));
}

void TokensTab::chooseMeasure(int row)
{
    m_measure = tokenMeasures()[size_t(row)].measure;
    m_strip->setMeasure(m_measure);
    m_legend->setMeasure(m_measure);
    fillUnits();
    showDetails();
    emit measureChanged();
}

void TokensTab::fillUnits()
{
    const QSignalBlocker blocker(m_units);
    m_units->clear();
    const TokenMeasureInfo& info = tokenMeasureInfo(m_measure);
    for (const ValueUnit unit : info.units) {
        m_units->addItem(unitWords(unit), int(unit));
        if (unit == m_legend->unit())
            m_units->setCurrentIndex(m_units->count() - 1);
    }
    m_units->setVisible(!info.units.empty());
}

void TokensTab::chooseUnit(int row)
{
    m_legend->setUnit(ValueUnit(m_units->itemData(row).toInt()));
    showDetails();
}

void TokensTab::showLine()
{
    const int token = m_strip->hovered() >= 0 ? m_strip->hovered() : m_strip->current();
    if (!m_track || token < 0 || token >= int(m_track->tokens().size()))
        return m_line->setWholeText({});
    const TokenMeasureInfo& info = tokenMeasureInfo(m_measure);
    const auto value = info.value(*m_track, token);
    QString words = tokenName(*m_track, token);
    // The name has the probability and the rank.
    if (value && info.measure != TokenMeasure::Probability && info.measure != TokenMeasure::Rank)
        words += QStringLiteral(" · ") + measureWords(info.name) + QLatin1Char(' ')
            + info.words(*value, m_legend->unit());
    m_line->setWholeText(words);
}

void TokensTab::showDetails()
{
    showLine();
    const bool isShown = m_track && m_answer && m_strip->current() >= 0
        && m_strip->current() < int(m_track->tokens().size());
    const int token = isShown ? m_strip->current() : -1;
    m_curves->setCurrent(token);
    if (isShown)
        m_details->show(*m_track, *m_answer, token);
    else
        m_details->clear();
    emit tokenShown(token);
}

} // namespace ui
