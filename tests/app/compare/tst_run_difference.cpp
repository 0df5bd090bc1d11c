#include "app/compare/run_difference.h"
#include "app/compare/run_tree.h"
#include "tests/engine/session/word_model.h"

#include <QTest>

#include <random>

using namespace engine;
using namespace tests;
using app::ComparedRun;
using app::PartingCause;
using app::RunDifference;

namespace {
const WordModel kWords({ "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p",
    "q", "r", "s", "t", "u", "v", "w", "x", "y", "z" });

Script scriptOf(uint32_t seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> logprob(-3, 1.5f);
    Script script { .vocabularySize = kWords.vocabularySize() };
    for (int step = 0; step < 40; ++step) {
        auto& scores = script.steps.emplace_back();
        for (TokenId id = WordModel::kEnd; id < kWords.vocabularySize(); ++id)
            scores.push_back({ id, id < WordModel::kFirstPiece ? -8 : logprob(random) });
        std::ranges::sort(scores, std::greater(), &ScriptedScore::logprob);
    }
    return script;
}

ComparedRun runOf(const Script& script, GenerationRequest request)
{
    request.runId = 1;
    if (request.promptIds.empty())
        request.promptIds = { WordModel::kPrompt, WordModel::kPrompt };
    ScriptedTimeline timeline(script);
    ComparedRun run;
    for (const GenerationEvent& event : eventsOf(request, kWords.on(timeline))) {
        if (const auto* token = std::get_if<TokenDecoded>(&event))
            run.tokens.push_back(token->record);
        if (const auto* ended = std::get_if<RunEnded>(&event)) {
            run.reason = ended->ledger.reason;
            run.contextLength = ended->ledger.contextLength;
            run.text = ended->text;
        }
    }
    run.checkpointFile = "words.gguf";
    run.endTokenIds = { WordModel::kEnd, WordModel::kOtherEnd };
    run.request = std::move(request);
    return run;
}

GenerationRequest requestOf(int cap = 20)
{
    GenerationRequest request;
    request.lengthCap = cap;
    request.ignoreEndTokens = true;
    request.sampling = { .topK = 0, .topP = 1, .minP = 0, .temperature = 1, .seed = 4 };
    return request;
}

/// What a run with these settings says where the two part, after the same tokens.
TokenId chosenAt(const Script& script, const ComparedRun& run, size_t token, const SamplerSettings& settings)
{
    GenerationRequest request = *run.request;
    request.sampling = settings;
    request.forcedIds = run.newIds();
    request.forcedIds.resize(token);
    request.lengthCap = int(token) + 1;
    return runOf(script, request).tokens.back().id;
}
}

/// Where runs part and why; every cause that is told is tried by a real run.
class TestRunDifference : public QObject {
    Q_OBJECT
private slots:
    void equalRunsHaveNoDifference()
    {
        const Script script = scriptOf(1);
        QVERIFY(!app::differenceOf(runOf(script, requestOf()), runOf(script, requestOf())));
    }

    void oneSettingIsNamedWhenItAloneMakesTheOtherToken()
    {
        std::mt19937 random(5);
        std::map<PartingCause, int> seen;
        std::map<std::string, int> named;
        for (int round = 0; round < 200; ++round) {
            const Script script = scriptOf(random());
            GenerationRequest a = requestOf();
            a.sampling.seed = random() % 50;
            GenerationRequest b = a;
            const auto change = [&](int which) {
                switch (which) {
                case 0: b.sampling.topK = 1 + int(random() % 5); break;
                case 1: b.sampling.topP = 0.3f; break;
                case 2: b.sampling.minP = 0.4f; break;
                case 3: b.sampling.temperature = random() % 2 ? 0.3f : 0; break;
                case 4: b.sampling.seed += 1000; break;
                case 5: b.sampling.repeatPenalty = 1.9f; break;
                case 6: b.sampling.logitBias = { { WordModel::kFirstPiece + TokenId(random() % 26), 4 } }; break;
                default: b.sampling.presencePenalty = 1.5f; break;
                }
            };
            change(int(random() % 8));
            if (random() % 2)
                change(int(random() % 8));
            const ComparedRun one = runOf(script, a);
            const ComparedRun other = runOf(script, b);
            const auto difference = app::differenceOf(one, other);
            if (!difference)
                continue;
            ++seen[difference->cause];
            const TokenId wanted = other.tokens[difference->token].id;
            QCOMPARE(difference->token, app::commonTokens(one, other));
            QVERIFY(one.tokens[difference->token].id != wanted);
            const auto fields = app::differingFields(a.sampling, b.sampling);
            switch (difference->cause) {
            case PartingCause::Setting:
            case PartingCause::Draw:
                QVERIFY(!difference->fields.empty());
                for (const app::SamplerField* field : difference->fields) {
                    SamplerSettings tried = a.sampling;
                    field->take(tried, b.sampling);
                    QCOMPARE(chosenAt(script, one, difference->token, tried), wanted);
                    ++named[field->name];
                }
                break;
            case PartingCause::Settings:
                for (const app::SamplerField* field : fields) { // none alone
                    SamplerSettings tried = a.sampling;
                    field->take(tried, b.sampling);
                    QVERIFY(chosenAt(script, one, difference->token, tried) != wanted);
                }
                break;
            case PartingCause::Unknown: // twenty of 28 tokens did not tell
                break;
            default:
                QFAIL(app::partingCauseName(difference->cause));
            }
        }
        QVERIFY(seen[PartingCause::Setting] > 60);
        QVERIFY(seen[PartingCause::Draw] > 5);
        QVERIFY(seen[PartingCause::Unknown] < 40);
        for (const char* name : { "top_k", "top_p", "min_p", "temperature", "seed", "repeat_penalty", "logit_bias" })
            QVERIFY2(named[name] > 0, name);
    }

