#include "app/conversation/journal.h"
#include "app/conversation/workspace.h"
#include "app/storage/storage.h"
#include "tests/support/fake_engine.h"
#include "ui/chat/draft_words.h"

#include <QElapsedTimer>
#include <QLocale>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <map>
#include <random>

using app::Answer;
using app::Conversation;
using app::Turn;
using engine::CancelledBy;
using engine::ErrorCode;
using engine::StopReason;
using engine::Verdict;

namespace {

constexpr int kEndingCount = 1000;
constexpr int kEndingsPerChat = 30;
constexpr int kWaitMs = 10'000;

/// What a person is told of an answer, told a second time and plainly: nothing here is shared with
/// the window or the store.
struct Expected {
    std::string text;
    /// None: a person wrote all of it.
    std::optional<StopReason> reason;
    int tokenCount = 0; ///< of the last part
    int lengthCap = 0;
    int contextUsed = 0;
    CancelledBy cancelledBy = CancelledBy::User;
    ErrorCode error = ErrorCode::NotFinite;

    Verdict verdict() const
    {
        if (reason == StopReason::EndToken)
            return Verdict::Complete;
        if (reason == StopReason::StopString)
            return Verdict::Stopped;
        if (!reason || reason == StopReason::Cancelled || reason == StopReason::Failed
            || reason == StopReason::Interrupted)
            return Verdict::Partial;
        return Verdict::Capped;
    }
    QString state() const
    {
        if (!reason)
            return "Edited by you";
        switch (verdict()) {
        case Verdict::Complete:
            return text.empty() ? "Complete · empty answer" : "Complete response";
        case Verdict::Stopped:
            return "Stopped";
        case Verdict::Capped:
            return "Capped";
        case Verdict::Partial:
            break;
        }
        return "Partial";
    }
    QString note() const
    {
        if (!reason)
            return "no model wrote this text";
        const std::map<Verdict, QString> notes { { Verdict::Complete, "not checked" },
            { Verdict::Stopped, "may be unfinished" },
            { Verdict::Capped, "not known to be complete" }, { Verdict::Partial, "" } };
        return notes.at(verdict());
    }
    QString chip() const
    {
        if (!reason)
            return {};
        const auto number = [](int value) { return QLocale().toString(value); };
        switch (*reason) {
        case StopReason::EndToken:
            return "end token <|im_end|>";
        case StopReason::StopString:
            return "at your stop string ‘5, 6’";
        case StopReason::LengthCap:
            return "length cap " + number(lengthCap) + " reached";
        case StopReason::ContextFull:
            return "context full (" + number(contextUsed) + " of " + number(8192) + ")";
        case StopReason::ThinkingCap:
            return "thinking budget used up";
        case StopReason::TimeCap:
            return "time limit reached";
        case StopReason::Repetition:
            return "repeating itself";
        case StopReason::Cancelled:
            return cancelledBy == CancelledBy::Closing      ? "the program was closing"
                : cancelledBy == CancelledBy::ModelUnloaded ? "the model was unloaded"
                                                            : "stopped by you after "
                    + number(tokenCount) + (tokenCount == 1 ? " token" : " tokens");
        case StopReason::Failed:
            return error == ErrorCode::DeviceLost ? "failed: device lost"
                : error == ErrorCode::OutOfMemory ? "failed: out of memory"
                                                  : "failed";
        case StopReason::Interrupted:
            return "the program ended";
        }
        return {};
    }
    ui::EdgeStyle edge() const
    {
        return !reason || verdict() == Verdict::Complete || verdict() == Verdict::Stopped
            ? ui::EdgeStyle::Solid
            : verdict() == Verdict::Capped ? ui::EdgeStyle::Torn
                                           : ui::EdgeStyle::Dashed;
    }
};

/// What differs between an answer and what is expected of it, in words; "" when nothing does.
QString wrongLabel(const Answer& answer, const Expected& expected)
{
    const ui::DraftWords words = ui::answerWords(answer);
    const app::Draft* draft = answer.draft();
    QStringList wrong;
    const auto compare = [&wrong](const char* what, const QString& is, const QString& mustBe) {
        if (is != mustBe)
            wrong.append(QString("%1 is “%2”, expected “%3”").arg(what, is, mustBe));
    };
    compare("text", QString::fromStdString(answer.text()), QString::fromStdString(expected.text));
    compare(
        "verdict", engine::verdictName(answer.verdict()), engine::verdictName(expected.verdict()));
    compare("reason",
        draft && draft->ending() ? engine::stopReasonInfo(draft->ending()->ledger.reason).name : "",
        expected.reason ? engine::stopReasonInfo(*expected.reason).name : "");
    compare("state", words.state, expected.state());
    compare("chip", words.chip, expected.chip());
    compare("note", words.note, expected.note());
    compare("edge", QString::number(int(words.edge)), QString::number(int(expected.edge())));
    compare("spoken", words.spoken, words.sentence());
    compare("may continue", answer.mayContinue() ? "yes" : "no",
        expected.verdict() == Verdict::Complete ? "no" : "yes");
    return wrong.join("; ");
}

/// The program from its start to its end, on one folder.
struct Program {
    tests::FakeEngine engine;
    app::Storage storage;
    app::Workspace workspace { engine.factory() };

