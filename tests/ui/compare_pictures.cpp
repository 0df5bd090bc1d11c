#include "tests/ui/compare_pictures.h"

#include "tests/ui/window_fixture.h"
#include "ui/compare/compare_actions.h"
#include "ui/compare/compare_head.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/variants_dialog.h"

using engine::StopReason;

namespace tests {

void takeComparePictures(const std::function<void(QWidget& window, const char* name)>& picture)
{
    WindowFixture program;
    program.window.resize(1280, 800);
    program.loadModel();
    app::ChatSettings settings = program.chat().settings();
    settings.stopStrings = QStringList { QStringLiteral("5, 6") };
    settings.lengthCap = 8;
    program.chat().setSettings(settings);
    program.send("Count from 1 to 10, and say then in one sentence what you did.");
    for (const char* piece : { "1", ", ", "2", ", ", "3" })
        program.engine.token(piece);
    program.engine.end(StopReason::LengthCap);
    program.settle();
    ui::CompareActions& compare = program.window.compare();
    auto* dialog = compare.askForSettings(program.chat(), *program.chat().lastAnswerTurn());
    picture(*dialog, "40-other-settings");
    dialog->setThing(app::VariedThing::Temperature);
    dialog->setValues(QStringLiteral("0, 0.8, 1.5"));
    dialog->accept();
    program.settle();
    const std::vector<engine::RunId> runs = program.engine.together.back();
    const auto tell = [&](size_t run, std::initializer_list<const char*> pieces) {
        program.engine.tellOf(runs[run]);
        program.engine.prefill(32, 32, 24);
        for (const char* piece : pieces)
            program.engine.token(piece);
    };
    tell(0, { "1", ", ", "2", ", ", "3", ", ", "4", ", 5\n", "I counted from one to ten." });
    tell(1, { "1", ", ", "2", ", ", "three", ", ", "4" });
    program.engine.end(StopReason::Cancelled);
    tell(2, { "One", ", ", "two" });
    program.engine.tellOf(runs[0]);
    program.engine.end(StopReason::EndToken);
    program.settle();
    compare.page()->resize(1240, 620);
    program.settle();
    picture(*compare.page(), "41-compared");
    program.engine.tellOf(runs[2]);
    program.engine.end(StopReason::Failed);
    program.settle();
    compare.whyHere(program.chat(), *program.chat().lastAnswerTurn());
    program.settle();
    program.engine.tellOf(program.engine.together.back()[0]);
    program.engine.token("1, 2, 3, 4, ");
    program.settle();
    compare.page()->setCurrent(0);
    QTest::keyClick(&compare.page()->head(0), Qt::Key_Space);
    program.settle();
    picture(*compare.page(), "42-why-here");
    for (const engine::RunId run : program.engine.together.back()) {
        program.engine.tellOf(run);
        program.engine.end(StopReason::EndToken);
    }
    program.settle();
    const std::string set = R"({"requirement_set": 1, "name": "Counted", "requirements": [)"
                            R"({"kind": "field", "name": "four", "pattern": "4,"}]})";
    settings.requirements = app::ChosenRequirements { false, "counted.json", app::sha256Hex(set), set };
    program.chat().setSettings(settings);
    dialog = compare.askForSettings(program.chat(), *program.chat().lastAnswerTurn());
    dialog->setThing(app::VariedThing::StopStrings);
    program.settle();
    picture(*dialog, "44-stop-string-sets");
    dialog->setThing(app::VariedThing::Template);
    program.settle();
    picture(*dialog, "45-templates");
    dialog->setThing(app::VariedThing::Model);
    dialog->addModel(QStringLiteral("/models/gemma-3-270m-q4_k_m.gguf"));
    dialog->addModel(QStringLiteral("/models/broken.gguf"));
    program.settle();
    picture(*dialog, "46-models");
    dialog->accept();
    program.settle();
    for (const char* piece : { "1", ", 2", ", 3", ", 4, and so on" })
        program.engine.token(piece);
    program.engine.end(StopReason::EndToken);
    program.settle();
    program.engine.loadProgress("reading weights", 2, 5);
    program.settle(500);
    picture(*compare.page(), "47-models-compared");
    compare.page()->findChild<QPushButton*>(QStringLiteral("stopAllRuns"))->click();
    program.engine.finishLoad();
    program.settle();
    dialog = compare.askForSettings(program.chat(), *program.chat().lastAnswerTurn());
    dialog->setThing(app::VariedThing::LengthCap);
    dialog->setValues(QStringLiteral("1 2 3 4 5 6 7 8"));
    dialog->accept();
    program.settle();
    picture(*compare.page(), "43-eight-columns");
}

} // namespace tests
