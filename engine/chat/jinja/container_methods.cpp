#include "engine/chat/jinja/comparison.h"
#include "engine/chat/jinja/iteration.h"
#include "engine/chat/jinja/loop_state.h"
#include "engine/chat/jinja/method_table.h"

namespace engine::jinja {

namespace {
    Result<Value> getMethod(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        const Value& key = arguments.at(0);
        if (!isHashable(key))
            return Error::badTemplate("a " + std::string(key.typeName()) + " cannot be a key");
        TRY_ASSIGN(const Value* value, findKey(meter, *self.asDict(), key));
        if (value)
            return *value;
        return arguments.find(1) ? *arguments.find(1) : Value();
    }

    Result<Value> itemsMethod(Meter& meter, const Value& self, const BoundArguments&)
    {
        std::vector<Value> pairs;
        for (const auto& [key, value] : self.asDict()->entries) {
            TRY_ASSIGN(Value pair, makeList(meter, { key, value }, ListKind::Tuple));
            pairs.push_back(std::move(pair));
        }
        return makeList(meter, std::move(pairs), ListKind::Items);
    }

    Result<Value> keysMethod(Meter& meter, const Value& self, const BoundArguments&)
    {
        TRY_ASSIGN(std::vector<Value> keys, elementsOf(meter, self));
        return makeList(meter, std::move(keys), ListKind::Keys);
    }

    Result<Value> valuesMethod(Meter& meter, const Value& self, const BoundArguments&)
    {
        std::vector<Value> values;
        for (const auto& [key, value] : self.asDict()->entries)
            values.push_back(value);
        return makeList(meter, std::move(values), ListKind::Values);
    }

    Result<Value> copyMethod(Meter&, const Value& self, const BoundArguments&)
    {
        return self;
    } // immutable

    Result<Value> indexMethod(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        const auto& items = self.asList()->items;
        for (size_t i = 0; i < items.size(); ++i) {
            TRY_ASSIGN(const bool equal, valuesEqual(meter, items[i], arguments.at(0)));
            if (equal)
                return Value(int64_t(i));
        }
        return Error::badTemplate("index(): the value is not in the list");
    }

    Result<Value> countMethod(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        int64_t count = 0;
        for (const Value& item : self.asList()->items) {
            TRY_ASSIGN(const bool equal, valuesEqual(meter, item, arguments.at(0)));
            count += equal;
        }
        return Value(count);
    }

    Result<Value> cycleMethod(Meter&, const Value& self, const BoundArguments& arguments)
    {
        const auto& choices = arguments.given().positional;
        if (choices.empty())
            return Error::badTemplate("loop.cycle() needs at least one value");
        return choices[self.asLoop()->index % choices.size()];
    }

    Result<Value> changedMethod(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        LoopState& loop = *self.asLoop();
        const auto& given = arguments.given().positional;
        bool changed = !loop.changedArguments || loop.changedArguments->size() != given.size();
        for (size_t i = 0; i < given.size() && !changed; ++i) {
            TRY_ASSIGN(const bool equal, valuesEqual(meter, (*loop.changedArguments)[i], given[i]));
            changed = !equal;
        }
        if (changed)
            loop.changedArguments = given;
        return Value(changed);
    }

    constexpr NativeEntry kDictMethods[] = {
        { "copy", {}, copyMethod },
        { "get", { { "key", "default" }, 1 }, getMethod },
        { "items", {}, itemsMethod },
        { "keys", {}, keysMethod },
        { "values", {}, valuesMethod },
    };
    constexpr NativeEntry kListMethods[] = {
        { "copy", {}, copyMethod },
        { "count", { { "value" }, 1 }, countMethod },
        { "index", { { "value" }, 1 }, indexMethod },
    };
    constexpr NativeEntry kLoopMethods[] = {
        { "changed", { .variadic = true }, changedMethod },
        { "cycle", { .variadic = true }, cycleMethod },
    };
}

std::span<const NativeEntry> dictMethods() { return kDictMethods; }
std::span<const NativeEntry> listMethods() { return kListMethods; }
std::span<const NativeEntry> loopMethods() { return kLoopMethods; }

} // namespace engine::jinja
