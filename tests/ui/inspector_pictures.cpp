#include "tests/ui/inspector_pictures.h"

#include "tests/ui/window_fixture.h"
#include "ui/inspect/inspector_control.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/vocabulary_control.h"
#include "ui/inspect/vocabulary_search.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"

#include <QAction>
#include <QCheckBox>
#include <QLineEdit>
#include <QScrollArea>

#include <cmath>

namespace tests {

namespace {
    struct Piece {
        const char* text;
        double probability;
    };

    const Piece kAnswer[] = { { "The", 0.91 }, { " museum", 0.62 }, { " **", 0.2 },
        { "opens", 0.8 }, { "**", 0.97 }, { " on", 0.95 }, { " Monday", 0.08 }, { " at", 0.71 },
        { " nine", 0.33 }, { ".", 0.99 }, { "\n\n", 0.55 }, { "1", 0.4 }, { ".", 0.99 },
        { " Buy", 0.05 }, { " a", 0.88 }, { " `ticket", 0.02 }, { "`", 0.9 }, { "\n", 0.8 },
        { "2", 0.98 }, { ".", 0.99 }, { " Arrive", 0.11 }, { " early", 0.6 }, { " ", 0.1 },
        { "\xF0\x9F", 0.003 }, { "\x8C\x9F", 0.97 }, { "\n\n", 0.5 }, { "```", 0.07 },
        { "cpp", 0.3 }, { "\n", 0.99 }, { "int", 0.4 }, { " hours", 0.06 }, { " =", 0.9 },
        { "\t", 0.01 }, { "9", 0.77 }, { ";", 0.97 }, { "\n", 0.9 }, { "```", 0.9 } };

    engine::TokenRecord recordOf(const Piece& piece, int index)
    {
        engine::TokenRecord record;
        record.id = 'a' + index % 26;
        record.bytes = piece.text;
        record.position = 40 + index;
        record.logprob = float(std::log(piece.probability));
        record.logSumExp = 20;
        record.rank = piece.probability > 0.3 ? 1 : int(0.6 / piece.probability);
        record.entropy = float(2 - 2 * piece.probability);
        record.endProbability = float(0.002 * index);
        record.draw = 0.4;
        record.top = { { record.id, *record.logprob, {}, {} } };
        for (int i = 1; i < 8; ++i)
            record.top.push_back(
                { 'A' + i, float(std::log((1 - piece.probability) / (i + 2))), {}, {} });
        std::ranges::sort(record.top, std::ranges::greater(), &engine::Candidate::logprob);
        return record;
    }

    void answer(WindowFixture& program, bool ends = true)
    {
        std::string text;
        int index = 0;
        for (const Piece& piece : kAnswer) {
            engine::TokenDecoded event;
            event.runId = program.engine.requests.back().runId;
            event.record = recordOf(piece, index);
            event.index = index++;
            event.text = piece.text;
            text += piece.text;
            program.engine.push(std::move(event));
        }
        if (ends)
            program.engine.end(engine::StopReason::LengthCap, [&](engine::RunEnded& end) {
                end.text = text;
                end.cache.reusedTokens = 24;
            });
        program.settle();
    }
}

void takeInspectorPictures(const std::function<void(QWidget& window, const char* name)>& picture)
{
    WindowFixture program;
    program.window.resize(1480, 900);
    program.loadModel();
    program.window.inspector().action()->setChecked(true);
    program.settle();
    picture(program.window, "21-inspector-empty");
    program.type(QStringLiteral("When does the museum open?"));
    QTest::keyClick(program.edit(), Qt::Key_Return);
    program.settle();
    answer(program, false);
    picture(program.window, "22-inspector-writing");
    program.engine.end(engine::StopReason::Cancelled,
        [&](engine::RunEnded& end) { end.text = program.chat().lastAnswer()->text(); });
    program.settle();
    QTest::keyClick(&program.window, Qt::Key_R, Qt::ControlModifier);
    program.settle();
    answer(program);
    ui::TokensTab& tab = program.window.inspectorPane().tokens();
    tab.strip().setFocus();
    QTest::keyClick(&tab.strip(), Qt::Key_Home);
    for (int i = 0; i < 6; ++i)
        QTest::keyClick(&tab.strip(), Qt::Key_Right);
    picture(program.window, "23-inspector");
    auto* field = tab.details().search().findChild<QLineEdit*>(QStringLiteral("vocabularyField"));
    field->setText(QStringLiteral("e"));
    auto scores = std::make_shared<std::vector<float>>(258, 0.0f);
    for (int id = 0; id < 256; ++id)
        (*scores)[size_t(id)] = float(id * 37 % 11);
    program.engine.push(engine::ScoresRead { program.engine.scoreRequests.back().id, scores, 41, 1 });
    (void)QTest::qWaitFor([&] { return program.window.vocabulary().scores().state() == app::ScoreState::Ready; });
    program.settle();
    tab.findChild<QScrollArea*>(QStringLiteral("tokenDetails"))->ensureWidgetVisible(&tab.details().search());
    picture(program.window, "23b-inspector-vocabulary");
    field->clear();
    tab.findChild<QCheckBox*>(QStringLiteral("promptTokens"))->setChecked(true);
    tab.setMeasure(ui::TokenMeasure::Entropy);
    picture(program.window, "24-inspector-prompt");
    program.window.resize(1000, 700);
    picture(program.window, "25-inspector-small");
}

} // namespace tests
