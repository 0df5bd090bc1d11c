#include "app/compare/run_verification.h"

#include "app/conversation/workspace.h"
#include "app/runs/json_members.h"
#include "app/runs/opened_record.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <cmath>
#include <filesystem>

namespace app {

/// What verifying asks of a record, read on another thread.
struct RunVerification::Facts {
    ComparedRun run;
    std::optional<RunReplay> replay;
    std::string contradiction;
    std::string vocabularyHash; ///< "": not recorded
    std::string checkpointHash; ///< likewise
    bool hasEnded = false;
};

RunVerification::RunVerification(Workspace& workspace, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
{
    connect(&workspace, &Workspace::otherRunEvents, this, &RunVerification::apply);
    connect(&workspace, &Workspace::modelChanged, this, [this] {
        if (m_isUnderWay && m_workspace.modelState() != ModelState::Ready) {
            cancel();
            fail(tr("The model was exchanged or unloaded before it had ended."));
        }
    });
}

RunVerification::~RunVerification()
{
    if (m_runId != 0)
        m_workspace.cancelRun(m_runId);
}

void RunVerification::start(nlohmann::ordered_json record)
{
    cancel();
    m_run.reset();
    m_replayed.clear();
    m_outcome.reset();
    m_failure.clear();
    m_nextRequest = 0;
    m_isUnderWay = true;
    const int asked = ++m_asked;
    // Of the model that it runs on: obstacle() refuses another one.
    const auto text = m_workspace.model() ? m_workspace.model()->text : nullptr;
    QThreadPool::globalInstance()->start([record = std::move(record), asked, text, self = QPointer(this)] {
        Facts facts;
        const RunReading reading = readRunRecord(record);
        facts.run = comparedRun(reading, tokensOf(record));
        facts.replay = replayOf(facts.run);
        if (text && text->tokenizer)
            takeDraftPieces(facts.run, *text->tokenizer);
        facts.contradiction = contradictionOf(facts.run);
        facts.vocabularyHash = vocabularyHashOf(record);
        facts.checkpointHash = textAt(memberAt(record, "checkpoint"), "sha256");
        facts.hasEnded = !memberAt(record, "stop").is_null();
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, asked, facts = std::move(facts)] {
                if (self && self->m_isUnderWay && self->m_asked == asked)
                    self->takeFacts(facts);
            },
            Qt::QueuedConnection);
    });
    emit changed();
}

void RunVerification::cancel()
{
    if (!m_isUnderWay)
        return;
    m_isUnderWay = false;
    if (const engine::RunId run = std::exchange(m_runId, 0))
        m_workspace.cancelRun(run);
    emit changed();
}

/// "": it can be run again.
QString RunVerification::obstacle(const Facts& facts) const
{
    const ComparedRun& run = facts.run;
    if (!facts.replay)
        return tr("The record does not tell the token ids of the prompt, so the run cannot be done again.");
    if (run.tokens.empty())
        return facts.hasEnded ? tr("No token was recorded, so there is nothing to compare.")
                              : tr("The run has not ended: nothing is recorded yet.");
    for (const engine::TokenRecord& token : run.tokens)
        if (token.id == kNoTokenId)
            return tr("The record does not tell the ids of its tokens, so there is nothing to compare.");
    const QString file = QString::fromStdString(run.checkpointFile);
    if (m_workspace.modelState() == ModelState::Loading)
        return tr("A model is still being loaded. Verify again when it is ready.");
    if (m_workspace.modelState() != ModelState::Ready || !m_workspace.model())
        return tr("No model is loaded. Load %1, which wrote it.").arg(file);
    const engine::ModelDescription& model = m_workspace.model()->description;
    const std::string loaded = std::filesystem::path(model.path).filename().string();
    const auto hash = m_workspace.checkpointHash();
    const bool isOtherFile = hash && !facts.checkpointHash.empty()
        ? *hash != facts.checkpointHash // whatever it is called
        : run.checkpointFile != loaded
            || (run.checkpointBytes && *run.checkpointBytes != model.fileBytes);
    if (isOtherFile && run.checkpointFile == loaded)
        return tr("Another file called %1 is loaded: not the one that wrote it.").arg(file);
    if (isOtherFile)
        return tr("Another model is loaded: %1. Load %2, which wrote it.")
            .arg(QString::fromStdString(loaded), file);
    if (!facts.vocabularyHash.empty()
        && m_workspace.vocabularyHash().toStdString() != facts.vocabularyHash)
        return tr("The vocabulary of the loaded model is not that of the record: its token ids mean "
                  "other words.");
    const size_t needed = run.request->promptIds.size() + run.tokens.size();
    if (model.contextLength > 0 && needed > size_t(model.contextLength))
        return tr("The run took %L1 tokens of context, and the model is loaded with %L2. Raise the "
                  "context length on the right.")
            .arg(needed)
            .arg(model.contextLength);
    return {};
}

