#include "engine/chat/jinja/native.h"

#include <algorithm>

namespace engine::jinja {

const Value* Arguments::findNamed(std::string_view name) const
{
    for (const auto& [given, value] : named)
        if (given == name)
            return &value;
    return nullptr;
}

Result<BoundArguments> BoundArguments::bind(
    const char* name, const Signature& signature, const Arguments& given)
{
    BoundArguments bound;
    bound.m_name = name;
    bound.m_signature = &signature;
    bound.m_given = &given;
    if (signature.variadic)
        return bound;
    const auto count = size_t(std::find(signature.names.begin(), signature.names.end(), nullptr)
        - signature.names.begin());
    if (given.positional.size() > count)
        return Error::badTemplate(std::string(name) + "() takes at most " + std::to_string(count)
            + " arguments, " + std::to_string(given.positional.size()) + " were given");
    for (size_t i = 0; i < given.positional.size(); ++i)
        bound.m_values[i] = &given.positional[i];
    for (const auto& [argument, value] : given.named) {
        size_t index = 0;
        while (index < count && argument != signature.names[index])
            ++index;
        if (index == count)
            return Error::badTemplate(std::string(name) + "() has no argument '" + argument + "'");
        if (bound.m_values[index])
            return Error::badTemplate(
                std::string(name) + "() got its argument '" + argument + "' twice");
        bound.m_values[index] = &value;
    }
    for (size_t i = 0; i < signature.required; ++i)
        if (!bound.m_values[i])
            return Error::badTemplate(
                std::string(name) + "() lacks its argument '" + signature.names[i] + "'");
    return bound;
}

bool BoundArguments::flagOr(size_t index, bool fallback) const
{
    return m_values[index] ? m_values[index]->truthy() : fallback;
}

Result<int64_t> BoundArguments::wholeNumberOr(size_t index, int64_t fallback) const
{
    if (!m_values[index])
        return fallback;
    if (const auto number = m_values[index]->wholeNumber())
        return *number;
    return Error::badTemplate(std::string(m_name) + "(): '" + m_signature->names[index]
        + "' must be an int, not " + m_values[index]->typeName());
}

Result<const Text*> BoundArguments::textAt(size_t index) const
{
    if (const Text* text = m_values[index]->asText())
        return text;
    return Error::badTemplate(std::string(m_name) + "(): '" + m_signature->names[index]
        + "' must be a str, not " + m_values[index]->typeName());
}

Result<const Text*> BoundArguments::textOrNull(size_t index) const
{
    if (!m_values[index] || m_values[index]->isNone())
        return static_cast<const Text*>(nullptr);
    return textAt(index);
}

const NativeEntry* findEntry(std::span<const NativeEntry> table, std::string_view name)
{
    for (const NativeEntry& entry : table)
        if (name == entry.name)
            return &entry;
    return nullptr;
}

Result<Value> applyNative(
    Meter& meter, const NativeEntry& entry, const Value& subject, const Arguments& given)
{
    TRY_ASSIGN(
        const BoundArguments bound, BoundArguments::bind(entry.name, entry.signature, given));
    return entry.apply(meter, subject, bound);
}

} // namespace engine::jinja
