#include "tests/ui/kept_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/inspect/inspector_control.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/timeline_canvas.h"
#include "ui/inspect/timeline_tab.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/chat/plain_text_page.h"
#include "ui/inspect/token_names.h"
#include "ui/theme/labels.h"

#include <QAction>
#include <QComboBox>
#include <QPlainTextEdit>
#include <QTabWidget>

using engine::StopReason;

namespace {

engine::TokenDecoded decoded(engine::RunId run, int index, const std::string& text)
{
    engine::TokenDecoded event;
    event.runId = run;
    event.index = index;
    event.record.id = 'x';
    event.record.bytes = text;
    event.record.logprob = -0.1F * float(index + 1);
    event.record.rank = index + 1;
    event.text = text;
    return event;
}

struct Inspected : tests::WindowFixture {
    std::string written; ///< of the newest run

    ui::TokenStrip& strip() { return window.inspectorPane().tokens().strip(); }
    ui::TextSurface& surface() { return lastAnswer()->surface(); }
    bool isOpen() { return window.inspectorPane().isVisible(); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(window.focusWidget(), key, modifiers);
        settle();
    }
    /// Asks and has these pieces for an answer.
    void ask(const std::vector<std::string>& pieces, bool ends = true)
    {
        send("Hi");
        write(pieces, 0);
        if (ends)
            finish();
    }
    void write(const std::vector<std::string>& pieces, int from)
    {
        if (from == 0)
            written.clear();
        for (const std::string& piece : pieces)
            written += piece;
        for (const std::string& piece : pieces)
            engine.push(decoded(engine.requests.back().runId, from++, piece));
        settle();
    }
    void finish()
    {
        engine.end(StopReason::LengthCap, [this](engine::RunEnded& end) { end.text = written; });
        settle();
    }
    QString line()
    {
        auto* line = window.findChild<ui::ElidedLabel*>("tokenLine");
        return line->wholeText();
    }
    QString notice() { return window.findChild<QLabel*>("noTokens")->text(); }
};

}

class TestInspectorControl : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void anyTokensAlternativesAreTwoActionsAway();
    void theKeyOpensAndClosesItAndGivesTheFocusBack();
    void itFollowsWhatIsWritten();
    void theTimelineFollowsWhatIsWritten();
    void itGoesOnWithTheNextAnswer();
    void anEarlierAnswerIsInspectedFromItsActions();
    void theFiguresOfAnAnswerOpenIt();
    void anAnswerThatIsBuiltLateIsTinted();
    void aPageOfPlainTextIsTinted();
    void aForkShowsWhatItKept();
    void anotherBranchShowsItsOwnTokens();
    void textAndStripAreTintedAlike();
    void aClickInTheTextChoosesItsToken();
    void theMouseInTheTextPointsOutItsToken();
    void aTokenChosenInTheStripIsMarkedInTheText();
    void aHiddenInspectorLeavesNoTints();
    void withoutTokensASentenceSaysWhy();
    void whatWasChosenIsRemembered();
    void anAnswerOfAnEarlierStartIsReadWhenLookedAt();
};

void TestInspectorControl::anyTokensAlternativesAreTwoActionsAway()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "The", " cat", " sat" });
    QVERIFY(!fixture.isOpen());
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QVERIFY(fixture.isOpen());
    QCOMPARE(fixture.window.focusWidget(), &fixture.strip());
    QVERIFY(fixture.line().startsWith("token 3, ‘ sat’")); // one action: the last
    fixture.press(Qt::Key_Left);
    QVERIFY(fixture.line().startsWith("token 2, ‘ cat’"));
    QVERIFY(fixture.window.inspectorPane().tokens().details().isVisible());
    QTest::mouseClick(fixture.strip().viewport(), Qt::LeftButton, {},
        fixture.strip().tokenRect(fixture.strip().firstToken()).center());
    QVERIFY(fixture.line().startsWith("token 1, ‘The’"));
    // Whichever tab it was closed on.
    fixture.window.inspectorPane().tabs().setCurrentIndex(1);
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QCOMPARE(fixture.window.focusWidget(), &fixture.strip());
    QVERIFY(fixture.strip().isVisible());
}

void TestInspectorControl::theKeyOpensAndClosesItAndGivesTheFocusBack()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "Yes" });
    fixture.edit()->setFocus();
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QVERIFY(!fixture.isOpen());
    QCOMPARE(fixture.window.focusWidget(), fixture.edit());
    QVERIFY(!fixture.window.inspector().track());
}

void TestInspectorControl::itFollowsWhatIsWritten()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    fixture.edit()->setFocus();
    fixture.ask({ "One" }, false);
    QCOMPARE(fixture.strip().shownCount(), 1);
    fixture.write({ " two", " three" }, 1);
    QCOMPARE(fixture.strip().shownCount(), 3);
    fixture.finish();
    QCOMPARE(fixture.strip().shownCount(), 3);
}

