#include "app/storage/token_blob.h"

#include "app/runs/run_json.h"
#include "app/runs/run_reading.h"

#include <nlohmann/json.hpp>

#include <QtEndian>

using nlohmann::json;

namespace app {

namespace {
    constexpr int kVersion = 2;
    constexpr int kKeptVersion = 1;
    constexpr int kVersionWithoutTimes = 1; // read, no longer written
    constexpr size_t kFieldCountWithoutTimes = 12;
    constexpr size_t kTokenFieldCount = 14;
    constexpr size_t kCandidateFieldCount = 4;

    template <typename T> json orNull(const std::optional<T>& value)
    {
        return value ? json(*value) : json();
    }

    template <typename T> std::optional<T> optionalIn(const json& value)
    {
        return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
    }

    // A number of an enum, or an exception when it is beyond its last value.
    template <typename Enum> Enum enumIn(const json& value, Enum last)
    {
        const int number = value.get<int>();
        if (number < 0 || number > int(last))
            throw std::out_of_range("unknown value " + std::to_string(number));
        return Enum(number);
    }

    QByteArray bytesOf(const json& list)
    {
        const std::vector<uint8_t> bytes = json::to_cbor(list);
        return QByteArray(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size()));
    }

    json jsonOf(const engine::Candidate& candidate)
    {
        return json::array({ candidate.id, candidate.logprob, orNull(candidate.finalProbability),
            int(candidate.droppedBy) });
    }

    json jsonOf(const engine::TokenRecord& token)
    {
        json top = json::array();
        for (const engine::Candidate& candidate : token.top)
            top.push_back(jsonOf(candidate));
        return json::array(
            { token.id, json::binary(std::vector<uint8_t>(token.bytes.begin(), token.bytes.end())),
                int(token.source), token.position, orNull(token.logprob), orNull(token.logSumExp),
                orNull(token.rank), orNull(token.entropy), orNull(token.endProbability),
                std::move(top), orNull(token.draw), token.chunk, orNull(token.decidedMs),
                orNull(token.arrivedMs) });
    }

    engine::Candidate candidateIn(const json& fields)
    {
        if (fields.size() != kCandidateFieldCount)
            throw std::out_of_range("a candidate has other fields");
        engine::Candidate candidate;
        candidate.id = fields.at(0).get<engine::TokenId>();
        candidate.logprob = fields.at(1).get<float>();
        candidate.finalProbability = optionalIn<float>(fields.at(2));
        candidate.droppedBy = enumIn(fields.at(3), engine::SamplerStage::Draw);
        return candidate;
    }

    engine::TokenRecord tokenIn(const json& fields, bool hasTimes)
    {
        if (fields.size() != (hasTimes ? kTokenFieldCount : kFieldCountWithoutTimes))
            throw std::out_of_range("a token has other fields");
        engine::TokenRecord token;
        token.id = fields.at(0).get<engine::TokenId>();
        const auto& bytes = fields.at(1).get_binary();
        token.bytes.assign(bytes.begin(), bytes.end());
        token.source = enumIn(fields.at(2), engine::TokenSource::Edited);
        token.position = fields.at(3).get<int>();
        token.logprob = optionalIn<float>(fields.at(4));
        token.logSumExp = optionalIn<float>(fields.at(5));
        token.rank = optionalIn<int>(fields.at(6));
        token.entropy = optionalIn<float>(fields.at(7));
        token.endProbability = optionalIn<float>(fields.at(8));
        for (const json& candidate : fields.at(9))
            token.top.push_back(candidateIn(candidate));
        token.draw = optionalIn<double>(fields.at(10));
        token.chunk = fields.at(11).get<int>();
        if (hasTimes) {
            token.decidedMs = optionalIn<double>(fields.at(12));
            token.arrivedMs = optionalIn<double>(fields.at(13));
        }
        return token;
    }
}

QByteArray tokenBlob(std::span<const engine::TokenRecord> tokens)
{
    json list = json::array({ kVersion });
    for (const engine::TokenRecord& token : tokens)
        list.push_back(jsonOf(token));
    return bytesOf(list);
}

engine::Result<std::vector<engine::TokenRecord>> tokensIn(const QByteArray& blob)
{
    // The library tells of malformed bytes and of unexpected types by exceptions.
    try {
        const json list = json::from_cbor(blob.begin(), blob.end());
        if (!list.is_array() || list.empty() || (list.at(0) != kVersion && list.at(0) != kVersionWithoutTimes))
            return engine::Error::badFile("stored tokens have an unknown version");
        std::vector<engine::TokenRecord> tokens;
        tokens.reserve(list.size() - 1);
        for (size_t i = 1; i < list.size(); ++i)
            tokens.push_back(tokenIn(list.at(i), list.at(0) == kVersion));
        return tokens;
    } catch (const std::exception& exception) {
        return engine::Error::badFile(
            std::string("stored tokens cannot be read: ") + exception.what());
    }
}

QByteArray keptBlob(const KeptTokens& kept)
{
    json runs = json::array();
    for (const KeptTokens::Run& run : kept.runs)
        runs.push_back(json::array({ run.firstToken, toJson(run.sampling), run.bannedFirstIds }));
    json tokens = json::array();
    for (const engine::TokenRecord& token : kept.records)
        tokens.push_back(jsonOf(token));
    return bytesOf(json::array({ kKeptVersion, std::move(runs), std::move(tokens) }));
}

engine::Result<KeptTokens> keptIn(const QByteArray& blob)
{
    try {
        const json list = json::from_cbor(blob.begin(), blob.end());
        if (!list.is_array() || list.size() != 3 || list.at(0) != kKeptVersion)
            return engine::Error::badFile("stored tokens of a fork have an unknown version");
        KeptTokens kept;
        for (const json& run : list.at(1))
            kept.runs.push_back({ run.at(0).get<int>(), readSampling(run.at(1)),
                run.at(2).get<engine::TokenIds>() });
        for (const json& token : list.at(2))
            kept.records.push_back(tokenIn(token, true));
        return kept;
    } catch (const std::exception& exception) {
        return engine::Error::badFile(
            std::string("stored tokens of a fork cannot be read: ") + exception.what());
    }
}

QByteArray idBlob(std::span<const engine::TokenId> ids)
{
    QByteArray blob(qsizetype(ids.size() * sizeof(engine::TokenId)), Qt::Uninitialized);
    if (!ids.empty()) // the data of none may be no address at all
        qToLittleEndian<engine::TokenId>(ids.data(), qsizetype(ids.size()), blob.data());
    return blob;
}

std::vector<engine::TokenId> idsIn(const QByteArray& blob)
{
    std::vector<engine::TokenId> ids(size_t(blob.size()) / sizeof(engine::TokenId));
    if (!ids.empty())
        qFromLittleEndian<engine::TokenId>(blob.data(), qsizetype(ids.size()), ids.data());
    return ids;
}

} // namespace app
