#include "engine/chat/jinja/access.h"
#include "engine/chat/jinja/filter_table.h"
#include "engine/chat/jinja/filters.h"
#include "engine/chat/jinja/iteration.h"
#include "engine/chat/jinja/sorting.h"
#include "engine/chat/jinja/test_table.h"
#include "engine/chat/jinja/text_operations.h"

#include <algorithm>
#include <charconv>

namespace engine::jinja::filters {

namespace {
    /// An entry of a table that was named in a string, and the arguments behind the name.
    struct NamedCall {
        const NativeEntry* entry = nullptr;
        Arguments arguments;
    };

    Result<NamedCall> namedCall(std::span<const NativeEntry> table, const char* kind,
        const Arguments& given, size_t nameIndex)
    {
        const Text* name = given.positional[nameIndex].asText();
        if (!name)
            return Error::badTemplate("the name of a " + std::string(kind)
                + " must be a str, not a " + given.positional[nameIndex].typeName());
        NamedCall call;
        call.entry = findEntry(table, name->bytes());
        if (!call.entry)
            return Error::badTemplate("unknown " + std::string(kind) + " '" + name->bytes() + "'");
        call.arguments.positional.assign(
            given.positional.begin() + ptrdiff_t(nameIndex) + 1, given.positional.end());
        call.arguments.named = given.named;
        return call;
    }

    enum class Keep { Matching, Others };

    /// select, reject and their forms that look at an attribute.
    Result<Value> chosen(
        Meter& meter, const Value& subject, const Arguments& given, Keep keep, bool byAttribute)
    {
        const size_t testIndex = byAttribute ? 1 : 0;
        if (given.positional.size() < testIndex)
            return Error::badTemplate("selectattr and rejectattr need the name of an attribute");
        std::optional<NamedCall> test;
        if (given.positional.size() > testIndex) {
            TRY_ASSIGN(test, namedCall(testTable(), "test", given, testIndex));
        }
        TRY_ASSIGN(const std::vector<Value> items, elementsOf(meter, subject));
        std::vector<Value> kept;
        for (const Value& item : items) {
            TRY_ASSIGN(Value examined,
                attributeByPath(meter, item, byAttribute ? &given.positional[0] : nullptr));
            if (test) {
                TRY_ASSIGN(examined, applyNative(meter, *test->entry, examined, test->arguments));
            }
            if (examined.truthy() == (keep == Keep::Matching))
                kept.push_back(item);
        }
        return makeIterator(meter, std::move(kept));
    }

    Value pathPart(Meter& meter, std::string_view part)
    {
        const bool isIndex = !part.empty()
            && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
        int64_t index = 0;
        if (isIndex
            && std::from_chars(part.data(), part.data() + part.size(), index).ec == std::errc())
            return Value(index);
        return makeText(meter, std::string(part), Origin::Template);
    }
}

Result<Value> attributeByPath(Meter& meter, const Value& item, const Value* path)
{
    if (!path || path->isNone())
        return item;
    if (!path->asText())
        return itemOf(meter, item, *path);
    std::string_view rest = path->asText()->bytes();
    Value value = item;
    while (true) {
        const size_t dot = rest.find('.');
        TRY_ASSIGN(value, itemOf(meter, value, pathPart(meter, rest.substr(0, dot))));
        if (dot == std::string_view::npos)
            return value;
        rest.remove_prefix(dot + 1);
    }
}

Value withoutCase(Meter& meter, const Value& item)
{
    if (const Text* text = item.asText())
        return makeText(meter, withCase(*text, LetterCase::Lower));
    return item;
}

Result<Value> attr(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const Text* name, arguments.textAt(0));
    if (subject.asDict()) { // attributes only, no keys: what a Python dict has are its methods
        const Value noKeys = Value(std::shared_ptr<const Dict>(std::make_shared<Dict>()));
        TRY_ASSIGN(const Value found, attributeOf(meter, noKeys, name->bytes()));
        if (found.asUndefined())
            return found;
    }
    return attributeOf(meter, subject, name->bytes());
}

Result<Value> map(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    const Arguments& given = arguments.given();
    const Value* attribute = given.findNamed("attribute");
    std::optional<NamedCall> filter;
    if (!given.positional.empty()) {
        TRY_ASSIGN(filter, namedCall(filterTable(), "filter", given, 0));
    } else if (!attribute) {
        return Error::badTemplate("map needs the name of a filter or attribute='...'");
    }
    const Value* fallback = given.findNamed("default");
    TRY_ASSIGN(const std::vector<Value> items, elementsOf(meter, subject));
    std::vector<Value> mapped;
    for (const Value& item : items) {
        TRY_ASSIGN(Value value,
            filter ? applyNative(meter, *filter->entry, item, filter->arguments)
                   : attributeByPath(meter, item, attribute));
        if (!filter && fallback && !fallback->isNone() && value.asUndefined())
            value = *fallback;
        mapped.push_back(std::move(value));
    }
    return makeIterator(meter, std::move(mapped));
}

Result<Value> select(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    return chosen(meter, subject, arguments.given(), Keep::Matching, false);
}

Result<Value> reject(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    return chosen(meter, subject, arguments.given(), Keep::Others, false);
}

Result<Value> selectattr(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    return chosen(meter, subject, arguments.given(), Keep::Matching, true);
}

Result<Value> rejectattr(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    return chosen(meter, subject, arguments.given(), Keep::Others, true);
}

/// A list of (value, items) pairs, one for each value of the attribute.
Result<Value> groupby(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const std::vector<Value> elements, elementsOf(meter, subject));
    const bool caseSensitive = arguments.flagOr(2, false);
    struct Keyed {
        Value key;
        Value shownKey;
        Value item;
    };
    std::vector<Keyed> keyed;
    for (const Value& element : elements) {
        TRY_ASSIGN(Value key, attributeByPath(meter, element, arguments.find(0)));
        if (const Value* fallback = arguments.find(1); fallback && key.asUndefined())
            key = *fallback;
        keyed.push_back({ caseSensitive ? key : withoutCase(meter, key), key, element });
    }
    TRY(sortBy(
        meter, keyed, [](const Keyed& entry) { return entry.key; }, false));
    std::vector<Value> groups;
    for (size_t begin = 0; begin < keyed.size();) {
        std::vector<Value> members;
        size_t end = begin;
        for (bool same = true; same && end < keyed.size();) {
            members.push_back(keyed[end++].item);
            if (end < keyed.size()) {
                TRY_ASSIGN(same, valuesEqual(meter, keyed[begin].key, keyed[end].key));
            }
        }
        TRY_ASSIGN(Value list, makeList(meter, std::move(members)));
        TRY_ASSIGN(Value group,
            makeList(meter, { keyed[begin].shownKey, std::move(list) }, ListKind::Tuple));
        groups.push_back(std::move(group));
        begin = end;
    }
    return makeList(meter, std::move(groups));
}

} // namespace engine::jinja::filters
