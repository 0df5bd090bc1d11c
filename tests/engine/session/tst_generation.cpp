#include "tests/engine/session/faulty_timeline.h"
#include "tests/engine/session/recorded_events.h"
#include "tests/engine/session/word_model.h"

#include <QtTest>
#include <set>
#include <thread>

using namespace engine;
using namespace tests;

namespace {
/// The answer of G-07: nine tokens and an end token.
const WordModel kGreeting({ "Hello", "!", " How", " can", " I", " assist", " you", " today", "?" });
/// The answer of G-09, as far as these tests need it.
const WordModel kCounting({ "1", ",", " ", "2", ",", " ", "3", ",", " ", "4", ",", " ", "5", ",",
    " ", "6", ",", " ", "1", "7" });

GenerationRequest requestOf(int lengthCap = 1024)
{
    GenerationRequest request;
    request.runId = 1;
    request.promptIds = { WordModel::kPrompt, WordModel::kPrompt };
    request.lengthCap = lengthCap;
    request.sampling.temperature = 0;
    return request;
}

const LedgerEntry& entryOf(const RunEnded& ended, StopReason reason)
{
    static const LedgerEntry kNone;
    for (const LedgerEntry& entry : ended.ledger.entries)
        if (entry.reason == reason)
            return entry;
    return kNone;
}

/// A model that says "1, 1, 1, ..." and never ends: a period of three tokens.
RunEnded repeatingEnd(const GenerationRequest& request)
{
    TokenIds ids;
    for (int i = 0; i < 200; ++i)
        ids.push_back(WordModel::kFirstPiece + i % 3);
    ScriptedTimeline timeline(Script::ofTokens(ids, kCounting.vocabularySize()));
    return endOf(eventsOf(request, kCounting.on(timeline)));
}

RunEnded countingEnd(const GenerationRequest& request)
{
    ScriptedTimeline timeline(kCounting.script());
    return endOf(eventsOf(request, kCounting.on(timeline)));
}
}

