#include "app/runs/pass_list.h"

#include <QByteArray>

#include <algorithm>

using nlohmann::json;
using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr int kVersion = 1;
    constexpr const char* kKeys[] { "kind", "start_ms", "host_ms", "device_ms", "first_position",
        "positions", "sequences", "weight_bytes", "cache_bytes" };
    constexpr size_t kFieldCount = std::size(kKeys);

    template <typename T> json orNull(const std::optional<T>& value)
    {
        return value ? json(*value) : json();
    }

    template <typename T> std::optional<T> optionalIn(const json& value)
    {
        return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
    }

    json fieldsOf(const engine::RunPass& pass)
    {
        return json::array({ int(pass.kind), pass.startMs, orNull(pass.hostMs),
            orNull(pass.deviceMs), pass.firstPosition, pass.positionCount, pass.sequenceCount,
            orNull(pass.weightBytes), orNull(pass.cacheBytes) });
    }

    // Throws what the library throws on unexpected types.
    engine::RunPass passIn(const json& fields)
    {
        engine::RunPass pass;
        const int kind = fields.at(0).get<int>();
        if (fields.size() != kFieldCount || kind < 0 || kind > int(engine::PassKind::Discarded))
            throw std::out_of_range("a pass has other fields");
        pass.kind = engine::PassKind(kind);
        pass.startMs = fields.at(1).get<double>();
        pass.hostMs = optionalIn<double>(fields.at(2));
        pass.deviceMs = optionalIn<double>(fields.at(3));
        pass.firstPosition = fields.at(4).get<int>();
        pass.positionCount = fields.at(5).get<int>();
        pass.sequenceCount = fields.at(6).get<int>();
        pass.weightBytes = optionalIn<uint64_t>(fields.at(7));
        pass.cacheBytes = optionalIn<uint64_t>(fields.at(8));
        return pass;
    }

    ordered_json namedOf(const engine::RunPass& pass)
    {
        const json fields = fieldsOf(pass);
        ordered_json named { { "kind", engine::passKindName(pass.kind) } };
        for (size_t i = 1; i < kFieldCount; ++i)
            named[kKeys[i]] = fields[i];
        return named;
    }

    engine::RunPass passIn(const ordered_json& named)
    {
        json fields = json::array();
        for (const engine::PassKind kind : { engine::PassKind::Prefill, engine::PassKind::Decode,
                 engine::PassKind::Discarded })
            if (named.at("kind") == engine::passKindName(kind))
                fields.push_back(int(kind));
        for (size_t i = 1; i < kFieldCount; ++i)
            fields.push_back(json(named.at(kKeys[i])));
        return passIn(fields);
    }
}

void writePassList(std::span<const engine::RunPass> passes, ordered_json& json)
{
    json["list"] = json["discarded_list"] = nullptr;
    for (const engine::RunPass& pass : passes) {
        if (json["list"].is_null())
            json["list"] = json["discarded_list"] = ordered_json::array();
        json[pass.kind == engine::PassKind::Discarded ? "discarded_list" : "list"].push_back(
            namedOf(pass));
    }
}

void writePackedPasses(std::span<const engine::RunPass> passes, ordered_json& json)
{
    json["packed"] = nullptr;
    if (passes.empty())
        return;
    auto list = nlohmann::json::array({ kVersion });
    for (const engine::RunPass& pass : passes)
        list.push_back(fieldsOf(pass));
    const std::vector<uint8_t> bytes = nlohmann::json::to_cbor(list);
    json["packed"] = qCompress(bytes.data(), qsizetype(bytes.size())).toBase64().toStdString();
}

std::vector<engine::RunPass> readPasses(const ordered_json& record)
{
    std::vector<engine::RunPass> passes;
    if (!record.is_object())
        return passes;
    // The library tells of malformed bytes and of unexpected types by exceptions.
    try {
        if (const auto packed = record.find("packed"); packed != record.end() && packed->is_string()) {
            const QByteArray bytes = qUncompress(
                QByteArray::fromBase64(QByteArray::fromStdString(packed->get<std::string>())));
            const json list = json::from_cbor(bytes.begin(), bytes.end());
            if (list.at(0) != kVersion)
                return {};
            for (size_t i = 1; i < list.size(); ++i)
                passes.push_back(passIn(list.at(i)));
            return passes;
        }
        for (const char* key : { "list", "discarded_list" })
            if (record.contains(key))
                for (const ordered_json& named : record[key])
                    passes.push_back(passIn(named));
    } catch (const std::exception&) {
        return {};
    }
    std::ranges::stable_sort(passes, {}, &engine::RunPass::startMs);
    return passes;
}

} // namespace app
