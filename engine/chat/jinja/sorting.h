#pragma once

#include "engine/chat/jinja/comparison.h"

#include <algorithm>
#include <numeric>

namespace engine::jinja {

/// Sorts items by keyOf(item) as Python's sorted does: stable, also when descending.
/// Error: keys that have no order among each other, or a limit passed.
template <typename Item, typename KeyOf>
Result<void> sortBy(Meter& meter, std::vector<Item>& items, KeyOf keyOf, bool descending)
{
    std::vector<Value> keys;
    for (const Item& item : items)
        keys.push_back(keyOf(item));
    std::vector<size_t> order(items.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::optional<Error> failure;
    // A comparison that fails makes all equal from there on, so the order stays a valid one.
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        if (failure)
            return false;
        const auto compared = orderOf(meter, keys[a], keys[b]);
        if (!compared) {
            failure = compared.error();
            return false;
        }
        return descending ? *compared > 0 : *compared < 0;
    });
    if (failure)
        return *failure;
    std::vector<Item> sorted;
    for (const size_t index : order)
        sorted.push_back(std::move(items[index]));
    items = std::move(sorted);
    return {};
}

} // namespace engine::jinja
