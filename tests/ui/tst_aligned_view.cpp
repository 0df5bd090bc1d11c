#include "tests/support/inspected_answer.h"
#include "ui/compare/aligned_view.h"
#include "ui/compare/ledger_table.h"
#include "ui/compare/run_tree_view.h"
#include "ui/compare/what_if_bar.h"
#include "app/compare/draft_run.h"

#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

using engine::StopReason;
using tests::InspectedAnswer;
using ui::AlignedRun;

namespace {
/// A run of a made-up model under these settings: the same scores for each run of a seed.
AlignedRun runOf(const QString& label, engine::SamplerSettings settings, int wordCount = 6, uint32_t seed = 3)
{
    InspectedAnswer sample(settings, seed);
    const char* const words[] { " museum", " opens", " on", " Monday", " at", " nine", " every", " day" };
    for (int i = 0; i < wordCount; ++i)
        sample.say(words[i], 0.5f);
    engine::RunEnded end;
    end.runId = 1;
    end.ledger.reason = StopReason::LengthCap;
    end.ledger.entries = { { StopReason::LengthCap, true, std::to_string(wordCount) + " of " + std::to_string(wordCount) } };
    end.ledger.tokenCount = wordCount;
    end.ledger.lengthCap = wordCount;
    end.text = sample.answer.text();
    sample.answer.apply(end);
    app::ComparedRun run = app::comparedRun(*sample.answer.parts()[0]);
    run.request->lengthCap = wordCount;
    run.endTokenIds = { InspectedAnswer::kEnd };
    return { label, std::move(run), sample.answer.parts()[0]->origin().modelText, false };
}

engine::SamplerSettings drawn(float temperature, uint64_t seed = 1)
{
    engine::SamplerSettings settings;
    settings.temperature = temperature;
    settings.seed = seed;
    return settings;
}

template <typename Widget> Widget* part(QWidget& in, const char* name)
{
    return in.findChild<Widget*>(QLatin1String(name));
}
}

