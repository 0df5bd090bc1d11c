#include "app/conversation/run_variants.h"
#include "tests/ui/compare_fixture.h"

#include <QComboBox>
#include <QListWidget>
#include <QPlainTextEdit>

using app::VariedThing;
using engine::StopReason;
using Fixture = tests::CompareFixture;

namespace {

ui::VariantsDialog* ask(Fixture& fixture, VariedThing thing)
{
    auto* dialog = fixture.window.compare().askForSettings(fixture.chat(), *fixture.chat().lastAnswerTurn());
    dialog->setThing(thing);
    fixture.settle();
    return dialog;
}

QString sum(const ui::VariantsDialog& dialog) { return dialog.findChild<QLabel*>("variantSum")->text(); }

template <typename T> T* visible(const ui::VariantsDialog& dialog)
{
    for (T* widget : dialog.findChildren<T*>())
        if (widget->isVisible())
            return widget;
    return nullptr;
}

/// A click on its box.
void toggle(QListWidget& list, int row)
{
    const QRect rect = list.visualItemRect(list.item(row));
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, QPoint(rect.left() + 10, rect.center().y()));
}

}

class TestVariantsDialog : public QObject {
    Q_OBJECT
private slots:
    void everyThingIsAskedFor();
    void templatesAreTickedAndRun();
    void stopStringsAreALineForEachSet();
    void modelsAreTickedAndAFileIsAdded();
    void aLongListOfRunsIsNotCut();
    void modelsAreComparedLive();
    void aColumnThatWaitsIsGivenUpAndAllAreStopped();
    void closingTheWindowEndsTheRest();
    void whileModelsAreComparedNothingIsLost();
};

void TestVariantsDialog::everyThingIsAskedFor()
{
    Fixture fixture;
    auto* dialog = ask(fixture, VariedThing::LengthCap);
    auto* things = visible<QComboBox>(*dialog);
    QStringList names;
    for (int i = 0; i < things->count(); ++i)
        names.append(things->itemText(i));
    QCOMPARE(names,
        (QStringList { "Length cap", "Temperature", "Seed", "Preset", "System text", "Stop strings",
            "End tokens heeded and ignored", "Template", "Model" }));
}

void TestVariantsDialog::aLongListOfRunsIsNotCut()
{
    Fixture fixture;
    auto* dialog = ask(fixture, VariedThing::Temperature);
    dialog->setValues("0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8");
    fixture.settle();
    auto* told = dialog->findChild<QLabel*>("variantSum");
    QVERIFY(told->heightForWidth(told->width()) > told->fontMetrics().height()); // it has several lines
    QVERIFY(told->height() >= told->heightForWidth(told->width()));
}

void TestVariantsDialog::templatesAreTickedAndRun()
{
    Fixture fixture;
    auto* dialog = ask(fixture, VariedThing::Template);
    QCOMPARE(sum(*dialog),
        QString("5 runs: own template · ChatML template · Llama 3 template · Gemma template · no template"));
    auto* list = visible<QListWidget>(*dialog);
    for (const int row : { 0, 1, 3 })
        toggle(*list, row);
    QCOMPARE(sum(*dialog), QString("2 runs: Llama 3 template · no template"));
    QTest::keyClick(dialog, Qt::Key_Return);
    fixture.settle();
    QCOMPARE(fixture.page()->columnCount(), size_t(3));
    QCOMPARE(fixture.page()->head(2).accessibleName(), QString("Run C  no template"));
    QCOMPARE(fixture.page()->answers()[2].answer->draft()->origin().promptText, std::string("Count"));
    QCOMPARE(fixture.page()->answers()[1].answer->draft()->origin().templateName, std::string("Llama 3 (chosen)"));
    fixture.endRun(0, StopReason::LengthCap);
    fixture.endRun(1, StopReason::LengthCap);
    fixture.settle();
    QVERIFY(!fixture.chat().settings().family); // chosen for these runs alone
}

void TestVariantsDialog::stopStringsAreALineForEachSet()
{
    Fixture fixture;
    app::ChatSettings settings = fixture.chat().settings();
    settings.stopStrings = QStringList { "5, 6", "|" };
    fixture.chat().setSettings(settings);
    auto* dialog = ask(fixture, VariedThing::StopStrings);
    auto* edit = visible<QPlainTextEdit>(*dialog);
    QCOMPARE(edit->toPlainText(), QString("5, 6|\\|\n")); // as the settings write it, and none
    QCOMPARE(sum(*dialog), QString::fromUtf8("2 runs: stops at ‘5, 6’, ‘|’ · no stop strings"));
    edit->selectAll();
    QTest::keyClicks(edit, ".|\\n");
    QTest::keyClick(edit, Qt::Key_Return);
    QTest::keyClick(edit, Qt::Key_Return);
    QTest::keyClicks(edit, "2");
    QCOMPARE(dialog->variants().size(), size_t(3));
    dialog->accept();
    fixture.settle();
    const auto& requests = fixture.engine.requests;
    QCOMPARE(requests[1].stopStrings, (std::vector<std::string> { ".", "\n" }));
    QCOMPARE(requests[2].stopStrings, std::vector<std::string> {});
    QCOMPARE(requests[3].stopStrings, std::vector<std::string> { "2" });
}

