#include "ui/compare/cross_score_view.h"

#include "ui/inspect/piece_words.h"
#include "ui/inspect/trace_words.h"
#include "ui/library/copied_table.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {
    QString nats(const std::optional<double>& value, bool isSigned = false)
    {
        if (!value)
            return {};
        const double shown = std::round(*value * 1000) / 1000 + 0.0; // no sign before a zero
        const QString number = QLocale().toString(shown, 'f', 3);
        return isSigned && shown > 0 ? QLatin1Char('+') + number : number;
    }

    QString drawnStretch(const AlignedRun& run, const app::ScoredStretch& stretch)
    {
        QString text;
        for (size_t i = 0; i < stretch.tokenCount; ++i)
            text += run.drawnAt(stretch.firstToken + i);
        return text;
    }

    /// The same run, written further perhaps: its request tells it from all others.
    bool isOf(const AlignedRun& shown, const AlignedRun& scored)
    {
        const engine::TokenIds ids = scored.run.newIds();
        const engine::TokenIds there = shown.run.newIds();
        return shown.run.request == scored.run.request && app::isSameFile(shown.run, scored.run)
            && there.size() >= ids.size() && std::equal(ids.begin(), ids.end(), there.begin());
    }

    /// The run among these, whatever it is called now; null: it is no longer there.
    const AlignedRun* findRun(const std::vector<AlignedRun>& runs, const AlignedRun& scored)
    {
        const AlignedRun* found = nullptr;
        for (const AlignedRun& run : runs)
            if (isOf(run, scored) && (!found || run.label == scored.label)) // one run may stand in several columns
                found = &run;
        return found;
    }
}

