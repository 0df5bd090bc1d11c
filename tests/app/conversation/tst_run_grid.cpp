#include "app/conversation/run_variants.h"
#include "app/conversation/workspace.h"
#include "tests/support/fake_engine.h"

#include <QTest>

using app::ChatSettings;
using app::RunVariant;
using app::StartedGrid;
using app::Turn;
using engine::StopReason;

namespace {

/// A workspace with a loaded fake model, one chat and one answer in it.
struct Room {
    tests::FakeEngine engine;
    app::Workspace workspace { engine.factory() };
    app::Conversation& chat = workspace.addConversation(app::ConversationKind::Chat);
    StartedGrid grid; ///< begun last

    explicit Room(int contextLength = 0)
    {
        workspace.loadModel({ .path = "tiny.gguf", .contextLength = contextLength });
        engine.finishLoad();
        QCoreApplication::processEvents();
        ChatSettings settings;
        settings.fixedSeed = 5;
        settings.lengthCap = 8;
        chat.setSettings(settings);
        if (!workspace.send(chat, "Count"))
            qFatal("not sent");
        engine.token("1, 2");
        engine.end(StopReason::LengthCap);
        settle();
    }
    void settle() { QTest::qWait(30); }
    Turn& answer() { return *chat.lastAnswerTurn(); }
    RunVariant capped(int cap) const
    {
        ChatSettings settings = chat.settings();
        settings.lengthCap = cap;
        return { QStringLiteral("cap %1").arg(cap), settings };
    }
    bool start(std::vector<RunVariant> variants)
    {
        return workspace.startTogether(
            chat, answer(), std::move(variants), [this](const StartedGrid& started) { grid = started; });
    }
    Turn& cell(size_t index) { return *chat.findTurn(grid.cells[index].answer); }
    engine::RunId run(size_t index) { return cell(index).draft()->runId(); }
};

}

class TestRunGrid : public QObject {
    Q_OBJECT
private slots:
    void itsRunsAreSiblingsAndBeginInOneCall();
    void eventsOfSeveralRunsFindTheirDrafts();
    void aStopWishIsTheSameRunButForWhatStopsIt();
    void aContinuedAnswerIsRunAgainFromItsLastPart();
    void aForkIsRunAgainWithWhatItKept();
    void wordsPutInWhileItWasPausedArePutInAgain();
    void whatCannotBeFormattedIsAProblemOfItsCellAlone();
    void whereNothingCanBeginTheChatSaysWhy();
    void stoppingEndsAllAndOneCanBeEndedByItself();
    void removingAnAnswerEndsItsRunAlone();
    void whileItIsWrittenNothingElseBegins();
    void templatesWriteThePromptOfTheirRunAlone();
    void withoutATemplateAllThatWasSaidIsPlainText();
    void aTemplateThatTheFileDoesNotHaveIsAProblemOfItsCell();
    void aGridMayBeBegunInSteps();
    void aHeldModelRefusesOthersWithWords();
};

void TestRunGrid::templatesWriteThePromptOfTheirRunAlone()
{
    Room room;
    const ChatSettings before = room.chat.settings();
    QVERIFY(room.start(*app::templateVariants(before, app::choosableFormats())));
    QCOMPARE(room.engine.together[0].size(), size_t(5));
    const std::array<std::array<std::string, 3>, 5> expected { {
        { "from the file", "own", "<|im_start|>user\nCount<|im_end|>\n<|im_start|>assistant\n" },
        { "ChatML (chosen)", "ChatML", "<|im_start|>user\nCount<|im_end|>\n<|im_start|>assistant\n" },
        { "Llama 3 (chosen)", "Llama 3",
            "<|start_header_id|>user<|end_header_id|>\n\nCount<|eot_id|>"
            "<|start_header_id|>assistant<|end_header_id|>\n\n" },
        { "Gemma (chosen)", "Gemma", "<start_of_turn>user\nCount<end_of_turn>\n<start_of_turn>model\n" },
        { "none (plain text)", "", "Count" },
    } };
    for (size_t i = 0; i < expected.size(); ++i) {
        const app::DraftOrigin& origin = room.cell(i).draft()->origin();
        QCOMPARE(origin.templateName, expected[i][0]);
        QCOMPARE(origin.templateFamily, expected[i][1]);
        QCOMPARE(origin.promptText, expected[i][2]);
        QCOMPARE(origin.request.sampling.seed, uint64_t(5));
    }
    const engine::TokenIds count { 'C', 'o', 'u', 'n', 't' };
    QCOMPARE(room.cell(4).draft()->origin().request.promptIds, count);
    QVERIFY(room.chat.settings() == before);
}

