#include "engine/chat/jinja/access.h"
#include "engine/chat/jinja/arithmetic.h"
#include "engine/chat/jinja/comparison.h"
#include "engine/chat/jinja/filters.h"
#include "engine/chat/jinja/iteration.h"
#include "engine/chat/jinja/python_text.h"
#include "engine/chat/jinja/sorting.h"
#include "engine/chat/jinja/text_operations.h"

namespace engine::jinja::filters {

namespace {
    /// The keys by which items are compared: an attribute of each, without case unless told
    /// otherwise.
    Result<std::vector<Value>> comparisonKeys(
        Meter& meter, const std::vector<Value>& items, const Value* attribute, bool caseSensitive)
    {
        std::vector<Value> keys;
        for (const Value& item : items) {
            TRY_ASSIGN(Value key, attributeByPath(meter, item, attribute));
            keys.push_back(caseSensitive ? std::move(key) : withoutCase(meter, key));
        }
        return keys;
    }

    Result<Value> extreme(
        Meter& meter, const Value& subject, const BoundArguments& arguments, int sign)
    {
        TRY_ASSIGN(const std::vector<Value> items, elementsOf(meter, subject));
        if (items.empty())
            return makeUndefined(meter, "an empty list has neither min nor max");
        TRY_ASSIGN(const std::vector<Value> keys,
            comparisonKeys(meter, items, arguments.find(1), arguments.flagOr(0, false)));
        size_t best = 0;
        for (size_t i = 1; i < items.size(); ++i) {
            TRY_ASSIGN(const int order, orderOf(meter, keys[i], keys[best]));
            if (order * sign > 0)
                best = i;
        }
        return items[best];
    }

    Result<int64_t> positiveCount(const BoundArguments& arguments)
    {
        TRY_ASSIGN(const int64_t count, arguments.wholeNumberOr(0, 1));
        if (count < 1 || count > kMaxRangeLength)
            return Error::badTemplate("batch and slice need a count from 1 to 100000");
        return count;
    }
}

Result<Value> batch(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const int64_t count, positiveCount(arguments));
    TRY_ASSIGN(const std::vector<Value> items, elementsOf(meter, subject));
    std::vector<Value> batches;
    for (size_t begin = 0; begin < items.size(); begin += size_t(count)) {
        const size_t end = std::min(items.size(), begin + size_t(count));
        std::vector<Value> line(items.begin() + ptrdiff_t(begin), items.begin() + ptrdiff_t(end));
        if (const Value* fill = arguments.find(1); fill && !fill->isNone())
            line.resize(size_t(count), *fill);
        TRY_ASSIGN(Value list, makeList(meter, std::move(line)));
        batches.push_back(std::move(list));
    }
    return makeIterator(meter, std::move(batches));
}

Result<Value> slice(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const int64_t signedCount, positiveCount(arguments));
    TRY_ASSIGN(const std::vector<Value> items, elementsOf(meter, subject));
    const auto count = size_t(signedCount);
    const size_t longerCount = items.size() % count;
    std::vector<Value> slices;
    size_t begin = 0;
    for (size_t i = 0; i < count; ++i) {
        const size_t end = begin + items.size() / count + (i < longerCount ? 1 : 0);
        std::vector<Value> column(items.begin() + ptrdiff_t(begin), items.begin() + ptrdiff_t(end));
        if (const Value* fill = arguments.find(1); fill && !fill->isNone() && i >= longerCount)
            column.push_back(*fill);
        TRY_ASSIGN(Value list, makeList(meter, std::move(column)));
        slices.push_back(std::move(list));
        begin = end;
    }
    return makeIterator(meter, std::move(slices));
}

Result<Value> dictsort(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    const Dict* dict = subject.asDict();
    if (!dict)
        return Error::badTemplate(
            "dictsort needs a dict, not a " + std::string(subject.typeName()));
    const bool caseSensitive = arguments.flagOr(0, false);
    std::string by = "key";
    if (arguments.find(1)) {
        TRY_ASSIGN(const Text* given, arguments.textAt(1));
        by = given->bytes();
    }
    if (by != "key" && by != "value")
        return Error::badTemplate("dictsort: 'by' must be 'key' or 'value'");
    const bool byValue = by == "value";
    auto entries = dict->entries;
    TRY(sortBy(
        meter, entries,
        [&](const auto& entry) {
            const Value& key = byValue ? entry.second : entry.first;
            return caseSensitive ? key : withoutCase(meter, key);
        },
        arguments.flagOr(2, false)));
    std::vector<Value> pairs;
    for (auto& [key, value] : entries) {
        TRY_ASSIGN(Value pair, makeList(meter, { key, value }, ListKind::Tuple));
        pairs.push_back(std::move(pair));
    }
    return makeList(meter, std::move(pairs));
}

