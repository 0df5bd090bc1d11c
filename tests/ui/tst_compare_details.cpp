#include "app/compare/draft_run.h"
#include "tests/ui/kept_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/compare/aligned_view.h"
#include "ui/compare/compare_actions.h"
#include "ui/compare/compare_details.h"
#include "ui/compare/compare_head.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/cross_score_view.h"
#include "ui/compare/ledger_table.h"
#include "ui/compare/run_tree_view.h"
#include "ui/compare/what_if_bar.h"
#include "ui/compare/what_if_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QSlider>
#include <QTabBar>
#include <QTableView>
#include <QTextEdit>

using engine::StopReason;

namespace {

/// Two answers to one message, "1, 2, 3" and "1, 5", of one token a letter; the second is shown.
struct Fixture : tests::WindowFixture {
    Fixture()
    {
        loadModel();
        send(QStringLiteral("Count"));
        write("1, 2, 3");
        engine.end(StopReason::LengthCap);
        settle();
        workspace.regenerate(chat());
        write("1, 5");
        engine.end(StopReason::EndToken);
        settle();
    }
    void write(const std::string& text)
    {
        for (char letter : text)
            engine.token(std::string(1, letter), engine::TokenId(uint8_t(letter)));
    }
    /// Ctrl+Shift+G in the chat.
    void compare()
    {
        QTest::keyClick(&window, Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        settle();
    }
    ui::ComparePage& page() { return *window.compare().page(); }
    ui::CompareDetails& details() { return *window.compare().details(); }
    void choose(const char* tab)
    {
        for (int i = 0; i < details().count(); ++i)
            if (details().tabText(i) == QLatin1String(tab))
                QTest::mouseClick(details().tabBar(), Qt::LeftButton, {}, details().tabBar()->tabRect(i).center());
        settle();
    }
    template <typename Widget> Widget* part(const char* name) { return details().findChild<Widget*>(QLatin1String(name)); }
    QString words(const char* name) { return part<QLabel>(name)->text(); }
};

}

/// What stands below the columns, in the window, by keys and mouse.
class TestCompareDetails : public QObject {
    Q_OBJECT
private slots:
    void oneKeyShowsWhereTwoBranchesPart()
    {
        Fixture fixture;
        fixture.compare(); // the first action after the start
        QCOMPARE(fixture.page().columnCount(), size_t(2));
        QCOMPARE(fixture.details().aligned().model().firstDifference(), std::optional<size_t>(3));
        QCOMPARE(fixture.part<QTableView>("aligned")->currentIndex().row(), 3);
        const QString causes = fixture.words("causes");
        QVERIFY2(causes.startsWith("Token 4 is ‘5’ in A and ‘2’ in B."), qPrintable(causes));
    }

    void ledgersStandSideBySideAndCopy()
    {
        Fixture fixture;
        fixture.compare();
        fixture.choose("Ledgers");
        const QString tsv = fixture.details().ledgers().tsv();
        QVERIFY2(tsv.startsWith("Condition\tA\tB\n"), qPrintable(tsv));
        const auto lineOf = [&](const char* condition) {
            for (const QString& line : tsv.split('\n'))
                if (line.startsWith(QLatin1String(condition)))
                    return line.split('\t');
            return QStringList();
        };
        QVERIFY2(lineOf("End token").value(1).startsWith("■"), qPrintable(tsv));
        QVERIFY2(lineOf("Length cap").value(2).startsWith("■"), qPrintable(tsv));
        QVERIFY(!lineOf("Length cap").value(1).startsWith("■"));
        fixture.details().ledgers().setFocus();
        QTest::keyClick(&fixture.details().ledgers(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), tsv);
    }

    void aSwappedTokenIsOneMoreColumn()
    {
        Fixture fixture;
        fixture.compare();
        QPushButton* swap = nullptr;
        for (QPushButton* button : fixture.details().aligned().findChildren<QPushButton*>("swap"))
            if (button->isVisible() && !swap)
                swap = button;
        QVERIFY(swap);
        QVERIFY2(swap->text().contains("‘2’"), qPrintable(swap->text()));
        QTest::mouseClick(swap, Qt::LeftButton);
        fixture.settle();
        QCOMPARE(fixture.engine.requests.back().forcedIds, (engine::TokenIds { '2' }));
        QCOMPARE(fixture.engine.requests.back().draftTokenCount, 3);
        QCOMPARE(fixture.page().columnCount(), size_t(3));
        QVERIFY(fixture.page().head(2).accessibleName().contains("A with ‘2’ as token 4"));
        fixture.write("2, 3");
        fixture.engine.end(StopReason::LengthCap);
        fixture.settle(400);
        const QString causes = fixture.words("causes");
        QVERIFY2(causes.contains("Token 4 is ‘5’ in A and ‘2’ in C."), qPrintable(causes));
    }

