#include "tests/cases/program_without_window.h"
#include "tests/cases/smollm2_run.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <random>

using app::Conversation;
using app::Turn;
using engine::StopReason;
using engine::TokenIds;
using engine::Verdict;
using tests::kLimitMs;
using tests::Program;

namespace {

/// All new ids of the last answer: the end token included.
TokenIds idsOf(const Conversation& chat) { return chat.lastAnswer()->draftIds(); }

const TokenIds& promptOf(const Conversation& chat)
{
    return chat.lastDraft()->origin().request.promptIds;
}

std::string stars(int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "\U0001F31F";
    return text;
}

size_t commonCount(const TokenIds& a, const TokenIds& b)
{
    return size_t(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}

// cases.md D, with a real model in a chat: Continue, regenerate, edit, cancel, and what is reused.
class TestChatCases : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g19_continueCompletesTheCharacterTheCapCut();
    void g20_aContinuedAnswerHasTheIdsOfASingleRun();
    void g20_alsoAfterARestart();
    void g21_regenerateReadsThePromptTheFirstRunRead();
    void g22_anEditReusesTheCommonPrefixAndNoMore();
    void g23_aCancelledRunLeavesNothingBehind();
    void g23_fiftyCancelsAtRandomMoments();

private:
    QString m_model;
    QTemporaryDir m_folder;
    std::unique_ptr<Program> m_program; ///< one load for most of the cases
};

void TestChatCases::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
    m_program = std::make_unique<Program>(m_folder, m_model);
    VERIFY_READY(*m_program);
}

void TestChatCases::g19_continueCompletesTheCharacterTheCapCut()
{
    Conversation& chat = m_program->newChat(64);
    QVERIFY(m_program->workspace.send(chat, "Reply with one emoji: 😀"));
    QVERIFY(m_program->ends(chat));
    // Which emoji it is hangs on 0.01 in log-probability; each takes three tokens or so. The last
    // cap that cuts one of this answer:
    const std::vector<engine::TokenRecord>& records = chat.lastDraft()->records();
    std::string bytes;
    std::vector<std::string> said; // after each token
    for (const engine::TokenRecord& record : records)
        said.push_back(bytes += record.bytes);
    int cap = int(records.size()) - 3;
    const auto isCut = [&](int count) {
        return QString::fromStdString(said[size_t(count) - 1])
            .contains(QChar::ReplacementCharacter);
    };
    while (cap > 1 && !isCut(cap))
        --cap;
    QVERIFY2(cap > 1, bytes.c_str());

    m_program->setCap(chat, cap);
    QVERIFY(m_program->workspace.regenerate(chat));
    QVERIFY(m_program->ends(chat));
    const app::Answer& answer = *chat.lastAnswer();
    QCOMPARE(answer.verdict(), Verdict::Capped);
    QCOMPARE(int(idsOf(chat).size()), cap);
    QVERIFY(!chat.lastDraft()->ending()->waitingBytes.empty());
    QVERIFY(!QString::fromStdString(answer.text()).contains(QChar::ReplacementCharacter));
    QVERIFY(answer.text().size() < said[size_t(cap) - 1].size());

    int more = 1;
    while (isCut(cap + more))
        ++more;
    QVERIFY(more <= 2);
    QVERIFY(m_program->workspace.continueAnswer(chat, nullptr, more));
    QVERIFY(m_program->ends(chat));
    QCOMPARE(int(idsOf(chat).size()), cap + more);
    QCOMPARE(answer.text(), said[size_t(cap + more) - 1]);
    if (answer.text().starts_with(stars(1)))
        QCOMPARE(answer.text(), stars((cap + more) / 3));
}

void TestChatCases::g20_aContinuedAnswerHasTheIdsOfASingleRun()
{
    Conversation& whole = m_program->newChat(64);
    QVERIFY(m_program->workspace.send(whole, tests::kCountingPrompt));
    QVERIFY(m_program->ends(whole));
    Conversation& parts = m_program->newChat(20);
    QVERIFY(m_program->workspace.send(parts, tests::kCountingPrompt));
    QVERIFY(m_program->ends(parts));
    QCOMPARE(parts.lastAnswer()->text(), std::string("1, 2, 3, 4, 5, 6, 7,"));
    QCOMPARE(parts.lastAnswer()->verdict(), Verdict::Capped);
    const TokenIds first = promptOf(parts);
    QVERIFY(m_program->workspace.continueAnswer(parts, nullptr, 44));
    QVERIFY(m_program->ends(parts));
    QCOMPARE(idsOf(parts), idsOf(whole));
    QCOMPARE(parts.lastAnswer()->text(), whole.lastAnswer()->text());
    // No second generation prompt, no end token between: the prompt and the twenty ids.
    TokenIds expected = first;
    const TokenIds all = idsOf(whole);
    expected.insert(expected.end(), all.begin(), all.begin() + 20);
    QCOMPARE(promptOf(parts), expected);
    QCOMPARE(parts.lastAnswer()->parts().size(), size_t(2));
}

