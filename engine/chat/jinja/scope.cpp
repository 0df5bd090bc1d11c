#include "engine/chat/jinja/scope.h"

namespace engine::jinja {

void Scope::set(const std::string& name, Value value)
{
    for (auto& [existing, content] : m_variables)
        if (existing == name) {
            content = std::move(value);
            return;
        }
    m_variables.emplace_back(name, std::move(value));
}

const Value* Scope::find(std::string_view name) const
{
    for (const Scope* scope = this; scope; scope = scope->m_outer.get())
        for (const auto& [existing, content] : scope->m_variables)
            if (existing == name)
                return &content;
    return nullptr;
}

} // namespace engine::jinja