    void whatIfFollowsTheColumnAndExtends()
    {
        Fixture fixture;
        fixture.compare();
        fixture.page().setCurrent(1);
        fixture.choose("What if");
        auto* slider = fixture.part<QSlider>("whatIfSlider");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        QTest::keyClick(slider, Qt::Key_Right);
        QTest::keyClick(slider, Qt::Key_Right);
        auto* text = fixture.part<QTextEdit>("whatIfText");
        QCOMPARE(text->toPlainText(), QString("1, 2, 3"));
        QCOMPARE(text->extraSelections().size(), 1);
        QCOMPARE(text->extraSelections()[0].cursor.selectedText(), QString(" 2, 3")); // struck out
        QTest::keyClick(slider, Qt::Key_End);
        QTest::mouseClick(fixture.part<QPushButton>("extend"), Qt::LeftButton);
        fixture.settle();
        QCOMPARE(fixture.engine.requests.back().draftTokenCount, 7);
        QCOMPARE(fixture.engine.requests.back().lengthCap, 1);
        QCOMPARE(fixture.page().columnCount(), size_t(3));
        QVERIFY(fixture.page().head(2).accessibleName().contains("B extended"));
    }

    void whileARunIsWrittenTheRefusalIsTold()
    {
        Fixture fixture;
        fixture.compare();
        fixture.workspace.regenerate(fixture.chat());
        fixture.settle();
        QPushButton* swap = fixture.details().aligned().findChildren<QPushButton*>("swap").front();
        QTest::mouseClick(swap, Qt::LeftButton);
        bool isTold = false;
        for (const QLabel* label : fixture.page().findChildren<QLabel*>())
            isTold = isTold || label->text().contains("A run of this chat is under way");
        QVERIFY(isTold);
        QCOMPARE(fixture.page().columnCount(), size_t(2));
    }

    void theTreeCountsRunsAndLeadsToTheirColumns()
    {
        Fixture fixture;
        fixture.compare();
        fixture.choose("Tree");
        QTreeWidget& tree = fixture.details().tree();
        QCOMPARE(tree.topLevelItemCount(), 1);
        QTreeWidgetItem* shared = tree.topLevelItem(0);
        QCOMPARE(shared->text(1), QString("2"));
        QCOMPARE(shared->text(2), QString("3"));
        QCOMPARE(shared->childCount(), 2);
        QTreeWidgetItem* second = shared->child(1)->child(0);
        QVERIFY2(second->text(0).startsWith("■ B:"), qPrintable(second->text(0)));
        tree.setCurrentItem(second);
        tree.setFocus();
        QTest::keyClick(&tree, Qt::Key_Return);
        QCOMPARE(fixture.page().current(), 1);
        QTest::keyClick(&tree, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.value(0), QString("Text\tRuns\tTokens"));
        QCOMPARE(lines.value(1), shared->text(0) + "\t2\t3");
        QVERIFY2(lines.value(2).startsWith("  ") && lines.value(3).startsWith("    ■"), qPrintable(lines.join('|')));
    }

    void aTextIsScoredUnderAnotherRun()
    {
        Fixture fixture;
        fixture.compare();
        fixture.choose("Scores");
        QCOMPARE(fixture.part<QComboBox>("scoredUnder")->currentText(), QString("B"));
        QTest::mouseClick(fixture.part<QPushButton>("score"), Qt::LeftButton);
        QCOMPARE(fixture.engine.requests.back().forcedIds, (engine::TokenIds { '1', ',', ' ', '5' }));
        fixture.settle();
        fixture.write("1, 5");
        fixture.engine.end(StopReason::LengthCap);
        fixture.settle();
        auto* table = fixture.part<QTableView>("scores");
        QCOMPARE(table->model()->rowCount(), 4);
        QVERIFY2(fixture.words("scoreWords").startsWith("A's text under B:"), qPrintable(fixture.words("scoreWords")));
    }

    void scoringIsStoppedByItsButton()
    {
        Fixture fixture;
        fixture.compare();
        fixture.choose("Scores");
        auto* button = fixture.part<QPushButton>("score");
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(button->text(), QString("&Stop"));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(fixture.engine.cancelled.back(), fixture.engine.requests.back().runId);
        QCOMPARE(button->text(), QString("&Score"));
        QCOMPARE(fixture.words("scoreWords"), QString("Scoring was stopped."));
        fixture.engine.end(StopReason::Cancelled);
        fixture.settle();
        QCOMPARE(fixture.words("scoreWords"), QString("Scoring was stopped."));
    }