void TestRunGrid::withoutATemplateAllThatWasSaidIsPlainText()
{
    Room room;
    QVERIFY(room.workspace.addSources(room.chat, { app::sourceTextOf("notice.txt", "Open on Monday.") }));
    QVERIFY(room.workspace.send(room.chat, "More"));
    room.engine.token("3");
    room.engine.end(StopReason::EndToken);
    room.settle();
    ChatSettings settings = room.chat.settings();
    settings.systemText = "Be brief.";
    QVERIFY(room.start(*app::templateVariants(settings, { { app::PromptFormatKind::None } })));
    const app::DraftOrigin& origin = room.cell(0).draft()->origin();
    const std::string source = app::sourceBlocks(room.chat.sources());
    QCOMPARE(origin.promptText, "Be brief.\n\n" + source + "Count\n\n1, 2\n\nMore");
    QCOMPARE(origin.sources.size(), size_t(1));
    const size_t start = origin.sources[0].promptStart.value();
    QCOMPARE(origin.promptText.substr(start, *origin.sources[0].promptEnd - start), std::string("Open on Monday."));
    std::string typed;
    for (const app::RecordedSpan& span : origin.promptSpans.value())
        if (span.origin == app::PromptOrigin::Typed)
            typed += origin.promptText.substr(span.promptStart, span.promptEnd - span.promptStart) + "|";
    QVERIFY2(typed.ends_with("Count|More|"), typed.c_str());
}

void TestRunGrid::aTemplateThatTheFileDoesNotHaveIsAProblemOfItsCell()
{
    Room room;
    room.engine.offer = { {}, "The file has no chat template.", {} };
    room.workspace.loadModel({ .path = "plain.gguf" });
    room.engine.finishLoad();
    room.settle();
    QVERIFY(room.start(*app::templateVariants(
        room.chat.settings(), { { app::PromptFormatKind::Own }, { app::PromptFormatKind::None } })));
    QVERIFY(room.grid.cells[0].problem);
    QVERIFY(room.grid.cells[0].problem->message.contains("no chat template"));
    QCOMPARE(room.cell(1).draft()->origin().promptText, std::string("Count"));
}

void TestRunGrid::aGridMayBeBegunInSteps()
{
    Room room;
    const auto begin = [&](int cap) {
        StartedGrid started;
        const bool begins = room.workspace.startTogether(
            room.chat, room.answer(), { room.capped(cap) },
            [&](const StartedGrid& grid) { started = grid; }, { .id = "one grid" });
        room.engine.end(StopReason::EndToken);
        room.settle();
        return begins ? started.id : std::string();
    };
    QCOMPARE(begin(3), std::string("one grid"));
    QCOMPARE(begin(4), std::string("one grid"));
    QCOMPARE(app::turnsOfGrid(room.chat, "one grid").size(), size_t(3)); // with the answer itself
}

void TestRunGrid::aHeldModelRefusesOthersWithWords()
{
    Room room;
    const app::Problem refusal { app::Problem::Kind::NotSent, "Held", "Later.", {} };
    room.workspace.holdModel(refusal);
    QVERIFY(!room.workspace.send(room.chat, "More"));
    QVERIFY(room.chat.problem() == refusal);
    QVERIFY(!room.start({ room.capped(4) }));
    QVERIFY(!room.workspace.regenerate(room.chat));
    QVERIFY(!room.workspace.continueAnswer(room.chat));
    QCOMPARE(room.engine.requests.size(), size_t(1));
    room.workspace.releaseModel();
    QVERIFY(!room.chat.problem());
    QVERIFY(room.workspace.send(room.chat, "More"));
}

void TestRunGrid::itsRunsAreSiblingsAndBeginInOneCall()
{
    Room room;
    Turn& asked = room.answer();
    QVERIFY(room.start({ room.capped(3), room.capped(30), room.capped(300) }));

    QCOMPARE(room.engine.together.size(), size_t(1));
    QCOMPARE(room.engine.together[0].size(), size_t(3));
    QCOMPARE(&room.answer(), &asked); // the shown one
    const std::vector<Turn*> siblings = room.chat.tree().siblings(asked);
    QCOMPARE(siblings.size(), size_t(4));
    const int caps[] = { 3, 30, 300 };
    for (size_t i = 0; i < 3; ++i) {
        const engine::GenerationRequest& request = room.engine.requests[i + 1];
        QCOMPARE(request.lengthCap, caps[i]);
        QCOMPARE(request.sampling.seed, uint64_t(5));
        QCOMPARE(request.promptIds, room.engine.requests[0].promptIds);
        QCOMPARE(siblings[i + 1]->draft()->runId(), request.runId);
        const app::GridPlace* place = app::gridPlaceOf(*siblings[i + 1]);
        QVERIFY(place);
        QCOMPARE(place->id, room.grid.id);
        QCOMPARE(place->label, "cap " + std::to_string(caps[i]));
        QCOMPARE(*place->besideRun, int64_t(room.engine.requests[0].runId));
    }
    QVERIFY(!app::gridPlaceOf(asked));
    QCOMPARE(app::turnsOfGrid(room.chat, room.grid.id), siblings);
}

