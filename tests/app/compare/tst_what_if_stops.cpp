#include "app/compare/what_if_stops.h"
#include "tests/engine/session/word_model.h"

#include <QTest>

#include <random>

using namespace engine;
using namespace tests;
using app::ComparedRun;
using app::StopWish;

namespace {
const WordModel kWords({ "The", " museum", " opens", " on", " Mon", "day", ",", " at", " nine", ".",
    "\n\n", "Closed", " Tues", "\xF0\x9F", "\x8F\x9B", " 5", ", 6", ", 7" });

/// An answer in which every token, the two end tokens too, has a chance at each step.
Script randomScript(std::mt19937& random, int contextLength)
{
    std::uniform_real_distribution<float> logprob(-6, 0);
    Script script { .vocabularySize = kWords.vocabularySize(), .contextLength = contextLength };
    for (int step = 0; step < 48; ++step) {
        auto& scores = script.steps.emplace_back();
        for (TokenId id = WordModel::kEnd; id < kWords.vocabularySize(); ++id)
            scores.push_back({ id, id < WordModel::kFirstPiece ? logprob(random) - 2 : logprob(random) });
        std::ranges::sort(scores, std::greater(), &ScriptedScore::logprob);
    }
    return script;
}

StopWish randomWish(std::mt19937& random)
{
    static const std::vector<std::string> kStrings { "Monday", " on", "5, 6", ".", "\n\n", "y, at nine",
        "\xF0\x9F\x8F\x9B", "useum opens", "never said" };
    StopWish wish;
    wish.lengthCap = int(random() % 12 ? random() % 60 : 0);
    for (size_t count = random() % 3; count > 0; --count)
        wish.stopStrings.push_back(kStrings[random() % kStrings.size()]);
    wish.ignoreEndTokens = random() % 3 == 0;
    return wish;
}

struct RealRun {
    std::vector<GenerationEvent> events;
    RunEnded ended;
};

RealRun runReally(const Script& script, GenerationRequest request, const StopWish& wish)
{
    request.lengthCap = wish.lengthCap;
    request.stopStrings = wish.stopStrings;
    request.ignoreEndTokens = wish.ignoreEndTokens;
    ScriptedTimeline timeline(script);
    RealRun run;
    run.events = eventsOf(request, kWords.on(timeline));
    run.ended = endOf(run.events);
    return run;
}

ComparedRun recorded(const RealRun& run, GenerationRequest request, const StopWish& wish)
{
    request.lengthCap = wish.lengthCap;
    request.stopStrings = wish.stopStrings;
    request.ignoreEndTokens = wish.ignoreEndTokens;
    ComparedRun compared;
    for (int i = 0; i < request.draftTokenCount; ++i) {
        const TokenId id = request.promptIds[request.promptIds.size() - size_t(request.draftTokenCount - i)];
        ScriptedTimeline timeline(Script::ofTokens({ id }, kWords.vocabularySize()));
        compared.draftPieces.push_back(kWords.on(timeline).pieceBytes(id));
    }
    compared.request = std::move(request);
    for (const GenerationEvent& event : run.events)
        if (const auto* token = std::get_if<TokenDecoded>(&event))
            compared.tokens.push_back(token->record);
    compared.endTokenIds = { WordModel::kEnd, WordModel::kOtherEnd };
    compared.contextLength = run.ended.ledger.contextLength;
    compared.reason = run.ended.ledger.reason;
    compared.text = run.ended.text;
    return compared;
}
}