    void theSeedAloneIsTheDrawHoweverManyCouldHaveCome()
    {
        const Script script = scriptOf(5);
        int compared = 0;
        for (uint64_t seed = 1; seed <= 40; ++seed) {
            GenerationRequest a;
            a.lengthCap = 20;
            a.ignoreEndTokens = true;
            a.sampling = { .topK = 0, .topP = 1, .minP = 0, .temperature = 2, .seed = seed };
            GenerationRequest b = a;
            b.sampling.seed = seed + 100;
            const auto difference = app::differenceOf(runOf(script, a), runOf(script, b));
            if (!difference)
                continue;
            ++compared;
            QCOMPARE(std::string(app::partingCauseName(difference->cause)), std::string("draw")); // twenty of 28 are recorded
            QCOMPARE(difference->fields.size(), size_t(1));
            QCOMPARE(std::string(difference->fields.front()->name), std::string("seed"));
        }
        QVERIFY(compared > 30);
    }

    void anotherModelIsTheScores()
    {
        const ComparedRun one = runOf(scriptOf(1), requestOf());
        ComparedRun other = runOf(scriptOf(2), requestOf());
        QCOMPARE(app::differenceOf(one, other)->cause, PartingCause::Scores);
        other.checkpointFile = "other.gguf"; // ids may mean other words: pieces are compared
        QCOMPARE(app::differenceOf(one, other)->cause, PartingCause::Scores);
        ComparedRun renamed = one;
        renamed.checkpointFile = "other.gguf";
        for (TokenRecord& token : renamed.tokens)
            token.id += 100;
        QVERIFY(!app::differenceOf(one, renamed));
    }

    void anotherPromptIsTold()
    {
        const Script script = scriptOf(3);
        GenerationRequest b = requestOf();
        b.promptIds = { WordModel::kPrompt, WordModel::kFirstPiece };
        b.sampling.seed = 99;
        const auto difference = app::differenceOf(runOf(script, requestOf()), runOf(script, b));
        QCOMPARE(difference->cause, PartingCause::Prompt);
        QCOMPARE(difference->promptToken, std::optional<size_t>(1));
    }

    void aTokenThatSomebodyPutInIsNoChoice()
    {
        const Script script = scriptOf(4);
        const ComparedRun one = runOf(script, requestOf());
        GenerationRequest b = requestOf();
        b.forcedIds = one.newIds();
        b.forcedIds.resize(6);
        b.forcedIds[5] = b.forcedIds[5] == 5 ? 6 : 5;
        const auto difference = app::differenceOf(one, runOf(script, b));
        QCOMPARE(difference->cause, PartingCause::PutIn);
        QCOMPARE(difference->token, size_t(5));
    }

    void aBanInOneStepIsTheCause()
    {
        const Script script = scriptOf(10);
        for (const float temperature : { 0.0f, 2.0f }) { // at 2 the twenty recorded candidates may not tell
            GenerationRequest a = requestOf();
            a.sampling.temperature = temperature;
            const ComparedRun whole = runOf(script, a);
            GenerationRequest b = a;
            b.bannedFirstIds = { whole.tokens[0].id };
            const ComparedRun banned = runOf(script, b);
            QVERIFY(banned.tokens[0].id != whole.tokens[0].id);
            QCOMPARE(app::differenceOf(whole, banned)->token, size_t(0));
            QCOMPARE(std::string(app::partingCauseName(app::differenceOf(whole, banned)->cause)), std::string("ban"));
            QCOMPARE(app::differenceOf(banned, whole)->cause, PartingCause::Ban);
        }
        GenerationRequest a = requestOf();
        a.sampling.temperature = 0;
        const ComparedRun whole = runOf(script, a);
        a.sampling.seed += 1; // it could not have mattered
        a.bannedFirstIds = { whole.tokens[0].id };
        const ComparedRun banned = runOf(script, a);
        QCOMPARE(app::differenceOf(whole, banned)->cause, PartingCause::Ban);
        QCOMPARE(app::differenceOf(banned, whole)->cause, PartingCause::Ban);
    }

