#pragma once

#include "engine/chat/jinja/value.h"

#include <array>
#include <span>

namespace engine::jinja {

/// The evaluated arguments of a call.
struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> named;

    const Value* findNamed(std::string_view name) const;
};

/// The parameter names of a native function, and how many of them must be given.
struct Signature {
    std::array<const char*, 5> names {};
    size_t required = 0;
    bool variadic = false; ///< takes any arguments; the function reads them itself
};

/// Arguments put in the order of a signature; a parameter that was not given is null.
class BoundArguments {
public:
    /// Error naming the function, the argument and what is wrong with it.
    static Result<BoundArguments> bind(
        const char* name, const Signature& signature, const Arguments& given);

    const Arguments& given() const { return *m_given; }
    const Value* find(size_t index) const { return m_values[index]; }
    const Value& at(size_t index) const { return *m_values[index]; } ///< a required parameter
    bool flagOr(size_t index, bool fallback) const;
    /// Errors name the function and the parameter.
    Result<int64_t> wholeNumberOr(size_t index, int64_t fallback) const;
    Result<const Text*> textAt(size_t index) const;
    /// Null when the argument is absent or none.
    Result<const Text*> textOrNull(size_t index) const;

private:
    BoundArguments() = default;

    const char* m_name = "";
    const Signature* m_signature = nullptr;
    const Arguments* m_given = nullptr;
    std::array<const Value*, 5> m_values {};
};

/// A filter, test or method that is written in C++. A test returns a bool.
struct NativeEntry {
    const char* name;
    Signature signature;
    Result<Value> (*apply)(Meter& meter, const Value& subject, const BoundArguments& arguments);
};

const NativeEntry* findEntry(std::span<const NativeEntry> table, std::string_view name);

/// Binds the arguments and applies the entry.
Result<Value> applyNative(
    Meter& meter, const NativeEntry& entry, const Value& subject, const Arguments& given);

} // namespace engine::jinja
