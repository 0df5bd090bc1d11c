#include "app/runs/opened_record.h"
#include "tests/ui/window_fixture.h"
#include "ui/guide/cache_window.h"
#include "ui/guide/capped_answer_window.h"
#include "ui/guide/fact_table.h"
#include "ui/guide/guide_actions.h"
#include "ui/guide/guide_window.h"
#include "ui/guide/mask_triangle.h"
#include "ui/guide/pass_table.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QScreen>
#include <QSpinBox>
#include <QTableWidget>
#include <QTimer>

using tests::WindowFixture;

namespace {
/// Everything that assistive software can read in a widget and below it.
void collect(QAccessibleInterface* interface, QStringList& texts, int depth = 0)
{
    if (!interface || depth > 12)
        return;
    for (auto kind : { QAccessible::Name, QAccessible::Description, QAccessible::Value, QAccessible::Help })
        texts.append(interface->text(kind));
    if (auto* text = interface->textInterface())
        texts.append(text->text(0, text->characterCount()));
    for (int i = 0; i < interface->childCount(); ++i)
        collect(interface->child(i), texts, depth + 1);
}

QString everythingIn(QWidget& window)
{
    QStringList texts;
    collect(QAccessible::queryAccessibleInterface(&window), texts);
    for (const QWidget* widget : window.findChildren<QWidget*>())
        texts.append(widget->toolTip() + widget->statusTip() + widget->whatsThis() + widget->windowTitle());
    return texts.join('\n');
}

struct GuideFixture : WindowFixture {
    ui::GuideWindow& guide = *window.guide().showGuide();

    GuideFixture() { QTest::qWait(30); }
    ui::PassTable& passes() { return *guide.findChild<ui::PassTable*>(); }
    QString cell(int row, int column) { return passes().item(row, column)->text(); }
    template <typename Widget> Widget* part(const char* name)
    {
        return guide.findChild<Widget*>(QLatin1String(name));
    }
    QString label(const char* name) { return part<QLabel>(name)->text(); }
    void press(const char* name) { QTest::mouseClick(part<QPushButton>(name), Qt::LeftButton); }
    /// Thinks of something, and goes on to the next question until there is none.
    void answerAll()
    {
        while (part<QLineEdit>("yourAnswer")->isVisible()) {
            QTest::keyClicks(part<QLineEdit>("yourAnswer"), "so");
            QTest::keyClick(part<QLineEdit>("yourAnswer"), Qt::Key_Return);
            if (part<QPushButton>("nextQuestion")->isVisible())
                press("nextQuestion");
        }
    }
    void chooseModel()
    {
        part<QComboBox>("script")->setFocus();
        QTest::keyClick(part<QComboBox>("script"), Qt::Key_End);
    }
    /// On the loaded model: one pass, one token and the end.
    void runOnce()
    {
        press("run");
        const engine::GenerationRequest& request = engine.requests.back();
        engine::RunPass pass;
        pass.positionCount = int(request.promptIds.size());
        engine::PrefillProgress progress { request.runId, pass.positionCount, pass.positionCount, 0, {} };
        progress.passes = { pass };
        engine.push(progress);
        engine.token("Paris", 'P');
        engine.end(engine::StopReason::LengthCap);
        settle();
    }
    ui::MaskTriangle& mask() { return *guide.findChild<ui::MaskTriangle*>(); }
    /// Presses a button that asks for a file, and types its path.
    void chooseFile(const char* button, const QString& path)
    {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QTimer::singleShot(200, &guide, [path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog)
                return;
            auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            name->setFocus();
            name->selectAll();
            QTest::keyClicks(name, path);
            QTest::keyClick(name, Qt::Key_Return);
            if (dialog->isVisible())
                dialog->reject();
        });
        press(button);
    }
};

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("not written");
}

QAction* helpEntry(QWidget& window, const char* name)
{
    auto* action = window.findChild<QAction*>(QLatin1String(name));
    return action;
}
}

