#include "engine/chat/jinja/filter_table.h"

#include "engine/chat/jinja/filters.h"

namespace engine::jinja {

namespace {
    using namespace filters;

    constexpr NativeEntry kFilters[] = {
        { "abs", {}, absolute },
        { "attr", { { "name" }, 1 }, attr },
        { "batch", { { "linecount", "fill_with" }, 1 }, batch },
        { "capitalize", {}, capitalize },
        { "center", { { "width" } }, center },
        { "count", {}, length },
        { "d", { { "default_value", "boolean" } }, defaultValue },
        { "default", { { "default_value", "boolean" } }, defaultValue },
        { "dictsort", { { "case_sensitive", "by", "reverse" } }, dictsort },
        { "e", {}, escape },
        { "escape", {}, escape },
        { "first", {}, first },
        { "float", { { "default" } }, toFloat },
        { "forceescape", {}, escape },
        { "format", { .variadic = true }, format },
        { "groupby", { { "attribute", "default", "case_sensitive" }, 1 }, groupby },
        { "indent", { { "width", "first", "blank" } }, indent },
        { "int", { { "default", "base" } }, toInt },
        { "items", {}, items },
        { "join", { { "d", "attribute" } }, join },
        { "last", {}, last },
        { "length", {}, length },
        { "list", {}, list },
        { "lower", {}, lower },
        { "map", { .variadic = true }, map },
        { "max", { { "case_sensitive", "attribute" } }, maximum },
        { "min", { { "case_sensitive", "attribute" } }, minimum },
        { "reject", { .variadic = true }, reject },
        { "rejectattr", { .variadic = true }, rejectattr },
        { "replace", { { "old", "new", "count" }, 2 }, replace },
        { "reverse", {}, reverse },
        { "round", { { "precision", "method" } }, round },
        { "safe", {}, string }, // nothing is escaped by itself, so nothing needs marking
        { "select", { .variadic = true }, select },
        { "selectattr", { .variadic = true }, selectattr },
        { "slice", { { "slices", "fill_with" }, 1 }, slice },
        { "sort", { { "reverse", "case_sensitive", "attribute" } }, sort },
        { "string", {}, string },
        { "sum", { { "attribute", "start" } }, sum },
        { "title", {}, title },
        { "tojson", { { "ensure_ascii", "indent", "separators", "sort_keys" } }, tojson },
        { "trim", { { "chars" } }, trim },
        { "truncate", { { "length", "killwords", "end", "leeway" } }, truncate },
        { "unique", { { "case_sensitive", "attribute" } }, unique },
        { "upper", {}, upper },
        { "urlencode", {}, urlencode },
        { "wordcount", {}, wordcount },
    };
}

std::span<const NativeEntry> filterTable() { return kFilters; }

} // namespace engine::jinja
