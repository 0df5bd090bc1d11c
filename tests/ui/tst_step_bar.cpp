#include "ui/inspect/step_bar.h"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using app::Draft;

namespace {
Draft writingDraft()
{
    app::DraftOrigin origin;
    origin.request.runId = 1;
    Draft draft(std::move(origin));
    engine::TokenDecoded token;
    token.runId = 1;
    draft.apply(token);
    return draft;
}

engine::Pace paceOf(const QSignalSpy& spy) { return spy.last().first().value<engine::Pace>(); }

}

class TestStepBar : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { qRegisterMetaType<engine::Pace>("engine::Pace"); }

    void withoutADraftNothingCanBePressed()
    {
        ui::StepBar bar;
        bar.setDraft(nullptr);
        for (const QToolButton* button : bar.findChildren<QToolButton*>())
            QVERIFY(!button->isEnabled());
    }

    void aWritingAnswerCanBePausedAndAPausedOneGoOn()
    {
        ui::StepBar bar;
        bar.show();
        QSignalSpy pauses(&bar, &ui::StepBar::pauseRequested);
        QSignalSpy resumptions(&bar, &ui::StepBar::resumeRequested);
        Draft draft = writingDraft();
        bar.setDraft(&draft);
        press(bar, "Pause");
        QCOMPARE(pauses.size(), 1);
        QVERIFY(resumptions.isEmpty());
        draft.apply(engine::RunPaused { 1, engine::PauseCause::Asked });
        bar.setDraft(&draft);
        press(bar, "Next token");
        QCOMPARE(paceOf(resumptions).tokens, std::optional(1));
        press(bar, "Go on");
        QVERIFY(paceOf(resumptions) == engine::Pace());
        engine::RunEnded ended;
        ended.runId = 1;
        draft.apply(ended);
        bar.setDraft(&draft);
        QVERIFY(!bar.canPause() && !bar.canResume());
    }

    void wordsForTheNextTokensAreAskedForInAPauseOnly()
    {
        ui::StepBar bar;
        bar.show();
        QApplication::setActiveWindow(&bar);
        QSignalSpy asked(&bar, &ui::StepBar::nextRequested);
        QSignalSpy edited(&bar, &ui::StepBar::nextEdited);
        Draft draft = writingDraft();
        bar.setDraft(&draft);
        auto* field = bar.findChild<QLineEdit*>("nextTokens");
        const QKeyEvent key(QEvent::KeyPress, Qt::Key_T, Qt::NoModifier, "t");
        QVERIFY(!bar.handleKey(key));
        QVERIFY(!field->isEnabled());
        draft.apply(engine::RunPaused { 1, engine::PauseCause::Asked });
        bar.setDraft(&draft);
        QVERIFY(bar.handleKey(key));
        QVERIFY(field->hasFocus());
        QTest::keyClick(field, Qt::Key_Return); // nothing is typed
        QVERIFY(asked.isEmpty());
        QTest::keyClicks(field, " no");
        QCOMPARE(edited.last().first().toString(), QString(" no"));
        auto* words = bar.findChild<QLabel*>("nextWords");
        QVERIFY(!words->isVisible());
        bar.setNextWords("1 token: ‘ no’");
        QVERIFY(words->isVisible());
        QTest::keyClick(field, Qt::Key_Return);
        press(bar, "Take");
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked.last().first().toString(), QString(" no"));
    }

    void spaceAndPeriodDoTheSame()
    {
        ui::StepBar bar;
        QSignalSpy pauses(&bar, &ui::StepBar::pauseRequested);
        QSignalSpy resumptions(&bar, &ui::StepBar::resumeRequested);
        Draft draft = writingDraft();
        bar.setDraft(&draft);
        const QKeyEvent space(QEvent::KeyPress, Qt::Key_Space, Qt::NoModifier, " ");
        const QKeyEvent period(QEvent::KeyPress, Qt::Key_Period, Qt::NoModifier, ".");
        QVERIFY(!bar.handleKey(period)); // there is nothing to step
        QVERIFY(bar.handleKey(space));
        QCOMPARE(pauses.size(), 1);
        draft.apply(engine::RunPaused { 1, engine::PauseCause::Asked });
        bar.setDraft(&draft);
        QVERIFY(bar.handleKey(period));
        QCOMPARE(paceOf(resumptions).tokens, std::optional(1));
        QVERIFY(bar.handleKey(space));
        QCOMPARE(resumptions.size(), 2);
        QVERIFY(!bar.handleKey(QKeyEvent(QEvent::KeyPress, Qt::Key_Space, Qt::ControlModifier)));
    }

    void eachBreakpointIsWhatItSays()
    {
        ui::StepBar bar;
        bar.show();
        QSignalSpy resumptions(&bar, &ui::StepBar::resumeRequested);
        Draft draft = writingDraft();
        draft.apply(engine::RunPaused { 1, engine::PauseCause::Asked });
        bar.setDraft(&draft);
        auto* stop = bar.findChild<QComboBox*>();
        auto* text = bar.findChild<QLineEdit*>(QString(), Qt::FindChildrenRecursively);
        for (QLineEdit* line : bar.findChildren<QLineEdit*>())
            if (line->accessibleName() == "Text to pause after")
                text = line;
        stop->setCurrentIndex(1);
        press(bar, "Run"); // no text yet
        QVERIFY(resumptions.isEmpty());
        QTest::keyClicks(text, "Paris");
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(paceOf(resumptions).breakpoints.text, std::string("Paris"));
        stop->setCurrentIndex(2);
        press(bar, "Run");
        QCOMPARE(paceOf(resumptions).breakpoints.probabilityBelow, std::optional(0.2f));
        QVERIFY(paceOf(resumptions).breakpoints.text.empty());
        stop->setCurrentIndex(3);
        press(bar, "Run");
        QCOMPARE(paceOf(resumptions).breakpoints.entropyAbove, std::optional(2.0f));
        stop->setCurrentIndex(4);
        press(bar, "Run");
        QCOMPARE(paceOf(resumptions).breakpoints.endProbabilityAbove, std::optional(0.2f));
    }

    void everyPartHasANameAndIsReachedByTab()
    {
        ui::StepBar bar;
        bar.show();
        for (const QWidget* part : bar.findChildren<QWidget*>())
            if (part->focusPolicy() & Qt::TabFocus && part->window() == &bar
                && !part->parentWidget()->inherits("QAbstractSpinBox"))
                QVERIFY2(!part->accessibleName().isEmpty(), part->metaObject()->className());
    }

private:
    static void press(ui::StepBar& bar, const QString& words)
    {
        for (QToolButton* button : bar.findChildren<QToolButton*>())
            if (button->text() == words)
                return QTest::mouseClick(button, Qt::LeftButton);
        QFAIL(qPrintable("no button " + words));
    }
};

QTEST_MAIN(TestStepBar)
#include "tst_step_bar.moc"