    explicit Program(const QTemporaryDir& folder)
        : storage(folder.filePath("tokenglass.sqlite"))
    {
        QSignalSpy opened(&workspace, &app::Workspace::storeOpened);
        workspace.keepIn(storage);
        opened.wait(kWaitMs);
        workspace.loadModel({ .path = "tiny.gguf" });
        engine.finishLoad();
        QCoreApplication::processEvents();
    }
};

/// A person who does everything in any order, and remembers what happened.
class Person {
public:
    /// The next ending, by whatever leads to it. Everything is checked on the way.
    void bringAbout();
    /// Ends the program by its door, and starts it again.
    void restart();
    void checkAll();

    int endingCount = 0;
    int interruptedCount = 0;
    int continuedCount = 0;
    int editedCount = 0;
    int restartCount = 0;
    int checkedCount = 0;
    QStringList wrong;

private:
    int below(int limit) { return int(m_random() % unsigned(limit)); }
    template <typename T> T oneOf(std::initializer_list<T> choices)
    {
        return *(choices.begin() + below(int(choices.size())));
    }
    void ensureChat();
    Turn* beginRun();
    bool waitFor(const std::function<bool()>& done, const char* what);
    void write(int tokenCount);
    void endRun(Turn& turn);
    void interrupt(app::MessageId turn);
    void closeUnderWay(app::MessageId turn);
    void startAgain();
    void rememberShown();
    void note(app::MessageId turn, StopReason reason);
    Conversation* open(app::ConversationId id);
    void check(const QString& when);
    void checkUnderWay(const Turn& turn, const QString& words);
    void complain(const QString& what) { wrong.append(what); }

