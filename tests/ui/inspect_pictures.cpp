#include "tests/support/inspected_answer.h"
#include "ui/inspect/curve_view.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/prompt_tab.h"
#include "ui/inspect/sampler_panel.h"
#include "ui/inspect/timeline_canvas.h"
#include "ui/inspect/timeline_tab.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

#include <functional>
#include <iostream>

namespace {
/// An ended answer to a prompt with a source text, in the vocabulary of the sample.
app::Answer answerWithSource(const tests::InspectedAnswer& sample)
{
    const std::string source = "The museum opens at nine.\nIt closes on Monday.";
    const std::string before = "Answer from this text.\n\n";
    app::DraftOrigin origin;
    origin.request.runId = 2;
    origin.promptText
        = before + source + "\n\nWhen does it open?<|im_end|>\nThe museum opens at nine";
    origin.sources
        = { { "opening hours.txt", "", 12, before.size(), before.size() + source.size() } };
    const size_t sourceEnd = before.size() + source.size();
    const size_t templateStart = origin.promptText.find("<|im_end|>");
    using app::PromptOrigin;
    origin.promptSpans = { { PromptOrigin::System, 0, before.size(), 0 },
        { PromptOrigin::Source, before.size(), sourceEnd, 1 },
        { PromptOrigin::Typed, sourceEnd, templateStart, 1 },
        { PromptOrigin::Template, templateStart, templateStart + 11 },
        { PromptOrigin::Answer, templateStart + 11, origin.promptText.size(), 2 } };
    origin.modelText = sample.answer.parts().front()->origin().modelText;
    origin.request.promptIds = origin.modelText->tokenizer->encodeWithControl(origin.promptText);
    app::Answer answer;
    const auto count = int(origin.request.promptIds.size());
    answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
    engine::TokenDecoded token;
    token.runId = 2;
    token.record.id = tests::InspectedAnswer::idsOf(" Monday").front();
    token.record.bytes = token.text = " Monday";
    answer.apply(token);
    engine::RunEnded end;
    end.runId = 2;
    end.ledger.reason = engine::StopReason::LengthCap;
    end.text = token.text;
    end.cache = { 60, count - 60, 60, "token 114 stands where the cache has 46",
        engine::CacheMiss::OtherToken, 46, engine::KvRoom { 2, 64, 737'280, count + 1 } };
    answer.apply(end);
    return answer;
}

/// A run of 160 tokens with two stalls and a pause.
void showTimeline(const std::function<void(QWidget&, const char*)>& picture)
{
    app::DraftOrigin origin;
    origin.request.runId = 1;
    app::Answer answer;
    answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
    answer.draft()->noteStarted();
    QElapsedTimer clock;
    clock.start();
    QTest::qWait(180);
    double decidedMs = 0;
    for (int i = 0; i < 160; ++i) {
        if (i == 120) {
            answer.apply(engine::RunPaused { .runId = 1 });
            QTest::qWait(500);
            answer.apply(engine::RunResumed { .runId = 1 });
        }
        QTest::qWait(i == 60 || i == 90 ? 140 : 4 + i % 5);
        engine::TokenDecoded token;
        token.runId = 1;
        token.text = " day";
        token.record.id = i;
        token.record.decidedMs = decidedMs = double(clock.nsecsElapsed()) / 1e6;
        QTest::qWait(2);
        answer.apply(token);
        if (i == 0)
            answer.draft()->notePainted();
    }
    engine::RunEnded end;
    end.runId = 1;
    end.ledger.reason = engine::StopReason::LengthCap;
    end.ledger.lengthCap = 160;
    end.text = answer.text();
    end.cache = { .reusedTokens = 210, .computedTokens = 86 };
    end.decodePassCount = 159;
    end.timing = { 40, 42, 179, 180, 180, decidedMs + 3 };
    answer.apply(end);
    const app::TokenTrack track(answer);
    ui::TimelineTab tab;
    tab.resize(420, 420);
    tab.setAnswer(&track, &answer);
    tab.show();
    tab.setCurrent(track.promptCount() + 60);
    picture(tab, "timeline");
    tab.setAnswer(nullptr, nullptr);
}
}

/// Takes pictures of the inspector's parts: inspect_pictures FOLDER [light|dark]
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QStringList arguments = application.arguments();
    if (arguments.size() < 2) {
        std::cerr << "usage: inspect_pictures FOLDER [light|dark]\n";
        return 2;
    }
    const QString theme = arguments.value(2, QStringLiteral("light"));
    QApplication::setPalette(ui::paletteFor(
        theme == QStringLiteral("dark") ? ui::Appearance::Dark : ui::Appearance::Light,
        QApplication::palette()));
    const auto picture = [&](QWidget& widget, const char* name) {
        widget.show();
        QTest::qWait(60);
        widget.grab().save(arguments[1] + QLatin1Char('/') + theme + QLatin1Char('-')
            + QLatin1String(name) + QStringLiteral(".png"));
    };

    tests::InspectedAnswer sample({}, 7);
    for (const char* word : { "The", " museum", " is", " in", " London", ",", " near", " the" })
        sample.say(word, 2);
    sample.say(" bridge", -1.5f);
    sample.say(".", 2, 5);
    const app::TokenTrack track(sample.answer);
    const auto showToken = [&](ui::TokenDetails& details, int index) {
        details.resize(360, 400);
        details.show(track, sample.answer, track.promptCount() + index);
        details.show();
        QTest::qWait(20);
        details.resize(360, details.sizeHint().height());
    };
    {
        ui::TokenDetails details;
        showToken(details, 4);
        picture(details, "details");
    }
    {
        ui::TokenDetails details;
        QObject::connect(&details, &ui::TokenDetails::forkRequested, [] {});
        QObject::connect(&details, &ui::TokenDetails::banRequested, [] {});
        showToken(details, 8);
        details.findChild<QToolButton*>(QStringLiteral("unfoldInput"))->click();
        showToken(details, 8);
        picture(details, "details-flat");
    }
    {
        ui::TokenDetails details;
        showToken(details, -2);
        picture(details, "details-prompt");
    }
    {
        tests::InspectedAnswer greedy({ .temperature = 0 });
        greedy.say(" London");
        const app::TokenTrack greedyTrack(greedy.answer);
        ui::TokenDetails details;
        details.show(greedyTrack, greedy.answer, greedyTrack.promptCount());
        details.resize(360, details.sizeHint().height());
        picture(details, "details-greedy");
    }
    {
        ui::SamplerPanel panel;
        QObject::connect(&panel, &ui::SamplerPanel::settingsChosen, [] {});
        panel.resize(380, 400);
        panel.show();
        panel.show(track, sample.answer, track.promptCount() + 8);
        QTest::qWait(20);
        panel.resize(380, panel.sizeHint().height());
        picture(panel, "sampler");
    }
    tests::InspectedAnswer lively({}, 3);
    for (int i = 0; i < 300; ++i)
        lively.say(" day", float((i * 7) % 13) - 4, i % 60 == 59 ? 8.0f : float(i % 60) / 8 - 6);
    const app::TokenTrack livelyTrack(lively.answer);
    ui::CurveView curves;
    curves.resize(380, 180);
    curves.setTrack(&livelyTrack);
    curves.setCurrent(livelyTrack.promptCount() + 179);
    picture(curves, "curves");
    const app::TokenTrack* shortTrack = &track;
    curves.setTrack(shortTrack);
    picture(curves, "curves-short");
    showTimeline(picture);
    ui::InspectorPane pane;
    pane.resize(400, 820);
    pane.tokens().setAnswer(&track, &sample.answer);
    picture(pane, "pane");
    pane.tabs().setCurrentIndex(1);
    picture(pane, "pane-sampler");
    pane.tokens().setAnswer(nullptr, nullptr);
    const app::Answer read = answerWithSource(sample);
    pane.prompt().setAnswer(&read);
    pane.tabs().setCurrentIndex(2);
    picture(pane, "pane-prompt");
    pane.prompt().setAnswer(nullptr);
    return 0;
}
