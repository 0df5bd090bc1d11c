#include "engine/session/generation.h"

#include "engine/session/loaded_model.h"

#include <algorithm>

namespace engine {

namespace {
    StopSettings stopSettings(const GenerationRequest& request, const GenerationModel& model)
    {
        const bool hasGuard
            = request.repetitionGuard && checkRepetitionLimits(*request.repetitionGuard);
        return {
            .stopStrings = request.stopStrings,
            .lengthCap = request.lengthCap,
            .ignoreEndTokens = request.ignoreEndTokens,
            .repetitionGuard = hasGuard ? request.repetitionGuard : std::nullopt,
            .endTokenIds = model.endTokenIds,
            .promptLength = int(request.promptIds.size()),
            .contextLength = model.timeline.contextLength(),
        };
    }
}

GenerationModel generationModel(const LoadedModel& model, Timeline& timeline)
{
    const std::shared_ptr<const ModelText> text = model.text();
    return {
        .timeline = timeline,
        .pieceBytes = [text](TokenId id) { return text->tokenizer->pieceBytes(id); },
        .endTokenIds = text->tokenizer->vocabulary().endTokenIds(),
        .vocabularySize = text->tokenizer->vocabulary().size(),
    };
}

Generation::Generation(GenerationRequest request, GenerationModel model, GenerationWatch watch)
    : m_request(std::move(request))
    , m_model(std::move(model))
    , m_watch(std::move(watch))
    , m_sampler(m_request.sampling, m_model.endTokenIds)
    , m_rules(stopSettings(m_request, m_model))
    , m_timeline(&m_model.timeline)
    , m_sequence(m_request.promptIds)
    , m_passLog(m_watch.submitted)
{
}

void Generation::run()
{
    m_timing.dequeuedMs = elapsedMs();
    enter();
    leave(generate());
}

void Generation::resume(Pace pace)
{
    m_request.pace = std::move(pace);
    m_pause.reset();
    m_breakpoint.reset();
    m_saidSinceResumed.clear();
    m_tokensSinceResumed = 0;
    m_pausedMs += elapsedMs() - m_pausedSinceMs;
    m_watch.sink.push(RunResumed { m_request.runId });
    enter();
    std::optional<Ending> ending = readAgain();
    leave(ending ? std::move(ending) : chooseTokens());
}

void Generation::end(CancelledBy by)
{
    m_pause.reset();
    finish({ StopReason::Cancelled, by });
}

/// Takes the timeline: it tells of what it computes from now on.
void Generation::enter()
{
    m_timeline->setTrace(m_watch.trace);
    m_timeline->setPassLog(m_request.isInspected ? &m_passLog : nullptr);
}

void Generation::releaseTimeline()
{
    if (m_isChoosingThere)
        m_discardedPassCount += m_timeline->endChoosing();
    m_isChoosingThere = false;
    m_timeline->setTrace(nullptr);
    m_timeline->setPassLog(nullptr);
}

/// Lets others use the timeline between two tokens; as after a pause, the ids stay the same.
std::optional<Generation::Ending> Generation::giveWay()
{
    releaseTimeline();
    const double start = elapsedMs();
    m_watch.serveOthers();
    m_pausedMs += elapsedMs() - start;
    enter();
    if (std::optional<Ending> ending = readAgain())
        return ending;
    return beginOverlap();
}

/// Gives the timeline back, at the end or for a pause.
void Generation::leave(const std::optional<Ending>& ending)
{
    releaseTimeline();
    if (ending)
        return finish(*ending);
    m_pausedSinceMs = elapsedMs();
    m_watch.sink.push(RunPaused { m_request.runId, *m_pause });
}

/// What a pause interrupted: the pass of the last token, and whatever others took out of the cache meanwhile.
std::optional<Generation::Ending> Generation::readAgain()
{
    const SyncControl control { .progress = {}, .cancelled = [this] { return endedFromOutside().has_value(); } };
    const Result<SyncReport> synced = m_timeline->sync(m_sequence, control);
    if (!synced)
        return endedByError(synced.error());
    if (newTokenCount() > 0) {
        ++m_decodePassCount;
        m_passLog.lastIsDecode();
    }
    if (newTokenCount() == 0 || synced->computedTokens > 1)
        m_sync.chunkCount += synced->chunkCount;
    return endedFromOutside();
}

std::optional<PauseCause> Generation::pauseDue()
{
    if (m_breakpoint)
        return m_breakpoint;
    if (m_request.pace.tokens && m_tokensSinceResumed >= *m_request.pace.tokens)
        return PauseCause::StepsDone;
    if (m_watch.paused && m_watch.paused())
        return PauseCause::Asked;
    return std::nullopt;
}

std::optional<Generation::Ending> Generation::generate()
{
    std::optional<Ending> ending = readPrompt();
    return ending ? ending : chooseTokens();
}

Generation::Step Generation::begin()
{
    m_timing.dequeuedMs = elapsedMs();
    m_overlap.obstacle = "computed together with other runs";
    enter();
    std::optional<Ending> ending = readPrompt();
    return stepAfter(ending ? std::move(ending) : decideToken());
}

Generation::Step Generation::afterPass()
{
    ++m_decodePassCount;
    return stepAfter(decideToken());
}

Generation::Step Generation::failed(Error error)
{
    releaseTimeline();
    finish(endedByError(std::move(error)));
    return Step::Ended;
}

Generation::Step Generation::takeUp(Timeline& timeline)
{
    m_timeline = &timeline;
    enter();
    std::optional<Ending> ending = newTokenCount() > 0 ? readAgain() : prefill();
    return stepAfter(ending ? std::move(ending) : decideToken());
}

Generation::Step Generation::stepAfter(std::optional<Ending> ending)
{
    if (ending && ending->error && ending->error->code == ErrorCode::OutOfMemory)
        return Step::NeedsRoom;
    if (!ending)
        ending = endedFromOutside();
    if (!ending)
        return Step::NeedsPass;
    releaseTimeline();
    finish(*ending);
    return Step::Ended;
}

std::optional<Generation::Ending> Generation::readPrompt()
{
    if (std::optional<Ending> ending = endedFromOutside())
        return *ending;
    if (Result<void> checked = checkRequest(); !checked)
        return Ending { StopReason::Failed, {}, std::move(checked.error()) };
    if (m_request.lengthCap == 0)
        return Ending { StopReason::LengthCap };
    if (int(m_sequence.size()) == m_timeline->contextLength())
        return Ending { StopReason::ContextFull };

    // A continued draft is shown already: its unfinished character and its last bytes go on.
    const auto draft = std::span(m_sequence).last(size_t(m_request.draftTokenCount));
    for (TokenId id : draft)
        m_rules.continueFrom(m_model.pieceBytes(id));
    return prefill();
}

/// From scores at the last position on.
std::optional<Generation::Ending> Generation::chooseTokens()
{
    if (m_pause = pauseDue(); m_pause)
        return std::nullopt;
    if (std::optional<Ending> ending = beginOverlap())
        return ending;
    for (;;) {
        if (std::optional<Ending> ending = decideToken())
            return ending;
        if (std::optional<Ending> ending = endedFromOutside())
            return ending;
        if (m_pause = pauseDue(); m_pause)
            return std::nullopt;
        if (m_watch.othersWait && m_watch.othersWait()) {
            if (std::optional<Ending> ending = giveWay())
                return ending;
            continue;
        }
        if (m_isChoosingThere)
            continue; // the timeline adds the token when it is asked for the next
        if (Result<void> appended = m_timeline->append(m_sequence.back()); !appended)
            return endedByError(std::move(appended.error()));
        ++m_decodePassCount;
    }
}

Result<void> Generation::checkRequest() const
{
    TRY(checkSamplerSettings(m_request.sampling));
    if (m_request.repetitionGuard)
        TRY(checkRepetitionLimits(*m_request.repetitionGuard));
    if (m_request.lengthCap < 0)
        return Error::badRequest(
            "the length cap is " + std::to_string(m_request.lengthCap) + "; it must be 0 or more");
    if (m_request.promptIds.empty())
        return Error::badRequest("the prompt is empty: there is nothing to continue");
    if (m_request.draftTokenCount < 0
        || size_t(m_request.draftTokenCount) > m_request.promptIds.size())
        return Error::badRequest("the draft to continue is longer than the prompt it ends");
    for (const TokenIds* ids : { &m_request.promptIds, &m_request.forcedIds, &m_request.pace.forcedIds })
        for (TokenId id : *ids)
            if (id < 0 || id >= m_model.vocabularySize)
                return Error::badRequest("token " + std::to_string(id)
                    + " is not in the vocabulary of " + std::to_string(m_model.vocabularySize));
    const int needed = int(m_request.promptIds.size());
    const int available = m_timeline->contextLength();
    if (needed > available)
        return Error::contextFull("The prompt needs " + std::to_string(needed)
            + " tokens, the context has room for " + std::to_string(available)
            + ". Shorten the prompt or open the model with a longer context.");
    return {};
}

std::optional<Generation::Ending> Generation::prefill()
{
    m_timing.prefillStartMs = elapsedMs();
    const SyncControl control {
        .progress =
            [this](int done, int total, int reused) {
                m_watch.sink.push(PrefillProgress { m_request.runId, done, total, reused, m_passLog.take() });
            },
        .cancelled = [this] { return endedFromOutside().has_value(); },
        .reusesCache = m_request.reusesCache,
    };
    Result<SyncReport> synced = m_timeline->sync(m_sequence, control);
    if (!synced)
        return endedByError(std::move(synced.error()));
    m_sync = std::move(*synced);
    m_timing.prefillEndMs = elapsedMs();
    return endedFromOutside();
}

std::optional<Generation::Ending> Generation::beginOverlap()
{
    if (const std::optional<std::string> obstacle = overlapObstacle()) {
        m_overlap.obstacle = *obstacle;
        return std::nullopt;
    }
    const int room = m_timeline->contextLength() - int(m_sequence.size());
    m_overlap.obstacle.clear();
    m_tokensChosenThere = 0;
    Result<void> begun = m_timeline->beginChoosing({
        .sampling = m_request.sampling,
        .firstDrawStep = drawStepOf(size_t(newTokenCount())),
        .mostTokens = std::min(m_request.lengthCap - newTokenCount(), room),
    });
    if (!begun)
        return endedByError(std::move(begun.error()));
    m_overlap.isUsed = true;
    m_isChoosingThere = true;
    return std::nullopt;
}

std::optional<std::string> Generation::overlapObstacle() const
{
    if (!m_request.overlaps)
        return "switched off for this run";
    if (!m_request.forcedIds.empty() || !m_request.pace.forcedIds.empty())
        return "tokens are forced by the host";
    if (!m_request.bannedFirstIds.empty())
        return "a token is banned at one step only, which the host sees to";
    return m_timeline->choosingObstacle(m_request.sampling);
}

/// Counted from the start of the answer, so that a continued draft draws on.
uint64_t Generation::drawStepOf(size_t index) const
{
    return uint64_t(m_request.draftTokenCount) + index;
}

Result<TokenRecord> Generation::chooseHere(size_t index)
{
    SamplingStep step {
        .logits = m_timeline->logits(),
        .recentTokens = m_sequence,
        .step = drawStepOf(index),
    };
    step.isInspected = m_request.isInspected;
    if (index == 0)
        step.bannedIds = m_request.bannedFirstIds;
    if (index < m_request.forcedIds.size())
        step.forcedId = m_request.forcedIds[index];
    else if (size_t(m_tokensSinceResumed) < m_request.pace.forcedIds.size())
        step.forcedId = m_request.pace.forcedIds[size_t(m_tokensSinceResumed)];
    const TracedScope traced(m_watch.trace, "choose");
    return m_sampler.choose(step);
}

Result<TokenRecord> Generation::chooseOnDevice(size_t index)
{
    TRY_ASSIGN(const StepResult result, m_timeline->nextToken());
    if (m_tokensChosenThere++ > 0)
        ++m_decodePassCount;
    if (!result.isFinite())
        return Error::notFinite("the model's scores are not finite numbers");
    TokenRecord record = recordOf(result, m_request.sampling, drawStepOf(index));
    if (!m_request.isInspected)
        return TokenRecord { .id = record.id, .draw = record.draw };
    return record;
}

std::optional<Generation::Ending> Generation::decideToken()
{
    const size_t index = size_t(newTokenCount());
    Result<TokenRecord> record = m_isChoosingThere ? chooseOnDevice(index) : chooseHere(index);
    if (!record) {
        if (record.error().code == ErrorCode::NotFinite
            || record.error().code == ErrorCode::BadRequest)
            record.error().message
                = "token " + std::to_string(index) + ": " + record.error().message;
        return endedByError(std::move(record.error()));
    }
    record->position = int(m_sequence.size());
    record->bytes = m_model.pieceBytes(record->id);
    record->decidedMs = elapsedMs();
    ++m_tokensSinceResumed;
    m_saidSinceResumed += record->bytes;
    m_breakpoint = breakpointAt(m_request.pace.breakpoints, *record, m_saidSinceResumed);
    m_endProbability = record->endProbability;
    m_sequence.push_back(record->id);
    std::string text = m_rules.take(newTokens(), record->bytes);
    emitToken(std::move(*record), std::move(text));
    if (const std::optional<StopReason> reason = m_rules.reached(isTimeUp()))
        return Ending { *reason };
    return std::nullopt;
}

void Generation::emitToken(TokenRecord record, std::string text)
{
    const double now = elapsedMs();
    if (!m_timing.firstTokenMs)
        m_timing.firstTokenMs = now;
    noteFirstText(text);
    m_text += text;
    const TracedScope traced(m_watch.trace, "emit");
    m_watch.sink.push(TokenDecoded {
        .runId = m_request.runId,
        .index = newTokenCount() - 1,
        .record = std::move(record),
        .text = std::move(text),
        .waitingBytes = int(m_rules.release().waitingBytes().size()),
        .heldText = std::string(m_rules.release().heldText()),
        .heldFor = m_rules.release().heldFor(),
        .passes = m_passLog.take(),
    });
}

/// Conditions that no token brings about.
std::optional<Generation::Ending> Generation::endedFromOutside() const
{
    if (isTimeUp())
        return Ending { StopReason::TimeCap };
    if (const std::optional<CancelledBy> by = m_watch.cancelled())
        return Ending { StopReason::Cancelled, by };
    return std::nullopt;
}

Generation::Ending Generation::endedByError(Error error)
{
    if (error.code == ErrorCode::Cancelled)
        if (std::optional<Ending> ending = endedFromOutside())
            return *ending;
    // Pages behind a broken score or a lost device cannot be trusted, reused ones included.
    if (error.code == ErrorCode::NotFinite || error.code == ErrorCode::DeviceLost)
        m_timeline->dropFrom(0);
    return { StopReason::Failed, {}, std::move(error) };
}

void Generation::finish(const Ending& ending)
{
    RunEnded ended { .runId = m_request.runId };
    ended.ledger = ledgerOf(ending); // before the held text is let go: it says how much is held
    if (std::string rest = m_rules.finish(); !rest.empty()) {
        noteFirstText(rest);
        m_text += rest;
        m_watch.sink.push(TextReleased { m_request.runId, std::move(rest) });
    }
    ended.text = m_text;
    ended.tokenIds.assign(
        m_sequence.begin() + ptrdiff_t(m_request.promptIds.size()), m_sequence.end());
    ended.waitingBytes = m_rules.release().waitingBytes();
    ended.cache = { .reusedTokens = m_sync.reusedTokens,
        .computedTokens = m_sync.computedTokens,
        .firstMissPosition = m_sync.firstMissPosition,
        .missCause = m_sync.missCause,
        .miss = m_sync.miss,
        .heldToken = m_sync.heldToken,
        .room = m_model.timeline.room() };
    ended.prefillChunkCount = m_sync.chunkCount;
    ended.decodePassCount = m_decodePassCount;
    ended.discardedPassCount = m_discardedPassCount;
    ended.overlap = m_overlap;
    m_timing.endedMs = elapsedMs();
    ended.timing = m_timing;
    ended.passes = m_passLog.take();
    m_watch.sink.push(std::move(ended));
}

Ledger Generation::ledgerOf(const Ending& ending) const
{
    StopConditions conditions = m_rules.conditions();
    conditions.endProbability = m_endProbability;
    conditions.elapsedMs = activeMs();
    conditions.timeCapMs = m_request.timeCapMs;
    conditions.repetitionGuard = m_request.repetitionGuard;
    Ledger ledger = makeLedger(ending.reason, conditions);
    if (ending.reason == StopReason::EndToken)
        ledger.endTokenId = m_sequence.back();
    ledger.cancelledBy = ending.cancelledBy;
    ledger.error = ending.error;
    return ledger;
}

bool Generation::isTimeUp() const
{
    return m_request.timeCapMs
        && activeMs() >= double(*m_request.timeCapMs);
}

/// Since the run left the queue, without its pauses.
double Generation::activeMs() const
{
    return elapsedMs() - m_timing.dequeuedMs.value_or(0) - m_pausedMs;
}

double Generation::elapsedMs() const
{
    const auto elapsed = std::chrono::steady_clock::now() - m_watch.submitted;
    return std::chrono::duration<double, std::milli>(elapsed).count();
}

void Generation::noteFirstText(const std::string& text)
{
    if (!text.empty() && !m_timing.firstTextMs)
        m_timing.firstTextMs = elapsedMs();
}

} // namespace engine
