#include "app/runs/opened_record.h"

#include "app/runs/json_document.h"
#include "app/runs/json_members.h"
#include "app/runs/response_import.h"
#include "app/runs/run_json.h"
#include "app/runs/run_record.h"

#include <QFile>

using engine::Error;
using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr qint64 kMostBytes = qint64(1) << 30; // 32,000 tokens with their candidates are 60 MB

    engine::TokenId idOf(const ordered_json& id)
    {
        return id.is_number_integer() ? id.get<engine::TokenId>() : kNoTokenId;
    }

    engine::TokenSource sourceOf(const ordered_json& token)
    {
        const std::string name = textAt(token, "source");
        for (int source = 0; source <= int(engine::TokenSource::Edited); ++source)
            if (name == engine::tokenSourceName(engine::TokenSource(source)))
                return engine::TokenSource(source);
        return engine::TokenSource::Sampled;
    }

    std::vector<engine::Candidate> topOf(const ordered_json& token)
    {
        std::vector<engine::Candidate> top;
        for (const ordered_json& entry : memberAt(token, "top"))
            if (entry.is_array() && entry.size() >= 2 && entry[1].is_number())
                top.push_back({ idOf(entry[0]), entry[1].get<float>() });
        return top;
    }
}

std::vector<engine::TokenRecord> tokensOf(const ordered_json& record)
{
    std::vector<engine::TokenRecord> tokens;
    for (const ordered_json& token : memberAt(record, "tokens")) {
        if (!token.is_object())
            continue;
        engine::TokenRecord& known = tokens.emplace_back();
        known.id = idOf(memberAt(token, "id"));
        known.bytes = bytesOfHex(textAt(token, "bytes"));
        known.source = sourceOf(token);
        known.position = numberAt<int>(token, "position").value_or(0);
        known.chunk = numberAt<int>(token, "chunk").value_or(0);
        known.logprob = numberAt<float>(token, "logprob");
        known.logSumExp = numberAt<float>(token, "log_sum_exp");
        known.rank = numberAt<int>(token, "rank");
        known.entropy = numberAt<float>(token, "entropy");
        known.endProbability = numberAt<float>(token, "end_probability");
        known.draw = numberAt<double>(token, "draw");
        known.decidedMs = numberAt<double>(token, "decided_ms");
        known.arrivedMs = numberAt<double>(token, "arrived_ms");
        known.top = topOf(token);
    }
    return tokens;
}

Result<OpenedRecord> recordFrom(std::string_view text)
{
    auto parsed = parsedJson<ordered_json>(text);
    if (!parsed)
        return Error::badFile("it is not whole JSON: damaged, cut off or something else");
    OpenedRecord opened { .json = std::move(*parsed) };
    const ordered_json& json = opened.json;
    if (!json.is_object() || !json.contains("schema") || !json["schema"].is_number_integer()
        || !json.contains("tokens") || !json.contains("prompt"))
        return Error::badFile("it is no run record: schema, prompt or tokens are missing");
    if (json["schema"].get<int64_t>() > RunRecord::kSchema)
        return Error::badFile("its schema is " + json["schema"].dump()
            + "; this program knows schema " + std::to_string(RunRecord::kSchema));
    opened.reading = readRunRecord(json);
    opened.tokens = tokensOf(json);
    return opened;
}

namespace {
Result<std::string> readAll(const std::string& path)
{
    QFile file(QFile::decodeName(QByteArray::fromStdString(path)));
    if (!file.open(QIODevice::ReadOnly))
        return Error::io(path + ": " + file.errorString().toStdString());
    if (file.size() > kMostBytes)
        return Error::badFile(path + ": larger than 1 GiB, which no run record is");
    return file.readAll().toStdString();
}

/// Of another program, as far as its members tell.
bool looksLikeResponse(std::string_view text)
{
    const auto parsed = parsedJson<ordered_json>(text);
    return parsed && parsed->is_object() && !parsed->contains("schema")
        && (parsed->contains("choices") || parsed->contains("content"));
}

Error named(const std::string& path, const Error& error)
{
    return Error::badFile(path + ": " + error.message);
}
}

Result<OpenedRecord> openRecord(const std::string& path)
{
    TRY_ASSIGN(const std::string text, readAll(path));
    auto opened = recordFrom(text);
    return opened ? std::move(opened) : named(path, opened.error());
}

Result<OpenedRecord> openRecordOrResponse(const std::string& path)
{
    TRY_ASSIGN(const std::string text, readAll(path));
    auto opened = recordFrom(text);
    if (opened)
        return opened;
    const auto imported = recordFromResponse(text);
    if (!imported)
        return named(path, looksLikeResponse(text) ? imported.error() : opened.error());
    opened = recordFrom(imported->dump());
    return opened ? std::move(opened) : named(path, opened.error());
}

} // namespace app
