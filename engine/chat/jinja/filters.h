#pragma once

#include "engine/chat/jinja/native.h"

/// The filters, one function each; filter_table.cpp gives them their names and parameters.
namespace engine::jinja::filters {

using Filter = Result<Value>(Meter& meter, const Value& subject, const BoundArguments& arguments);

// filters_text.cpp
Filter capitalize, center, escape, format, indent, lower, replace, string, title, trim, truncate,
    upper, urlencode, wordcount;
// filters_sequence.cpp
Filter batch, dictsort, first, items, join, last, length, list, maximum, minimum, reverse, slice,
    sort, sum, unique;
// filters_select.cpp
Filter attr, groupby, map, reject, rejectattr, select, selectattr;
// filters_scalar.cpp
Filter absolute, defaultValue, toFloat, toInt, round, tojson;

/// The value that an attribute path ("function.name", 0) leads to from an item. A null path leads
/// to the item itself.
Result<Value> attributeByPath(Meter& meter, const Value& item, const Value* path);
/// The item, in lower case when it is a text: the key of sorting that ignores case.
Value withoutCase(Meter& meter, const Value& item);

} // namespace engine::jinja::filters
