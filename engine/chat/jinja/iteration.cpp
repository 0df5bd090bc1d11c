#include "engine/chat/jinja/iteration.h"

#include "engine/chat/jinja/comparison.h"
#include "engine/chat/jinja/loop_state.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>

namespace engine::jinja {

namespace {
    Result<std::vector<Value>> characters(Meter& meter, const Text& text)
    {
        std::vector<Value> items;
        for (size_t offset = 0; offset < text.size();) {
            const size_t end = offset + codePointAt(text.bytes(), offset).bytes;
            TextBuilder builder;
            builder.append(text, offset, end);
            TRY(meter.step());
            items.push_back(makeText(meter, builder.take()));
            offset = end;
        }
        return items;
    }
}

Result<std::vector<Value>> elementsOf(Meter& meter, const Value& value)
{
    std::vector<Value> items;
    if (const List* list = value.asList()) {
        TRY(meter.step(1 + list->items.size()));
        return list->items;
    }
    if (const Dict* dict = value.asDict()) {
        TRY(meter.step(1 + dict->entries.size()));
        for (const auto& [key, item] : dict->entries)
            items.push_back(key);
        return items;
    }
    if (const Text* text = value.asText())
        return characters(meter, *text);
    if (const Range* range = value.asRange()) {
        const int64_t length = range->length();
        TRY(meter.step(1 + size_t(length)));
        items.reserve(size_t(length));
        for (int64_t i = 0; i < length; ++i)
            items.push_back(Value(range->start + i * range->step));
        return items;
    }
    if (Iterator* iterator = value.asIterator()) {
        TRY(meter.step(1 + iterator->items.size()));
        items.assign(iterator->items.begin() + ptrdiff_t(iterator->next), iterator->items.end());
        iterator->next = iterator->items.size();
        return items;
    }
    if (value.asUndefined())
        return items;
    return Error::badTemplate("'" + std::string(value.typeName()) + "' object is not iterable");
}

std::optional<int64_t> lengthOf(const Value& value)
{
    if (const Text* text = value.asText())
        return int64_t(countCodePoints(text->bytes()));
    if (const List* list = value.asList())
        return int64_t(list->items.size());
    if (const Dict* dict = value.asDict())
        return int64_t(dict->entries.size());
    if (const Range* range = value.asRange())
        return range->length();
    if (value.asUndefined())
        return 0;
    if (const LoopState* loop = value.asLoop())
        return int64_t(loop->items.size());
    return std::nullopt;
}

Result<const Value*> findKey(Meter& meter, const Dict& dict, const Value& key)
{
    TRY(meter.step(1 + dict.entries.size() / 16));
    if (const Text* text = key.asText())
        return findKey(dict, text->bytes());
    for (const auto& [candidate, value] : dict.entries) {
        TRY_ASSIGN(const bool equal, valuesEqual(meter, candidate, key));
        if (equal)
            return &value;
    }
    return static_cast<const Value*>(nullptr);
}

const Value* findKey(const Dict& dict, std::string_view key)
{
    for (const auto& [candidate, value] : dict.entries)
        if (const Text* text = candidate.asText(); text && text->bytes() == key)
            return &value;
    return nullptr;
}

Result<void> putKey(Meter& meter, Dict& dict, Value key, Value value)
{
    if (!isHashable(key))
        return Error::badTemplate("a " + std::string(key.typeName()) + " cannot be a key");
    TRY(meter.step(1 + dict.entries.size() / 16));
    for (auto& [existing, content] : dict.entries) {
        TRY_ASSIGN(const bool equal, valuesEqual(meter, existing, key));
        if (!equal)
            continue;
        content = std::move(value);
        return {};
    }
    dict.entries.emplace_back(std::move(key), std::move(value));
    return {};
}

bool isHashable(const Value& value)
{
    if (const List* list = value.asList())
        return list->kind == ListKind::Tuple
            && std::all_of(list->items.begin(), list->items.end(), isHashable);
    return !value.asDict();
}

Text characterAt(const Text& text, size_t index)
{
    const size_t begin = offsetOfCodePoint(text.bytes(), index);
    TextBuilder builder;
    builder.append(text, begin, begin + codePointAt(text.bytes(), begin).bytes);
    return builder.take();
}

} // namespace engine::jinja