CrossScoreView::CrossScoreView(app::Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_score(new app::CrossScore(workspace, this))
    , m_textOf(new QComboBox(this))
    , m_underOf(new QComboBox(this))
    , m_begin(new QPushButton(tr("&Score"), this))
    , m_words(new QLabel(this))
    , m_rows(new QStandardItemModel(this))
    , m_table(new CopiedTable(this))
{
    m_textOf->setObjectName(QStringLiteral("scoredText"));
    m_underOf->setObjectName(QStringLiteral("scoredUnder"));
    m_textOf->setAccessibleName(tr("Whose text is scored"));
    m_underOf->setAccessibleName(tr("Under whose model and settings"));
    m_begin->setObjectName(QStringLiteral("score"));
    m_begin->setAutoDefault(false);
    m_words->setObjectName(QStringLiteral("scoreWords"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_table->setObjectName(QStringLiteral("scores"));
    m_table->setAccessibleName(tr("Scores of both, token by token"));
    m_table->setModel(m_rows);
    auto* line = new QHBoxLayout;
    const auto addLabel = [&](const QString& text) {
        auto* label = new QLabel(text, this);
        label->setTextFormat(Qt::PlainText);
        line->addWidget(label);
    };
    addLabel(tr("Text of"));
    line->addWidget(m_textOf);
    addLabel(tr("under model, prompt and settings of"));
    line->addWidget(m_underOf);
    line->addWidget(m_begin);
    line->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(line);
    column->addWidget(m_words);
    column->addWidget(m_table, 1);
    connect(m_begin, &QPushButton::clicked, this, &CrossScoreView::beginOrStop);
    connect(m_score, &app::CrossScore::changed, this, &CrossScoreView::showScore);
    setRuns({});
}

void CrossScoreView::setRuns(std::vector<AlignedRun> runs)
{
    m_runs = std::move(runs);
    const auto refill = [&](QComboBox* box, int wished) {
        QStringList labels;
        for (const AlignedRun& run : m_runs)
            labels.append(run.label);
        QStringList shown;
        for (int i = 0; i < box->count(); ++i)
            shown.append(box->itemText(i));
        if (shown == labels)
            return;
        box->clear();
        box->addItems(labels);
        box->setCurrentIndex(std::min(wished, box->count() - 1));
    };
    refill(m_textOf, 0);
    refill(m_underOf, 1);
    followRuns();
    showButton();
}

/// A score is told under the names that its runs have now, and not beside other runs.
void CrossScoreView::followRuns()
{
    if (!m_text)
        return;
    const AlignedRun* text = findRun(m_runs, *m_text);
    const AlignedRun* under = findRun(m_runs, *m_under);
    if (!text || !under) {
        m_score->cancel();
        m_text.reset();
        m_under.reset();
        m_rows->clear();
        m_words->clear();
    } else if (m_text->label != text->label || m_under->label != under->label) {
        m_text->label = text->label;
        m_under->label = under->label;
        showScore();
    }
}

void CrossScoreView::showButton()
{
    const bool isUnderWay = m_score->isUnderWay();
    m_begin->setText(isUnderWay ? tr("&Stop") : tr("&Score"));
    m_begin->setToolTip(isUnderWay
            ? tr("Ends the reading; no score comes of it")
            : tr("Reads the text by the other's model, prompt and settings; nothing is chosen or kept"));
    m_begin->setEnabled(isUnderWay || m_runs.size() > 1);
}

void CrossScoreView::beginOrStop()
{
    if (m_score->isUnderWay()) {
        m_score->cancel();
        m_remark = tr("Scoring was stopped.");
        return showScore();
    }
    const int text = m_textOf->currentIndex();
    const int under = m_underOf->currentIndex();
    if (text < 0 || under < 0)
        return;
    m_text = m_runs[size_t(text)];
    m_under = m_runs[size_t(under)];
    m_remark.clear();
    m_remark = m_score->start(m_text->run, m_under->run);
    showScore();
}

void CrossScoreView::showScore()
{
    showButton();
    m_rows->clear();
    if (m_score->isUnderWay())
        m_words->setText(tr("Reading %L1 tokens…").arg(m_score->wantedCount()));
    else if (!m_remark.isEmpty())
        m_words->setText(m_remark);
    else if (!m_score->failure().isEmpty())
        m_words->setText(m_score->failure());
    else
        fillRows();
}

void CrossScoreView::fillRows()
{
    const QString own = m_text->label;
    const QString under = m_under->label;
    if (m_score->stretches().empty()) {
        m_words->setText(tr("%1's text under %2: nothing can be compared. The pieces of the two vocabularies never end at "
                            "the same byte.")
                             .arg(own, under));
        return;
    }
    m_rows->setHorizontalHeaderLabels({ tr("Token"), tr("Text"), tr("nats in %1").arg(own), tr("nats under %1").arg(under),
        tr("Difference"), tr("drawn in %1").arg(own), tr("drawn under %1").arg(under) });
    double sum = 0;
    size_t comparedCount = 0;
    bool isWhole = true;
    for (const app::ScoredStretch& stretch : m_score->stretches()) {
        const auto difference = stretch.difference();
        isWhole = isWhole && difference;
        sum += difference.value_or(0);
        comparedCount += stretch.tokenCount;
        QList<QStandardItem*> row;
        const QStringList texts { QString::number(stretch.firstToken + 1), drawnStretch(*m_text, stretch),
            nats(stretch.ownLogprob), nats(stretch.otherLogprob), nats(difference, true),
            stretch.ownFinal ? shareWords(stretch.ownFinal) : QString(),
            stretch.otherFinal ? shareWords(stretch.otherFinal) : QString() };
        for (const QString& text : texts)
            row.append(new QStandardItem(text));
        for (qsizetype i = 2; i < row.size(); ++i)
            row[i]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_rows->appendRow(row);
    }
    m_table->fitColumns(1);
    const size_t tokenCount = m_text->run.tokens.size();
    const bool isAll = comparedCount == tokenCount;
    QString total = tr("no sum, some scores were not observed");
    if (isWhole)
        total = (isAll ? tr("%1 nats in all") : tr("%1 nats")).arg(nats(sum, true));
    if (!isAll)
        total += tr("; only the first %L1 of its %L2 tokens could be compared").arg(comparedCount).arg(tokenCount);
    m_words->setText(tr("%1's text under %2: %3. Above 0: %2 finds it likelier than %1 did. “Drawn” is the "
                        "probability that its settings left for the token.")
                         .arg(own, under, total));
}

} // namespace ui
