#include "tests/support/inspected_answer.h"
#include "ui/inspect/draw_bar.h"
#include "ui/inspect/number_control.h"
#include "ui/inspect/sampler_panel.h"
#include "ui/inspect/trace_words.h"

#include <QAccessible>
#include <QApplication>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>

using tests::InspectedAnswer;

namespace {
struct PanelFixture {
    InspectedAnswer sample;
    std::unique_ptr<app::TokenTrack> track;
    ui::SamplerPanel panel;

    explicit PanelFixture(engine::SamplerSettings settings = { .topK = 20 })
        : sample(std::move(settings))
    {
        sample.say(" London", 1);
        sample.say(" Paris", 0);
        track = std::make_unique<app::TokenTrack>(sample.answer);
        panel.resize(380, 700);
        panel.show();
        QApplication::setActiveWindow(&panel);
        showToken(0);
    }
    void showToken(int index)
    {
        panel.show(*track, sample.answer, track->promptCount() + index);
        QTest::qWait(5);
    }
    QDoubleSpinBox* box(const QString& name)
    {
        for (auto* box : panel.findChildren<QDoubleSpinBox*>())
            if (box->accessibleName().startsWith(name))
                return box;
        return nullptr;
    }
    QSlider* slider(const QString& name)
    {
        for (auto* slider : panel.findChildren<QSlider*>())
            if (slider->accessibleName().startsWith(name))
                return slider;
        return nullptr;
    }
    void type(const QString& name, const QString& digits)
    {
        QDoubleSpinBox* edit = box(name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, digits);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    QString drawn() { return panel.findChild<QLabel*>("wouldBeDrawn")->text(); }
    /// What the bars of the stages and of the draw say, from the top down.
    QStringList bars()
    {
        QMap<int, QString> words;
        for (auto* bar : panel.findChildren<ui::DrawBar*>())
            if (bar->isVisible())
                words[bar->y()]
                    = QAccessible::queryAccessibleInterface(bar)->text(QAccessible::Name);
        return words.values();
    }
    app::StageTrace trace(int index)
    {
        return app::traceStages(
            *app::tracedStep(*track, track->promptCount() + index), panel.settings());
    }
};
}

/// Settings of the sampler, tried at one step without generating.
class TestSamplerPanel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QAccessible::setActive(true); }

    void itBeginsWithTheRunsSettingsAndItsToken()
    {
        PanelFixture fixture;
        QCOMPARE(fixture.panel.settings(), fixture.sample.settings());
        QCOMPARE(fixture.box("Top-k")->value(), 20.0);
        QVERIFY2(fixture.drawn().endsWith("would have been drawn, as it was."),
            qPrintable(fixture.drawn()));
        const QStringList bars = fixture.bars();
        QCOMPARE(bars.size(), 6);
        const char* const order[] = { "After penalties and bias: ", "After top-k: ",
            "After top-p: ", "After min-p: ", "After temperature: ", "The draw " };
        for (int i = 0; i < 6; ++i)
            QVERIFY2(bars[i].startsWith(order[i]), qPrintable(bars[i]));
    }

    void aChangedStageChangesWhatComesAfterIt()
    {
        PanelFixture fixture;
        const QStringList before = fixture.bars();
        fixture.type("Top-k", "2");
        QCOMPARE(fixture.panel.settings().topK, 2);
        const QStringList after = fixture.bars();
        QCOMPARE(after[0], before[0]);
        QVERIFY(after[1] != before[1]);
        QCOMPARE(fixture.trace(0).keptCount(1), size_t(2));
        QCOMPARE(after[1].count("%"), 2);
    }

    void sliderAndBoxShowTheSameNumber()
    {
        PanelFixture fixture;
        QSlider* slider = fixture.slider("Temperature");
        slider->setFocus();
        const int place = slider->value();
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(slider->value(), place + 1);
        QVERIFY(std::abs(fixture.box("Temperature")->value() - 0.85) < 1e-9);
        QCOMPARE(fixture.panel.settings().temperature, 0.85f);
        fixture.type("Temperature", "1.5");
        QCOMPARE(slider->value(), 30);
        QTest::keyClick(slider, Qt::Key_Home);
        QCOMPARE(fixture.panel.settings().temperature, 0.0f);
        QVERIFY(fixture.drawn().contains("would have been taken"));
        QCOMPARE(fixture.bars().size(), 2); // no cuts and no draw when greedy
    }

    void numbersThatNobodyTouchedStayAsTheyWere()
    {
        engine::SamplerSettings settings { .topP = 0.98765432f, .seed = 18446744073709551615u };
        settings.logitBias = { { 300, 2 } };
        PanelFixture fixture(settings);
        fixture.type("Top-k", "7");
        settings.topK = 7;
        QCOMPARE(fixture.panel.settings(), settings);
    }

    void anotherSeedDrawsWhatTheSamplerWouldDraw()
    {
        PanelFixture fixture;
        auto* seed = fixture.panel.findChild<QLineEdit*>("trySeed");
        int others = 0;
        for (int i = 1; i < 20; ++i) {
            seed->setFocus();
            seed->selectAll();
            QTest::keyClicks(seed, QString::number(i));
            QCOMPARE(fixture.panel.settings().seed, uint64_t(i));
            engine::SamplerSettings settings = fixture.sample.settings();
            settings.seed = uint64_t(i);
            InspectedAnswer other(settings); // the same scores, another seed
            const engine::TokenId id = other.say(" London", 1).id;
            const ui::PieceNames names
                = ui::pieceNames(*fixture.track, fixture.track->promptCount());
            QVERIFY2(fixture.drawn().startsWith("With this seed " + names.quoted(id)),
                qPrintable(fixture.drawn()));
            others += fixture.drawn().contains("It was");
        }
        QVERIFY(others > 0);
    }

    void whatIsTriedStaysForOtherTokensOfTheRun()
    {
        PanelFixture fixture;
        fixture.type("Top-k", "3");
        fixture.showToken(1);
        QCOMPARE(fixture.panel.settings().topK, 3);
        auto* reset = fixture.panel.findChild<QToolButton*>("resetSampler");
        QVERIFY(reset->isVisible());
        QTest::mouseClick(reset, Qt::LeftButton);
        QCOMPARE(fixture.panel.settings(), fixture.sample.settings());
        QCOMPARE(fixture.box("Top-k")->value(), 20.0);
        QVERIFY(!reset->isVisible());
    }

    void theButtonIsThereWhereSomethingAnswersIt()
    {
        PanelFixture fixture;
        auto* use = fixture.panel.findChild<QPushButton*>("useSettings");
        QVERIFY(!use->isVisible());
        QSignalSpy chosen(&fixture.panel, &ui::SamplerPanel::settingsChosen);
        QVERIFY(use->isVisible());
        fixture.type("Min-p", "0.2");
        use->setFocus();
        QTest::keyClick(use, Qt::Key_Space);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<engine::SamplerSettings>().minP, 0.2f);
    }

    void tooFewTokensAreSaid()
    {
        engine::SamplerSettings settings;
        settings.topK = 0;
        PanelFixture fixture(settings);
        fixture.type("Top-p", "1");
        fixture.type("Min-p", "0");
        fixture.type("Temperature", "20");
        QVERIFY2(fixture.drawn().startsWith("Which token would have been drawn cannot be told"),
            qPrintable(fixture.drawn()));
    }

    void thePromptHasNothingToTry()
    {
        PanelFixture fixture;
        fixture.showToken(-1);
        auto* note = fixture.panel.findChild<QLabel*>("samplerNote");
        QVERIFY(note->isVisible());
        QVERIFY(note->text().startsWith("Not observed"));
        QVERIFY(!fixture.box("Top-k")->isVisible());
        fixture.panel.clear();
        fixture.track.reset();
        QCOMPARE(note->text(), QString("No token is selected."));
    }
};

QTEST_MAIN(TestSamplerPanel)
#include "tst_sampler_panel.moc"
