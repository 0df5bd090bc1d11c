#pragma once

#include "engine/chat/jinja/value.h"

namespace engine::jinja {

/// The variables of one tag's body; names that are not here are looked for outside.
class Scope {
public:
    explicit Scope(std::shared_ptr<Scope> outer)
        : m_outer(std::move(outer))
    {
    }

    void set(const std::string& name, Value value);
    /// Null when neither this scope nor an outer one has the name.
    const Value* find(std::string_view name) const;
    void clear() { m_variables.clear(); }

private:
    std::shared_ptr<Scope> m_outer; // shared: macros keep the scopes around them
    std::vector<std::pair<std::string, Value>> m_variables;
};

} // namespace engine::jinja
