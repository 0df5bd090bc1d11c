#include "engine/chat/jinja/json_value.h"

#include <algorithm>

namespace engine::jinja {

namespace {
    constexpr std::string_view kUsualRoles[] = { "system", "user", "assistant", "tool", "developer",
        "ipython", "function", "model", "documents" };

    bool isUsualRole(const nlohmann::ordered_json& json)
    {
        return json.is_string()
            && std::find(std::begin(kUsualRoles), std::end(kUsualRoles),
                   json.get_ref<const std::string&>())
            != std::end(kUsualRoles);
    }

    Result<Value> converted(Meter& meter, const nlohmann::ordered_json& json, int depth)
    {
        if (depth > kMaxValueDepth)
            return Error::badTemplate(
                "values nested deeper than " + std::to_string(kMaxValueDepth));
        TRY(meter.step());
        switch (json.type()) {
        case nlohmann::ordered_json::value_t::boolean:
            return Value(json.get<bool>());
        case nlohmann::ordered_json::value_t::number_integer:
            return Value(json.get<int64_t>());
        case nlohmann::ordered_json::value_t::number_unsigned:
            if (json.get<uint64_t>() > uint64_t(INT64_MAX))
                return Error::badTemplate("the number " + json.dump() + " does not fit 64 bits");
            return Value(json.get<int64_t>());
        case nlohmann::ordered_json::value_t::number_float:
            return Value(json.get<double>());
        case nlohmann::ordered_json::value_t::string: {
            const auto& text = json.get_ref<const std::string&>();
            if (text.size() > kMaxStringBytes)
                return Error::badTemplate("a string longer than 4 MiB");
            return makeText(meter, text, Origin::Person);
        }
        case nlohmann::ordered_json::value_t::array: {
            std::vector<Value> items;
            for (const auto& element : json) {
                TRY_ASSIGN(Value item, converted(meter, element, depth + 1));
                items.push_back(std::move(item));
            }
            return makeList(meter, std::move(items));
        }
        case nlohmann::ordered_json::value_t::object: {
            std::vector<std::pair<Value, Value>> entries;
            for (const auto& [key, element] : json.items()) {
                TRY_ASSIGN(Value value, converted(meter, element, depth + 1));
                entries.emplace_back(makeText(meter, key, Origin::Person), std::move(value));
            }
            return makeDict(meter, std::move(entries));
        }
        default:
            return Value();
        }
    }
}

Result<Value> valueFromJson(Meter& meter, const nlohmann::ordered_json& json)
{
    return converted(meter, json, 1);
}

Result<Value> messagesFromJson(Meter& meter, const nlohmann::ordered_json& messages)
{
    std::vector<Value> items;
    for (size_t i = 0; i < messages.size(); ++i) {
        const auto& message = messages[i];
        if (!message.is_object()) {
            TRY_ASSIGN(Value item, converted(meter, message, 2));
            items.push_back(std::move(item));
            continue;
        }
        std::vector<std::pair<Value, Value>> entries;
        for (const auto& [key, element] : message.items()) {
            TRY_ASSIGN(Value value, converted(meter, element, 3));
            if (key == "role" && isUsualRole(element))
                value = makeText(meter, element.get<std::string>(), Origin::Template);
            else if (key == "content" && element.is_string())
                value = makeText(meter, element.get<std::string>(), contentOf(i));
            entries.emplace_back(makeText(meter, key, Origin::Person), std::move(value));
        }
        TRY_ASSIGN(Value item, makeDict(meter, std::move(entries)));
        items.push_back(std::move(item));
    }
    return makeList(meter, std::move(items));
}

} // namespace engine::jinja