void TestInspectorControl::theTimelineFollowsWhatIsWritten()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    ui::InspectorPane& pane = fixture.window.inspectorPane();
    pane.tabs().setCurrentIndex(pane.tabs().indexOf(pane.findChild<QWidget*>("runTimeline")));
    fixture.ask({ "One" }, false);
    QTRY_COMPARE(pane.timeline().timeline().steps.size(), size_t(1));
    QVERIFY(pane.timeline().timeline().steps[0].arrivedMs); // the run was given to an engine
    fixture.write({ " two", " three" }, 1);
    QTRY_COMPARE(pane.timeline().timeline().steps.size(), size_t(3));
    fixture.finish();
    QTRY_VERIFY(pane.findChild<QLabel*>("resultWords")->text().contains("length cap"));
    QTest::mouseClick(&pane.timeline().canvas(), Qt::LeftButton);
    fixture.window.inspector().setConversation(nullptr);
    QVERIFY(pane.timeline().timeline().steps.empty());
}

void TestInspectorControl::itGoesOnWithTheNextAnswer()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "One", " two" });
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QCOMPARE(fixture.strip().shownCount(), 2);
    fixture.edit()->setFocus();
    fixture.ask({ "Three" });
    QCOMPARE(fixture.strip().shownCount(), 1);
    QCOMPARE(*fixture.window.inspector().turnIndex(), size_t(3));
}

void TestInspectorControl::anEarlierAnswerIsInspectedFromItsActions()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "One", " two" });
    fixture.ask({ "Three" });
    emit fixture.view().answerAt(1)->surface().inspectRequested();
    QVERIFY(fixture.isOpen());
    QCOMPARE(*fixture.window.inspector().turnIndex(), size_t(1));
    QCOMPARE(fixture.strip().shownCount(), 2);
    for (QAbstractButton* button : fixture.lastAnswer()->findChildren<QAbstractButton*>())
        if (button->accessibleName() == "Inspect answer")
            button->click();
    QCOMPARE(*fixture.window.inspector().turnIndex(), size_t(3));
}

void TestInspectorControl::theFiguresOfAnAnswerOpenIt()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "One" });
    fixture.ask({ "Two" });
    QVERIFY(!fixture.isOpen());
    QTest::mouseClick(fixture.view().answerAt(1)->footer().findChild<QLabel*>("figures"), Qt::LeftButton);
    fixture.settle();
    QVERIFY(fixture.isOpen());
    QCOMPARE(fixture.window.inspector().turnIndex(), std::optional<size_t>(1));
}

void TestInspectorControl::anAnswerThatIsBuiltLateIsTinted()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "The", " cat" });
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QVERIFY(fixture.surface().tints().count() > 0);
    fixture.view().editTurn(1); // its view goes, and another comes
    fixture.settle();
    QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Escape);
    fixture.settle(300);
    QVERIFY(fixture.lastAnswer());
    QVERIFY(fixture.surface().tints().count() > 0);
}

void TestInspectorControl::aPageOfPlainTextIsTinted()
{
    Inspected fixture;
    fixture.loadModel();
    QTest::keyClick(&fixture.window, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    QPlainTextEdit& edit = fixture.window.plainTextPage().edit();
    QTest::keyClicks(&edit, "Once");
    QTest::keyClick(&edit, Qt::Key_Return, Qt::ControlModifier);
    fixture.settle();
    fixture.write({ " upon", " a" }, 0);
    QCOMPARE(edit.extraSelections().size(), 1);
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QCOMPARE(edit.extraSelections().size(), 3); // what was written, and its two tokens
    QCOMPARE(edit.extraSelections()[1].cursor.selectedText(), QString(" upon"));
    fixture.write({ " time" }, 2);
    QCOMPARE(edit.extraSelections().last().cursor.selectedText(), QString(" time"));
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QCOMPARE(edit.extraSelections().size(), 1);
}

void TestInspectorControl::aForkShowsWhatItKept()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "The", " cat", " sat" });
    QVERIFY(fixture.workspace.fork(
        fixture.chat(), *fixture.chat().lastAnswerTurn(), 2, engine::TokenId('X')));
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    const app::TokenTrack& track = *fixture.window.inspector().track();
    const int first = track.promptCount();
    QVERIFY(track.record(first)->logprob.has_value());
    QVERIFY(fixture.strip().colours().tintOf(track, first + 1).share.has_value());
    QVERIFY(ui::tokenName(track, first + 1).contains("kept by the fork"));
}

void TestInspectorControl::anotherBranchShowsItsOwnTokens()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "One", " two" });
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QTest::keyClick(&fixture.window, Qt::Key_R, Qt::ControlModifier);
    fixture.settle();
    fixture.write({ "Another" }, 0);
    fixture.finish();
    QCOMPARE(fixture.strip().shownCount(), 1);
    QTest::keyClick(&fixture.window, Qt::Key_Left, Qt::AltModifier);
    fixture.settle();
    QCOMPARE(fixture.strip().shownCount(), 2);
    QCOMPARE(fixture.surface().tints().count(), size_t(2));
}