void RunVerification::takeFacts(Facts facts)
{
    if (const QString why = obstacle(facts); !why.isEmpty())
        return fail(why);
    m_run = std::move(facts.run);
    m_replay = std::move(*facts.replay);
    m_contradiction = std::move(facts.contradiction);
    startNext();
    emit changed();
}

void RunVerification::startNext()
{
    engine::GenerationRequest request = m_replay.requests[m_nextRequest];
    request.reusesCache = m_nextRequest > 0; // further pieces go on from what this has computed
    ++m_nextRequest;
    m_runId = m_workspace.startRun(std::move(request));
}

void RunVerification::apply(const std::vector<engine::GenerationEvent>& events)
{
    bool hasChanged = false;
    for (const engine::GenerationEvent& event : events) {
        if (!m_isUnderWay || m_runId == 0 || engine::runIdOf(event) != m_runId)
            continue;
        hasChanged = true;
        if (const auto* ended = std::get_if<engine::RunEnded>(&event)) {
            applyEnd(*ended);
            continue;
        }
        const auto* token = std::get_if<engine::TokenDecoded>(&event);
        if (!token)
            continue;
        m_replayed.push_back(token->record);
        const size_t last = m_replayed.size() - 1;
        if (last < m_run->tokens.size() && m_run->tokens[last].id != token->record.id) {
            m_workspace.cancelRun(std::exchange(m_runId, 0)); // the rest is another story
            finish();
        }
    }
    if (hasChanged)
        emit changed();
}

void RunVerification::applyEnd(const engine::RunEnded& ended)
{
    m_runId = 0;
    if (ended.ledger.error)
        return fail(tr("It failed: %1").arg(QString::fromStdString(ended.ledger.error->message)));
    if (ended.ledger.cancelledBy)
        return fail(tr("It was stopped before it had ended."));
    const bool goesOn = m_nextRequest < m_replay.requests.size()
        && m_replayed.size() == m_replay.firstTokens[m_nextRequest];
    if (goesOn)
        startNext();
    else
        finish();
}

void RunVerification::finish()
{
    m_isUnderWay = false;
    m_outcome = Outcome { .tokenCount = std::min(m_replayed.size(), m_run->tokens.size()) };
    m_outcome->device = m_workspace.model()->description.device.name;
    m_outcome->contradiction = m_contradiction;
    if (const auto difference = firstDifference(*m_run, m_replayed))
        m_outcome->difference = namedDifference(*difference);
}

void RunVerification::fail(const QString& why)
{
    m_isUnderWay = false;
    m_failure = why;
    emit changed();
}

RunVerification::Difference RunVerification::namedDifference(const ReplayDifference& found) const
{
    const engine::Tokenizer& tokenizer = *m_workspace.model()->text->tokenizer;
    const auto named = [&](engine::TokenId id, std::optional<float> logprob) {
        NamedCandidate candidate { .id = id };
        if (tokenizer.vocabulary().contains(id))
            candidate.bytes = tokenizer.pieceBytes(id);
        if (candidate.bytes.empty() && tokenizer.vocabulary().contains(id))
            candidate.bytes = tokenizer.pieceText(id); // a control token
        candidate.probability = logprob ? std::exp(double(*logprob)) : 0;
        return candidate;
    };
    const auto topOf = [&](const engine::TokenRecord& token) {
        std::vector<NamedCandidate> top;
        for (const engine::Candidate& candidate : token.top)
            top.push_back(named(candidate.id, candidate.logprob));
        return top;
    };
    Difference difference { .token = found.token };
    difference.recorded = named(found.recorded.id, found.recorded.logprob);
    difference.recordedTop = topOf(found.recorded);
    if (found.replayed) {
        difference.replayed = named(found.replayed->id, found.replayed->logprob);
        difference.replayedTop = topOf(*found.replayed);
    }
    return difference;
}

} // namespace app