void TestVariantsDialog::modelsAreTickedAndAFileIsAdded()
{
    Fixture fixture;
    auto* dialog = ask(fixture, VariedThing::Model);
    auto* list = visible<QListWidget>(*dialog);
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), QString("tiny")); // the loaded one
    QCOMPARE(sum(*dialog), QString("1 run: tiny"));
    dialog->addModel("/elsewhere/other.gguf");
    QCOMPARE(sum(*dialog), QString("2 runs: tiny · other"));
    dialog->addModel("/elsewhere/other.gguf");
    QCOMPARE(list->count(), 2);
    toggle(*list, 0);
    QCOMPARE(sum(*dialog), QString("1 run: other"));
    QVERIFY(dialog->findChild<QPushButton*>("addModelFile")->isVisible());
}

namespace {

/// The answer's column, that of the loaded model, and two more.
void compareModels(Fixture& fixture)
{
    auto* dialog = ask(fixture, VariedThing::Model);
    dialog->addModel("/models/a.gguf");
    dialog->addModel("/models/b.gguf");
    dialog->accept();
    fixture.settle();
}

void finishLoad(Fixture& fixture)
{
    fixture.engine.finishLoad();
    fixture.settle();
}

}

void TestVariantsDialog::modelsAreComparedLive()
{
    Fixture fixture;
    compareModels(fixture);
    ui::ComparePage& page = *fixture.page();
    QCOMPARE(page.columnCount(), size_t(4)); // from the start
    QCOMPARE(page.head(1).accessibleName(), QString("Run B  tiny"));
    QCOMPARE(page.head(2).words().state, QString("waits for the model a"));
    QCOMPARE(fixture.label("runCounts"), QString("4 runs · 1 length cap · 1 under way · 2 to come"));
    fixture.engine.token("one");
    fixture.settle();
    QCOMPARE(page.text(1).text(), QString("one"));
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QCOMPARE(page.head(2).words().state, QString("loading"));
    finishLoad(fixture);
    fixture.engine.token("two");
    fixture.settle();
    QCOMPARE(page.text(2).text(), QString("two"));
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    fixture.engine.failLoad(engine::Error::badFile("it is cut off"));
    fixture.settle();
    QCOMPARE(page.head(3).words().state, QString("b.gguf could not be loaded"));
    QCOMPARE(page.text(3).text(), QString("it is cut off"));
    QCOMPARE(fixture.label("runCounts"), QString("4 runs · 2 end token · 1 length cap · 1 not begun"));
    QCOMPARE(fixture.engine.loads.back().path, std::string("/models/tiny.gguf"));
    finishLoad(fixture);
    // What was loaded for the comparison is not what the program starts with next time.
    QCOMPARE(fixture.store.value("model/path").toString(), QString("/models/tiny.gguf"));
    QVERIFY(!fixture.page()->findChild<QPushButton*>("stopAllRuns")->isEnabled());

    page.close();
    QTRY_VERIFY(!fixture.page());
    QVERIFY(fixture.window.compare().showGridOf(fixture.chat(), *fixture.chat().lastAnswerTurn()));
    QCOMPARE(fixture.page()->columnCount(), size_t(3)); // without the one that never was
    QCOMPARE(fixture.page()->head(2).accessibleName(), QString("Run C  a"));
}

void TestVariantsDialog::aColumnThatWaitsIsGivenUpAndAllAreStopped()
{
    Fixture fixture;
    compareModels(fixture);
    ui::ComparePage& page = *fixture.page();
    page.setCurrent(3);
    QTest::keyClick(&page.head(3), Qt::Key_Delete);
    QCOMPARE(page.head(3).words().state, QString("not begun: stopped by you"));
    QVERIFY(fixture.engine.cancelled.empty());
    QTest::mouseClick(page.findChild<QPushButton*>("stopAllRuns"), Qt::LeftButton);
    QCOMPARE(page.head(2).words().state, QString("not begun: stopped by you"));
    QVERIFY(!fixture.engine.cancelled.empty());
    fixture.engine.end(StopReason::Cancelled);
    fixture.settle();
    QVERIFY(!fixture.workspace.isModelHeld());
    QCOMPARE(fixture.engine.loads.size(), size_t(1)); // the first model never went
}

void TestVariantsDialog::closingTheWindowEndsTheRest()
{
    Fixture fixture;
    compareModels(fixture);
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QCOMPARE(fixture.engine.loads.back().path, std::string("/models/a.gguf"));
    fixture.page()->close();
    QTRY_VERIFY(!fixture.page());
    QCOMPARE(fixture.engine.loads.back().path, std::string("/models/tiny.gguf"));
    finishLoad(fixture);
    QCOMPARE(fixture.workspace.modelState(), app::ModelState::Ready);
    QCOMPARE(fixture.engine.requests.size(), size_t(2));
}

void TestVariantsDialog::whileModelsAreComparedNothingIsLost()
{
    Fixture fixture;
    compareModels(fixture);
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    fixture.send("More"); // while a model loads
    QCOMPARE(fixture.edit()->toPlainText(), QString("More"));
    QVERIFY2(fixture.problemText().contains("What you typed is kept"), qPrintable(fixture.problemText()));
    fixture.pressInWindow(Qt::Key_Y);
    QVERIFY2(fixture.notice().contains("Models are being compared"), qPrintable(fixture.notice()));
    QCOMPARE(fixture.page()->columnCount(), size_t(4));
    fixture.page()->close();
    QTRY_VERIFY(!fixture.page());
    finishLoad(fixture);
    QCOMPARE(fixture.edit()->toPlainText(), QString("More"));
    fixture.edit()->setFocus();
    QTest::keyClick(fixture.edit(), Qt::Key_Return);
    fixture.settle();
    QCOMPARE(fixture.chat().turnCount(), size_t(4));
}

QTEST_MAIN(TestVariantsDialog)
#include "tst_variants_dialog.moc"