    void whatNothingExplainsIsNotSaidToBeUnrecorded()
    {
        GenerationRequest a = requestOf();
        a.sampling.temperature = 0;
        const ComparedRun one = runOf(scriptOf(11), a);
        ComparedRun other = one;
        TokenRecord& token = other.tokens[3];
        token.id = token.top[token.top[0].id == token.id ? 1 : 0].id; // by no setting that is told
        QCOMPARE(app::differenceOf(one, other)->cause, PartingCause::Unexplained);
    }

    void anEndIsTracedToItsSetting()
    {
        const Script script = scriptOf(6);
        const ComparedRun whole = runOf(script, requestOf(20));
        const ComparedRun capped = runOf(script, requestOf(8));
        const auto byCap = app::differenceOf(whole, capped);
        QCOMPARE(byCap->cause, PartingCause::End);
        QCOMPARE(byCap->token, size_t(8));
        QVERIFY(!byCap->isFirstShorter);
        QCOMPARE(byCap->stopSettings, std::vector<std::string> { "length_cap" });
        GenerationRequest b = requestOf(20);
        b.stopStrings = { whole.tokens[4].bytes + whole.tokens[5].bytes };
        const auto byString = app::differenceOf(runOf(script, b), whole);
        QVERIFY(byString->isFirstShorter);
        QCOMPARE(byString->stopSettings, std::vector<std::string> { "stop_strings" });
        ComparedRun cancelled = capped;
        cancelled.request->lengthCap = 20;
        cancelled.reason = StopReason::Cancelled;
        QCOMPARE(app::differenceOf(whole, cancelled)->cause, PartingCause::End);
        QVERIFY(app::differenceOf(whole, cancelled)->stopSettings.empty());
    }

    void whatWasNotRecordedIsNotGuessed()
    {
        const Script script = scriptOf(7);
        GenerationRequest b = requestOf();
        b.sampling.seed = 77;
        ComparedRun one = runOf(script, requestOf());
        ComparedRun other = runOf(script, b);
        for (ComparedRun* run : { &one, &other })
            for (TokenRecord& token : run->tokens)
                token.top.clear();
        QCOMPARE(app::differenceOf(one, other)->cause, PartingCause::Unknown);
        one.request.reset();
        QCOMPARE(app::differenceOf(one, other)->cause, PartingCause::Unknown);
    }

    void aTreeHoldsEachRunOnce()
    {
        const Script script = scriptOf(8);
        std::vector<ComparedRun> runs;
        for (uint64_t seed = 0; seed < 12; ++seed) {
            GenerationRequest request = requestOf(seed % 3 ? 12 : 3);
            request.sampling.seed = seed / 2;
            request.sampling.temperature = 0.5f;
            runs.push_back(runOf(script, request));
        }
        const app::RunBranch root = app::runTree(runs);
        QCOMPARE(root.runs.size(), runs.size());
        std::vector<int> endings(runs.size(), 0);
        std::vector<app::RunBranch> open { root };
        while (!open.empty()) {
            const app::RunBranch branch = open.back();
            open.pop_back();
            for (size_t run : branch.ending) {
                ++endings[run];
                QCOMPARE(branch.endToken, runs[run].tokens.size());
            }
            size_t below = branch.ending.size();
            for (const app::RunBranch& child : branch.children) {
                below += child.runs.size();
                QCOMPARE(child.firstToken, branch.endToken);
                for (size_t run : child.runs) // all its tokens are those of the first
                    QVERIFY(app::commonTokens(runs[child.runs.front()], runs[run]) >= child.endToken);
                open.push_back(child);
            }
            QCOMPARE(below, branch.runs.size());
        }
        QCOMPARE(endings, std::vector<int>(runs.size(), 1));
        runs[5].request->promptIds.push_back(WordModel::kPrompt);
        const app::RunBranch two = app::runTree(runs);
        QCOMPARE(two.endToken, size_t(0));
        QCOMPARE(two.children.size(), size_t(2));
    }
};

QTEST_APPLESS_MAIN(TestRunDifference)
#include "tst_run_difference.moc"