void TestRunGrid::eventsOfSeveralRunsFindTheirDrafts()
{
    Room room;
    QVERIFY(room.start({ room.capped(3), room.capped(30) }));
    for (const char* text : { "a", "b" }) {
        room.engine.tellOf(room.run(0));
        room.engine.token(text);
        room.engine.tellOf(room.run(1));
        room.engine.token(std::string("<") + text + ">");
    }
    room.settle();
    QCOMPARE(room.cell(0).draft()->text(), std::string("ab"));
    QCOMPARE(room.cell(1).draft()->text(), std::string("<a><b>"));
    QCOMPARE(room.chat.activeTurns().size(), size_t(2));
    QVERIFY(room.workspace.hasActiveRuns());

    room.engine.tellOf(room.run(0));
    room.engine.end(StopReason::LengthCap);
    room.settle();
    QCOMPARE(room.chat.activeTurn(), &room.cell(1));
    QVERIFY(room.cell(0).draft()->ending());
    room.engine.tellOf(room.run(1));
    room.engine.end(StopReason::EndToken);
    room.settle();
    QVERIFY(!room.chat.activeDraft());
    QCOMPARE(room.cell(1).draft()->verdict(), engine::Verdict::Complete);
}

void TestRunGrid::aStopWishIsTheSameRunButForWhatStopsIt()
{
    Room room;
    ChatSettings changed = room.chat.settings(); // after the answer was written
    changed.fixedSeed = 99;
    changed.systemText = "Be brief.";
    changed.sampling.temperature = 2;
    room.chat.setSettings(changed);
    const engine::GenerationRequest first = room.engine.requests[0];
    QVERIFY(room.start({ { "cap doubled", app::StopWish { 16, { "x" }, true } } }));

    QVERIFY(room.engine.together.empty()); // one run is a run like any other
    engine::GenerationRequest expected = first;
    expected.runId = room.run(0);
    expected.lengthCap = 16;
    expected.stopStrings = { "x" };
    expected.ignoreEndTokens = true;
    QVERIFY(room.engine.requests[1] == expected);
}

void TestRunGrid::aContinuedAnswerIsRunAgainFromItsLastPart()
{
    Room room;
    QVERIFY(room.workspace.continueAnswer(room.chat));
    room.engine.token(", 3");
    room.engine.end(StopReason::LengthCap);
    room.settle();
    QVERIFY(room.start({ { "cap doubled", app::StopWish { 16, {}, false } } }));
    const app::Answer& again = *room.cell(0).answer;
    QCOMPARE(again.opening().text, std::string("1, 2"));
    QCOMPARE(again.opening().ids, room.answer().answer->parts()[0]->ending()->tokenIds);
    QCOMPARE(again.opening().source, engine::TokenSource::Sampled);
    QCOMPARE(again.draft()->origin().kept.records.size(), again.opening().ids.size());
    QCOMPARE(room.engine.requests[2].promptIds, room.engine.requests[1].promptIds);
    QCOMPARE(room.engine.requests[2].draftTokenCount, room.engine.requests[1].draftTokenCount);
}

void TestRunGrid::aForkIsRunAgainWithWhatItKept()
{
    Room room;
    QVERIFY(room.workspace.fork(room.chat, room.answer(), 1, engine::TokenId('y')));
    room.engine.token("y");
    room.engine.end(StopReason::LengthCap);
    room.settle();
    QVERIFY(room.start({ { "cap doubled", app::StopWish { 16, {}, false } } }));
    QCOMPARE(room.cell(0).answer->opening(), room.answer().answer->opening());
    QVERIFY(room.cell(0).draft()->origin().kept == room.answer().draft()->origin().kept);
    QCOMPARE(room.engine.requests.back().forcedIds, engine::TokenIds { 'y' });
}

