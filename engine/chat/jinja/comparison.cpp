#include "engine/chat/jinja/comparison.h"

#include "engine/chat/jinja/iteration.h"

#include <algorithm>

namespace engine::jinja {

namespace {
    int sign(bool less, bool greater) { return less ? -1 : greater ? 1 : 0; }

    Result<bool> itemsEqual(Meter& meter, const std::vector<Value>& a, const std::vector<Value>& b)
    {
        if (a.size() != b.size())
            return false;
        for (size_t i = 0; i < a.size(); ++i) {
            TRY_ASSIGN(const bool equal, valuesEqual(meter, a[i], b[i]));
            if (!equal)
                return false;
        }
        return true;
    }

    Result<bool> dictsEqual(Meter& meter, const Dict& a, const Dict& b)
    {
        if (a.entries.size() != b.entries.size())
            return false;
        for (const auto& [key, value] : a.entries) {
            TRY_ASSIGN(const Value* other, findKey(meter, b, key));
            if (!other)
                return false;
            TRY_ASSIGN(const bool equal, valuesEqual(meter, value, *other));
            if (!equal)
                return false;
        }
        return true;
    }

    bool numbersEqual(const Value& a, const Value& b)
    {
        const auto wholeA = a.wholeNumber();
        const auto wholeB = b.wholeNumber();
        if (wholeA && wholeB)
            return *wholeA == *wholeB;
        return *a.number() == *b.number();
    }
}

Result<bool> valuesEqual(Meter& meter, const Value& a, const Value& b)
{
    TRY(meter.step());
    if (a.isNumber() && b.isNumber())
        return numbersEqual(a, b);
    if (a.asText() && b.asText()) {
        TRY(meter.stepBytes(std::min(a.asText()->size(), b.asText()->size())));
        return a.asText()->bytes() == b.asText()->bytes();
    }
    if (a.asUndefined() && b.asUndefined())
        return true;
    if (const List* left = a.asList(), *right = b.asList(); left && right) {
        if (left->kind != right->kind)
            return false;
        return itemsEqual(meter, left->items, right->items);
    }
    if (a.asDict() && b.asDict())
        return dictsEqual(meter, *a.asDict(), *b.asDict());
    if (const Range* left = a.asRange(), *right = b.asRange(); left && right) {
        const int64_t length = left->length();
        return length == right->length()
            && (length == 0
                || (left->start == right->start && (length == 1 || left->step == right->step)));
    }
    return a.sameAs(b);
}

Result<int> orderOf(Meter& meter, const Value& a, const Value& b)
{
    TRY(meter.step());
    if (const auto wholeA = a.wholeNumber(), wholeB = b.wholeNumber(); wholeA && wholeB)
        return sign(*wholeA<*wholeB, *wholeA> * wholeB);
    if (const auto numberA = a.number(), numberB = b.number(); numberA && numberB)
        return sign(*numberA<*numberB, *numberA> * numberB);
    if (a.asText() && b.asText()) { // UTF-8 bytes order as code points do
        TRY(meter.stepBytes(std::min(a.asText()->size(), b.asText()->size())));
        const int order = a.asText()->bytes().compare(b.asText()->bytes());
        return sign(order<0, order> 0);
    }
    if (const List* left = a.asList(), *right = b.asList();
        left && right && left->kind == right->kind) {
        for (size_t i = 0; i < std::min(left->items.size(), right->items.size()); ++i) {
            TRY_ASSIGN(const bool equal, valuesEqual(meter, left->items[i], right->items[i]));
            if (!equal)
                return orderOf(meter, left->items[i], right->items[i]);
        }
        return sign(
            left->items.size() < right->items.size(), left->items.size() > right->items.size());
    }
    for (const Value* value : { &a, &b })
        if (const Undefined* undefined = value->asUndefined())
            return Error::badTemplate(undefined->reason);
    return Error::badTemplate("'" + std::string(a.typeName()) + "' and '" + b.typeName()
        + "' have no order ('<', '>' and sorting need two of a kind)");
}

Result<bool> contains(Meter& meter, const Value& container, const Value& item)
{
    if (const Text* text = container.asText()) {
        if (const Undefined* undefined = item.asUndefined())
            return Error::badTemplate(undefined->reason + " ('in' needs a str on its left)");
        if (!item.asText())
            return Error::badTemplate("'in <string>' requires string as left operand, not "
                + std::string(item.typeName()));
        TRY(meter.stepBytes(text->size()));
        return text->bytes().find(item.asText()->bytes()) != std::string::npos;
    }
    if (const Dict* dict = container.asDict()) {
        if (!isHashable(item))
            return Error::badTemplate("a " + std::string(item.typeName()) + " cannot be a key");
        TRY_ASSIGN(const Value* value, findKey(meter, *dict, item));
        return value != nullptr;
    }
    if (!container.asList() && !container.asRange() && !container.asIterator()
        && !container.asUndefined())
        return Error::badTemplate(
            "argument of type '" + std::string(container.typeName()) + "' is not iterable ('in')");
    TRY_ASSIGN(const std::vector<Value> elements, elementsOf(meter, container));
    for (const Value& element : elements) {
        TRY_ASSIGN(const bool equal, valuesEqual(meter, element, item));
        if (equal)
            return true;
    }
    return false;
}

} // namespace engine::jinja