/// Runs side by side, what-if stops and the tree, by key and mouse.
class TestAlignedView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QAccessible::setActive(true); }

    void theFirstDifferenceIsOneStepAwayWithBothDistributions()
    {
        ui::AlignedView view;
        view.resize(900, 700);
        view.setRuns({ runOf("A", drawn(0)), runOf("B", drawn(1.5f, 9)) });
        view.show();
        QApplication::setActiveWindow(&view);
        const auto first = view.model().firstDifference();
        QVERIFY(first);
        QTest::mouseClick(part<QPushButton>(view, "firstDifference"), Qt::LeftButton);
        QCOMPARE(part<QTableView>(view, "aligned")->currentIndex().row(), int(*first));
        QVERIFY(part<QPushButton>(view, "swap")->isVisible());
        const QString causes = part<QLabel>(view, "causes")->text();
        QVERIFY2(causes.startsWith(QString("Token %1 is ‘").arg(*first + 1)), qPrintable(causes));
        QVERIFY2(causes.contains("alone makes B's token") || causes.contains("together do"), qPrintable(causes));
    }

    void ledgersStandSideBySide()
    {
        ui::LedgerTable table;
        AlignedRun open = runOf("B", drawn(1.5f, 9));
        open.run.reason.reset(); // under way
        table.setRuns({ runOf("A", drawn(0)), open });
        QCOMPARE(table.tsv(), QString("Condition\tA\tB\nLength cap\t■ 6 of 6 tokens\t\n"));
        const QModelIndex held = table.model()->index(0, 1);
        QVERIFY(held.data(Qt::AccessibleTextRole).toString().endsWith("it ended the run"));
    }

    void swappingOneTokenAsksForAFork()
    {
        ui::AlignedView view;
        view.resize(900, 700);
        view.setRuns({ runOf("A", drawn(0)), runOf("B", drawn(1.5f, 9)) });
        view.show();
        view.showFirstDifference();
        QSignalSpy swaps(&view, &ui::AlignedView::swapRequested);
        QTest::mouseClick(part<QPushButton>(view, "swap"), Qt::LeftButton);
        QCOMPARE(swaps.size(), 1);
        const size_t token = *view.model().firstDifference();
        QCOMPARE(swaps[0][0].toULongLong(), qulonglong(0));
        QCOMPARE(swaps[0][1].toULongLong(), qulonglong(token));
        QCOMPARE(swaps[0][2].toInt(), int(view.runs()[1].run.tokens[token].id));
    }

    void aTokenIsOnlySwappedWhereIdsMeanTheSame()
    {
        ui::AlignedView view;
        view.resize(900, 700);
        AlignedRun other = runOf("B", drawn(1.5f, 9));
        other.run.checkpointFile = "other.gguf";
        view.setRuns({ runOf("A", drawn(0)), other });
        view.show();
        QVERIFY(view.showFirstDifference());
        const QList<QPushButton*> swaps = view.findChildren<QPushButton*>("swap");
        QVERIFY(!swaps[0]->isVisible() && !swaps[1]->isVisible());
        view.setRuns({ runOf("A", drawn(0)), other, runOf("C", drawn(1.5f, 9)) });
        QVERIFY(view.showFirstDifference());
        QVERIFY(swaps[0]->isVisible() && !swaps[1]->isVisible() && swaps[2]->isVisible()); // between A and C
        AlignedRun unknown = runOf("B", drawn(1.5f, 9));
        engine::TokenRecord& piece = unknown.run.tokens[*view.model().firstDifference()];
        piece.id = -1; // as another program's, of which only pieces are told
        piece.top.clear();
        view.setRuns({ runOf("A", drawn(0)), unknown });
        QVERIFY(view.showFirstDifference());
        QVERIFY(!swaps[0]->isVisible() && swaps[1]->isVisible());
    }

    void aBanInOneStepIsNamed()
    {
        const AlignedRun one = runOf("A", drawn(0));
        AlignedRun other = runOf("B", drawn(0));
        engine::TokenRecord& first = other.run.tokens[0];
        const engine::TokenId banned = first.id;
        first.id = first.top[first.top[0].id == banned ? 1 : 0].id;
        ui::AlignedView view;
        view.setRuns({ one, other });
        auto* causes = part<QLabel>(view, "causes");
        QVERIFY2(causes->text().endsWith("no setting, ban or draw that was tried makes the other token."), qPrintable(causes->text()));
        other.run.request->bannedFirstIds = { banned };
        view.setRuns({ one, other });
        const QString wanted = QString("B was not allowed ‘%1’ at this token.").arg(one.drawnAt(0));
        QVERIFY2(causes->text().endsWith(wanted), qPrintable(causes->text()));
        view.setRuns({ other, one });
        QVERIFY2(causes->text().endsWith(wanted), qPrintable(causes->text()));
    }

    void equalRunsSaySo()
    {
        ui::AlignedView view;
        view.setRuns({ runOf("A", drawn(0)), runOf("B", drawn(0)) });
        QVERIFY(!part<QPushButton>(view, "firstDifference")->isEnabled());
        QCOMPARE(part<QLabel>(view, "causes")->text(), QString("A and B: the same tokens, to the end."));
    }

    void anEarlierEndIsTracedToItsCap()
    {
        ui::AlignedView view;
        view.setRuns({ runOf("whole", drawn(0), 8), runOf("capped", drawn(0), 3) });
        const QString causes = part<QLabel>(view, "causes")->text();
        QVERIFY2(causes.startsWith("capped ended before token 4:"), qPrintable(causes));
        QVERIFY2(causes.contains("Under the length cap the other would have ended there too."), qPrintable(causes));
    }

    void rowsCopyAndAreSpoken()
    {
        ui::AlignedView view;
        view.setRuns({ runOf("A", drawn(0)), runOf("B", drawn(0)) });
        const QStringList lines = view.tsv().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 7);
        QCOMPARE(lines[0], QString("token\tA\tB"));
        const QModelIndex cell = view.model().index(0, 1);
        const QString spoken = cell.data(Qt::AccessibleTextRole).toString();
        QVERIFY2(spoken.startsWith("token 1 of B: ‘") && spoken.endsWith(", the same"), qPrintable(spoken));
        view.show();
        for (QWidget* focused : { static_cast<QWidget*>(&view), static_cast<QWidget*>(part<QTableView>(view, "aligned")) }) {
            QApplication::clipboard()->clear();
            focused->setFocus();
            QTest::keyClick(focused, Qt::Key_C, Qt::ControlModifier);
            QCOMPARE(QApplication::clipboard()->text(), view.tsv());
        }
    }

    void aWhatIfAnswersAtOnceAndExtendsWhereItGoesOn()
    {
        ui::WhatIfBar bar;
        bar.resize(800, 100);
        bar.setRun(runOf("A", drawn(0), 6).run);
        bar.show();
        auto* words = part<QLabel>(bar, "whatIfWords");
        auto* extend = part<QPushButton>(bar, "extend");
        QVERIFY2(words->text().startsWith("capped at token 6"), qPrintable(words->text())); // as it was
        QVERIFY(!extend->isEnabled());
        auto* slider = part<QSlider>(bar, "whatIfSlider");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Left);
        QTest::keyClick(slider, Qt::Key_Left);
        QCOMPARE(bar.outcome()->tokenCount, 4);
        QVERIFY(words->text().contains("at token 4 of the 6 there are"));
        QTest::keyClick(slider, Qt::Key_End);
        QVERIFY(!bar.outcome()->reason);
        QVERIFY2(words->text().startsWith("would have gone on after token 6"), qPrintable(words->text()));
        QSignalSpy extensions(&bar, &ui::WhatIfBar::extendRequested);
        QTest::mouseClick(extend, Qt::LeftButton);
        QCOMPARE(extensions.size(), 1);
        QTest::keyClicks(part<QLineEdit>(bar, "whatIfStrings"), "never|ope\\|ns");
        QCOMPARE(bar.wish().stopStrings, (std::vector<std::string> { "never", "ope|ns" }));
        QTest::mouseClick(part<QCheckBox>(bar, "whatIfIgnoreEnd"), Qt::LeftButton,
            {}, QPoint(8, part<QCheckBox>(bar, "whatIfIgnoreEnd")->height() / 2));
        QVERIFY(bar.wish().ignoreEndTokens);
        bar.setRun({});
        QVERIFY(!bar.isEnabled());
    }

    void theTreeMergesBeginningsAndLeavesHaveReasons()
    {
        ui::RunTreeView tree;
        tree.setRuns({ runOf("A", drawn(0), 6), runOf("B", drawn(0), 3), runOf("C", drawn(1.5f, 9), 6) });
        QStringList leaves;
        std::vector<QTreeWidgetItem*> open { tree.invisibleRootItem() };
        while (!open.empty()) {
            QTreeWidgetItem* item = open.back();
            open.pop_back();
            if (item->text(0).startsWith(QStringLiteral("■")))
                leaves.append(item->text(0));
            for (int i = 0; i < item->childCount(); ++i)
                open.push_back(item->child(i));
        }
        leaves.sort();
        QCOMPARE(leaves.size(), 3);
        QVERIFY2(leaves[0].startsWith("■ A: "), qPrintable(leaves[0]));
        QSignalSpy chosen(&tree, &ui::RunTreeView::runChosen);
        tree.show();
        tree.setCurrentItem(tree.findItems("■ B", Qt::MatchStartsWith | Qt::MatchRecursive).first());
        QTest::keyClick(&tree, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toULongLong(), qulonglong(1));
    }
};

QTEST_MAIN(TestAlignedView)
#include "tst_aligned_view.moc"
