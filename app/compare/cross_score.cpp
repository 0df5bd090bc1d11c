#include "app/compare/cross_score.h"

#include "app/conversation/continuation.h"
#include "app/conversation/workspace.h"

namespace app {

namespace {
    void addLogprob(std::optional<double>& sum, const engine::TokenRecord& token, bool isFirst)
    {
        if (isFirst)
            sum = 0;
        if (!token.logprob)
            sum.reset();
        else if (sum)
            *sum += double(*token.logprob);
    }

    /// The text's tokens in this model's vocabulary, in which an end token has no text.
    engine::TokenIds idsIn(const engine::ModelText& model, const std::vector<engine::TokenRecord>& tokens)
    {
        std::string text;
        for (const engine::TokenRecord& token : tokens)
            text += token.bytes;
        return continuationIds(*model.tokenizer, text);
    }

    /// Of each new token, its probability in the draw under the settings of its run.
    std::vector<std::optional<Bounds>> finalShares(const ComparedRun& run)
    {
        std::vector<std::optional<Bounds>> shares(run.tokens.size());
        engine::TokenIds before = run.request ? run.request->promptIds : engine::TokenIds();
        for (size_t i = 0; i < run.tokens.size(); ++i) {
            const engine::TokenRecord& token = run.tokens[i];
            const engine::SamplerSettings* sampling = run.samplingAt(i);
            if (sampling && !token.top.empty()) {
                TracedStep step { token, std::move(before), i, 0, run.bannedIdsAt(i) };
                const StageTrace trace = traceStages(step, *sampling);
                if (const TracedCandidate* found = trace.find(token.id))
                    shares[i] = found->final();
                before = std::move(step.before);
            }
            before.push_back(token.id);
        }
        return shares;
    }
}

std::optional<double> ScoredStretch::difference() const
{
    if (!ownLogprob || !otherLogprob)
        return std::nullopt;
    return *otherLogprob - *ownLogprob;
}

std::vector<ScoredStretch> scoredStretches(const ComparedRun& own, const ComparedRun& scored)
{
    const std::vector<std::optional<Bounds>> finals = finalShares(own);
    const std::vector<std::optional<Bounds>> otherFinals = finalShares(scored);
    std::vector<ScoredStretch> stretches;
    size_t at = 0;
    size_t otherAt = 0;
    while (at < own.tokens.size() && otherAt < scored.tokens.size()) {
        ScoredStretch stretch { .firstToken = at };
        std::string said;
        const auto take = [&] {
            addLogprob(stretch.ownLogprob, own.tokens[at], stretch.tokenCount++ == 0);
            stretch.bytes += own.tokens[at++].bytes;
        };
        const auto takeOther = [&] {
            addLogprob(stretch.otherLogprob, scored.tokens[otherAt], stretch.otherTokenCount++ == 0);
            said += scored.tokens[otherAt++].bytes;
        };
        take();
        takeOther();
        while (stretch.bytes.size() != said.size()) {
            const bool isBehind = stretch.bytes.size() < said.size();
            if (isBehind ? at == own.tokens.size() : otherAt == scored.tokens.size())
                return stretches;
            isBehind ? take() : takeOther();
        }
        if (stretch.tokenCount == 1 && stretch.otherTokenCount == 1) {
            stretch.ownFinal = finals[at - 1];
            stretch.otherFinal = otherFinals[otherAt - 1];
        }
        stretches.push_back(std::move(stretch));
    }
    return stretches;
}

CrossScore::CrossScore(Workspace& workspace, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
{
    connect(&workspace, &Workspace::otherRunEvents, this, &CrossScore::apply);
}

QString CrossScore::start(const ComparedRun& text, const ComparedRun& under)
{
    cancel();
    m_own = text;
    m_scored = under;
    m_scored.tokens.clear();
    m_scored.choosers.clear();
    m_stretches.clear();
    m_failure.clear();
    if (m_own.tokens.empty())
        return tr("There are no tokens to score: the run wrote none, or they were not recorded.");
    if (!under.request || under.request->promptIds.empty())
        return tr("The prompt of the other run was not recorded.");
    if (!m_workspace.isLoadedFrom(under.checkpointFile, under.checkpointBytes))
        return tr("%1 is not loaded: load it on the right to score the text by it.")
            .arg(QString::fromStdString(under.checkpointFile));
    engine::GenerationRequest request = *under.request;
    request.forcedIds = isSameFile(text, under) ? text.newIds() : idsIn(*m_workspace.model()->text, m_own.tokens);
    if (request.forcedIds.empty())
        return tr("The run's text is empty.");
    request.draftTokenCount = 0;
    request.bannedFirstIds.clear();
    request.lengthCap = int(request.forcedIds.size());
    request.stopStrings.clear();
    request.ignoreEndTokens = true;
    request.timeCapMs.reset();
    request.repetitionGuard.reset();
    request.pace = {};
    m_wantedCount = request.forcedIds.size();
    const int context = m_workspace.model()->description.contextLength;
    if (request.promptIds.size() + m_wantedCount > size_t(context))
        return tr("Prompt and text have %L1 tokens together and the context holds %L2.")
            .arg(request.promptIds.size() + m_wantedCount)
            .arg(context);
    m_run = m_workspace.startRun(std::move(request));
    emit changed();
    return {};
}

void CrossScore::cancel()
{
    if (!m_run)
        return;
    m_workspace.cancelRun(*m_run);
    m_run.reset();
}

void CrossScore::apply(const std::vector<engine::GenerationEvent>& events)
{
    for (const engine::GenerationEvent& event : events) {
        if (!m_run)
            return;
        if (const auto* token = std::get_if<engine::TokenDecoded>(&event); token && token->runId == *m_run)
            m_scored.tokens.push_back(token->record);
        else if (const auto* ended = std::get_if<engine::RunEnded>(&event); ended && ended->runId == *m_run)
            finish(*ended);
    }
}

void CrossScore::finish(const engine::RunEnded& ended)
{
    m_run.reset();
    if (m_scored.tokens.size() == m_wantedCount)
        m_stretches = scoredStretches(m_own, m_scored);
    else
        m_failure = ended.ledger.error ? QString::fromStdString(ended.ledger.error->message)
                                       : tr("It ended after %L1 of %L2 tokens.").arg(m_scored.tokens.size()).arg(m_wantedCount);
    emit changed();
}

} // namespace app
