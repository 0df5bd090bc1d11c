#include "app/compare/cross_score.h"
#include "app/compare/draft_run.h"
#include "app/compare/run_difference.h"
#include "app/compare/what_if_stops.h"
#include "tests/cases/program_without_window.h"
#include "tests/cases/smollm2_run.h"

#include <cmath>
#include <memory>

using app::ComparedRun;
using app::Conversation;
using app::Turn;
using engine::StopReason;
using engine::TokenIds;
using tests::Program;

namespace {

constexpr int kCap = 12;
constexpr int kLongCap = 24;

ComparedRun runOf(const Conversation& chat) { return app::comparedAnswer(*chat.lastAnswer()); }

}

/// Comparing runs of the real model: what is claimed without generating holds when it is generated.
class TestComparedRuns : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void extendingGivesTheRunThatTheCapWouldHaveGiven();
    void ignoringTheEndTokenGoesOnLikeARunThatDid();
    void swappingTheFirstTokenThatDiffersIsTheWholeDifference();
    void aTextScoredUnderItsOwnRunHasNoDifference();
    void aTextScoredUnderAnotherPromptHasOne();

private:
    Conversation& asked(int cap, const char* prompt);
    bool again(Conversation& chat, const app::ChatSettings& settings);

    QTemporaryDir m_folder;
    std::unique_ptr<Program> m_program;
};

void TestComparedRuns::initTestCase()
{
    const QString model = tests::smollm2Path();
    if (model.isEmpty())
        QSKIP(tests::kNoModel);
    m_program = std::make_unique<Program>(m_folder, model);
    VERIFY_READY(*m_program);
}

/// A chat with an ended answer, at temperature 0.
Conversation& TestComparedRuns::asked(int cap, const char* prompt)
{
    Conversation& chat = m_program->newChat(cap);
    if (!m_program->workspace.send(chat, prompt) || !m_program->ends(chat))
        qWarning("no answer");
    return chat;
}

/// Another answer under these settings.
bool TestComparedRuns::again(Conversation& chat, const app::ChatSettings& settings)
{
    chat.setSettings(settings);
    return m_program->workspace.regenerate(chat) && m_program->ends(chat);
}

void TestComparedRuns::extendingGivesTheRunThatTheCapWouldHaveGiven()
{
    Conversation& chat = asked(kCap, tests::kCountingPrompt);
    const ComparedRun capped = runOf(chat);
    QCOMPARE(capped.reason, std::optional(StopReason::LengthCap));
    const app::StopWish wish { kLongCap, {}, false };
    QVERIFY(!app::whatIfStops(capped, wish)->reason); // it would have gone on
    QVERIFY(m_program->workspace.extend(chat, *chat.lastAnswerTurn(), wish));
    QVERIFY(m_program->ends(chat));
    const ComparedRun extended = runOf(chat);
    const engine::RunEnded& ended = *chat.lastDraft()->ending();
    QCOMPARE(ended.cache.reusedTokens, int(capped.request->promptIds.size()) + kCap - 1); // from the kept cache

    app::ChatSettings longer = chat.settings();
    longer.lengthCap = kLongCap;
    QVERIFY(again(chat, longer));
    const ComparedRun whole = runOf(chat);
    QCOMPARE(extended.newIds(), whole.newIds());
    QCOMPARE(extended.text, whole.text);
    QCOMPARE(extended.reason, whole.reason);
    QVERIFY(!app::differenceOf(extended, whole));
}

void TestComparedRuns::ignoringTheEndTokenGoesOnLikeARunThatDid()
{
    Conversation& chat = asked(64, "What is the capital of France? Answer with one word.");
    const ComparedRun ended = runOf(chat);
    QCOMPARE(ended.reason, std::optional(StopReason::EndToken));
    const app::StopWish wish { int(ended.tokens.size()) + 6, {}, true };
    QVERIFY(!app::whatIfStops(ended, wish)->reason);
    QVERIFY(m_program->workspace.extend(chat, *chat.lastAnswerTurn(), wish));
    QVERIFY(m_program->ends(chat));
    const ComparedRun extended = runOf(chat);

    app::ChatSettings ignoring = chat.settings();
    ignoring.lengthCap = wish.lengthCap;
    ignoring.ignoreEndTokens = true;
    QVERIFY(again(chat, ignoring));
    QCOMPARE(extended.newIds(), runOf(chat).newIds());
    QCOMPARE(extended.text, runOf(chat).text);
}

