#include "ui/compare/step_distribution.h"

#include "app/compare/run_step.h"
#include "ui/inspect/candidate_list.h"
#include "ui/inspect/trace_words.h"
#include "ui/theme/labels.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

StepDistribution::StepDistribution(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_list(new CandidateList(this))
    , m_note(new NoteLabel(this))
    , m_swap(new QPushButton(tr("Swap this one token"), this))
{
    m_title->setTextFormat(Qt::PlainText);
    m_swap->setObjectName(QStringLiteral("swap"));
    m_swap->setAutoDefault(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_title);
    column->addWidget(m_list);
    column->addWidget(m_note);
    column->addWidget(m_swap, 0, Qt::AlignLeft);
    column->addStretch(1);
    connect(m_swap, &QPushButton::clicked, this, [this] {
        if (m_swapsTo)
            emit swapRequested(*m_swapsTo);
    });
}

void StepDistribution::showStep(
    const AlignedRun& run, size_t token, std::optional<engine::TokenId> swapsTo)
{
    m_swapsTo = swapsTo;
    m_swap->setVisible(swapsTo.has_value());
    if (swapsTo)
        m_swap->setText(tr("Swap this one token for ‘%1’").arg(run.drawn(*swapsTo)));
    m_title->setText(tr("%1, token %2").arg(run.label).arg(token + 1));
    const bool hasEnded = token >= run.run.tokens.size();
    const engine::TokenRecord* record = hasEnded ? nullptr : &run.run.tokens[token];
    const bool isObserved = record && !record->top.empty() && run.run.request && run.run.samplingAt(token);
    m_list->setVisible(isObserved);
    m_note->setVisible(!isObserved);
    m_note->setNote(hasEnded ? (run.isUnderWay ? tr("It has not come so far.") : tr("It has ended.")) : tr("What else could have come was not observed."));
    if (!isObserved)
        return;
    const app::StageTrace trace = app::traceAsRecorded(app::stepOf(run.run, token), *run.run.samplingAt(token));
    const PieceNames names { [&run](engine::TokenId id) { return run.drawn(id); },
        [&run](engine::TokenId id) { return QStringLiteral("‘%1’").arg(run.drawn(id)); } };
    auto rows = candidateWords(trace, record->id, names);
    constexpr size_t kShown = 6;
    if (rows.size() > kShown)
        rows.resize(kShown);
    m_list->setRows(rows);
}

} // namespace ui