/// Where a run would have stopped, against runs that really had those settings.
class TestWhatIfStops : public QObject {
    Q_OBJECT
private slots:
    void twoHundredWishesEndAsRealRunsDo()
    {
        std::mt19937 random(7);
        std::map<std::optional<StopReason>, int> seen;
        for (int round = 0; round < 200; ++round) {
            const Script script = randomScript(random, random() % 4 ? 4096 : 30);
            GenerationRequest request;
            request.runId = 1;
            request.promptIds = { WordModel::kPrompt, WordModel::kPrompt, WordModel::kPrompt };
            if (random() % 3 == 0) { // a draft that is continued
                request.promptIds.insert(request.promptIds.end(), { 3 + 4, 3 + 13 }); // " Mon", half a character
                request.draftTokenCount = 2;
            }
            request.sampling.seed = random();
            request.sampling.temperature = 1.5f;
            if (random() % 4 == 0)
                request.repetitionGuard = RepetitionLimits { .longestPeriod = 4, .repeatCount = 2 };
            const StopWish had = randomWish(random);
            const StopWish wish = randomWish(random);
            const RealRun run = runReally(script, request, had);
            const RealRun right = runReally(script, request, wish);
            const auto outcome = app::whatIfStops(recorded(run, request, had), wish);
            QVERIFY(outcome);
            ++seen[outcome->reason];
            const std::string where = "round " + std::to_string(round) + ": " + right.ended.text;
            if (!outcome->reason) {
                QVERIFY2(right.ended.tokenIds.size() > run.ended.tokenIds.size(), where.c_str());
                QVERIFY(right.ended.text.starts_with(outcome->text));
                QCOMPARE(outcome->verdict(), Verdict::Partial);
                continue;
            }
            QVERIFY2(outcome->reason == right.ended.ledger.reason, where.c_str());
            QCOMPARE(outcome->tokenCount, right.ended.ledger.tokenCount);
            QCOMPARE(outcome->text, right.ended.text);
            QVERIFY2(outcome->ledger == right.ended.ledger, where.c_str());
        }
        for (auto reason : { StopReason::EndToken, StopReason::StopString, StopReason::LengthCap,
                 StopReason::ContextFull, StopReason::Repetition })
            QVERIFY2(seen[reason] > 0, stopReasonInfo(reason).name);
        QVERIFY(seen[std::nullopt] > 20);
    }

    void aRunsOwnSettingsEndItWhereItEnded()
    {
        std::mt19937 random(9);
        for (int round = 0; round < 50; ++round) {
            const Script script = randomScript(random, 4096);
            GenerationRequest request;
            request.runId = 1;
            request.promptIds = { WordModel::kPrompt };
            request.sampling.seed = random();
            const StopWish had = randomWish(random);
            const RealRun run = runReally(script, request, had);
            const ComparedRun compared = recorded(run, request, had);
            QCOMPARE(app::stopWishOf(compared), had);
            const auto outcome = app::whatIfStops(compared, had);
            QVERIFY(outcome && outcome->reason == run.ended.ledger.reason);
            QCOMPARE(outcome->ledger, run.ended.ledger);
        }
    }

    void whatNoTokenBroughtAboutEndsItThereAgain()
    {
        std::mt19937 random(3);
        GenerationRequest request;
        request.runId = 1;
        request.promptIds = { WordModel::kPrompt };
        const StopWish had { .lengthCap = 6 };
        ComparedRun compared = recorded(runReally(randomScript(random, 4096), request, had), request, had);
        compared.reason = StopReason::Cancelled;
        const auto larger = app::whatIfStops(compared, { .lengthCap = 50, .ignoreEndTokens = true });
        QCOMPARE(larger->reason, std::optional(StopReason::Cancelled));
        QCOMPARE(larger->tokenCount, int(compared.tokens.size()));
        const auto smaller = app::whatIfStops(compared, { .lengthCap = 2, .ignoreEndTokens = true });
        QCOMPARE(smaller->reason, std::optional(StopReason::LengthCap));
        QCOMPARE(smaller->tokenCount, 2);
    }

    void withoutSettingsNothingIsSaid()
    {
        ComparedRun run;
        run.tokens.resize(3);
        QVERIFY(!app::whatIfStops(run, { .lengthCap = 1 }));
    }
};

QTEST_APPLESS_MAIN(TestWhatIfStops)
#include "tst_what_if_stops.moc"