void TestComparedRuns::swappingTheFirstTokenThatDiffersIsTheWholeDifference()
{
    Conversation& chat = asked(kLongCap, "Name a river and say one thing about it.");
    Turn& greedyTurn = *chat.lastAnswerTurn();
    const ComparedRun greedy = runOf(chat);
    // The same model, but for one token that may not come: afterwards both are greedy again.
    const engine::TokenId banned = greedy.tokens[2].id;
    QVERIFY(m_program->workspace.fork(chat, greedyTurn, 2, app::BanChoice { banned, false }));
    QVERIFY(m_program->ends(chat));
    const ComparedRun other = runOf(chat);
    const auto difference = app::differenceOf(greedy, other);
    QVERIFY(difference);
    QCOMPARE(difference->token, size_t(2));
    // The claim: with that one token the greedy run is the other one, to the end.
    QVERIFY(m_program->workspace.swapToken(chat, greedyTurn, 2, other.tokens[2].id));
    QVERIFY(m_program->ends(chat));
    const ComparedRun swapped = runOf(chat);
    QCOMPARE(swapped.tokens.size(), greedy.tokens.size()); // it comes to the same cap
    TokenIds wanted = other.newIds(); // which counts from the fork
    wanted.resize(swapped.tokens.size());
    QCOMPARE(swapped.newIds(), wanted);
    const auto claimed = app::differenceOf(greedy, swapped);
    QCOMPARE(claimed->token, size_t(2));
    QCOMPARE(claimed->cause, app::PartingCause::PutIn);
}

void TestComparedRuns::aTextScoredUnderItsOwnRunHasNoDifference()
{
    Conversation& chat = asked(kCap, tests::kCountingPrompt);
    const ComparedRun run = runOf(chat);
    app::CrossScore score(m_program->workspace);
    QCOMPARE(score.start(run, run), QString());
    QVERIFY(QTest::qWaitFor([&] { return !score.isUnderWay(); }, tests::kLimitMs));
    QCOMPARE(score.failure(), QString());
    QCOMPARE(score.stretches().size(), run.tokens.size());
    for (const app::ScoredStretch& stretch : score.stretches()) {
        QVERIFY2(std::abs(stretch.difference().value()) < 1e-5, qPrintable(QString::number(*stretch.difference())));
        QCOMPARE(stretch.ownFinal, stretch.otherFinal);
    }
}

void TestComparedRuns::aTextScoredUnderAnotherPromptHasOne()
{
    Conversation& chat = asked(kCap, tests::kCountingPrompt);
    const ComparedRun run = runOf(chat);
    app::ChatSettings other = chat.settings();
    other.systemText = "You always answer in French, in capital letters.";
    other.sampling.temperature = 2;
    other.fixedSeed = 1;
    QVERIFY(again(chat, other));
    app::CrossScore score(m_program->workspace);
    QCOMPARE(score.start(run, runOf(chat)), QString());
    QVERIFY(QTest::qWaitFor([&] { return !score.isUnderWay(); }, tests::kLimitMs));
    QCOMPARE(score.stretches().size(), run.tokens.size());
    double largest = 0;
    for (const app::ScoredStretch& stretch : score.stretches())
        largest = std::max(largest, std::abs(stretch.difference().value()));
    QVERIFY2(largest > 0.01, qPrintable(QString::number(largest)));
    // Greedily nothing else could come; at temperature 2 much could.
    QCOMPARE(score.stretches().front().ownFinal->low, 1.0);
    QVERIFY(score.stretches().front().otherFinal->high < 1);
}

QTEST_GUILESS_MAIN(TestComparedRuns)
#include "tst_compared_runs.moc"