class TestGeneration : public QObject {
    Q_OBJECT
private slots:
    void g08_theCapTableHolds_data()
    {
        QTest::addColumn<int>("cap");
        QTest::addColumn<int>("tokenCount");
        QTest::addColumn<QString>("text");
        QTest::addColumn<StopReason>("reason");
        QTest::addColumn<Verdict>("verdict");
        const QString most = "Hello! How can I assist you today";
        QTest::newRow("0") << 0 << 0 << "" << StopReason::LengthCap << Verdict::Capped;
        QTest::newRow("1") << 1 << 1 << "Hello" << StopReason::LengthCap << Verdict::Capped;
        QTest::newRow("8") << 8 << 8 << most << StopReason::LengthCap << Verdict::Capped;
        QTest::newRow("9") << 9 << 9 << most + "?" << StopReason::LengthCap << Verdict::Capped;
        QTest::newRow("10") << 10 << 10 << most + "?" << StopReason::EndToken << Verdict::Complete;
        QTest::newRow("11") << 11 << 10 << most + "?" << StopReason::EndToken << Verdict::Complete;
    }
    void g08_theCapTableHolds()
    {
        QFETCH(int, cap);
        QFETCH(int, tokenCount);
        QFETCH(QString, text);
        QFETCH(StopReason, reason);
        QFETCH(Verdict, verdict);
        ScriptedTimeline timeline(kGreeting.script());
        const auto events = eventsOf(requestOf(cap), kGreeting.on(timeline));
        const RunEnded ended = endOf(events);
        QCOMPARE(ended.ledger.reason, reason);
        QCOMPARE(ended.verdict(), verdict);
        QCOMPARE(int(ended.tokenIds.size()), tokenCount);
        QCOMPARE(ended.ledger.tokenCount, tokenCount);
        QCOMPARE(QString::fromStdString(ended.text), text);
        QCOMPARE(joined(releasedTexts(events)), ended.text);
        QCOMPARE(ended.decodePassCount, std::max(0, tokenCount - 1));
        // n new tokens are one reading of the prompt and n - 1 passes after it.
        QCOMPARE(int(tests::passesOf(events, PassKind::Decode).size()), ended.decodePassCount);
        QCOMPARE(int(tests::passesOf(events, PassKind::Prefill).size()), ended.prefillChunkCount);
        QVERIFY(tests::passesOf(events, PassKind::Discarded).empty());
    }
    void passesSayWhereTheyWereAndWhen()
    {
        Script script = kGreeting.script();
        script.chunkLength = 2;
        ScriptedTimeline timeline(script);
        GenerationRequest request = requestOf(3);
        request.promptIds = TokenIds(5, WordModel::kPrompt);
        const auto events = eventsOf(request, kGreeting.on(timeline));
        std::vector<RunPass> passes = tests::passesOf(events, PassKind::Prefill);
        const auto decode = tests::passesOf(events, PassKind::Decode);
        passes.insert(passes.end(), decode.begin(), decode.end());
        std::vector<std::pair<int, int>> places;
        double lastMs = *endOf(events).timing.prefillStartMs;
        for (const RunPass& pass : passes) {
            places.emplace_back(pass.firstPosition, pass.positionCount);
            QVERIFY(pass.startMs >= lastMs && pass.hostMs && *pass.hostMs >= 0);
            lastMs = pass.startMs + *pass.hostMs;
            QCOMPARE(pass.sequenceCount, 1);
            // A script reads no weights, and no device computes it.
            QVERIFY(!pass.deviceMs && !pass.weightBytes && !pass.cacheBytes);
        }
        QVERIFY(lastMs <= *endOf(events).timing.endedMs);
        const std::vector<std::pair<int, int>> right { { 0, 2 }, { 2, 2 }, { 4, 1 }, { 5, 1 }, { 6, 1 } };
        QVERIFY(places == right);
    }
    void withoutInspectionNobodyAsksForPasses()
    {
        ScriptedTimeline timeline(kGreeting.script());
        GenerationRequest request = requestOf(4);
        request.isInspected = false;
        const auto events = eventsOf(request, kGreeting.on(timeline));
        QVERIFY(tests::passesOf(events, PassKind::Prefill).empty());
        QVERIFY(tests::passesOf(events, PassKind::Decode).empty());
    }
    void anEndTokenAtTheCapIsAnEndTokenAndTheLedgerSaysBoth()
    {
        ScriptedTimeline timeline(kGreeting.script(WordModel::kOtherEnd));
        const RunEnded ended = endOf(eventsOf(requestOf(10), kGreeting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::EndToken);
        QCOMPARE(ended.ledger.endTokenId, std::optional(WordModel::kOtherEnd));
        QCOMPARE(ended.ledger.decidingTokenIndex, std::optional(9));
        QCOMPARE(entryOf(ended, StopReason::EndToken).state, std::string("sampled at token 10")); // counted from 1
        QVERIFY(entryOf(ended, StopReason::EndToken).held);
        QVERIFY(entryOf(ended, StopReason::LengthCap).held);
        QCOMPARE(entryOf(ended, StopReason::LengthCap).state, std::string("10 of 10"));
        QVERIFY(!entryOf(ended, StopReason::ContextFull).held);
        QCOMPARE(entryOf(ended, StopReason::ContextFull).state, std::string("used 12 of 4096"));
    }
    void theEndTokenHasAnEventWithoutText()
    {
        ScriptedTimeline timeline(kGreeting.script());
        const auto events = eventsOf(requestOf(), kGreeting.on(timeline));
        const auto* last = std::get_if<TokenDecoded>(&events[events.size() - 2]);
        QVERIFY(last);
        QCOMPARE(last->record.id, WordModel::kEnd);
        QCOMPARE(last->text, std::string());
        QCOMPARE(last->index, 9);
        QCOMPARE(last->record.position, 11);
    }
    void ignoredEndTokensDoNotEndAnything()
    {
        ScriptedTimeline timeline(kGreeting.script());
        GenerationRequest request = requestOf(14);
        request.ignoreEndTokens = true;
        const RunEnded ended = endOf(eventsOf(request, kGreeting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::LengthCap);
        QCOMPARE(ended.tokenIds.size(), size_t(14));
        QVERIFY(!entryOf(ended, StopReason::EndToken).held);
    }
    void g10_aStopStringAcrossTokensNeverShows_data()
    {
        QTest::addColumn<QString>("stopString");
        QTest::addColumn<QString>("text");
        QTest::newRow("5, 6") << "5, 6"
                              << "1, 2, 3, 4, ";
        QTest::newRow(", 6, ") << ", 6, "
                               << "1, 2, 3, 4, 5";
        QTest::newRow("6") << "6"
                           << "1, 2, 3, 4, 5, ";
        QTest::newRow(" 6") << " 6"
                            << "1, 2, 3, 4, 5,";
    }
    void g10_aStopStringAcrossTokensNeverShows()
    {
        QFETCH(QString, stopString);
        QFETCH(QString, text);
        ScriptedTimeline timeline(kCounting.script());
        GenerationRequest request = requestOf(64);
        request.stopStrings = { "never", stopString.toStdString() };
        const auto events = eventsOf(request, kCounting.on(timeline));
        const RunEnded ended = endOf(events);
        QCOMPARE(ended.ledger.reason, StopReason::StopString);
        QCOMPARE(ended.verdict(), Verdict::Stopped);
        QCOMPARE(ended.ledger.stopString, stopString.toStdString());
        QCOMPARE(ended.ledger.stopStringOffset, std::optional(int64_t(text.size())));
        QCOMPARE(QString::fromStdString(ended.text), text);
        std::string shown; // at every moment what is shown is a beginning of what stays
        for (const std::string& released : releasedTexts(events)) {
            shown += released;
            QVERIFY(ended.text.starts_with(shown));
        }
        QCOMPARE(shown, ended.text);
    }
    void aStopStringAtTheCapIsAStopString()
    {
        GenerationRequest request = requestOf(4);
        request.stopStrings = { "2" };
        const RunEnded ended = countingEnd(request);
        QCOMPARE(ended.ledger.reason, StopReason::StopString);
        QVERIFY(entryOf(ended, StopReason::LengthCap).held);
    }
    void g11_heldTextIsReleasedAtTheEnd()
    {
        GenerationRequest request = requestOf(19); // ends in "1", which may begin "1Z"
        request.stopStrings = { "1Z" };
        const RunEnded held = countingEnd(request);
        request.stopStrings.clear();
        QCOMPARE(held.text, countingEnd(request).text);
        QCOMPARE(
            entryOf(held, StopReason::StopString).state, std::string("1 of 2 bytes of \"1Z\""));
    }
    void g11_theEventSaysWhatIsHeldAndWhy()
    {
        ScriptedTimeline timeline(kCounting.script());
        GenerationRequest request = requestOf(19);
        request.stopStrings = { "1Z" };
        const auto events = eventsOf(request, kCounting.on(timeline));
        const auto& last = std::get<TokenDecoded>(events[events.size() - 3]);
        QCOMPARE(last.heldText, std::string("1"));
        QCOMPARE(last.heldFor, std::string("1Z"));
        QCOMPARE(std::get<TextReleased>(events[events.size() - 2]).text, std::string("1"));
    }
    void g12_stopStringsMatchAcrossTheSeamOfAContinuedDraft()
    {
        ScriptedTimeline timeline(kCounting.script());
        GenerationRequest request = requestOf(44);
        const TokenIds answer = kCounting.ids();
        request.promptIds.insert(
            request.promptIds.end(), answer.begin(), answer.begin() + 14); // "... 5,"
        request.draftTokenCount = 14;
        request.stopStrings = { "5, 6" };
        const RunEnded ended = endOf(eventsOf(request, kCounting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::StopString);
        QCOMPARE(ended.text, std::string());
        QCOMPARE(ended.tokenIds.size(), size_t(2)); // " " and "6"
    }
    void g18_g19_anUnfinishedCharacterWaitsAndContinueCompletesIt()
    {
        const WordModel star({ "\xF0\x9F", "\x8C", "\x9F" });
        Script script { .vocabularySize = star.vocabularySize() };
        for (int i = 0; i < 22 * 3; ++i)
            script.steps.push_back({ { WordModel::kFirstPiece + i % 3, 0 } });
        ScriptedTimeline timeline(script);
        const auto events = eventsOf(requestOf(64), star.on(timeline));
        const RunEnded ended = endOf(events);
        std::string stars;
        for (int i = 0; i < 21; ++i)
            stars += "\xF0\x9F\x8C\x9F";
        QCOMPARE(ended.text, stars);
        QCOMPARE(ended.waitingBytes, std::string("\xF0\x9F"));
        QCOMPARE(ended.tokenIds.size(), size_t(64));
        for (const std::string& text : releasedTexts(events))
            QVERIFY(text.empty() || text == "\xF0\x9F\x8C\x9F");
        QCOMPARE(std::get<TokenDecoded>(events[events.size() - 2]).waitingBytes, 2);

        GenerationRequest more = requestOf(2);
        more.promptIds.insert(more.promptIds.end(), ended.tokenIds.begin(), ended.tokenIds.end());
        more.draftTokenCount = 64;
        const RunEnded continued = endOf(eventsOf(more, star.on(timeline)));
        QCOMPARE(continued.text, std::string("\xF0\x9F\x8C\x9F"));
        QCOMPARE(continued.waitingBytes, std::string());
    }
    void g20_aContinuedDraftHasTheIdsOfASingleRun()
    {
        Script script { .vocabularySize = 40 };
        script.steps.emplace_back(); // every step offers the same thirty words: the draw decides
        for (TokenId id = WordModel::kFirstPiece; id < 33; ++id)
            script.steps[0].push_back({ id, -0.1f * float(id) });
        const WordModel words(std::vector<std::string>(37, "w"));
        GenerationRequest request = requestOf(20);
        request.sampling = { .topK = 0, .topP = 1, .minP = 0, .temperature = 1, .seed = 9 };
        ScriptedTimeline timeline(script);
        const RunEnded single = endOf(eventsOf(request, words.on(timeline)));
        request.lengthCap = 8;
        const RunEnded first = endOf(eventsOf(request, words.on(timeline)));
        const TokenIds& draft = first.tokenIds;
        request.promptIds.insert(request.promptIds.end(), draft.begin(), draft.end());
        request.draftTokenCount = 8;
        request.lengthCap = 12;
        const RunEnded second = endOf(eventsOf(request, words.on(timeline)));
        TokenIds ids = draft;
        ids.insert(ids.end(), second.tokenIds.begin(), second.tokenIds.end());
        QCOMPARE(ids, single.tokenIds);
        QVERIFY(std::set<TokenId>(ids.begin(), ids.end()).size() > 5);
    }
    void g24_aPromptLongerThanTheContextFailsWithBothNumbers()
    {
        Script script = kGreeting.script();
        script.contextLength = 128;
        ScriptedTimeline timeline(script);
        GenerationRequest request = requestOf();
        request.promptIds = TokenIds(500, WordModel::kPrompt);
        const auto events = eventsOf(request, kGreeting.on(timeline));
        QCOMPARE(events.size(), size_t(1)); // refused before any computing
        const RunEnded ended = endOf(events);
        QCOMPARE(ended.ledger.reason, StopReason::Failed);
        QCOMPARE(ended.ledger.error->code, ErrorCode::ContextFull);
        QVERIFY(ended.ledger.error->message.find("500") != std::string::npos);
        QVERIFY(ended.ledger.error->message.find("128") != std::string::npos);
        QVERIFY(ended.tokenIds.empty());
    }
    void g25_runningIntoTheEndOfTheContextIsContextFull()
    {
        Script script = kGreeting.script();
        script.contextLength = 6;
        ScriptedTimeline timeline(script);
        const RunEnded ended = endOf(eventsOf(requestOf(), kGreeting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::ContextFull);
        QCOMPARE(ended.verdict(), Verdict::Capped);
        QCOMPARE(ended.tokenIds.size(), size_t(4));
        QCOMPARE(ended.text, std::string("Hello! How can"));
        QCOMPARE(entryOf(ended, StopReason::ContextFull).state, std::string("used 6 of 6"));
        QCOMPARE(endOf(eventsOf(requestOf(1), kGreeting.on(timeline))).text, std::string("Hello"));
    }
    void aPromptThatFillsTheContextEndsWithoutAToken()
    {
        Script script = kGreeting.script();
        script.contextLength = 2;
        ScriptedTimeline timeline(script);
        const RunEnded ended = endOf(eventsOf(requestOf(), kGreeting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::ContextFull);
        QVERIFY(ended.tokenIds.empty());
    }
    void theLengthCapComesBeforeTheContext()
    {
        Script script = kGreeting.script();
        script.contextLength = 6;
        ScriptedTimeline timeline(script);
        const RunEnded ended = endOf(eventsOf(requestOf(4), kGreeting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::LengthCap);
        QVERIFY(entryOf(ended, StopReason::ContextFull).held);
    }
    void aTimeCapEndsTheRun()
    {
        FaultyTimeline timeline(kGreeting.script());
        timeline.beforeAppend = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
        GenerationRequest request = requestOf();
        request.timeCapMs = 50;
        const RunEnded ended = endOf(eventsOf(request, kGreeting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::TimeCap);
        QCOMPARE(ended.verdict(), Verdict::Capped);
        QVERIFY(!ended.tokenIds.empty());
        QVERIFY(QString::fromStdString(entryOf(ended, StopReason::TimeCap).state)
                    .endsWith(" of 50 ms"));
    }
    void aTimeCapActsWhileThePromptIsRead()
    {
        ScriptedTimeline timeline(kGreeting.script());
        GenerationRequest request = requestOf();
        request.timeCapMs = 0;
        const RunEnded ended = endOf(eventsOf(request, kGreeting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::TimeCap);
        QVERIFY(ended.tokenIds.empty());
    }
    void aDraftThatRepeatsItselfIsCappedByTheGuardOnly()
    {
        GenerationRequest request = requestOf(60);
        const RunEnded free = repeatingEnd(request);
        QCOMPARE(free.ledger.reason, StopReason::LengthCap);
        QCOMPARE(entryOf(free, StopReason::Repetition).state, std::string("off"));
        QVERIFY(!free.ledger.repetition);

        request.repetitionGuard = { .longestPeriod = 4, .repeatCount = 8 };
        const RunEnded ended = repeatingEnd(request);
        QCOMPARE(ended.ledger.reason, StopReason::Repetition);
        QCOMPARE(ended.verdict(), Verdict::Capped);
        QCOMPARE(ended.ledger.repetition, std::optional(Repetition { 3, 8 }));
        QCOMPARE(ended.tokenIds, TokenIds(free.tokenIds.begin(), free.tokenIds.begin() + 24));
        QCOMPARE(ended.ledger.decidingTokenIndex, std::optional(23));
        QVERIFY(entryOf(ended, StopReason::Repetition).held);
        QCOMPARE(
            entryOf(ended, StopReason::Repetition).state, std::string("period 3, 8 of 8 repeats"));
        QVERIFY(!entryOf(ended, StopReason::LengthCap).held);
    }
    void theLedgerSaysHowNearAnUnmetGuardWas()
    {
        GenerationRequest request = requestOf(13);
        request.repetitionGuard = { .longestPeriod = 4, .repeatCount = 8 };
        const RunEnded ended = repeatingEnd(request);
        QCOMPARE(ended.ledger.reason, StopReason::LengthCap);
        QVERIFY(!entryOf(ended, StopReason::Repetition).held);
        QCOMPARE(
            entryOf(ended, StopReason::Repetition).state, std::string("period 3, 4 of 8 repeats"));
        QCOMPARE(ended.ledger.repetition, std::optional(Repetition { 3, 4 }));
        QCOMPARE(entryOf(countingEnd([] {
            GenerationRequest first = requestOf(2);
            first.repetitionGuard = { .longestPeriod = 4, .repeatCount = 8 };
            return first;
        }()),
                     StopReason::Repetition)
                     .state,
            std::string("nothing repeats; 8 repeats of up to 4 tokens end it"));
    }
    void theLengthCapComesBeforeTheGuardAndTheLedgerSaysBoth()
    {
        GenerationRequest request = requestOf(24);
        request.repetitionGuard = { .longestPeriod = 4, .repeatCount = 8 };
        const RunEnded ended = repeatingEnd(request);
        QCOMPARE(ended.ledger.reason, StopReason::LengthCap);
        QVERIFY(entryOf(ended, StopReason::Repetition).held);
    }
    void aDraftTheGuardEndedCanBeContinued()
    {
        GenerationRequest request = requestOf(200);
        request.repetitionGuard = { .longestPeriod = 4, .repeatCount = 8 };
        const RunEnded first = repeatingEnd(request);
        request.promptIds.insert(
            request.promptIds.end(), first.tokenIds.begin(), first.tokenIds.end());
        request.draftTokenCount = int(first.tokenIds.size());
        QCOMPARE(repeatingEnd(request).ledger.tokenCount, 24); // not one token and the end again
    }
    void aGuardThatMakesNoSenseFailsTheRun()
    {
        GenerationRequest request = requestOf(8);
        request.repetitionGuard = { .longestPeriod = 4, .repeatCount = 1 };
        const RunEnded ended = repeatingEnd(request);
        QCOMPARE(ended.ledger.reason, StopReason::Failed);
        QCOMPARE(ended.ledger.error->code, ErrorCode::BadRequest);
    }
    void cancellingActsWithinOneTokenAtAnyMoment()
    {
        for (int after = 0; after < 24; ++after) {
            ScriptedTimeline timeline(kCounting.script());
            int asked = 0;
            const auto events = eventsOf(requestOf(), kCounting.on(timeline),
                [&] { return asked++ >= after ? std::optional(CancelledBy::User) : std::nullopt; });
            const RunEnded ended = endOf(events);
            QCOMPARE(
                ended.ledger.reason, asked > after ? StopReason::Cancelled : StopReason::EndToken);
            QCOMPARE(endCount(events, 1), 1);
            QCOMPARE(joined(releasedTexts(events)), ended.text);
            if (ended.ledger.reason != StopReason::Cancelled)
                continue;
            QCOMPARE(ended.verdict(), Verdict::Partial);
            QCOMPARE(ended.ledger.cancelledBy, std::optional(CancelledBy::User));
            QVERIFY(int(ended.tokenIds.size()) <= after);
            // G-23: the next run on the same timeline is undisturbed, and what was read is reused.
            const RunEnded next = endOf(eventsOf(requestOf(), kCounting.on(timeline)));
            QCOMPARE(next.text, std::string("1, 2, 3, 4, 5, 6, 17"));
            if (!ended.tokenIds.empty())
                QCOMPARE(next.cache.reusedTokens, 1);
        }
    }
    void aLostDeviceFailsTheRunAndKeepsItsText()
    {
        FaultyTimeline timeline(kGreeting.script());
        timeline.appendErrors = { { 4, Error::deviceLost("The device was lost.") } };
        const RunEnded ended = endOf(eventsOf(requestOf(), kGreeting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::Failed);
        QCOMPARE(ended.verdict(), Verdict::Partial);
        QCOMPARE(ended.ledger.error, std::optional(Error::deviceLost("The device was lost.")));
        QCOMPARE(ended.text, std::string("Hello! How"));
        QCOMPARE(timeline.drops, std::vector<int> { 0 });
    }
    void aFailureWhileReadingIsReported()
    {
        FaultyTimeline timeline(kGreeting.script());
        timeline.syncError = Error::outOfMemory("No memory for 12 MiB of KV cache.");
        const RunEnded ended = endOf(eventsOf(requestOf(), kGreeting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::Failed);
        QCOMPARE(ended.ledger.error->code, ErrorCode::OutOfMemory);
        QVERIFY(timeline.drops.empty());
        QCOMPARE(endOf(eventsOf(requestOf(), kGreeting.on(timeline))).ledger.reason,
            StopReason::EndToken);
    }
    void g36_scoresThatAreNotFiniteFailOneRunOnly()
    {
        FaultyTimeline timeline(kGreeting.script());
        timeline.notFiniteAt = { 5 };
        const RunEnded ended = endOf(eventsOf(requestOf(), kGreeting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::Failed);
        QCOMPARE(ended.ledger.error->code, ErrorCode::NotFinite);
        QVERIFY(ended.ledger.error->message.find("token 3") != std::string::npos);
        QCOMPARE(timeline.drops, std::vector<int> { 0 });
        const RunEnded next = endOf(eventsOf(requestOf(), kGreeting.on(timeline)));
        QCOMPARE(next.text, std::string("Hello! How can I assist you today?"));
        QCOMPARE(next.cache.reusedTokens, 0);
    }
    void withoutInspectionTheRunIsTheSameAndNothingElseIsRecorded()
    {
        GenerationRequest request = requestOf();
        request.isInspected = false;
        ScriptedTimeline timeline(kGreeting.script());
        const auto events = eventsOf(request, kGreeting.on(timeline));
        ScriptedTimeline again(kGreeting.script());
        const RunEnded full = endOf(eventsOf(requestOf(), kGreeting.on(again)));
        const RunEnded ended = endOf(events);
        QCOMPARE(ended.tokenIds, full.tokenIds);
        QCOMPARE(ended.text, full.text);
        QCOMPARE(ended.ledger.reason, full.ledger.reason);
        int tokenCount = 0;
        for (const GenerationEvent& event : events)
            if (const auto* decoded = std::get_if<TokenDecoded>(&event)) {
                ++tokenCount;
                QVERIFY(!decoded->record.entropy && !decoded->record.rank);
                QVERIFY(decoded->record.top.empty());
            }
        QCOMPARE(tokenCount, int(full.tokenIds.size()));
    }
    void forcedTokensComeFirstAndAreMarked()
    {
        ScriptedTimeline timeline(kGreeting.script());
        GenerationRequest request = requestOf(3);
        request.forcedIds = { WordModel::kFirstPiece + 7, WordModel::kFirstPiece + 1 };
        const auto events = eventsOf(request, kGreeting.on(timeline));
        QCOMPARE(endOf(events).text, std::string(" today! How"));
        std::vector<TokenSource> sources;
        for (const GenerationEvent& event : events)
            if (const auto* decoded = std::get_if<TokenDecoded>(&event))
                sources.push_back(decoded->record.source);
        QCOMPARE(sources,
            (std::vector { TokenSource::Forced, TokenSource::Forced, TokenSource::Sampled }));
    }
    void theWorkedExampleIsCappedAndProvesNothing()
    {
        // "The exhibition" + "opens", "on", "Monday" with a cap of two.
        const WordModel words({ " opens", " on", " Monday" });
        ScriptedTimeline timeline(words.script());
        GenerationRequest request = requestOf(2);
        request.forcedIds = words.ids();
        const RunEnded ended = endOf(eventsOf(request, words.on(timeline)));
        QCOMPARE(ended.text, std::string(" opens on"));
        QCOMPARE(ended.ledger.reason, StopReason::LengthCap);
        QCOMPARE(entryOf(ended, StopReason::LengthCap).state, std::string("2 of 2"));
    }
    void requestsThatCannotBeServedFailWithAReason_data()
    {
        QTest::addColumn<GenerationRequest>("request");
        const auto row = [](const char* name, auto change) {
            GenerationRequest request = requestOf();
            change(request);
            QTest::newRow(name) << request;
        };
        row("no prompt", [](GenerationRequest& r) { r.promptIds.clear(); });
        row("negative cap", [](GenerationRequest& r) { r.lengthCap = -1; });
        row("unknown id", [](GenerationRequest& r) { r.promptIds.push_back(12); });
        row("unknown forced id", [](GenerationRequest& r) { r.forcedIds = { -1 }; });
        row("draft longer than the prompt", [](GenerationRequest& r) { r.draftTokenCount = 3; });
        row("top-p", [](GenerationRequest& r) { r.sampling.topP = 2; });
    }
    void requestsThatCannotBeServedFailWithAReason()
    {
        QFETCH(GenerationRequest, request);
        ScriptedTimeline timeline(kGreeting.script());
        const RunEnded ended = endOf(eventsOf(request, kGreeting.on(timeline)));
        QCOMPARE(ended.ledger.reason, StopReason::Failed);
        QCOMPARE(ended.ledger.error->code, ErrorCode::BadRequest);
        QCOMPARE(timeline.tokenCount(), 0);
    }
    void progressCountsReusedTokens()
    {
        ScriptedTimeline timeline(kGreeting.script());
        GenerationRequest request = requestOf(1);
        request.promptIds = TokenIds(40, WordModel::kPrompt);
        eventsOf(request, kGreeting.on(timeline));
        request.promptIds.resize(60, WordModel::kPrompt);
        auto events = eventsOf(request, kGreeting.on(timeline));
        const auto passes = tests::passesOf(events, PassKind::Prefill);
        QCOMPARE(events[0], GenerationEvent(PrefillProgress { 1, 56, 60, 40, { passes[0] } }));
        QCOMPARE(events[1], GenerationEvent(PrefillProgress { 1, 60, 60, 40, { passes[1] } }));
        QCOMPARE(passes[0].firstPosition, 40);
        QCOMPARE(endOf(events).cache.computedTokens, 20);
        QCOMPARE(endOf(events).prefillChunkCount, 2);
    }
    void timesAreInOrder()
    {
        const RunTiming timing = countingEnd(requestOf()).timing;
        QVERIFY(*timing.dequeuedMs <= *timing.prefillStartMs);
        QVERIFY(*timing.prefillStartMs <= *timing.prefillEndMs);
        QVERIFY(*timing.prefillEndMs <= *timing.firstTokenMs);
        QVERIFY(*timing.firstTokenMs <= *timing.firstTextMs);
        QVERIFY(*timing.firstTextMs <= *timing.endedMs);
        QVERIFY(!countingEnd(requestOf(0)).timing.prefillStartMs);
    }
};

QTEST_APPLESS_MAIN(TestGeneration)
#include "tst_generation.moc"
