#include "engine/session/stop_ledger.h"
#include "tests/support/fake_engine.h"
#include "tests/ui/compare_pictures.h"
#include "tests/ui/find_pictures.h"
#include "tests/ui/library_pictures.h"
#include "tests/ui/inspector_pictures.h"
#include "tests/ui/source_pictures.h"
#include "ui/chat/answer_view.h"
#include "ui/chat/chat_page.h"
#include "ui/chat/plain_text_page.h"
#include "ui/main_window.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

#include <iostream>

namespace {

const char* const kAnswer
    = R"(The museum has **three** opening patterns, and *holidays* differ. See [the calendar](https://example.org/calendar) or `museum --hours`.

## Opening hours

| Day | Opens | Closes | Note |
|:----|:-----:|------:|------|
| Monday to Thursday | 9:00 | 17:00 | quiet mornings |
| Friday | 9:00 | 21:00 | late evening with a guided tour |
| Weekend | 10:00 | 18:00 | families welcome |

1. Check the calendar before you travel.
2. Buy a ticket:
   - online, or
   - at the door
3. Arrive ten minutes early.

- [x] tickets
- [ ] umbrella

> Admission is free on the first Sunday of each month.

```python
def opening_hours(day: str) -> tuple[int, int]:
    """Return opening and closing hour."""
    hours = {"Fri": (9, 21), "Sat": (10, 18), "Sun": (10, 18)}  # a comment that is long enough to need sideways scrolling
    return hours.get(day, (9, 17))
```

Raw <b>markup</b> &amp; entities stay as written.)";

/// The ledger the real engine would make of a run that the fake one ended.
void withLedger(engine::RunEnded& end)
{
    const engine::Ledger known = end.ledger;
    engine::StopConditions conditions;
    conditions.endProbability = 0.0031f;
    conditions.stopStringCount = 1;
    conditions.tokenCount = known.tokenCount;
    conditions.lengthCap
        = known.reason == engine::StopReason::LengthCap ? known.tokenCount : known.lengthCap;
    conditions.contextUsed = known.contextUsed;
    conditions.contextLength = known.contextLength;
    conditions.repetitionGuard = engine::RepetitionLimits { 64, 16 };
    conditions.nearestRepetition = engine::Repetition { 3, 4 };
    end.ledger = engine::makeLedger(known.reason, conditions);
    end.ledger.endTokenId = known.endTokenId;
    end.ledger.error = known.error;
}

void grab(QWidget& window, const QString& folder, const QString& name)
{
    QTest::qWait(80);
    window.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
}

}

