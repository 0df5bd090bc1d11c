#include "tests/support/inspected_answer.h"
#include "ui/inspect/candidate_list.h"
#include "ui/inspect/draw_bar.h"
#include "ui/inspect/full_input.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/token_facts.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QShortcut>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <cmath>

using tests::InspectedAnswer;

namespace {
/// Details of the answer's first token, shown and active.
struct DetailsFixture {
    InspectedAnswer sample;
    ui::TokenDetails details;
    std::unique_ptr<app::TokenTrack> track;

    explicit DetailsFixture(engine::SamplerSettings settings = {}, float lead = 2)
        : sample(std::move(settings))
    {
        sample.say(" London", lead);
        details.resize(360, 900);
        details.show();
        QApplication::setActiveWindow(&details);
        showToken(0);
    }
    void showToken(int index)
    {
        track = std::make_unique<app::TokenTrack>(sample.answer);
        details.show(*track, sample.answer, track->promptCount() + index);
        QTest::qWait(10);
    }
    const engine::TokenRecord& record() { return sample.answer.parts()[0]->records().back(); }
    ui::CandidateList& list() { return details.candidates(); }
    QStringList shownTexts()
    {
        QStringList texts;
        for (const QLabel* label : details.findChildren<QLabel*>())
            if (label->isVisible())
                texts.append(label->text());
        return texts;
    }
    template <typename Widget> Widget* part(const char* name)
    {
        return details.findChild<Widget*>(QString::fromLatin1(name));
    }
};

QString nameOf(QWidget* widget)
{
    return QAccessible::queryAccessibleInterface(widget)->text(QAccessible::Name);
}
}

