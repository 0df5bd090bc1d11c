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
    m_begin->setToolTip(tr("Reads the text by the other's model, prompt and settings; nothing is chosen or kept"));
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
    connect(m_begin, &QPushButton::clicked, this, &CrossScoreView::begin);
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
    m_begin->setEnabled(m_runs.size() > 1 && !m_score->isUnderWay());
}

void CrossScoreView::begin()
{
    const int text = m_textOf->currentIndex();
    const int under = m_underOf->currentIndex();
    if (text < 0 || under < 0)
        return;
    m_text = m_runs[size_t(text)];
    m_under = m_runs[size_t(under)].label;
    m_rows->clear();
    const QString refusal = m_score->start(m_text->run, m_runs[size_t(under)].run);
    if (!refusal.isEmpty())
        m_words->setText(refusal);
}

void CrossScoreView::showScore()
{
    m_begin->setEnabled(m_runs.size() > 1 && !m_score->isUnderWay());
    if (m_score->isUnderWay())
        m_words->setText(tr("Reading %L1 tokens…").arg(m_score->wantedCount()));
    else if (!m_score->failure().isEmpty())
        m_words->setText(m_score->failure());
    else
        fillRows();
}

void CrossScoreView::fillRows()
{
    const QString own = m_text->label;
    m_rows->clear();
    m_rows->setHorizontalHeaderLabels({ tr("Token"), tr("Text"), tr("nats in %1").arg(own), tr("nats under %1").arg(m_under),
        tr("Difference"), tr("drawn in %1").arg(own), tr("drawn under %1").arg(m_under) });
    double sum = 0;
    bool isWhole = true;
    for (const app::ScoredStretch& stretch : m_score->stretches()) {
        const auto difference = stretch.difference();
        isWhole = isWhole && difference;
        sum += difference.value_or(0);
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
    const QString total = isWhole ? nats(sum, true) : tr("not settled: some scores were not observed");
    m_words->setText(tr("%1's text under %2: %3 nats in all. Above 0: %2 finds it likelier than %1 did. “Drawn” is the "
                        "probability that its settings left for the token.")
                         .arg(own, m_under, total));
}

} // namespace ui