    void aScoreGoesWithItsRuns()
    {
        Fixture fixture;
        fixture.compare();
        fixture.choose("Scores");
        ui::CrossScoreView& scores = fixture.details().scores();
        std::vector<ui::AlignedRun> runs;
        for (const ui::ComparedAnswer& answer : fixture.page().answers())
            runs.push_back({ QString(QChar('A' + int(runs.size()))), app::comparedAnswer(*answer.answer), nullptr, false });
        auto* button = fixture.part<QPushButton>("score");
        QTest::mouseClick(button, Qt::LeftButton);
        fixture.settle();
        fixture.write("1, 5");
        fixture.engine.end(StopReason::LengthCap);
        fixture.settle();
        const QAbstractItemModel* rows = fixture.part<QTableView>("scores")->model();
        scores.setRuns(runs);
        QVERIFY(fixture.words("scoreWords").startsWith("A's text under B:"));
        std::vector<ui::AlignedRun> renamed { runs[1], runs[0] };
        renamed[0].label = "A";
        renamed[1].label = "B";
        scores.setRuns(renamed);
        QVERIFY2(fixture.words("scoreWords").startsWith("B's text under A:"), qPrintable(fixture.words("scoreWords")));
        QCOMPARE(rows->rowCount(), 4);
        renamed[0].run.request->runId += 1000; // another run of that name
        scores.setRuns(renamed);
        QCOMPARE(rows->rowCount(), 0);
        QCOMPARE(fixture.words("scoreWords"), QString());
        QTest::mouseClick(button, Qt::LeftButton); // and one that is under way
        QVERIFY(scores.score().isUnderWay());
        scores.setRuns(runs);
        QVERIFY(!scores.score().isUnderWay());
        QCOMPARE(fixture.engine.cancelled.back(), fixture.engine.requests.back().runId);
    }

    void aSumSaysHowFarItReaches()
    {
        Fixture fixture;
        fixture.compare();
        fixture.choose("Scores");
        const auto wordsOf = [&](const std::vector<std::string>& pieces) {
            QTest::mouseClick(fixture.part<QPushButton>("score"), Qt::LeftButton);
            for (const std::string& piece : pieces) {
                engine::TokenDecoded decoded;
                decoded.runId = fixture.engine.requests.back().runId;
                decoded.record.bytes = piece;
                decoded.record.logprob = -1;
                fixture.engine.push(decoded);
            }
            fixture.engine.end(StopReason::LengthCap);
            fixture.settle();
            return fixture.words("scoreWords");
        };
        const QString part = wordsOf({ "1", ",", " 5 and", " more" });
        QVERIFY2(part.contains("only the first 2 of its 4 tokens could be compared") && !part.contains("in all"), qPrintable(part));
        const QString none = wordsOf({ "1, 5 and more", "", "", "" });
        QVERIFY2(none.contains("never end at the same byte") && !none.contains("nats"), qPrintable(none));
    }

    void tokensHaveWordsAfterARestart()
    {
        const QTemporaryDir folder;
        {
            tests::KeptWindow program(folder);
            program.writeLetters(program.workspace.send(program.chat(), "Letters"), "ab");
            program.writeLetters(program.workspace.regenerate(program.chat()), "ac");
            program.workspace.close();
        }
        tests::KeptWindow program(folder);
        for (const auto& chat : program.workspace.conversations())
            if (chat->title() == QString("Letters"))
                program.window.showConversation(chat.get());
        QTRY_VERIFY(program.chat().lastAnswer());
        QTest::keyClick(&program.window, Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(program.window.compare().details());
        auto* swap = program.window.compare().details()->aligned().findChild<QPushButton*>("swap");
        QTRY_VERIFY(swap->isVisible());
        QVERIFY2(swap->text().endsWith("‘b’") || swap->text().endsWith("‘c’"), qPrintable(swap->text()));
    }

    void runsUnderWayAreNotSaidToHaveEnded()
    {
        Fixture fixture;
        fixture.workspace.regenerate(fixture.chat());
        fixture.write("1, ");
        fixture.settle();
        fixture.compare();
        const QString causes = fixture.words("causes");
        QVERIFY2(causes.contains("the same tokens as far as A has come"), qPrintable(causes));
        QVERIFY2(!causes.contains("ended"), qPrintable(causes));
        fixture.write("7");
        fixture.settle(400);
        QVERIFY2(fixture.words("causes").contains("Token 4 is ‘7’ in A"), qPrintable(fixture.words("causes")));
    }
};

QTEST_MAIN(TestCompareDetails)
#include "tst_compare_details.moc"