void TestChatCases::g20_alsoAfterARestart()
{
    QTemporaryDir folder;
    TokenIds whole;
    {
        Program program(folder, m_model);
        VERIFY_READY(program);
        Conversation& chat = program.newChat(20);
        QVERIFY(program.workspace.send(chat, tests::kCountingPrompt));
        QVERIFY(program.ends(chat));
        program.workspace.close();
    }
    Program program(folder, m_model);
    VERIFY_READY(program);
    Conversation* chat = program.reopen();
    QVERIFY(chat);
    QCOMPARE(chat->lastAnswer()->verdict(), Verdict::Capped);
    QVERIFY(program.workspace.continueAnswer(*chat, nullptr, 44));
    QVERIFY(QTest::qWaitFor([&] { return chat->activeDraft(); }, 10'000)); // once the ids are read
    QVERIFY(program.ends(*chat));
    Conversation& single = program.newChat(64);
    QVERIFY(program.workspace.send(single, tests::kCountingPrompt));
    QVERIFY(program.ends(single));
    QCOMPARE(idsOf(*chat), idsOf(single));
    QCOMPARE(chat->lastAnswer()->text(), single.lastAnswer()->text());
}

void TestChatCases::g21_regenerateReadsThePromptTheFirstRunRead()
{
    Conversation& chat = m_program->newChat(64);
    QVERIFY(m_program->workspace.send(chat, "Hi"));
    QVERIFY(m_program->ends(chat));
    const Turn* old = chat.lastAnswerTurn();
    const TokenIds prompt = promptOf(chat);
    const TokenIds ids = idsOf(chat);
    QCOMPARE(prompt.size(), size_t(31));
    QVERIFY(m_program->workspace.regenerate(chat));
    QVERIFY(chat.lastAnswerTurn() != old);
    QVERIFY(m_program->ends(chat));
    QCOMPARE(promptOf(chat), prompt);
    QCOMPARE(idsOf(chat), ids);
    QCOMPARE(chat.tree().siblings(*old).size(), size_t(2));
    QCOMPARE(old->answer->verdict(), Verdict::Complete);
    chat.showSibling(1, -1);
    QCOMPARE(chat.lastAnswerTurn(), old);
    QCOMPARE(chat.lastAnswer()->text(), std::string("Hello! How can I assist you today?"));
}

void TestChatCases::g22_anEditReusesTheCommonPrefixAndNoMore()
{
    struct Asked {
        TokenIds prompt;
        TokenIds ids;
        int reused;
        int computed;
    };
    std::vector<TokenIds> computedBefore; // what the cache may hold
    const auto asked = [&](Conversation& chat) {
        const app::Draft& draft = *chat.lastDraft();
        Asked now { promptOf(chat), idsOf(chat), draft.ending()->cache.reusedTokens,
            draft.ending()->cache.computedTokens };
        computedBefore.push_back(now.prompt);
        computedBefore.back().insert(computedBefore.back().end(), now.ids.begin(), now.ids.end());
        return now;
    };
    // The three messages, with an answer that a person wrote in the middle.
    const auto converse = [&](Program& program, Conversation& chat, const QString& name) {
        program.setCap(chat, 1);
        const QString message = "My name is " + name + ".";
        const bool begun = chat.turns().empty()
            ? program.workspace.send(chat, message)
            : program.workspace.editMessage(chat, *chat.turns().front(), message);
        if (!begun || !program.ends(chat))
            return false;
        asked(chat);
        program.setCap(chat, 40);
        return program.workspace.editAnswer(
                   chat, *chat.lastAnswerTurn(), "Nice to meet you, " + name + "!")
            && program.workspace.send(chat, "What is my name?") && program.ends(chat);
    };
    QTemporaryDir folder;
    Program program(folder, m_model);
    VERIFY_READY(program);
    Conversation& chat = program.newChat(1);
    QVERIFY(converse(program, chat, "Ana"));
    const Asked ana = asked(chat);
    QVERIFY(converse(program, chat, "Bob"));
    // Exactly what is equal from the front, of the run that shares most.
    size_t common = 0;
    for (const TokenIds& known : computedBefore)
        common = std::max(common, commonCount(known, promptOf(chat)));
    const Asked bob = asked(chat);
    QCOMPARE(ana.prompt.size(), size_t(59));
    QCOMPARE(bob.prompt.size(), size_t(59));
    QCOMPARE(bob.reused + bob.computed, 59);
    QCOMPARE(bob.reused, int(common));
    QVERIFY2(chat.lastAnswer()->text().find("Bob") != std::string::npos,
        chat.lastAnswer()->text().c_str());
    QVERIFY(chat.lastAnswer()->text().find("Ana") == std::string::npos);
    // And back, where only the last token has to be computed again.
    chat.showSibling(0, -1);
    QVERIFY(program.workspace.regenerate(chat));
    QVERIFY(program.ends(chat));
    const Asked again = asked(chat);
    QCOMPARE(again.prompt, ana.prompt);
    QCOMPARE(again.ids, ana.ids);
    QCOMPARE(again.reused + again.computed, 59);
    QVERIFY(again.reused <= 58);
    QVERIFY(chat.lastAnswer()->text().find("Bob") == std::string::npos);

    // A fresh process, in which nothing can be reused, says the same.
    QTemporaryDir freshFolder;
    Program fresh(freshFolder, m_model);
    VERIFY_READY(fresh);
    Conversation& bobAlone = fresh.newChat(1);
    QVERIFY(converse(fresh, bobAlone, "Bob"));
    QCOMPARE(promptOf(bobAlone), bob.prompt);
    QCOMPARE(idsOf(bobAlone), bob.ids);
}

void TestChatCases::g23_aCancelledRunLeavesNothingBehind()
{
    Conversation& chat = m_program->newChat(64);
    QVERIFY(m_program->workspace.send(chat, tests::kCountingPrompt));
    const app::Draft* draft = chat.lastDraft();
    QVERIFY(QTest::qWaitFor([&] { return draft->tokenCount() >= 5; }, kLimitMs));
    m_program->workspace.stop(chat);
    QVERIFY(m_program->ends(chat));
    QCOMPARE(draft->ending()->ledger.reason, StopReason::Cancelled);
    QCOMPARE(draft->verdict(), Verdict::Partial);
    QCOMPARE(draft->ending()->tokenIds.size(), size_t(draft->tokenCount()));
    QVERIFY(std::string("1, 2, 3, 4, 5, 6, 7, 8, 9, 10").starts_with(draft->text().substr(0, 29)));

    Conversation& next = m_program->newChat(64);
    QVERIFY(m_program->workspace.send(next, "Hi"));
    QVERIFY(m_program->ends(next));
    QCOMPARE(idsOf(next), TokenIds({ 19556, 17, 1073, 416, 339, 4237, 346, 1834, 47, 2 }));
    QCOMPARE(next.lastDraft()->ending()->ledger.reason, StopReason::EndToken);
    // What the cancelled run had read is not read again.
    QVERIFY(m_program->workspace.regenerate(chat));
    QVERIFY(m_program->ends(chat));
    QCOMPARE(promptOf(chat).size(), size_t(43));
    QVERIFY2(chat.lastDraft()->ending()->cache.reusedTokens >= 42,
        qPrintable(QString::number(chat.lastDraft()->ending()->cache.reusedTokens)));
}

void TestChatCases::g23_fiftyCancelsAtRandomMoments()
{
    std::mt19937 random(23);
    Conversation& chat = m_program->newChat(29);
    QVERIFY(m_program->workspace.send(chat, tests::kCountingPrompt));
    QVERIFY(m_program->ends(chat));
    const TokenIds whole = idsOf(chat);
    const double wholeMs = *chat.lastDraft()->completionMs();
    int cancelledCount = 0;
    for (int round = 0; round < 50; ++round) {
        QVERIFY(m_program->workspace.regenerate(chat));
        QTest::qWait(int(random() % unsigned(wholeMs)));
        m_program->workspace.stop(chat);
        QVERIFY(m_program->ends(chat));
        const engine::RunEnded& ended = *chat.lastDraft()->ending();
        if (ended.ledger.reason == StopReason::Cancelled) {
            ++cancelledCount;
            QCOMPARE(chat.lastAnswer()->verdict(), Verdict::Partial);
        } else {
            QCOMPARE(ended.ledger.reason, StopReason::LengthCap); // it was faster
        }
        const TokenIds ids = idsOf(chat);
        QCOMPARE(commonCount(whole, ids), ids.size());
    }
    QVERIFY2(cancelledCount >= 10, qPrintable(QString::number(cancelledCount)));
    Conversation& next = m_program->newChat(64);
    QVERIFY(m_program->workspace.send(next, "Hi"));
    QVERIFY(m_program->ends(next));
    QCOMPARE(next.lastAnswer()->text(), std::string("Hello! How can I assist you today?"));
}

QTEST_GUILESS_MAIN(TestChatCases)
#include "tst_chat_cases.moc"
