#include "app/conversation/stored_turns.h"

#include "app/runs/run_reading.h"

#include <algorithm>
#include <unordered_map>

namespace app {

namespace {
    std::unique_ptr<Draft> draftOf(const StoredRun& run)
    {
        const auto record = nlohmann::ordered_json::parse(run.record, nullptr, false);
        RunReading reading = readRunRecord(record);
        DraftOrigin origin;
        origin.request = std::move(reading.request);
        origin.request.runId = engine::RunId(run.id);
        origin.grid = std::move(reading.grid);
        origin.startedBy = std::move(reading.startedBy);
        origin.modelName = std::move(reading.modelName);
        origin.checkpointFile = std::move(reading.checkpointFile);
        origin.checkpointBytes = reading.checkpointBytes;
        origin.kvType = std::move(reading.kvType);
        origin.deviceName = std::move(reading.deviceName);
        origin.templateName = reading.templateFamily;
        origin.templateFamily = std::move(reading.templateFamily);
        origin.promptSpans = std::move(reading.promptSpans);
        origin.sources = std::move(reading.sources);
        origin.droppedTurnCount = std::max(0, reading.droppedMessageCount);
        origin.endTokenTexts = std::move(reading.endTokenTexts);

        DraftRemains remains;
        remains.text = run.text;
        remains.tokenCount = run.tokenCount;
        remains.notSampledCount = reading.notSampledCount;
        remains.window = std::move(reading.window);
        remains.passes = std::move(reading.passes);
        if (record.is_object()) {
            remains.check
                = requirementCheckFrom(record.value("requirement_check", nlohmann::ordered_json()));
            remains.acceptance = acceptanceFrom(record.value("accepted", nlohmann::ordered_json()));
        }
        remains.ending = reading.ending.value_or(engine::RunEnded {});
        remains.ending.runId = origin.request.runId;
        remains.ending.text = run.text;
        // The row's state was written in one transaction with the text: it is what counts.
        remains.ending.ledger.reason = run.reason.value_or(engine::StopReason::Interrupted);
        if (remains.ending.ledger.tokenCount == 0)
            remains.ending.ledger.tokenCount = run.tokenCount;
        return std::make_unique<Draft>(std::move(origin), std::move(remains));
    }
}

TurnTree turnsOf(const StoredChat& chat)
{
    std::unordered_map<MessageId, std::vector<const StoredRun*>> runs;
    for (const StoredRun& run : chat.runs)
        runs[run.message].push_back(&run);

    TurnTree tree;
    std::unordered_map<MessageId, Turn*> known;
    std::vector<Turn*> shown;
    for (const StoredMessage& message : chat.messages) {
        auto turn = std::make_unique<Turn>();
        turn->id = message.id;
        turn->role = message.role;
        turn->createdAt = message.createdAt;
        if (message.role == TurnRole::Person) {
            turn->text = message.text;
        } else {
            turn->answer = std::make_unique<Answer>(
                AnswerOpening { message.text.toStdString(), message.textSource, message.textIds });
            for (const StoredRun* run : runs[message.id])
                turn->answer->addPart(draftOf(*run));
        }
        const auto parent = known.find(message.parent);
        if (message.parent != 0 && parent == known.end())
            continue; // below a turn that is gone
        Turn& added = tree.add(std::move(turn), message.parent ? parent->second : nullptr);
        known.emplace(message.id, &added);
        if (message.isShown)
            shown.push_back(&added);
    }
    tree.choose(shown);
    return tree;
}

std::vector<SourceText> sourcesOf(const StoredChat& chat)
{
    std::vector<SourceText> sources;
    for (const StoredSource& stored : chat.sources)
        sources.push_back({ stored.id, stored.name, QByteArray::fromStdString(stored.text),
            sha256Hex(stored.text) });
    return sources;
}

StoredSource storedSource(const SourceText& source, ConversationId conversation)
{
    return { source.id, conversation, source.name, source.text.toStdString(), std::nullopt };
}

StoredMessage storedMessage(const Turn& turn, ConversationId conversation, bool isShown)
{
    StoredMessage message;
    message.id = turn.id;
    message.conversation = conversation;
    message.parent = turn.parent ? turn.parent->id : 0;
    message.role = turn.role;
    message.isShown = isShown;
    message.createdAt = turn.createdAt;
    if (turn.answer) {
        const AnswerOpening& opening = turn.answer->opening();
        message.text = QString::fromStdString(opening.text);
        message.textSource = opening.source;
        message.textIds = opening.ids;
    } else {
        message.text = turn.text;
    }
    return message;
}

} // namespace app