    QTemporaryDir m_folder;
    std::mt19937 m_random { 20261130 };
    std::unique_ptr<Program> m_program = std::make_unique<Program>(m_folder);
    Conversation* m_chat = nullptr;
    int m_endingsOfChat = 0;
    std::map<app::ConversationId, std::map<app::MessageId, Expected>> m_expected;
    std::map<app::ConversationId, std::vector<app::MessageId>> m_shown;
    std::string m_written; ///< by the run under way
    int m_tokenCount = 0; ///< of it
    std::string m_textBefore; ///< of its answer, when it began
};

bool Person::waitFor(const std::function<bool()>& done, const char* what)
{
    // QTest::qWaitFor looks every 10 ms, which adds up.
    QElapsedTimer since;
    for (since.start(); since.elapsed() < kWaitMs; QThread::usleep(300)) {
        QCoreApplication::processEvents();
        if (done())
            return true;
    }
    complain(QString("waited in vain: %1").arg(what));
    return false;
}

void Person::ensureChat()
{
    if (m_chat && m_endingsOfChat < kEndingsPerChat)
        return;
    rememberShown();
    m_chat = &m_program->workspace.addConversation(app::ConversationKind::Chat);
    m_endingsOfChat = 0;
}

/// Sends, regenerates, continues or edits; the turn whose answer is to be written then.
Turn* Person::beginRun()
{
    app::Workspace& workspace = m_program->workspace;
    const size_t before = m_program->engine.requests.size();
    app::ChatSettings settings = m_chat->settings();
    settings.lengthCap = oneOf({ 1, 16, 1024 });
    settings.stopStrings = { "5, 6" };
    m_chat->setSettings(settings);
    const std::vector<Turn*>& turns = m_chat->turns();
    const int choice = turns.empty() ? 0 : below(6);
    Turn* last = m_chat->lastAnswerTurn();
    if (last && last->answer->isActive()) {
        complain("an answer goes on after its end");
        return nullptr;
    }
    if (choice == 5 && last) { // another answer, as the person wants it
        const std::string text = oneOf({ "As I want it. ", "1, 2, 3, ", "ß" });
        workspace.editAnswer(*m_chat, *last, QString::fromStdString(text));
        last = m_chat->lastAnswerTurn();
        Expected& edited = m_expected[m_chat->id()][last->id];
        edited = {};
        edited.text = text;
        ++editedCount;
        check("after an edit");
    }
    bool begun = false;
    if (choice >= 3 && last) {
        const bool may = m_expected[m_chat->id()].at(last->id).verdict() != Verdict::Complete;
        begun = workspace.continueAnswer(*m_chat, last, below(200) + 1);
        if (begun != may)
            complain("Continue is offered where it must not be, or the reverse");
        continuedCount += begun;
    } else if (choice == 2) {
        Turn* message = turns[size_t(below(int(turns.size() + 1) / 2)) * 2];
        begun = workspace.editMessage(*m_chat, *message, QString("Edited %1").arg(endingCount));
        ++editedCount;
    } else if (choice == 1 && last) {
        begun = workspace.regenerate(*m_chat);
    }
    if (!begun)
        begun = workspace.send(*m_chat, QString("Question %1").arg(endingCount),
            below(4) == 0 ? QString("So: ") : QString());
    if (!begun) {
        complain("nothing could be sent: "
            + (m_chat->problem() ? m_chat->problem()->message : QString("no reason given")));
        return nullptr;
    }
    if (below(12) == 0 && m_chat->activeDraft()) // before the engine has heard of it
        workspace.stop(*m_chat);
    if (!waitFor([&] { return m_program->engine.requests.size() > before; }, "a run begins"))
        return nullptr;
    Turn* turn = m_chat->activeTurn();
    if (!turn) {
        complain("no answer is under way");
        return nullptr;
    }
    m_written.clear();
    m_tokenCount = 0;
    m_textBefore = turn->answer->text();
    return turn;
}

void Person::write(int tokenCount)
{
    for (int i = 0; i < tokenCount; ++i) {
        const std::string piece = oneOf({ "a ", "**b** ", "€", "\n", "1, " });
        m_program->engine.token(piece);
        m_written += piece;
        ++m_tokenCount;
    }
}

void Person::checkUnderWay(const Turn& turn, const QString& words)
{
    ++checkedCount;
    const ui::DraftWords shown = ui::answerWords(*turn.answer);
    if (turn.answer->verdict() != Verdict::Partial || !shown.state.startsWith(words)
        || !shown.chip.isEmpty())
        complain(QString("“%1” of a draft under way, expected “%2…”").arg(shown.state, words));
    const auto badge = ui::badgeWords(*m_chat);
    if (!badge || !badge->state.startsWith(words))
        complain("the badge of a draft under way");
}

void Person::note(app::MessageId turn, StopReason reason)
{
    Expected& expected = m_expected[m_chat->id()][turn];
    expected.text = m_textBefore + m_written;
    expected.reason = reason;
    expected.tokenCount = m_tokenCount;
    const engine::GenerationRequest& request = m_program->engine.requests.back();
    expected.lengthCap = request.lengthCap;
    expected.contextUsed = int(request.promptIds.size()) + m_tokenCount;
    ++endingCount;
    ++m_endingsOfChat;
}

/// By the engine, for any of its reasons.
void Person::endRun(Turn& turn)
{
    tests::FakeEngine& engine = m_program->engine;
    const auto reason = oneOf({ StopReason::EndToken, StopReason::EndToken, StopReason::StopString,
        StopReason::LengthCap, StopReason::ContextFull, StopReason::ThinkingCap,
        StopReason::TimeCap, StopReason::Repetition, StopReason::Cancelled, StopReason::Cancelled,
        StopReason::Failed });
    const auto cancelledBy
        = oneOf({ CancelledBy::User, CancelledBy::User, CancelledBy::ModelUnloaded });
    const auto error
        = oneOf({ ErrorCode::DeviceLost, ErrorCode::OutOfMemory, ErrorCode::NotFinite });
    if (reason == StopReason::Cancelled && cancelledBy == CancelledBy::User) {
        m_program->workspace.stop(*m_chat);
        checkUnderWay(turn, "Partial"); // until the engine says that it stopped
    }
    engine.end(reason, [&](engine::RunEnded& end) {
        if (reason == StopReason::StopString) {
            end.ledger.stopString = "5, 6";
            end.ledger.stopStringOffset = int64_t(m_written.size());
        }
        if (reason == StopReason::Cancelled)
            end.ledger.cancelledBy = cancelledBy;
        if (reason == StopReason::Failed)
            end.ledger.error = engine::Error { error, "It did not work." };
    });
    if (below(8) == 0) { // what comes after the terminal event changes nothing
        engine.token("too late");
        engine.end(StopReason::EndToken);
    }
    if (!waitFor([&] { return !m_chat->activeDraft(); }, "a run ends"))
        return;
    note(turn.id, reason);
    Expected& expected = m_expected[m_chat->id()].at(turn.id);
    expected.cancelledBy = cancelledBy;
    expected.error = error;
}

/// The program is gone in the middle of a run. At most what the last write did not hold is lost.
void Person::interrupt(app::MessageId turn)
{
    const size_t begun = m_written.size();
    if (!waitFor([&] { return m_chat->activeDraft()->text().size() == begun; }, "text arrives"))
        return;
    note(turn, StopReason::Interrupted);
    ++interruptedCount;
    startAgain();
    const Turn* found = m_chat ? m_chat->findTurn(turn) : nullptr;
    if (!found || !found->draft())
        return complain("a draft is lost");
    Expected& expected = m_expected[m_chat->id()].at(turn);
    const std::string kept = found->answer->text();
    const int keptCount = found->draft()->tokenCount();
    if (expected.text.compare(0, kept.size(), kept) != 0 || kept.size() < m_textBefore.size())
        complain("what was kept is not what was written");
    if (keptCount < m_tokenCount / app::Journal::kDraftTokenCount * app::Journal::kDraftTokenCount)
        complain(QString("%1 of %2 tokens were kept").arg(keptCount).arg(m_tokenCount));
    expected.text = kept;
    expected.tokenCount = keptCount;
}

/// The person closes the window in the middle of a run.
void Person::closeUnderWay(app::MessageId turn)
{
    QTimer::singleShot(0, &m_program->workspace, [this] {
        m_program->engine.end(StopReason::Cancelled,
            [](engine::RunEnded& end) { end.ledger.cancelledBy = CancelledBy::Closing; });
    });
    note(turn, StopReason::Cancelled);
    m_expected[m_chat->id()].at(turn).cancelledBy = CancelledBy::Closing;
    m_program->workspace.close();
    startAgain();
}

void Person::rememberShown()
{
    if (!m_chat)
        return;
    std::vector<app::MessageId>& shown = m_shown[m_chat->id()];
    shown.clear();
    for (const Turn* turn : m_chat->turns())
        shown.push_back(turn->id);
}

void Person::startAgain()
{
    const app::ConversationId id = m_chat->id();
    rememberShown();
    m_program.reset();
    m_program = std::make_unique<Program>(m_folder);
    ++restartCount;
    // Before they are opened, the list knows how the last answer of each ended.
    for (const auto& conversation : m_program->workspace.conversations()) {
        const auto& shown = m_shown[conversation->id()];
        const auto& expected = m_expected[conversation->id()];
        const auto last = shown.empty() ? expected.end() : expected.find(shown.back());
        const auto badge = ui::badgeWords(*conversation);
        ++checkedCount;
        const bool hasReason = last != expected.end() && last->second.reason;
        if (bool(badge) != hasReason)
            complain("a badge of a closed conversation is there or is not");
        else if (badge
            && (badge->state.section(" ", 0, 0) != last->second.state().section(" ", 0, 0)
                || badge->note != last->second.note() || badge->edge != last->second.edge()))
            complain("the badge of a closed conversation: " + badge->sentence());
    }
    m_chat = open(id);
}

Conversation* Person::open(app::ConversationId id)
{
    for (const auto& conversation : m_program->workspace.conversations())
        if (conversation->id() == id) {
            m_program->workspace.openConversation(*conversation);
            waitFor([&] { return conversation->isLoaded(); }, "a conversation opens");
            std::vector<app::MessageId> shown;
            for (const Turn* turn : conversation->turns())
                shown.push_back(turn->id);
            if (shown != m_shown[id])
                complain("another branch is shown after a restart");
            return conversation.get();
        }
    complain("a conversation is lost");
    return nullptr;
}

void Person::restart()
{
    if (!m_chat)
        return;
    m_program->workspace.close();
    startAgain();
    check("after a restart");
}

/// Every answer of the chat, on every branch.
void Person::check(const QString& when)
{
    if (!m_chat)
        return;
    const auto& expected = m_expected[m_chat->id()];
    size_t answerCount = 0;
    for (const auto& turn : m_chat->tree().turns()) {
        if (!turn->answer)
            continue;
        ++answerCount;
        ++checkedCount;
        const auto found = expected.find(turn->id);
        if (found == expected.end()) {
            complain(when + ": an answer that nobody asked for");
            continue;
        }
        if (const QString why = wrongLabel(*turn->answer, found->second); !why.isEmpty())
            complain(QString("%1 %2 endings: %3").arg(when).arg(endingCount).arg(why));
    }
    if (answerCount != expected.size())
        complain(QString("%1: %2 answers of %3").arg(when).arg(answerCount).arg(expected.size()));
    const auto badge = ui::badgeWords(*m_chat);
    if (const Answer* last = m_chat->lastAnswer())
        if (!badge || *badge != ui::answerWords(*last))
            complain(when + ": the badge is not of the last answer: "
                + (badge ? badge->sentence() : QString("none")) + " / "
                + ui::answerWords(*last).sentence());
}

void Person::bringAbout()
{
    ensureChat();
    Turn* turn = beginRun();
    if (!turn)
        return;
    const app::MessageId id = turn->id;
    checkUnderWay(*turn, "Partial · waiting");
    if (below(2) == 0) {
        m_program->engine.prefill(1, 2);
        waitFor([&] { return turn->draft()->prefill().has_value(); }, "the prompt is read");
        checkUnderWay(*turn, "Partial · reading the prompt");
    }
    write(oneOf({ 0, 1, 2, 5, 5, 70 }));
    if (m_tokenCount > 0) {
        waitFor([&] { return turn->draft()->tokenCount() == m_tokenCount; }, "tokens arrive");
        checkUnderWay(*turn, "Partial · writing");
    }
    const int way = below(10);
    if (way == 0)
        interrupt(id);
    else if (way == 1)
        closeUnderWay(id);
    else
        endRun(*turn);
    check("after");
    if (m_chat && below(6) == 0)
        m_chat->showSibling(size_t(below(int(m_chat->turnCount()))), oneOf({ -1, 1 }));
}

/// In the end, everything once more.
void Person::checkAll()
{
    restart();
    for (const auto& [id, expected] : m_expected) {
        m_chat = open(id);
        check("in the end");
    }
}

}

