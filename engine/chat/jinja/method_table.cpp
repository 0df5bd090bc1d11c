#include "engine/chat/jinja/method_table.h"

#include <algorithm>

namespace engine::jinja {

const NativeEntry* findMethod(const Value& self, std::string_view name)
{
    if (self.asText())
        return findEntry(textMethods(), name);
    if (self.asDict())
        return findEntry(dictMethods(), name);
    if (const List* list = self.asList(); list && list->kind <= ListKind::Tuple)
        return findEntry(listMethods(), name);
    if (self.asLoop())
        return findEntry(loopMethods(), name);
    return nullptr;
}

bool changesItsObject(const Value& self, std::string_view name)
{
    constexpr std::string_view kOfLists[]
        = { "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort" };
    constexpr std::string_view kOfDicts[] = { "clear", "pop", "popitem", "setdefault", "update" };
    const List* list = self.asList();
    if (list && list->kind == ListKind::List)
        return std::find(std::begin(kOfLists), std::end(kOfLists), name) != std::end(kOfLists);
    return self.asDict()
        && std::find(std::begin(kOfDicts), std::end(kOfDicts), name) != std::end(kOfDicts);
}

} // namespace engine::jinja
