#include "engine/chat/jinja/value.h"

#include "engine/chat/jinja/loop_state.h"

#include <algorithm>

namespace engine::jinja {

namespace {
    Result<int> nestedDepth(int deepest)
    {
        if (deepest >= kMaxValueDepth)
            return Error::badTemplate(
                "values nested deeper than " + std::to_string(kMaxValueDepth));
        return deepest + 1;
    }

    Result<int> depthAround(const std::vector<Value>& items)
    {
        int deepest = 0;
        for (const Value& item : items)
            deepest = std::max(deepest, item.depth());
        return nestedDepth(deepest);
    }
}

int64_t Range::length() const
{
    if (step > 0)
        return start < stop ? (stop - start - 1) / step + 1 : 0;
    return start > stop ? (start - stop - 1) / -step + 1 : 0;
}

Value Value::constant(Text text)
{
    return Value(std::shared_ptr<const TextCell>(
        std::make_shared<TextCell>(TextCell { std::move(text), {} })));
}

std::optional<int64_t> Value::wholeNumber() const
{
    if (const bool* value = asBool())
        return int64_t(*value);
    if (const int64_t* value = asInt())
        return *value;
    return std::nullopt;
}

std::optional<double> Value::number() const
{
    if (const double* value = asFloat())
        return *value;
    if (const auto whole = wholeNumber())
        return double(*whole);
    return std::nullopt;
}

const char* Value::typeName() const
{
    if (isNone())
        return "NoneType";
    if (isBool())
        return "bool";
    if (asInt())
        return "int";
    if (asFloat())
        return "float";
    if (asUndefined())
        return "Undefined";
    if (asText())
        return "str";
    if (const List* list = asList()) {
        constexpr const char* kNames[]
            = { "list", "tuple", "dict_keys", "dict_values", "dict_items" };
        return kNames[size_t(list->kind)];
    }
    if (asDict())
        return "dict";
    if (asRange())
        return "range";
    if (asIterator())
        return "generator";
    if (asNamespace())
        return "Namespace";
    if (asMacro())
        return "Macro";
    if (asLoop())
        return "LoopContext";
    return "function";
}

bool Value::truthy() const
{
    if (isNone() || asUndefined())
        return false;
    if (const auto value = number())
        return *value != 0;
    if (const Text* text = asText())
        return !text->empty();
    if (const List* list = asList())
        return !list->items.empty();
    if (const Dict* dict = asDict())
        return !dict->entries.empty();
    if (const Range* range = asRange())
        return range->length() > 0;
    return true;
}

int Value::depth() const
{
    if (const List* list = asList())
        return list->depth;
    if (const Dict* dict = asDict())
        return dict->depth;
    if (const Iterator* iterator = asIterator())
        return iterator->depth;
    if (const Method* method = asMethod())
        return method->depth;
    if (const LoopState* loop = asLoop())
        return loop->depth;
    return 0;
}

bool Value::sameAs(const Value& other) const
{
    if (asText() && other.asText())
        return asText() == other.asText() || asText()->bytes() == other.asText()->bytes();
    return m_content == other.m_content;
}

Value makeUndefined(Meter& meter, std::string reason)
{
    MemoryCharge charge(meter, sizeof(Undefined) + reason.capacity());
    return Value(std::shared_ptr<const Undefined>(
        std::make_shared<Undefined>(Undefined { std::move(reason), std::move(charge) })));
}

Value makeText(Meter& meter, Text text)
{
    const size_t bytes = sizeof(TextCell) + text.memoryBytes();
    return Value(std::shared_ptr<const TextCell>(
        std::make_shared<TextCell>(TextCell { std::move(text), MemoryCharge(meter, bytes) })));
}

Value makeText(Meter& meter, std::string bytes, Origin origin)
{
    return makeText(meter, Text(std::move(bytes), origin));
}

Result<Value> makeText(Meter& meter, TextBuilder&& builder)
{
    if (builder.overflowed())
        return Error::badTemplate(
            "a string longer than " + std::to_string(kMaxStringBytes / (1024 * 1024)) + " MiB");
    TRY(meter.stepBytes(builder.size()));
    return makeText(meter, builder.take());
}

Result<Value> makeList(Meter& meter, std::vector<Value> items, ListKind kind)
{
    TRY(meter.step(1 + items.size()));
    TRY_ASSIGN(const int depth, depthAround(items));
    MemoryCharge charge(meter, sizeof(List) + items.capacity() * sizeof(Value));
    return Value(std::shared_ptr<const List>(
        std::make_shared<List>(List { std::move(items), kind, depth, std::move(charge) })));
}

Result<Value> makeDict(Meter& meter, std::vector<std::pair<Value, Value>> entries)
{
    TRY(meter.step(1 + entries.size()));
    int deepest = 0;
    for (const auto& [key, value] : entries)
        deepest = std::max({ deepest, key.depth(), value.depth() });
    TRY_ASSIGN(const int depth, nestedDepth(deepest));
    MemoryCharge charge(meter, sizeof(Dict) + entries.capacity() * 2 * sizeof(Value));
    return Value(std::shared_ptr<const Dict>(
        std::make_shared<Dict>(Dict { std::move(entries), depth, std::move(charge) })));
}

Result<Value> makeIterator(Meter& meter, std::vector<Value> items)
{
    TRY(meter.step(1 + items.size()));
    TRY_ASSIGN(const int depth, depthAround(items));
    MemoryCharge charge(meter, sizeof(Iterator) + items.capacity() * sizeof(Value));
    return Value(
        std::make_shared<Iterator>(Iterator { std::move(items), 0, depth, std::move(charge) }));
}

Result<Value> makeMethod(Meter& meter, const Value& self, const NativeEntry& entry)
{
    TRY_ASSIGN(const int depth, nestedDepth(self.depth()));
    MemoryCharge charge(meter, sizeof(Method) + sizeof(Value));
    return Value(std::shared_ptr<const Method>(std::make_shared<Method>(
        Method { std::make_unique<Value>(self), &entry, depth, std::move(charge) })));
}

} // namespace engine::jinja