void TestRunGrid::wordsPutInWhileItWasPausedArePutInAgain()
{
    Room room;
    QVERIFY(room.workspace.fork(room.chat, room.answer(), 0, engine::TokenId('f')));
    const engine::GenerationRequest first = room.engine.requests.back();
    const std::string sources = "fsfffsfs"; // forced at the start or put in while paused, and sampled
    const std::string said = "fabcdefg";
    for (size_t i = 0; i < said.size(); ++i) {
        engine::TokenDecoded event;
        event.runId = first.runId;
        event.index = int(i);
        event.record.id = said[i];
        event.record.bytes = event.text = said.substr(i, 1);
        event.record.source = sources[i] == 's' ? engine::TokenSource::Sampled : engine::TokenSource::Forced;
        room.engine.push(std::move(event));
    }
    room.engine.end(StopReason::LengthCap, [&](engine::RunEnded& ended) { ended.text = said; });
    room.settle();
    QVERIFY(room.start({ { "cap doubled", app::StopWish { 16, {}, false } } }));
    const engine::GenerationRequest& request = room.engine.requests.back();
    engine::TokenIds promptIds = first.promptIds;
    for (const char kept : std::string("fabcde")) // up to the last word that was put in
        promptIds.push_back(kept);
    QCOMPARE(request.promptIds, promptIds);
    QCOMPARE(request.draftTokenCount, 6);
    QCOMPARE(request.forcedIds, engine::TokenIds { 'f' });
    QCOMPARE(request.lengthCap, 10);
    QCOMPARE(request.sampling.seed, first.sampling.seed);
    const app::Answer& again = *room.cell(0).answer;
    QCOMPARE(again.opening().text, std::string("fabcde"));
    QCOMPARE(again.opening().ids.size(), size_t(6));
    const std::vector<engine::TokenRecord>& kept = room.cell(0).draft()->origin().kept.records;
    QCOMPARE(kept.size(), size_t(6));
    QCOMPARE(kept[4].source, engine::TokenSource::Forced);
    QCOMPARE(kept[5].source, engine::TokenSource::Sampled);
}

void TestRunGrid::whatCannotBeFormattedIsAProblemOfItsCellAlone()
{
    Room room(120);
    ChatSettings wordy = room.chat.settings();
    wordy.systemText = QString(200, 'w');
    QVERIFY(room.start({ room.capped(3), { "long system text", wordy }, room.capped(30) }));
    QCOMPARE(room.engine.together[0].size(), size_t(2));
    QVERIFY(!room.grid.cells[0].problem);
    QVERIFY(room.grid.cells[1].problem);
    QVERIFY2(room.grid.cells[1].problem->message.contains("120"), qPrintable(room.grid.cells[1].problem->message));
    QCOMPARE(room.grid.cells[1].answer, app::MessageId(0));
    QVERIFY(!room.chat.problem());
}

void TestRunGrid::whereNothingCanBeginTheChatSaysWhy()
{
    Room room(120);
    ChatSettings wordy = room.chat.settings();
    wordy.systemText = QString(200, 'w');
    QVERIFY(!room.start({ { "long system text", wordy } }));
    QVERIFY(room.chat.problem());
    QVERIFY(room.grid.cells.empty());
    QCOMPARE(room.chat.tree().turns().size(), size_t(2));

    room.workspace.unloadModel();
    room.settle();
    QVERIFY(!room.start({ room.capped(3) }));
    QCOMPARE(room.chat.problem()->kind, app::Problem::Kind::NoModel);
}

void TestRunGrid::stoppingEndsAllAndOneCanBeEndedByItself()
{
    Room room;
    QVERIFY(room.start({ room.capped(3), room.capped(30), room.capped(300) }));
    room.workspace.stop(room.chat, room.cell(1));
    QCOMPARE(room.engine.cancelled, std::vector<engine::RunId> { room.run(1) });
    room.engine.tellOf(room.run(1));
    room.engine.end(StopReason::Cancelled);
    room.settle();
    room.workspace.stop(room.chat);
    const std::vector<engine::RunId> expected { room.run(1), room.run(0), room.run(2) };
    QCOMPARE(room.engine.cancelled, expected);
}

void TestRunGrid::removingAnAnswerEndsItsRunAlone()
{
    Room room;
    QVERIFY(room.start({ room.capped(3), room.capped(30) }));
    room.workspace.removeTurn(room.chat, room.cell(0));
    QCOMPARE(room.engine.cancelled, std::vector<engine::RunId> { room.run(0) });
    room.workspace.removeTurn(room.chat, *room.chat.turns()[0]); // the message: all below it
    QCOMPARE(room.engine.cancelled.size(), size_t(3));
}

void TestRunGrid::whileItIsWrittenNothingElseBegins()
{
    Room room;
    QVERIFY(room.start({ room.capped(3), room.capped(30) }));
    QVERIFY(!room.workspace.send(room.chat, "More"));
    QVERIFY(!room.start({ room.capped(4) }));
    QCOMPARE(room.chat.tree().turns().size(), size_t(4));
}

QTEST_MAIN(TestRunGrid)
#include "tst_run_grid.moc"