/// Issue of truth: whatever ends an answer, and whatever is done with it then, its label says what
/// happened, at every moment and after every restart.
class TestThousandEndings : public QObject {
    Q_OBJECT
private slots:
    void noLabelIsEverWrong();
};

void TestThousandEndings::noLabelIsEverWrong()
{
    Person person;
    for (int round = 0; person.endingCount < kEndingCount && round < 2 * kEndingCount; ++round) {
        person.bringAbout();
        if (round % 12 == 11)
            person.restart();
        QVERIFY2(person.wrong.size() < 10, qPrintable(person.wrong.join("\n")));
    }
    person.checkAll();
    qInfo("%d endings (%d interrupted), %d continued, %d edited, %d restarts, %d labels checked",
        person.endingCount, person.interruptedCount, person.continuedCount, person.editedCount,
        person.restartCount, person.checkedCount);
    QVERIFY2(person.wrong.isEmpty(), qPrintable(person.wrong.join("\n")));
    QCOMPARE(person.endingCount, kEndingCount);
    QVERIFY(person.interruptedCount > 50);
    QVERIFY(person.continuedCount > 100);
    QVERIFY(person.editedCount > 100);
}

QTEST_GUILESS_MAIN(TestThousandEndings)
#include "tst_thousand_endings.moc"
