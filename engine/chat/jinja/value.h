#pragma once

#include "engine/chat/jinja/meter.h"
#include "engine/chat/jinja/text.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace engine::jinja {

class Value;
struct NativeEntry;
struct MacroDefinition;
struct LoopState;
class Scope;

struct None {
    bool operator==(const None&) const = default;
};

/// A name, attribute or item that is not there. Writes as nothing, is false, and fails when used.
struct Undefined {
    std::string reason; ///< "'x' is undefined"
    MemoryCharge charge;
};

enum class ListKind { List, Tuple, Keys, Values, Items }; ///< the last three: views of a dictionary

struct List {
    std::vector<Value> items;
    ListKind kind = ListKind::List;
    int depth = 1;
    MemoryCharge charge;
};

/// A dictionary that keeps the order of its keys.
struct Dict {
    std::vector<std::pair<Value, Value>> entries;
    int depth = 1;
    MemoryCharge charge;
};

struct Range {
    int64_t start = 0;
    int64_t stop = 0;
    int64_t step = 1;

    int64_t length() const;
    bool operator==(const Range&) const = default;
};

/// What `map`, `select` and their kin return: gives each item once.
struct Iterator {
    std::vector<Value> items;
    size_t next = 0;
    int depth = 1;
    MemoryCharge charge;
};

/// The only value that a template may change. Owned by the interpreter.
struct Namespace {
    std::vector<std::pair<std::string, Value>> attributes;
};

/// A macro with the scope it was defined in.
struct Macro {
    const MacroDefinition* definition = nullptr;
    std::shared_ptr<Scope> scope; // shared: the scope outlives its tag while a macro needs it
};

enum class Function { Range, Dict, Namespace, RaiseException, StrftimeNow };

/// A method of a value, not yet called.
struct Method {
    std::unique_ptr<Value> self;
    const NativeEntry* entry = nullptr;
    int depth = 1;
    MemoryCharge charge;
};

struct TextCell {
    Text text;
    MemoryCharge charge;
};

/// A value of a template: what Python's objects are to Jinja. Immutable but for Namespace, so
/// content is shared freely and never forms a cycle. A value dies before the Meter it was charged
/// to.
class Value {
public:
    using Content = std::variant<None, bool, int64_t, double, std::shared_ptr<const Undefined>,
        std::shared_ptr<const TextCell>, std::shared_ptr<const List>, std::shared_ptr<const Dict>,
        std::shared_ptr<const Range>, std::shared_ptr<Iterator>, Namespace*,
        std::shared_ptr<const Macro>, Function, std::shared_ptr<const Method>,
        std::shared_ptr<LoopState>>;

    Value() = default;
    template <typename T>
    Value(T content)
        : m_content(std::move(content))
    {
    }

    /// Text that belongs to the template itself and is charged to no meter.
    static Value constant(Text text);

    bool isNone() const { return std::holds_alternative<None>(m_content); }
    bool isBool() const { return std::holds_alternative<bool>(m_content); }
    bool isNumber() const { return isBool() || asInt() || asFloat(); }

    /// A pointer into the value, or null when it is of another kind.
    const bool* asBool() const { return std::get_if<bool>(&m_content); }
    const int64_t* asInt() const { return std::get_if<int64_t>(&m_content); }
    const double* asFloat() const { return std::get_if<double>(&m_content); }
    const Undefined* asUndefined() const { return shared<const Undefined>(); }
    const Text* asText() const
    {
        const auto* cell = shared<const TextCell>();
        return cell ? &cell->text : nullptr;
    }
    const List* asList() const { return shared<const List>(); }
    const Dict* asDict() const { return shared<const Dict>(); }
    const Range* asRange() const { return shared<const Range>(); }
    Iterator* asIterator() const { return shared<Iterator>(); }
    Namespace* asNamespace() const
    {
        const auto* content = std::get_if<Namespace*>(&m_content);
        return content ? *content : nullptr;
    }
    const Macro* asMacro() const { return shared<const Macro>(); }
    const Function* asFunction() const { return std::get_if<Function>(&m_content); }
    const Method* asMethod() const { return shared<const Method>(); }
    LoopState* asLoop() const { return shared<LoopState>(); }

    /// The number as Python counts with it: bools and ints.
    std::optional<int64_t> wholeNumber() const;
    /// The number as float: bools, ints and floats.
    std::optional<double> number() const;

    /// Python's name of the type, for messages ("str", "NoneType").
    const char* typeName() const;
    bool truthy() const;
    /// How deep lists lie in lists; 0 for a scalar.
    int depth() const;
    /// The same object (Python's `is`), the same value for scalars.
    bool sameAs(const Value& other) const;

private:
    template <typename T> T* shared() const
    {
        const auto* content = std::get_if<std::shared_ptr<T>>(&m_content);
        return content ? content->get() : nullptr;
    }

    Content m_content;
};

Value makeUndefined(Meter& meter, std::string reason);
Value makeText(Meter& meter, Text text);
Value makeText(Meter& meter, std::string bytes, Origin origin);
/// Error when the builder passed its limit.
Result<Value> makeText(Meter& meter, TextBuilder&& builder);
/// Error when the items are nested too deep.
Result<Value> makeList(Meter& meter, std::vector<Value> items, ListKind kind = ListKind::List);
Result<Value> makeDict(Meter& meter, std::vector<std::pair<Value, Value>> entries);
Result<Value> makeIterator(Meter& meter, std::vector<Value> items);
Result<Value> makeMethod(Meter& meter, const Value& self, const NativeEntry& entry);

} // namespace engine::jinja