void TestInspectorControl::textAndStripAreTintedAlike()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "The", " **cat", "** sat" });
    QCOMPARE(fixture.surface().tints().count(), size_t(0)); // it is closed
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    const auto& tints = fixture.surface().tints();
    QCOMPARE(tints.count(), size_t(3));
    QCOMPARE(fixture.surface().plainText(), QString("The cat sat"));
    QCOMPARE(tints[0].start.position, 0);
    QCOMPARE(tints[0].end.position, 3);
    QCOMPARE(tints[1].end.position, 7);
    QCOMPARE(tints[2].end.position, 11);
    const ui::TokenColours& colours = fixture.strip().colours();
    QCOMPARE(tints[0].colour, colours.colour(std::exp(-0.1)));
    auto* measures = fixture.window.findChild<QComboBox*>("tokenMeasure");
    QTest::keyClick(measures, Qt::Key_Down);
    fixture.settle();
    QCOMPARE(fixture.window.inspectorPane().tokens().measure(), ui::TokenMeasure::Surprisal);
    QCOMPARE(tints.count(), size_t(3));
    QCOMPARE(tints[0].colour, fixture.strip().colours().colour(0.1 / 10));
}

void TestInspectorControl::aClickInTheTextChoosesItsToken()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "The", " cat", " sat" });
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QTest::mouseClick(
        &fixture.surface(), Qt::LeftButton, {}, fixture.surface().tintRect(1).center());
    QCOMPARE(fixture.strip().current(), fixture.strip().firstToken() + 1);
    QCOMPARE(fixture.surface().currentTint(), 1);
}

void TestInspectorControl::theMouseInTheTextPointsOutItsToken()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "The", " cat", " sat" });
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QTest::mouseMove(&fixture.surface(), fixture.surface().tintRect(0).center());
    QTRY_COMPARE(fixture.strip().hovered(), fixture.strip().firstToken());
    QCOMPARE(fixture.surface().pointedTint(), 0);
    QVERIFY(fixture.line().startsWith("token 1"));
    // And the other way round.
    QTest::mouseMove(fixture.strip().viewport(),
        fixture.strip().tokenRect(fixture.strip().firstToken() + 2).center());
    QTRY_COMPARE(fixture.surface().pointedTint(), 2);
}

void TestInspectorControl::aTokenChosenInTheStripIsMarkedInTheText()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "The", " cat", " sat" });
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QCOMPARE(fixture.surface().currentTint(), 2);
    fixture.press(Qt::Key_Home);
    QCOMPARE(fixture.surface().currentTint(), 0);
    QVERIFY(!fixture.surface().hasSelection()); // what a person selected is theirs
}

void TestInspectorControl::aHiddenInspectorLeavesNoTints()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.ask({ "The", " cat" });
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QCOMPARE(fixture.surface().tints().count(), size_t(2));
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QCOMPARE(fixture.surface().tints().count(), size_t(0));
    QCOMPARE(fixture.surface().currentTint(), -1);
}

void TestInspectorControl::withoutTokensASentenceSaysWhy()
{
    Inspected fixture;
    fixture.loadModel();
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    QVERIFY(fixture.notice().contains("There is no answer yet"));
    QVERIFY(!fixture.strip().isVisible());
    fixture.edit()->setFocus();
    fixture.send("Hi");
    QVERIFY(fixture.notice().contains("No token has been written yet"));
    fixture.engine.end(StopReason::Cancelled);
    fixture.settle();
    QVERIFY(fixture.notice().contains("ended before its first token"));
}

void TestInspectorControl::whatWasChosenIsRemembered()
{
    Inspected fixture;
    fixture.press(Qt::Key_I, Qt::ControlModifier);
    fixture.window.inspectorPane().tokens().setMeasure(ui::TokenMeasure::Entropy);
    ui::MainWindow next({ fixture.workspace, fixture.models, fixture.devices, fixture.store });
    QVERIFY(!next.inspectorPane().isHidden());
    QVERIFY(next.inspector().action()->isChecked());
    QCOMPARE(next.inspectorPane().tokens().measure(), ui::TokenMeasure::Entropy);
}

void TestInspectorControl::anAnswerOfAnEarlierStartIsReadWhenLookedAt()
{
    const QTemporaryDir folder;
    {
        tests::KeptWindow program(folder);
        program.converse("Where?", "Paris");
        program.window.closeWithoutAsking();
    }
    tests::KeptWindow program(folder);
    program.window.showConversation(program.workspace.conversations().front().get());
    for (const auto& conversation : program.workspace.conversations())
        if (!conversation->isEmpty())
            program.window.showConversation(conversation.get());
    QTRY_VERIFY(program.chat().isLoaded() && program.chat().turnCount() == 2);
    QVERIFY(!program.chat().lastAnswer()->hasDetails());
    program.press(Qt::Key_I, Qt::ControlModifier);
    ui::TokenStrip& strip = program.window.inspectorPane().tokens().strip();
    QTRY_COMPARE(strip.shownCount(), 1);
    QCOMPARE(strip.track()->tokens().back().bytes, std::string("Paris"));
    QVERIFY(strip.track()->promptCount() > 0);
    QCOMPARE(strip.track()->tokens().front().controlText, std::string("<|im_start|>"));
}

QTEST_MAIN(TestInspectorControl)
#include "tst_inspector_control.moc"
