#pragma once

#include "engine/base/error.h"

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

namespace engine {

/// A value or the Error that kept it from being made. Member names are those of std::expected
/// (C++23), so that this can become an alias later.
template <typename T> class [[nodiscard]] Result {
public:
    using value_type = T;

    Result(T value)
        : m_content(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_content(std::in_place_index<1>, std::move(error))
    {
    }

    bool has_value() const { return m_content.index() == 0; }
    explicit operator bool() const { return has_value(); }

    T& value()
    {
        assert(has_value());
        return *std::get_if<0>(&m_content);
    }
    const T& value() const
    {
        assert(has_value());
        return *std::get_if<0>(&m_content);
    }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    Error& error()
    {
        assert(!has_value());
        return *std::get_if<1>(&m_content);
    }
    const Error& error() const
    {
        assert(!has_value());
        return *std::get_if<1>(&m_content);
    }

private:
    std::variant<T, Error> m_content;
};

/// Success without a value, or the Error.
template <> class [[nodiscard]] Result<void> {
public:
    using value_type = void;

    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
    {
    }

    bool has_value() const { return !m_error; }
    explicit operator bool() const { return has_value(); }
    Error& error() { return *m_error; }
    const Error& error() const { return *m_error; }

private:
    std::optional<Error> m_error;
};

} // namespace engine

#define TOKENGLASS_JOIN2(a, b) a##b
#define TOKENGLASS_JOIN(a, b) TOKENGLASS_JOIN2(a, b)
#define TOKENGLASS_TRY_ASSIGN(name, declaration, expression)                                       \
    auto name = (expression);                                                                      \
    if (!name)                                                                                     \
        return std::move(name.error());                                                            \
    declaration = std::move(*name)

/// Evaluates a Result expression: returns its error, or assigns its value.
///   TRY_ASSIGN(Device device, Device::create(instance));
#define TRY_ASSIGN(declaration, expression)                                                        \
    TOKENGLASS_TRY_ASSIGN(TOKENGLASS_JOIN(tryResult, __LINE__), declaration, expression)

/// Evaluates a Result<void> expression and returns its error, if any.
#define TRY(expression)                                                                            \
    do {                                                                                           \
        auto tryResult = (expression);                                                             \
        if (!tryResult)                                                                            \
            return std::move(tryResult.error());                                                   \
    } while (false)