/// Takes pictures of the window in its states: window_pictures FOLDER [light|dark]
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QStringList arguments = application.arguments();
    if (arguments.size() < 2) {
        std::cerr << "usage: window_pictures FOLDER [light|dark]\n";
        return 2;
    }
    const QString folder = arguments[1];
    const QString theme = arguments.value(2, QStringLiteral("light"));
    QApplication::setPalette(ui::paletteFor(
        theme == QStringLiteral("dark") ? ui::Appearance::Dark : ui::Appearance::Light,
        QApplication::palette()));
    const auto picture = [&](QWidget& window, const char* name) {
        grab(window, folder, theme + QLatin1Char('-') + QLatin1String(name));
    };

    QTemporaryDir settingsFolder;
    app::SettingsFile store(settingsFolder.filePath(QStringLiteral("settings.json")));
    tests::FakeEngine engine;
    app::Workspace workspace(engine.factory());
    app::ModelFinder models;
    app::DeviceFinder devices;
    app::FoundDevices found;
    found.devices.append(tests::FakeEngine::tinyModel().device);
    ui::MainWindow window({ workspace, models, devices, store });
    window.show();
    devices.setFound(found);
    picture(window, "1-first-start");
    models.search(app::modelFolders());
    QTest::qWait(600);
    picture(window, "2-models-found");
    window.openModel(QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf"));
    engine.loadProgress("reading weights", 40, 100);
    picture(window, "3-loading");
    engine.finishLoad();
    picture(window, "4-ready");

    const auto ask = [&](const char* text) {
        QTest::keyClicks(window.chatPage().input().edit(), QString::fromUtf8(text));
        QTest::keyClick(window.chatPage().input().edit(), Qt::Key_Return);
    };
    const auto tell = [&](const std::string& text) {
        for (size_t i = 0; i < text.size(); i += 5)
            engine.token(text.substr(i, 5));
    };
    ask("When does the museum open? Please give me a table, and a short function that tells the "
        "hours.");
    engine.prefill(64, 120, 32);
    picture(window, "5-reading");
    tell(kAnswer);
    QTest::qWait(100);
    picture(window, "6-writing");
    engine.end(engine::StopReason::EndToken, [](engine::RunEnded& end) {
        end.timing.prefillStartMs = 2;
        end.timing.prefillEndMs = 300;
        end.timing.firstTokenMs = 301;
        end.timing.endedMs = 8000;
    });
    picture(window, "7-complete");
    ask("Count to ten.");
    tell("1, 2, 3, 4,");
    engine.end(engine::StopReason::LengthCap);
    QTest::qWait(50);
    ask("And again, but stop early.");
    tell("1, 2, 3, 4, ");
    engine.end(engine::StopReason::StopString,
        [](engine::RunEnded& end) { end.ledger.stopString = "5, 6"; });
    QTest::qWait(50);
    ask("Another one");
    tell("Once upon a time");
    engine.end(engine::StopReason::Cancelled);
    QTest::qWait(50);
    picture(window, "8-endings");
    ask("One more");
    tell("There was");
    engine.end(engine::StopReason::Failed, [](engine::RunEnded& end) {
        end.ledger.error
            = engine::Error::deviceLost("The graphics driver reset the device while token 3 was "
                                        "computed. Load the model again to go on.");
    });
    QTest::qWait(50);
    picture(window, "9-failed");
    QTest::keyClicks(window.chatPage().input().edit(), QString(9000, QLatin1Char('x')));
    QTest::keyClick(window.chatPage().input().edit(), Qt::Key_Return);
    picture(window, "10-too-long");
    QTest::keyClick(&window, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(&window.plainTextPage().edit(), QStringLiteral("The exhibition"));
    QTest::keyClick(&window, Qt::Key_Return, Qt::ControlModifier);
    if (engine.requests.back().promptIds.size() == 14) {
        tell(" opens on Monday at nine in the morning, and the first guests");
        engine.end(engine::StopReason::LengthCap);
    }
    picture(window, "11-page");
    window.resize(700, 520);
    picture(window, "12-small");
    window.resize(1280, 800);
    QTest::keyClick(&window, Qt::Key_N, Qt::ControlModifier);
    QTest::qWait(50);
    const auto lastAnswer
        = [&] { return window.chatPage().view().answerAt(window.conversation()->turnCount() - 1); };
    app::ChatSettings settings = window.conversation()->settings();
    settings.stopStrings = QStringList { QStringLiteral("5, 6") };
    window.conversation()->setSettings(settings);
    ask("Count to ten.");
    for (const char* piece :
        { "Here", " **you** are:\n\n", "1", ", 2", ", 3", ", 4", ", ", "5", "," })
        engine.piece(piece);
    picture(window, "13-held");
    engine.piece(" 7");
    engine.endPieces(engine::StopReason::LengthCap, withLedger);
    QTest::qWait(50);
    lastAnswer()->footer().chip()->setFocus();
    QTest::keyClick(lastAnswer()->footer().chip(), Qt::Key_Return);
    picture(window, "14-ledger");
    lastAnswer()->showToken(9);
    picture(window, "15-deciding-token");
    ask("One star, please.");
    for (const char* piece : { "\xF0\x9F", "\x8C", "\x9F", "\xF0\x9F" })
        engine.piece(piece);
    engine.endPieces(engine::StopReason::LengthCap, withLedger);
    QTest::qWait(50);
    ask("And go on.");
    engine.piece("It breaks here");
    engine.endPieces(engine::StopReason::Failed, [](engine::RunEnded& end) {
        end.ledger.error = engine::Error::deviceLost("The graphics driver reset the device.");
        withLedger(end);
    });
    QTest::qWait(50);
    lastAnswer()->setLedgerShown(true);
    picture(window, "16-failed-ledger");
    window.resize(560, 800);
    picture(window, "17-narrow-ledger");
    window.resize(1280, 800);
    engine.description.contextLength = 144;
    window.openModel(QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf"));
    engine.finishLoad();
    QTest::keyClick(&window, Qt::Key_N, Qt::ControlModifier);
    QTest::qWait(50);
    settings = window.conversation()->settings();
    settings.contextPolicy = app::ContextPolicy::DropOldestTurns;
    window.conversation()->setSettings(settings);
    for (const auto& [question, answer] : { std::pair { "first", "one" }, { "second", "**two**" },
             { "third", "three" }, { "fourth", "four" } }) {
        ask(question);
        tell(answer);
        engine.end(engine::StopReason::EndToken);
        QTest::qWait(50);
    }
    picture(window, "18-left-out");
    settings.contextPolicy = app::ContextPolicy::StopAndSay;
    window.conversation()->setSettings(settings);
    ask("And a fifth that does not fit.");
    picture(window, "19-too-small");
    tests::takeFindPictures(picture);
    tests::takeLibraryPictures(picture);
    tests::takeSourcePictures(picture);
    tests::takeComparePictures(picture);
    window.resize(1280, 1100);
    store.setPreset(QStringLiteral("Short and sober"), settings);
    settings.preset = QStringLiteral("Short and sober");
    settings.lengthCap = 64;
    window.conversation()->setSettings(settings);
    store.setModelSettings(QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf"), settings);
    picture(window, "20-changed-preset");
    tests::takeInspectorPictures(picture);
    return 0;
}