Result<Value> first(Meter& meter, const Value& subject, const BoundArguments&)
{
    if (Iterator* iterator = subject.asIterator();
        iterator && iterator->next < iterator->items.size())
        return iterator->items[iterator->next++];
    TRY_ASSIGN(const std::vector<Value> items, elementsOf(meter, subject));
    return items.empty() ? makeUndefined(meter, "an empty list has no first item") : items.front();
}

Result<Value> last(Meter& meter, const Value& subject, const BoundArguments&)
{
    if (subject.asIterator())
        return Error::badTemplate("'generator' object is not reversible (last)");
    TRY_ASSIGN(const std::vector<Value> items, elementsOf(meter, subject));
    return items.empty() ? makeUndefined(meter, "an empty list has no last item") : items.back();
}

Result<Value> items(Meter& meter, const Value& subject, const BoundArguments&)
{
    std::vector<Value> pairs;
    if (!subject.asDict() && !subject.asUndefined())
        return Error::badTemplate("items needs a dict, not a " + std::string(subject.typeName()));
    if (const Dict* dict = subject.asDict())
        for (const auto& [key, value] : dict->entries) {
            TRY_ASSIGN(Value pair, makeList(meter, { key, value }, ListKind::Tuple));
            pairs.push_back(std::move(pair));
        }
    return makeIterator(meter, std::move(pairs));
}

Result<Value> join(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(std::vector<Value> parts, elementsOf(meter, subject));
    if (const Value* attribute = arguments.find(1); attribute && !attribute->isNone())
        for (Value& item : parts) {
            TRY_ASSIGN(item, attributeByPath(meter, item, attribute));
        }
    Text separator;
    if (arguments.find(0)) {
        TRY_ASSIGN(separator, pythonText(meter, arguments.at(0)));
    }
    return joined(meter, separator, parts);
}

Result<Value> length(Meter& meter, const Value& subject, const BoundArguments&)
{
    TRY(meter.stepBytes(subject.asText() ? subject.asText()->size() : 0));
    if (const auto count = lengthOf(subject))
        return Value(*count);
    return Error::badTemplate(
        "object of type '" + std::string(subject.typeName()) + "' has no length");
}

Result<Value> list(Meter& meter, const Value& subject, const BoundArguments&)
{
    TRY_ASSIGN(std::vector<Value> elements, elementsOf(meter, subject));
    return makeList(meter, std::move(elements));
}

Result<Value> maximum(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    return extreme(meter, subject, arguments, 1);
}

Result<Value> minimum(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    return extreme(meter, subject, arguments, -1);
}

Result<Value> reverse(Meter& meter, const Value& subject, const BoundArguments&)
{
    if (subject.asText())
        return sliceOf(meter, subject, { Value(), Value(), Value(int64_t(-1)) });
    TRY_ASSIGN(std::vector<Value> elements, elementsOf(meter, subject));
    std::reverse(elements.begin(), elements.end());
    return makeIterator(meter, std::move(elements));
}

Result<Value> sort(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const std::vector<Value> elements, elementsOf(meter, subject));
    TRY_ASSIGN(std::vector<Value> keys,
        comparisonKeys(meter, elements, arguments.find(2), arguments.flagOr(1, false)));
    std::vector<std::pair<Value, Value>> keyed;
    for (size_t i = 0; i < elements.size(); ++i)
        keyed.emplace_back(std::move(keys[i]), elements[i]);
    TRY(sortBy(
        meter, keyed, [](const auto& entry) { return entry.first; }, arguments.flagOr(0, false)));
    std::vector<Value> sorted;
    for (auto& [key, item] : keyed)
        sorted.push_back(std::move(item));
    return makeList(meter, std::move(sorted));
}

Result<Value> sum(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const std::vector<Value> elements, elementsOf(meter, subject));
    Value total = arguments.find(1) ? *arguments.find(1) : Value(int64_t(0));
    for (const Value& element : elements) {
        const Value* attribute = arguments.find(0);
        TRY_ASSIGN(const Value item, attributeByPath(meter, element, attribute));
        TRY_ASSIGN(total, applyArithmetic(meter, ArithmeticOperator::Add, total, item));
    }
    return total;
}

Result<Value> unique(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const std::vector<Value> elements, elementsOf(meter, subject));
    TRY_ASSIGN(const std::vector<Value> keys,
        comparisonKeys(meter, elements, arguments.find(1), arguments.flagOr(0, false)));
    std::vector<Value> kept;
    std::vector<const Value*> seen;
    for (size_t i = 0; i < elements.size(); ++i) {
        bool repeats = false;
        for (size_t j = 0; j < seen.size() && !repeats; ++j) {
            TRY_ASSIGN(repeats, valuesEqual(meter, *seen[j], keys[i]));
        }
        if (repeats)
            continue;
        seen.push_back(&keys[i]);
        kept.push_back(elements[i]);
    }
    return makeIterator(meter, std::move(kept));
}

} // namespace engine::jinja::filters
