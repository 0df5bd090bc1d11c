#include "app/storage/store_change.h"

namespace app {

bool mustBeDurable(const StoreChange& change)
{
    // A draft may lose its last moment; a record's later news, and which sibling is shown, are
    // not what anybody wrote.
    if (const auto* fields = std::get_if<PutRecordFields>(&change))
        return fields->isAct;
    return !std::holds_alternative<AppendToRun>(change)
        && !std::holds_alternative<PutRecord>(change)
        && !std::holds_alternative<ShowMessage>(change);
}

} // namespace app