/// The guided trace in its window, by key and mouse.
class TestGuideWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QAccessible::setActive(true); }

    void threePassesAreWalkedWithTheirPositions()
    {
        GuideFixture fixture;
        QCOMPARE(fixture.passes().rowCount(), 0);
        QVERIFY(fixture.part<QPushButton>("step")->isEnabled());
        QVERIFY(fixture.part<QPushButton>("step")->hasFocus());
        QVERIFY(fixture.label("count").startsWith("No pass yet. A pass reads the whole input"));
        for (int pass = 0; pass < 3; ++pass) {
            fixture.press("step");
            fixture.answerAll();
        }
        const char* const inputs[] { "The exhibition", "The exhibition opens", "The exhibition opens on" };
        const char* const selected[] { "opens", "on", "Monday" };
        const char* const computed[] { "2", "1", "1" };
        const char* const cache[] { "2", "3", "4" };
        QCOMPARE(fixture.passes().rowCount(), 3);
        for (int row = 0; row < 3; ++row) {
            QCOMPARE(fixture.cell(row, 1), QString(inputs[row]));
            QCOMPARE(fixture.cell(row, 2), QString(computed[row]));
            QCOMPARE(fixture.cell(row, 3), QString(cache[row]));
            QCOMPARE(fixture.cell(row, 4), QString(selected[row]));
        }
        QVERIFY2(fixture.label("count").contains("4 positions with a cache, 9 without"), qPrintable(fixture.label("count")));
        QVERIFY2(fixture.label("count").contains("“Monday” was selected last and never entered the cache"), qPrintable(fixture.label("count")));
        QCOMPARE(fixture.label("delivered"), QString("Delivered: opens on Monday"));
        QVERIFY(!fixture.part<QPushButton>("step")->isEnabled());
        QVERIFY(fixture.label("state").startsWith("capped"));
        const QString mask = fixture.guide.findChild<ui::MaskTriangle*>()->accessibleName();
        QVERIFY2(mask.contains("4 positions") && mask.contains("come from position 3"), qPrintable(mask));
        QVERIFY(fixture.passes().isColumnHidden(5)); // no times were measured
    }

    void aSuppliedRunSaysThatNothingRan()
    {
        GuideFixture fixture;
        const QString words = "Supplied choices: no model ran, no times were measured.";
        for (int pass = 0; pass < 4; ++pass) {
            bool isShown = false;
            for (const QLabel* label : fixture.guide.findChildren<QLabel*>())
                isShown = isShown || (label->isVisible() && label->text().startsWith(words));
            QVERIFY(isShown);
            QVERIFY(everythingIn(fixture.guide).contains(words));
            fixture.press("step");
            fixture.answerAll();
        }
        QVERIFY(fixture.engine.loads.empty() && fixture.engine.requests.empty());
    }

    void theMaskIsATriangleWithTheSourceOfTheFirstScores()
    {
        GuideFixture fixture;
        ui::MaskTriangle& mask = fixture.mask();
        QVERIFY(mask.rows().empty());
        const QString first = "← last of the prompt: source of the first scores";
        const QString next = "← source of the next scores";
        using Rows = std::vector<ui::MaskRow>;
        fixture.press("step");
        QCOMPARE(mask.rows(), (Rows { { "The", true, "" }, { "exhibition", true, first } }));
        QVERIFY(mask.accessibleName().contains("The first scores came from position 1, the last of the prompt."));
        fixture.answerAll();
        fixture.press("step");
        QCOMPARE(mask.rows(), (Rows { { "The", false, "" }, { "exhibition", false, first }, { "opens", true, next } }));
        fixture.answerAll();
        fixture.press("step");
        QCOMPARE(mask.rows(),
            (Rows { { "The", false, "" }, { "exhibition", false, first }, { "opens", false, "" }, { "on", true, next } }));
        // As it is painted: a cell of each position seen, filled where this pass computes it, and none above.
        const QImage image = mask.grab().toImage();
        const ui::Theme theme = ui::Theme::of(mask.palette());
        const QColor page = mask.palette().color(mask.backgroundRole());
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 4; ++column) {
                const QRect cell = mask.cellRect(row, column);
                const QColor inside = image.pixelColor(cell.center());
                const QColor edge = image.pixelColor(cell.left(), cell.center().y());
                if (column <= row)
                    QCOMPARE(inside.rgb(), (row == 3 ? theme.accent : page).rgb());
                if (column <= row)
                    QCOMPARE(edge.rgb(), (row == 3 ? theme.accent : theme.mutedText).rgb());
                else
                    QVERIFY(edge.rgb() != theme.mutedText.rgb() && edge.rgb() != theme.accent.rgb());
            }
        QVERIFY(ui::contrastRatio(theme.mutedText, page) >= 3);
        QVERIFY(mask.width() >= mask.sizeHint().width() || mask.sizeHint().width() < 1000);
    }

    void aLongInputShowsItsLastPositions()
    {
        ui::MaskTriangle mask;
        QStringList units;
        for (int i = 0; i < 30; ++i)
            units.append(QString::number(i));
        units[29] = "\n";
        mask.setPass(units, 29, 8);
        QCOMPARE(mask.hiddenCount(), 6);
        QCOMPARE(mask.rows().size(), size_t(24));
        QCOMPARE(mask.rows()[0].name, QString("6"));
        QVERIFY(mask.rows()[1].mark.contains("first scores")); // position 7
        QVERIFY(!mask.rows()[22].isComputed && mask.rows()[23].isComputed);
        QCOMPARE(mask.rows()[23].name, QString("␣")); // nothing to see is shown as such
        QVERIFY(mask.accessibleName().contains("30 positions"));
        QVERIFY(mask.accessibleName().contains("computes position 29,"));
    }

    void whatIsNotSelectedYetIsNeitherShownNorSpoken()
    {
        GuideFixture fixture;
        const QStringList later { "opens", "Monday" };
        for (int pass = 0; pass < 3; ++pass) {
            const QString all = everythingIn(fixture.guide);
            QVERIFY(all.contains("exhibition"));
            if (pass < 1)
                QVERIFY2(!all.contains("opens"), qPrintable(all));
            QVERIFY2(!all.contains("Monday"), qPrintable(all));
            fixture.press("step");
            fixture.answerAll();
        }
        QVERIFY(everythingIn(fixture.guide).contains("Monday"));
    }

    void nothingOfTheLastWalkIsLeftToRead()
    {
        GuideFixture fixture;
        const auto walk = [&] {
            for (int pass = 0; pass < 2; ++pass) {
                fixture.press("step");
                fixture.answerAll();
            }
            const QString all = everythingIn(fixture.guide);
            QVERIFY2(all.contains("opens on") && all.contains("You: so"), qPrintable(all));
        };
        const auto isGone = [&] {
            QCOMPARE(fixture.passes().rowCount(), 0);
            for (const char* name : { "ask", "answer" })
                QCOMPARE(fixture.label(name), QString());
            const QString all = everythingIn(fixture.guide);
            QVERIFY2(!all.contains("opens") && !all.contains("You: so"), qPrintable(all));
        };
        walk();
        fixture.press("again");
        isGone();
        walk();
        fixture.part<QSpinBox>("cap")->setValue(2);
        isGone();
        walk();
        fixture.part<QComboBox>("script")->setFocus();
        QTest::keyClick(fixture.part<QComboBox>("script"), Qt::Key_Down);
        isGone();
    }

    void aCapOfTwoEndsAfterTwoPasses()
    {
        GuideFixture fixture;
        fixture.part<QSpinBox>("cap")->setValue(2);
        for (int pass = 0; pass < 2; ++pass) {
            fixture.press("step");
            fixture.answerAll();
        }
        QVERIFY(!fixture.part<QPushButton>("step")->isEnabled());
        QCOMPARE(fixture.label("delivered"), QString("Delivered: opens on"));
        QCOMPARE(fixture.cell(1, 3), QString("3"));
        QVERIFY(!everythingIn(fixture.guide).contains("Monday"));
        QCOMPARE(fixture.passes().rowCount(), 2);
        QCOMPARE(fixture.label("state"), QString("capped: length cap reached: not known to be complete"));
        QVERIFY2(fixture.label("count").contains("3 positions with a cache, 5 without"), qPrintable(fixture.label("count")));
        QCOMPARE(fixture.part<QSpinBox>("cap")->maximum(), 3); // the script has no fourth choice
        fixture.press("again");
        QCOMPARE(fixture.passes().rowCount(), 0);
    }

    void aQuestionWaitsAndShowsItsAnswerAfterwards()
    {
        GuideFixture fixture;
        fixture.press("step");
        QVERIFY(fixture.part<QLabel>("ask")->isVisible());
        QVERIFY(!fixture.part<QPushButton>("step")->isEnabled());
        QVERIFY(!everythingIn(fixture.guide).contains("a pass of its own"));
        fixture.press("give"); // nothing was typed
        QVERIFY(!fixture.part<QLabel>("answer")->isVisible());
        QTest::keyClicks(fixture.part<QLineEdit>("yourAnswer"), "each word needs one");
        QTest::keyClick(fixture.part<QLineEdit>("yourAnswer"), Qt::Key_Return);
        QVERIFY(fixture.label("answer").contains("a pass of its own"));
        QVERIFY(fixture.part<QPushButton>("step")->isEnabled());
        // No other question waits here: on with the next pass, by key.
        QVERIFY(!fixture.part<QPushButton>("nextQuestion")->isVisible());
        QVERIFY(fixture.part<QPushButton>("step")->hasFocus());
        QTest::keyClick(fixture.part<QPushButton>("step"), Qt::Key_Space);
        QCOMPARE(fixture.passes().rowCount(), 2);
        QVERIFY(fixture.part<QLineEdit>("yourAnswer")->hasFocus());
        QVERIFY(fixture.label("ask").contains("input be in the next pass"));
        QVERIFY(!everythingIn(fixture.guide).contains("“The exhibition opens on”")); // its answer
    }

    void nothingOfAQuestionIsCutWhereTheWindowIsLow()
    {
        GuideFixture fixture;
        fixture.guide.resize(fixture.guide.width(), 420);
        for (int pass = 0; pass < 3; ++pass) {
            fixture.press("step");
            if (pass < 2)
                fixture.answerAll();
        }
        while (fixture.part<QLineEdit>("yourAnswer")->isVisible()) {
            QTest::keyClicks(fixture.part<QLineEdit>("yourAnswer"), "so");
            fixture.press("give");
            fixture.settle();
            for (const char* name : { "ask", "answer", "count", "state" }) {
                const auto* label = fixture.part<QLabel>(name);
                QVERIFY2(label->height() >= label->heightForWidth(label->width()), name);
            }
            if (fixture.part<QPushButton>("nextQuestion")->isVisible())
                fixture.press("nextQuestion");
        }
        QVERIFY(fixture.guide.height() < 560); // it fits a low screen
    }

    void theWindowsOpenNoLargerThanTheScreen()
    {
        GuideFixture fixture;
        QCOMPARE(fixture.guide.size(), QSize(ui::gridUnit(&fixture.guide) * 116, ui::gridUnit(&fixture.guide) * 92)
            .boundedTo(fixture.guide.screen()->availableSize()));
        ui::CacheWindow& cache = *fixture.window.guide().showCacheQuestion();
        fixture.settle();
        QCOMPARE(cache.size(), QSize(ui::gridUnit(&cache) * 112, ui::gridUnit(&cache) * 84)
            .boundedTo(cache.screen()->availableSize()));
    }

    void noAnswerIsThereBeforeThePersonsOwn()
    {
        for (int cap : { 3, 2 }) {
            GuideFixture fixture;
            fixture.part<QSpinBox>("cap")->setValue(cap);
            QSet<QString> asked;
            const auto lookAndAnswer = [&] {
                while (fixture.part<QLineEdit>("yourAnswer")->isVisible()) {
                    QVERIFY(!fixture.part<QLabel>("answer")->isVisible());
                    QCOMPARE(fixture.label("answer"), QString());
                    asked.insert(fixture.label("ask"));
                    QTest::keyClicks(fixture.part<QLineEdit>("yourAnswer"), "so");
                    fixture.press("give");
                    QVERIFY(fixture.label("answer").size() > 20);
                    if (cap == 2)
                        QVERIFY(!everythingIn(fixture.guide).contains("Monday"));
                    if (fixture.part<QPushButton>("nextQuestion")->isVisible())
                        fixture.press("nextQuestion");
                }
            };
            for (int pass = 0; pass < cap; ++pass) {
                fixture.press("step");
                lookAndAnswer();
            }
            QCOMPARE(asked.size(), cap == 3 ? 5 : 4); // capped, there is no next pass to ask about
        }
    }

    void theRailQuestionsOpenTheirTools()
    {
        GuideFixture fixture;
        for (int pass = 0; pass < 3; ++pass) {
            fixture.press("step");
            if (pass < 2)
                fixture.answerAll();
        }
        int tools = 0;
        while (fixture.part<QLineEdit>("yourAnswer")->isVisible()) {
            QTest::keyClicks(fixture.part<QLineEdit>("yourAnswer"), "no");
            QTest::keyClick(fixture.part<QLineEdit>("yourAnswer"), Qt::Key_Return);
            if (fixture.part<QPushButton>("tool")->isVisible()) {
                fixture.press("tool");
                ++tools;
            }
            if (fixture.part<QPushButton>("nextQuestion")->isVisible())
                fixture.press("nextQuestion");
        }
        QCOMPARE(tools, 2);
        QVERIFY(fixture.window.findChild<ui::CacheWindow*>());
        auto* capped = fixture.window.findChild<ui::CappedAnswerWindow*>();
        QVERIFY(capped);
        QCOMPARE(capped->findChild<QLabel*>("sum")->text(), QString("capped · present so far 3 of 5 · not ready"));
        QVERIFY(everythingIn(*capped).contains("Supplied text: no model ran."));
        // The prompts are those of the question: other routes and dates, the same end.
        auto* cache = fixture.window.findChild<ui::CacheWindow*>();
        const QString held = cache->findChild<QPlainTextEdit*>("held")->toPlainText();
        const QString asked = cache->findChild<QPlainTextEdit*>("asked")->toPlainText();
        QVERIFY(held.contains("Ghent to Bruges on 4 May") && asked.contains("Antwerp to Ostend on 11 June"));
        QVERIFY(held.endsWith(", one way") && asked.endsWith(", one way"));
        auto* table = capped->findChild<ui::FactTable*>();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split('\n');
        QCOMPARE(lines[0], QString("Requirement\tState\tFound, or why not"));
        QVERIFY2(lines[1].startsWith("from and to\tmet\t"), qPrintable(lines[1]));
        QCOMPARE(lines.size(), 7); // five requirements and the end
    }

    void heldTextIsToldAndTheCapsQuestionsAreOfTheirEnd()
    {
        GuideFixture fixture;
        auto* scripts = fixture.part<QComboBox>("script");
        scripts->setFocus();
        QTest::keyClick(scripts, Qt::Key_Down);
        for (int pass = 0; pass < 2; ++pass)
            fixture.press("step");
        QCOMPARE(fixture.label("delivered"), QString("Delivered: 1"));
        QCOMPARE(fixture.label("state"),
            QString("partial: the run goes on · held back: “,”, which may become the stop string “, 3”"));
        fixture.part<QSpinBox>("cap")->setValue(2);
        for (int pass = 0; pass < 2; ++pass)
            fixture.press("step");
        QVERIFY(fixture.label("ask").startsWith("The cap came before the stop string"));
        QCOMPARE(fixture.label("delivered"), QString("Delivered: 1,")); // nothing more can come of it
    }

    void aScriptOfOnesOwnIsOpenedAndABadOneRefused()
    {
        GuideFixture fixture;
        const QString path = fixture.folder.filePath("mine.json");
        write(path, "{\"trace_script\": 1, \"title\": \"Mine\", \"prompt\": [\"One\"], \"choices\": [\" two\"], \"length_cap\": 4}");
        fixture.chooseFile("openScript", path);
        auto* told = fixture.part<QLabel>("told");
        QVERIFY(told->isVisible());
        QCOMPARE(told->text(),
            QString("The script was not opened. mine.json: length_cap is 4, but there are only 1 choices and nothing "
                    "else ends the run"));
        QCOMPARE(fixture.part<QComboBox>("script")->count(), 4);
        QCOMPARE(fixture.part<QComboBox>("script")->currentIndex(), 0);
        write(path, "{\"trace_script\": 1, \"title\": \"Mine <b>own</b>\", \"prompt\": [\"One\"], \"choices\": [\" two\"], \"length_cap\": 1}");
        fixture.chooseFile("openScript", path);
        QVERIFY(!told->isVisible());
        QCOMPARE(fixture.part<QComboBox>("script")->currentText(), QString("Mine <b>own</b>"));
        fixture.press("step");
        QCOMPARE(fixture.label("delivered"), QString("Delivered: two"));
        QVERIFY(fixture.label("state").startsWith("capped"));
    }

    void theRecordIsSavedAsFarAsTheWalkWent()
    {
        GuideFixture fixture;
        const QString path = fixture.folder.filePath("walk.json");
        fixture.press("step");
        fixture.answerAll();
        fixture.press("step");
        fixture.chooseFile("saveRecord", path);
        const auto record = app::openRecord(path.toStdString());
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY(record->json["checkpoint"].is_null() && record->json["tokenizer"].is_null());
        QVERIFY(record->json["times"].is_null() && record->json["stop"].is_null());
        QCOMPARE(record->tokens.size(), size_t(2));
        QVERIFY(!contents(path).contains("Monday") && !contents(path).contains(QByteArray("Monday").toHex()));
        QVERIFY(fixture.label("told").contains("walk.json: supplied choices, no model ran, no times measured"));
        fixture.chooseFile("saveRecord", fixture.folder.filePath("absent/walk.json"));
        QTRY_VERIFY(!QApplication::activeModalWidget());
    }

    void theOtherScriptsEndByStopStringAndEndToken()
    {
        GuideFixture fixture;
        auto* scripts = fixture.part<QComboBox>("script");
        QCOMPARE(scripts->count(), 4);
        const char* const states[] { "stopped", "complete" };
        for (int i = 0; i < 2; ++i) {
            scripts->setFocus();
            QTest::keyClick(scripts, Qt::Key_Down);
            QCOMPARE(fixture.passes().rowCount(), 0);
            while (fixture.part<QPushButton>("step")->isEnabled()) {
                fixture.press("step");
                fixture.answerAll();
            }
            QVERIFY2(fixture.label("state").startsWith(states[i]), qPrintable(fixture.label("state")));
        }
    }

    void theSameScreenShowsTheLoadedModel()
    {
        GuideFixture fixture;
        auto* scripts = fixture.part<QComboBox>("script");
        scripts->setFocus();
        QTest::keyClick(scripts, Qt::Key_End);
        QVERIFY(!fixture.part<QPushButton>("run")->isEnabled()); // no model
        fixture.loadModel();
        QVERIFY(fixture.part<QPushButton>("run")->isEnabled());
        fixture.press("run");
        QCOMPARE(fixture.engine.requests.size(), size_t(1));
        QCOMPARE(fixture.engine.requests[0].lengthCap, 64);
        const int promptCount = int(fixture.engine.requests[0].promptIds.size());
        engine::PrefillProgress progress { fixture.engine.requests[0].runId, promptCount, promptCount, 0, {} };
        engine::RunPass pass;
        pass.positionCount = promptCount;
        pass.hostMs = 12.5;
        progress.passes = { pass };
        fixture.engine.push(progress);
        fixture.engine.token("Paris", 'P');
        engine::RunPass decode { .kind = engine::PassKind::Decode };
        decode.firstPosition = promptCount;
        decode.positionCount = 1;
        decode.hostMs = 3;
        fixture.engine.token(".", '.');
        fixture.engine.end(engine::StopReason::EndToken, [&](engine::RunEnded& ended) { ended.passes = { decode }; });
        fixture.settle();
        QCOMPARE(fixture.label("count"), QString("2 new tokens = 1 prefill + 1 decode pass"));
        QCOMPARE(fixture.passes().rowCount(), 2);
        QCOMPARE(fixture.cell(0, 2), QString::number(promptCount));
        QCOMPARE(fixture.cell(1, 3), QString::number(promptCount + 1));
        QCOMPARE(fixture.cell(0, 5), QString("12.5 ms"));
        QVERIFY(fixture.cell(0, 1).contains("⏎ ") && !fixture.cell(0, 1).contains('\n'));
        QCOMPARE(fixture.label("delivered"), QString("Delivered: Paris."));
        QCOMPARE(fixture.label("positions"),
            QString("Computed so far: %1 positions with a cache, %2 without.").arg(promptCount + 1).arg(2 * promptCount + 1));
        QCOMPARE(int(fixture.mask().rows().size()) + fixture.mask().hiddenCount(), promptCount + 1);
        QVERIFY(fixture.mask().accessibleName().contains(QString("The first scores came from position %1,").arg(promptCount - 1)));
        QVERIFY(!everythingIn(fixture.guide).contains("no model ran"));
        QVERIFY(everythingIn(fixture.guide).contains("Measured with Tiny Test 1M"));
    }

    void theFiguresKeepTheNameOfTheirModel()
    {
        GuideFixture fixture;
        fixture.chooseModel();
        fixture.loadModel();
        QVERIFY(everythingIn(fixture.guide).contains("Nothing is measured yet. A run with Tiny Test 1M becomes a chat"));
        fixture.runOnce();
        QCOMPARE(fixture.passes().rowCount(), 1);
        engine::ModelDescription other = tests::FakeEngine::tinyModel();
        other.name = "Other";
        fixture.engine.description = other;
        fixture.loadModel();
        QString all = everythingIn(fixture.guide);
        QVERIFY2(all.contains("Measured with Tiny Test 1M.") && all.contains("The next run is with Other."), qPrintable(all));
        fixture.workspace.unloadModel();
        fixture.settle();
        all = everythingIn(fixture.guide);
        QVERIFY2(all.contains("Measured with Tiny Test 1M.") && all.contains("No model is loaded now:"), qPrintable(all));
        QVERIFY2(!all.contains("with Other") && !all.contains("No model is loaded:"), qPrintable(all));
        QCOMPARE(fixture.passes().rowCount(), 1);
        fixture.loadModel();
        fixture.runOnce();
        all = everythingIn(fixture.guide);
        QVERIFY2(all.contains("Measured with Other.") && !all.contains("Tiny Test 1M"), qPrintable(all));
    }

    void aRefusedRunLeavesNoFiguresAndNoChat()
    {
        GuideFixture fixture;
        fixture.chooseModel();
        fixture.loadModel();
        fixture.runOnce();
        const size_t chatCount = fixture.workspace.conversations().size();
        const auto isRefused = [&](const QString& why) {
            fixture.press("run");
            fixture.press("run");
            QVERIFY2(fixture.label("state").contains(why), qPrintable(fixture.label("state")));
            for (const char* name : { "count", "delivered", "positions" })
                QCOMPARE(fixture.label(name), QString());
            QCOMPARE(fixture.passes().rowCount(), 0);
            QVERIFY(fixture.mask().rows().empty());
            QVERIFY(!everythingIn(fixture.guide).contains("Measured with"));
            QCOMPARE(fixture.workspace.conversations().size(), chatCount);
            QCOMPARE(fixture.engine.requests.size(), size_t(1));
        };
        QCOMPARE(fixture.passes().rowCount(), 1);
        fixture.workspace.holdModel({ app::Problem::Kind::NotSent, "Held", "Models are being compared", {} });
        isRefused("Models are being compared");
        fixture.workspace.releaseModel();
        fixture.engine.offer.ownSource = "{{ raise_exception('Only tea') }}";
        fixture.loadModel();
        isRefused("Only tea");
        fixture.engine.offer = tests::FakeEngine::chatMl();
        fixture.loadModel();
        fixture.runOnce();
        QCOMPARE(fixture.passes().rowCount(), 1);
        QCOMPARE(fixture.workspace.conversations().size(), chatCount + 1);
    }

    void onesOwnPromptIsRunAndItsPassesAreCounted()
    {
        GuideFixture fixture;
        auto* scripts = fixture.part<QComboBox>("script");
        scripts->setFocus();
        QTest::keyClick(scripts, Qt::Key_End);
        auto* prompt = fixture.part<QLineEdit>("prompt");
        QCOMPARE(prompt->text(), QString("What is the capital of France?"));
        fixture.loadModel();
        prompt->selectAll();
        QTest::keyClicks(prompt, "Count to three");
        QTest::keyClick(prompt, Qt::Key_Return);
        QCOMPARE(fixture.engine.requests.size(), size_t(1));
        QCOMPARE(fixture.engine.requests[0].sampling.temperature, 0.0f);
        // A pass that is not told yet is not counted: what stands here was observed.
        engine::RunPass pass;
        pass.positionCount = int(fixture.engine.requests[0].promptIds.size());
        engine::PrefillProgress progress { fixture.engine.requests[0].runId, pass.positionCount, pass.positionCount, 0, {} };
        progress.passes = { pass };
        fixture.engine.push(progress);
        fixture.engine.token("1", '1');
        fixture.settle();
        QCOMPARE(fixture.label("count"), QString("1 new token = 1 prefill + 0 decode passes"));
        fixture.engine.token("2", '2');
        fixture.settle();
        QCOMPARE(fixture.label("count"), QString("2 new tokens so far: 1 prefill + 0 decode passes"));
        QVERIFY(fixture.label("state").startsWith("Partial"));
        // Back to paper: nothing of it stays.
        scripts->setFocus();
        QTest::keyClick(scripts, Qt::Key_Home);
        QCOMPARE(fixture.passes().rowCount(), 0);
        fixture.engine.token("3", '3');
        fixture.settle();
        QCOMPARE(fixture.passes().rowCount(), 0);
        QCOMPARE(fixture.label("delivered"), QString("Delivered: "));
    }

    void thePassesCopyAsATable()
    {
        GuideFixture fixture;
        fixture.press("step");
        fixture.passes().setFocus();
        QTest::keyClick(&fixture.passes(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(),
            QString("Pass\tFull input\tPositions computed\tCache holds after\tSelected\n1\tThe exhibition\t2\t2\topens\n"));
    }

    void itOpensFromHelpAndFromAnEmptyChat()
    {
        WindowFixture fixture;
        QMenu* help = fixture.window.menuBar()->actions().back()->menu();
        help->popup(fixture.window.mapToGlobal(QPoint(10, 10)));
        QVERIFY(help->actions().contains(helpEntry(fixture.window, "guidedTrace")));
        QTest::keyClick(help, Qt::Key_G);
        auto* guide = fixture.window.findChild<ui::GuideWindow*>();
        QVERIFY(guide && guide->isVisible());
        guide->close();
        QTest::qWait(10);
        help->popup(fixture.window.mapToGlobal(QPoint(10, 10)));
        QTest::keyClick(help, Qt::Key_C);
        auto* cache = fixture.window.findChild<ui::CacheWindow*>();
        QVERIFY(cache && cache->isVisible());
        cache->close();
        QTest::qWait(10);
        auto* button = fixture.window.findChild<QPushButton*>("seeGuide");
        QVERIFY(button && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        guide = fixture.window.findChild<ui::GuideWindow*>();
        QVERIFY(guide && guide->isVisible());
    }

    void pagingIsCitedWhereItIsExplained()
    {
        WindowFixture fixture;
        const QString all = everythingIn(*fixture.window.guide().showCacheQuestion());
        QVERIFY(all.contains("Kwon et al., September 2023 (PagedAttention)"));
        for (const char* claim : { "throughput", "faster", "times as", "speed" })
            QVERIFY2(!all.contains(claim, Qt::CaseInsensitive), claim);
    }

    void itOpensOnFirstStartOnly()
    {
        WindowFixture fixture;
        fixture.window.showFirstStart();
        auto* guide = fixture.window.findChild<ui::GuideWindow*>();
        QVERIFY(guide && guide->isVisible());
        guide->close();
        QTest::qWait(10);
        fixture.window.showFirstStart();
        QVERIFY(!fixture.window.findChild<ui::GuideWindow*>());
    }
};

QTEST_MAIN(TestGuideWindow)
#include "tst_guide_window.moc"
