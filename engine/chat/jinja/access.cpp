#include "engine/chat/jinja/access.h"

#include "engine/chat/jinja/iteration.h"
#include "engine/chat/jinja/loop_state.h"
#include "engine/chat/jinja/method_table.h"
#include "engine/chat/jinja/python_text.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>

namespace engine::jinja {

namespace {
    Error usedUndefined(const Undefined& undefined) { return Error::badTemplate(undefined.reason); }

    Value noAttribute(Meter& meter, const Value& base, const std::string& name)
    {
        return makeUndefined(
            meter, "'" + std::string(base.typeName()) + "' has no attribute '" + name + "'");
    }

    /// Attributes that are no keys: methods, and those of namespaces and loops.
    Result<std::optional<Value>> ownAttribute(
        Meter& meter, const Value& base, const std::string& name)
    {
        std::optional<Value> found;
        if (const NativeEntry* method = findMethod(base, name)) {
            TRY_ASSIGN(found, makeMethod(meter, base, *method));
        } else if (changesItsObject(base, name)) {
            found = makeUndefined(meter,
                "'" + name + "' would change a " + base.typeName()
                    + ", which a chat template may not do");
        } else if (const Namespace* space = base.asNamespace()) {
            for (const auto& [attribute, value] : space->attributes)
                if (attribute == name)
                    found = value;
        } else if (const LoopState* loop = base.asLoop()) {
            found = loopAttribute(meter, *loop, name);
        }
        return found;
    }

    std::optional<Value> elementAt(Meter& meter, const Value& base, int64_t index)
    {
        const auto length = lengthOf(base);
        if (!length)
            return std::nullopt;
        if (index < 0)
            index += *length;
        if (index < 0 || index >= *length)
            return std::nullopt;
        if (const Text* text = base.asText())
            return makeText(meter, characterAt(*text, size_t(index)));
        if (const Range* range = base.asRange())
            return Value(range->start + index * range->step);
        const List* list = base.asList();
        if (list && (list->kind == ListKind::List || list->kind == ListKind::Tuple))
            return list->items[size_t(index)];
        return std::nullopt;
    }

    /// Python's slice.indices: bounds brought into the sequence. Steps of 0 are ruled out before.
    Range sliceIndices(
        int64_t length, std::optional<int64_t> start, std::optional<int64_t> stop, int64_t step)
    {
        const int64_t low = step > 0 ? 0 : -1;
        const int64_t high = step > 0 ? length : length - 1;
        const auto place = [&](std::optional<int64_t> bound, int64_t fallback) {
            if (!bound)
                return fallback;
            return std::clamp(*bound < 0 ? *bound + length : *bound, low, high);
        };
        return { place(start, step > 0 ? low : high), place(stop, step > 0 ? high : low),
            std::clamp(step, -length - 1, length + 1) };
    }

    Result<Value> sliceText(Meter& meter, const Text& text, const Range& indices)
    {
        TRY(meter.stepBytes(text.size()));
        TextBuilder builder;
        if (indices.step == 1) {
            if (indices.start < indices.stop)
                builder.append(text, offsetOfCodePoint(text.bytes(), size_t(indices.start)),
                    offsetOfCodePoint(text.bytes(), size_t(indices.stop)));
            return makeText(meter, std::move(builder));
        }
        std::vector<size_t> offsets;
        for (size_t offset = 0; offset < text.size();
             offset += codePointAt(text.bytes(), offset).bytes)
            offsets.push_back(offset);
        TRY(meter.step(offsets.size()));
        offsets.push_back(text.size());
        const int64_t length = indices.length();
        for (int64_t i = 0, index = indices.start; i < length; ++i, index += indices.step)
            builder.append(text, offsets[size_t(index)], offsets[size_t(index) + 1]);
        return makeText(meter, std::move(builder));
    }
}

Result<Value> attributeOf(Meter& meter, const Value& base, const std::string& name)
{
    if (const Undefined* undefined = base.asUndefined())
        return usedUndefined(*undefined);
    TRY_ASSIGN(std::optional<Value> own, ownAttribute(meter, base, name));
    if (own)
        return *std::move(own);
    if (const Dict* dict = base.asDict()) {
        TRY(meter.step(1 + dict->entries.size() / 16));
        if (const Value* value = findKey(*dict, name))
            return *value;
    }
    return noAttribute(meter, base, name);
}

Result<Value> itemOf(Meter& meter, const Value& base, const Value& key)
{
    if (const Undefined* undefined = base.asUndefined())
        return usedUndefined(*undefined);
    if (const Dict* dict = base.asDict(); dict && isHashable(key)) {
        TRY_ASSIGN(const Value* value, findKey(meter, *dict, key));
        if (value)
            return *value;
    }
    const auto index = key.wholeNumber();
    if (index && !base.asDict()) {
        TRY(meter.stepBytes(base.asText() ? base.asText()->size() : 0));
        if (auto element = elementAt(meter, base, *index))
            return *std::move(element);
        return makeUndefined(
            meter, "'" + std::string(base.typeName()) + "' has no item " + std::to_string(*index));
    }
    if (const Text* name = key.asText()) {
        TRY_ASSIGN(std::optional<Value> own, ownAttribute(meter, base, name->bytes()));
        if (own)
            return *std::move(own);
        return noAttribute(meter, base, name->bytes());
    }
    return makeUndefined(
        meter, "'" + std::string(base.typeName()) + "' has no item of the type " + key.typeName());
}

Result<Value> sliceOf(Meter& meter, const Value& base, const SliceBounds& bounds)
{
    if (const Undefined* undefined = base.asUndefined())
        return usedUndefined(*undefined);
    for (const Value* bound : { &bounds.start, &bounds.stop, &bounds.step })
        if (!bound->isNone() && !bound->wholeNumber())
            return Error::badTemplate(
                "slice bounds must be ints, not " + std::string(bound->typeName()));
    const int64_t step = bounds.step.wholeNumber().value_or(1);
    if (step == 0)
        return Error::badTemplate("a slice cannot have step 0");
    const auto length = lengthOf(base);
    const List* list = base.asList();
    const bool sliceable = base.asText() || base.asRange()
        || (list && (list->kind == ListKind::List || list->kind == ListKind::Tuple));
    if (!sliceable || !length)
        return Error::badTemplate("a " + std::string(base.typeName()) + " cannot be sliced");
    const Range indices
        = sliceIndices(*length, bounds.start.wholeNumber(), bounds.stop.wholeNumber(), step);
    if (const Text* text = base.asText())
        return sliceText(meter, *text, indices);
    if (const Range* range = base.asRange()) {
        const Range slice { range->start + indices.start * range->step,
            range->start + indices.stop * range->step, range->step * indices.step };
        return Value(std::shared_ptr<const Range>(std::make_shared<Range>(slice)));
    }
    TRY_ASSIGN(const std::vector<Value> elements, elementsOf(meter, base));
    std::vector<Value> items;
    const int64_t count = indices.length();
    for (int64_t i = 0, index = indices.start; i < count; ++i, index += indices.step)
        items.push_back(elements[size_t(index)]);
    return makeList(meter, std::move(items), list->kind);
}

} // namespace engine::jinja
