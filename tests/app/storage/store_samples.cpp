#include "tests/app/storage/store_samples.h"

#include <QFile>

namespace tests {

QByteArray StoreFolder::allBytes() const
{
    QByteArray bytes;
    for (const QString& name : files(QStringLiteral("*"))) {
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::ReadOnly))
            bytes += file.readAll();
    }
    return bytes;
}

std::unique_ptr<app::ChatStore> openedStore(const QString& path)
{
    auto store = app::ChatStore::open(path);
    if (store)
        return std::move(*store);
    QTest::qFail(store.error().message.c_str(), __FILE__, __LINE__);
    return nullptr;
}

QDateTime moment(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(1'764'000'000'123 + ms).toUTC();
}

app::StoredConversation conversation(app::ConversationId id, const QString& title)
{
    app::StoredConversation row;
    row.id = id;
    row.title = title;
    row.createdAt = moment(id);
    row.changedAt = moment(id);
    row.settings = R"({"length_cap":1024})";
    row.document = QString();
    return row;
}

app::StoredMessage message(
    app::MessageId id, app::ConversationId conversation, app::MessageId parent)
{
    app::StoredMessage row;
    row.id = id;
    row.conversation = conversation;
    row.parent = parent;
    row.createdAt = moment(id);
    return row;
}

app::StoredMessage question(
    app::MessageId id, app::ConversationId conversation, app::MessageId parent, const QString& text)
{
    app::StoredMessage row = message(id, conversation, parent);
    row.text = text;
    return row;
}

app::StoredMessage answer(
    app::MessageId id, app::ConversationId conversation, app::MessageId parent)
{
    app::StoredMessage row = message(id, conversation, parent);
    row.role = app::TurnRole::Model;
    row.textSource = engine::TokenSource::Sampled;
    return row;
}

app::OpenRun openedRun(app::StoredRunId id, app::MessageId message, int part)
{
    app::OpenRun opened;
    opened.run.id = id;
    opened.run.message = message;
    opened.run.part = part;
    opened.run.record
        = R"({"schema":1,"checkpoint":{"file_name":"SmolLM2-135M.gguf","name":null},"text":"","stop":null})";
    opened.promptText = "<|im_start|>user\nHi<|im_end|>\n";
    opened.promptIds = { 1, 4093, 198, 49151 };
    return opened;
}

app::EndRun endedRun(app::StoredRunId id, engine::StopReason reason, const std::string& text)
{
    app::EndRun ended;
    ended.run = id;
    ended.reason = reason;
    ended.text = text;
    ended.record = R"({"schema":1,"checkpoint":{"file_name":"SmolLM2-135M.gguf"},"stop":{}})";
    return ended;
}

std::vector<engine::TokenRecord> sampleTokens(int count, int firstPosition)
{
    std::vector<engine::TokenRecord> tokens;
    for (int i = 0; i < count; ++i) {
        engine::TokenRecord token;
        token.id = 49151 - i;
        token.bytes = i % 3 == 0 ? std::string("\xf0\x9f\x00", 3) : " word" + std::to_string(i);
        token.position = firstPosition + i;
        token.chunk = i / 8;
        if (i % 2 == 0) {
            token.logprob = -0.1F * float(i);
            token.logSumExp = 17.25F + float(i) / 3;
            token.rank = i + 1;
            token.entropy = 1.0F / float(i + 3);
            token.endProbability = 1e-30F;
            token.draw = 1.0 / 3 + i * 1e-9;
        } else {
            token.source = engine::TokenSource::Forced;
        }
        for (int c = 0; c < (i % 2 == 0 ? engine::kTopCandidateCount : 0); ++c) {
            engine::Candidate candidate { c * 997, -0.37F * float(c + 1), {},
                engine::SamplerStage::TopK };
            if (c < 5) {
                candidate.finalProbability = 0.2F;
                candidate.droppedBy = engine::SamplerStage::None;
            }
            token.top.push_back(candidate);
        }
        tokens.push_back(token);
    }
    return tokens;
}

app::KeptTokens sampleKept(int count)
{
    app::KeptTokens kept { sampleTokens(count, 40), {} };
    engine::SamplerSettings sampling { .temperature = 0.7F, .seed = 0xFFFFFFFFFFFFFFFF };
    sampling.logitBias = { { 5, -1.5F } };
    if (count > 1)
        kept.runs.push_back({ 1, sampling, { 7, 8 } });
    if (count > 2)
        kept.runs.push_back({ 2, {}, {} });
    return kept;
}

app::StoreChanges wholeChat(int64_t firstId, const QString& title, const QString& asked,
    const std::string& answered, engine::StopReason reason)
{
    const int64_t asking = firstId + 1;
    const int64_t answering = firstId + 2;
    const int64_t run = firstId + 3;
    app::EndRun ended = endedRun(run, reason, answered);
    ended.tokens = sampleTokens(3);
    return { app::PutConversation { conversation(firstId, title) },
        app::PutMessage { question(asking, firstId, 0, asked) },
        app::PutMessage { answer(answering, firstId, asking) }, openedRun(run, answering), ended };
}

} // namespace tests