/// What is known of one token, walked by key and mouse.
class TestTokenDetails : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QAccessible::setActive(true); }

    void everyCandidateIsASentenceWithTheStageThatDroppedIt()
    {
        DetailsFixture fixture;
        const engine::TokenRecord record = fixture.record();
        QCOMPARE(fixture.list().rowCount(), 21); // and all other tokens together
        int dropped = 0;
        for (int i = 0; i < 20; ++i) {
            const engine::Candidate& candidate = record.top[size_t(i)];
            const QString spoken = nameOf(fixture.list().row(i));
            QVERIFY2(spoken.startsWith(QString("candidate %1, ‘").arg(i + 1)), qPrintable(spoken));
            QVERIFY(spoken.contains("’, raw "));
            QCOMPARE(spoken.endsWith(", chosen"), candidate.id == record.id);
            if (candidate.droppedBy == engine::SamplerStage::None) {
                QVERIFY(spoken.contains(", final "));
                continue;
            }
            ++dropped;
            QVERIFY2(spoken.contains(QString("dropped by ")
                         + (candidate.droppedBy == engine::SamplerStage::MinP ? "min-p" : "top-p")),
                qPrintable(spoken));
        }
        QVERIFY(dropped > 0 && dropped < 20);
        QVERIFY(nameOf(fixture.list().row(20)).startsWith("all other tokens together, raw "));
        QCOMPARE(fixture.list().row(0)->words().piece.isEmpty(), false);
    }

    void theFactsHaveRawAndFinalSideBySide()
    {
        DetailsFixture fixture;
        fixture.sample.force(InspectedAnswer::kEnd);
        fixture.showToken(0);
        const auto facts = ui::tokenFacts(*fixture.track, fixture.track->promptCount());
        QStringList lines;
        for (const ui::TokenFact& fact : facts) {
            lines.append(fact.name + ": " + fact.value);
            QVERIFY(fixture.shownTexts().contains(fact.value));
        }
        const QString all = lines.join('\n');
        QVERIFY2(all.contains(QRegularExpression("Bytes: 20 [0-9A-F ]+ as ·")), qPrintable(all));
        QVERIFY2(all.contains(QRegularExpression("Probability: raw [0-9.]+ % → final [0-9.]+ %")),
            qPrintable(all));
        QVERIFY(all.contains("Source: sampled by the model"));
        QVERIFY(all.contains("Position: 13, counted from 0"));
        QVERIFY(!all.contains("not observed"));
        fixture.showToken(1); // forced, and a control token without bytes
        QVERIFY(fixture.shownTexts().contains("none: the control token <|im_end|>"));
        QVERIFY(fixture.shownTexts().contains("forced"));
        QVERIFY(fixture.part<QLabel>("drawWords")->text().startsWith("No draw"));
    }

    void promptTokensWereNotObservedAndAreNotZero()
    {
        DetailsFixture fixture;
        fixture.showToken(-3);
        const QStringList texts = fixture.shownTexts();
        QVERIFY(texts.contains("Prompt token 11 of 13  ‘t’"));
        QCOMPARE(texts.count("not observed"), 5);
        for (const QString& text : texts)
            QVERIFY2(!text.contains("0 %") && !text.contains("0.00"), qPrintable(text));
        QVERIFY(fixture.part<QLabel>("notObserved")->isVisible());
        QVERIFY(!fixture.list().isVisible());
    }

    void theDrawIsOnTheBarInItsTokensStretch()
    {
        DetailsFixture fixture;
        const QString words = fixture.part<QLabel>("drawWords")->text();
        const auto match = QRegularExpression(
            "The draw ([0-9.]+) fell on ‘.+’, which has ([0-9.]+) to ([0-9.]+)\\.")
                               .match(words);
        QVERIFY2(match.hasMatch(), qPrintable(words));
        QCOMPARE(match.captured(1), QString::number(*fixture.record().draw, 'f', 3));
        QVERIFY(match.captured(2).toDouble() <= match.captured(1).toDouble());
        QVERIFY(match.captured(1).toDouble() <= match.captured(3).toDouble());
        auto* bar = fixture.details.findChild<ui::DrawBar*>();
        QVERIFY(bar->isVisible());
        QCOMPARE(nameOf(bar), words);
    }

    void greedyHasNoDraw()
    {
        engine::SamplerSettings settings;
        settings.temperature = 0;
        DetailsFixture fixture(settings);
        QVERIFY(fixture.part<QLabel>("drawWords")->text().startsWith("Greedy: no draw"));
        QVERIFY(!fixture.details.findChild<ui::DrawBar*>()->isVisible());
        QVERIFY(nameOf(fixture.list().row(0)).contains("the likeliest is taken"));
        QVERIFY(nameOf(fixture.list().row(1)).contains("not taken"));
    }

    void arrowKeysWalkTheCandidatesAndEnterOrFForks()
    {
        DetailsFixture fixture;
        QSignalSpy forks(&fixture.details, &ui::TokenDetails::forkRequested);
        fixture.list().row(0)->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QCOMPARE(QApplication::focusWidget(), fixture.list().row(2));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCOMPARE(forks.size(), 2);
        QCOMPARE(forks[0][0].value<engine::TokenId>(), fixture.list().row(2)->words().id);
        QCOMPARE(forks[1][0].value<engine::TokenId>(), fixture.list().row(1)->words().id);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_End); // all others: no single token
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F);
        QCOMPARE(forks.size(), 2);
        QTest::mouseClick(fixture.list().row(4), Qt::LeftButton);
        QCOMPARE(fixture.list().current(), std::optional(fixture.list().row(4)->words().id));
    }

    void theCurrentCandidateIsScrolledIntoView()
    {
        DetailsFixture fixture;
        QScrollArea area;
        area.setWidgetResizable(true);
        auto* details = new ui::TokenDetails;
        area.setWidget(details);
        area.resize(380, 300);
        area.show();
        QApplication::setActiveWindow(&area);
        details->show(*fixture.track, fixture.sample.answer, fixture.track->promptCount());
        QTest::qWait(20);
        ui::CandidateList& list = details->candidates();
        list.row(0)->setFocus();
        for (int i = 1; i < 20; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
            const QRect row(list.row(i)->mapTo(area.viewport(), QPoint()), list.row(i)->size());
            QVERIFY2(area.viewport()->rect().contains(row), qPrintable(QString::number(i)));
        }
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Home);
        QVERIFY(list.row(0)->mapTo(area.viewport(), QPoint()).y() >= 0);
        area.takeWidget();
        delete details; // before the track
    }

    void aShortcutOfTheWindowDoesNotTakeTheKeyOfACandidate()
    {
        DetailsFixture fixture;
        QSignalSpy forks(&fixture.details, &ui::TokenDetails::forkRequested);
        QShortcut shortcut(QKeySequence(Qt::Key_F), &fixture.details);
        QSignalSpy taken(&shortcut, &QShortcut::activated);
        fixture.list().row(0)->setFocus();
        QTest::keyClick(fixture.list().row(0), Qt::Key_F);
        QCOMPARE(forks.size(), 1);
        QCOMPARE(taken.size(), 0);
        QTest::keyClick(fixture.part<QToolButton>("unfoldInput"), Qt::Key_F);
        QCOMPARE(taken.size(), 1);
    }

    void shownAgainItKeepsTheCurrentCandidate()
    {
        DetailsFixture fixture;
        fixture.list().row(0)->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        const auto current = fixture.list().current();
        fixture.sample.say(" in"); // the answer goes on
        fixture.showToken(0);
        QCOMPARE(fixture.list().current(), current);
        fixture.showToken(1);
        QCOMPARE(fixture.list().current(), std::optional(fixture.track->tokens().back().id));
    }

    void oneTabReachesTheListAndTheNextLeavesIt()
    {
        DetailsFixture fixture;
        QStringList order;
        fixture.details.setFocus();
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(&fixture.details, Qt::Key_Tab);
            order.append(QApplication::focusWidget()->objectName().isEmpty()
                    ? QString(QApplication::focusWidget()->metaObject()->className())
                    : QApplication::focusWidget()->objectName());
        }
        QCOMPARE(order.count("ui::CandidateRow"), 2); // round the whole panel twice
        QCOMPARE(order.count("unfoldInput"), 2);
    }

    void buttonsAreThereOnlyWhereSomethingAnswersThem()
    {
        DetailsFixture fixture;
        auto* fork = fixture.part<QToolButton>("forkHere");
        auto* ban = fixture.part<QToolButton>("banEverywhere");
        QVERIFY(!fork->isVisible());
        QVERIFY(!ban->isVisible());
        {
            QSignalSpy forks(&fixture.details, &ui::TokenDetails::forkRequested);
            QVERIFY(fork->isVisible());
            QVERIFY(!ban->isVisible());
            QTest::mouseClick(fork, Qt::LeftButton);
            QCOMPARE(forks.size(), 1);
        }
        QSignalSpy bans(&fixture.details, &ui::TokenDetails::banRequested);
        QVERIFY(!fork->isVisible());
        QTest::mouseClick(ban, Qt::LeftButton);
        QTest::keyClick(fixture.part<QToolButton>("banHere"), Qt::Key_Space);
        QCOMPARE(bans.size(), 2);
        QCOMPARE(bans[0][1].toBool(), true);
        QCOMPARE(bans[1][1].toBool(), false);
    }

    void theFullInputIsMadeWhenItIsUnfolded()
    {
        DetailsFixture fixture;
        QVERIFY(!fixture.part<QPlainTextEdit>("inputText"));
        auto* unfold = fixture.part<QToolButton>("unfoldInput");
        QVERIFY(unfold->text().contains("13 tokens"));
        unfold->setFocus();
        QTest::keyClick(unfold, Qt::Key_Space);
        auto* text = fixture.part<QPlainTextEdit>("inputText");
        QVERIFY(text && text->isVisible());
        QCOMPARE(text->toPlainText(), QString("Where is it?\n"));
        QTest::mouseClick(fixture.part<QToolButton>("inputAsIds"), Qt::LeftButton);
        QVERIFY(text->toPlainText().startsWith("87, 104, 101"));
        QTest::mouseClick(fixture.part<QToolButton>("copyInput"), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), text->toPlainText());
        text->selectAll();
        QTest::keyClick(text, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), text->toPlainText());
        fixture.sample.say(" in");
        fixture.showToken(1); // stays unfolded and goes along
        QVERIFY(text->toPlainText().count(',') == 13);
        QTest::keyClick(unfold, Qt::Key_Space);
        QVERIFY(!text->isVisible());
    }

    void whatTheListCannotTellIsSaid()
    {
        engine::SamplerSettings settings;
        settings.topK = 0;
        settings.topP = 1;
        settings.minP = 0;
        DetailsFixture fixture(settings, -2);
        QVERIFY(!fixture.part<QLabel>("limits")->isVisible()); // what was observed is known
        QVERIFY(fixture.list().row(20)->words().outcome != "✕ dropped");
    }

    void aRecordWithoutItsDrawIsTracedInBounds()
    {
        // As records are that were read from a file: what came out of the stages is not in them.
        engine::TokenDecoded event { .runId = 1 };
        event.record = InspectedAnswer({ .topK = 0, .topP = 1, .minP = 0 }).say(" London", -2);
        for (engine::Candidate& candidate : event.record.top) {
            candidate.finalProbability.reset();
            candidate.droppedBy = engine::SamplerStage::None;
        }
        app::DraftOrigin origin;
        origin.request.runId = 1;
        origin.request.sampling = { .topK = 0, .topP = 1, .minP = 0 };
        app::Answer answer;
        answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
        answer.apply(event);
        const app::TokenTrack track(answer);
        ui::TokenDetails details;
        details.show();
        details.show(track, answer, 0);
        QVERIFY(details.findChild<QLabel*>("limits")->isVisible());
        const QString outcome = details.candidates().row(0)->words().outcome;
        QVERIFY2(QRegularExpression("^[0-9.]+–[0-9.]+ %$").match(outcome).hasMatch(),
            qPrintable(outcome));
        // No vocabulary is at hand either: tokens are told by their ids.
        QVERIFY(nameOf(details.candidates().row(0)).contains("token "));
    }

    void clearingLetsTheTrackGo()
    {
        DetailsFixture fixture;
        fixture.details.clear();
        fixture.track.reset();
        QVERIFY(!fixture.list().isVisible());
        QVERIFY(fixture.shownTexts().join(' ').contains("No token is selected"));
        QTest::keyClick(&fixture.details, Qt::Key_F);
    }
};

QTEST_MAIN(TestTokenDetails)
#include "tst_token_details.moc"
