#include "tests/app/conversation/chat_file_samples.h"

#include "app/conversation/chat_export.h"
#include "app/conversation/chat_import.h"
#include "tests/app/storage/store_samples.h"

#include <cstring>
#include <limits>
#include <map>

using engine::StopReason;

namespace tests {

namespace {
    int below(std::mt19937& random, int limit) { return int(random() % uint32_t(limit)); }

    QString randomText(std::mt19937& random)
    {
        static const QStringList kPieces { "word ", "\n", "\"quoted\" ", "<b>tag</b>", "😀", "\t",
            "\\u0041", "é", QString(QChar(0x2028)), "{\"a\": 1}", "```\n", QString(QChar(1)) };
        QString text;
        for (int i = below(random, 8); i > 0; --i)
            text += kPieces[below(random, int(kPieces.size()))];
        return text;
    }

    std::vector<engine::TokenRecord> randomTokens(std::mt19937& random)
    {
        std::vector<engine::TokenRecord> tokens = sampleTokens(below(random, 6), below(random, 90));
        for (engine::TokenRecord& token : tokens) {
            const auto bits = uint32_t(random());
            float value = 0;
            std::memcpy(&value, &bits, sizeof value);
            if (value == value) // a NaN equals nothing, not even itself
                token.logprob = value;
            if (below(random, 9) == 0)
                token.entropy = -std::numeric_limits<float>::infinity();
            token.source = engine::TokenSource(below(random, 5));
            for (engine::Candidate& candidate : token.top)
                candidate.droppedBy = engine::SamplerStage(below(random, 8));
        }
        return tokens;
    }

    void addRun(
        app::ChatFile& file, std::mt19937& random, app::MessageId message, int part, int64_t id)
    {
        app::OpenRun opened = openedRun(id, message, part);
        opened.run.reason = StopReason(below(random, int(StopReason::Interrupted) + 1));
        opened.run.text = randomText(random).toStdString();
        app::StoredRunDetails details { opened.promptText, opened.promptIds, randomTokens(random),
            sampleKept(below(random, 4)) };
        opened.run.tokenCount = int(details.tokens.size());
        file.chat.runs.push_back(opened.run);
        file.details.push_back(std::move(details));
    }
}

app::StoredSource source(
    app::SourceId id, app::ConversationId conversation, const QString& name, const QString& text)
{
    return { id, conversation, name, text.toStdString(), {} };
}

app::ChatFile randomChat(std::mt19937& random, int64_t firstId)
{
    app::ChatFile file;
    file.folderName = below(random, 2) ? QString() : QStringLiteral("Kitchen");
    file.chat.conversation = conversation(firstId, randomText(random));
    file.chat.conversation.isNamed = below(random, 2);
    file.chat.conversation.kind = app::ConversationKind(below(random, 2));
    file.chat.conversation.typedText = randomText(random);
    file.chat.conversation.document = randomText(random);
    file.chat.conversation.settings
        = below(random, 2) ? R"({"length_cap":12,"sampling":{"temperature":0.7}})" : "not JSON";
    int64_t id = firstId;
    const int count = below(random, 14);
    for (int i = 0; i < count; ++i) {
        const auto known = int(file.chat.messages.size());
        const int chosen = below(random, known + 1);
        const app::MessageId parent = chosen == known ? 0 : file.chat.messages[size_t(chosen)].id;
        const app::MessageId number = ++id;
        app::StoredMessage row = below(random, 2)
            ? question(number, firstId, parent, randomText(random))
            : answer(number, firstId, parent);
        if (row.role == app::TurnRole::Model && below(random, 3) == 0) {
            row.text = randomText(random);
            row.textSource = engine::TokenSource::Edited;
            row.textIds = { 0, 7, std::numeric_limits<int32_t>::max() };
        }
        file.chat.messages.push_back(row);
        if (row.role == app::TurnRole::Model)
            for (int part = 0, parts = below(random, 3); part < parts; ++part)
                addRun(file, random, number, part, ++id);
    }
    for (int i = below(random, 3); i > 0; --i)
        file.chat.sources.push_back(
            source(++id, firstId, QStringLiteral("n%1.txt").arg(i), "\r\n" + randomText(random)));
    return file;
}

app::ChatFile smallChat()
{
    app::ChatFile file;
    file.folderName = QStringLiteral("Kitchen");
    file.chat.conversation = conversation(1, QStringLiteral("Soup"));
    file.chat.conversation.settings = R"({"length_cap":12})";
    file.chat.sources
        = { source(8, 1, QStringLiteral("rice.md"), QStringLiteral("Rinse it.\r\n")) };
    file.chat.messages = { question(2, 1, 0, QStringLiteral("How long?")), answer(3, 1, 2),
        answer(6, 1, 2), question(7, 1, 6, QStringLiteral("And rice?")) };
    file.chat.messages[1].textIds = { 5, 6 };
    for (int part = 0; part < 2; ++part) {
        app::OpenRun opened = openedRun(4 + part, 3, part);
        opened.run.reason = part == 0 ? StopReason::LengthCap : StopReason::EndToken;
        opened.run.text = "Ten minutes";
        opened.run.tokenCount = 2;
        file.chat.runs.push_back(opened.run);
        file.details.push_back(
            { opened.promptText, opened.promptIds, sampleTokens(2), sampleKept(part == 0 ? 3 : 0) });
    }
    return file;
}

app::ChatFile numbered(app::ChatFile file)
{
    std::map<int64_t, int64_t> numbers { { 0, 0 } };
    file.chat.conversation.id = 1;
    file.chat.conversation.folder = 0;
    for (app::StoredMessage& message : file.chat.messages) {
        numbers.emplace(message.id, int64_t(numbers.size()));
        message.id = numbers[message.id];
        message.parent = numbers[message.parent];
        message.conversation = 1;
    }
    for (size_t i = 0; i < file.chat.runs.size(); ++i) {
        file.chat.runs[i].id = int64_t(i + 1);
        file.chat.runs[i].message = numbers[file.chat.runs[i].message];
    }
    for (size_t i = 0; i < file.chat.sources.size(); ++i) {
        file.chat.sources[i].id = int64_t(i + 1);
        file.chat.sources[i].conversation = 1;
    }
    return file;
}

app::ChatFile keptAndRead(app::Storage& storage, const app::ChatFile& file)
{
    storage.write(app::changesOf(file));
    return readFrom(storage, file.chat.conversation.id, file.folderName);
}

app::ChatFile readFrom(app::Storage& storage, app::ConversationId id, const QString& folderName)
{
    std::optional<engine::Result<app::ChatFile>> read;
    app::readChatFile(storage, id, folderName,
        [&read](engine::Result<app::ChatFile> file) { read.emplace(std::move(file)); });
    if (!QTest::qWaitFor([&] { return read.has_value(); }, 10000)) {
        QTest::qFail("the conversation was not read", __FILE__, __LINE__);
        return {};
    }
    if (!*read) {
        QTest::qFail(read->error().message.c_str(), __FILE__, __LINE__);
        return {};
    }
    return std::move(**read);
}

} // namespace tests
