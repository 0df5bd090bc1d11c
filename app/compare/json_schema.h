#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace app {

/// Whether a schema can be used (draft 7, without references to other documents). "" or why not.
std::string schemaFault(const nlohmann::json& schema);

/// How a document stands to a schema.
struct SchemaFit {
    bool isKnown = true; ///< false: it would take too long to tell, or the schema cannot be used
    std::string why; ///< "": it fits; else the first place where it does not ("/hours: missing property 'close'")

    bool fits() const { return isKnown && why.empty(); }
};
SchemaFit fitOf(const nlohmann::json& document, const nlohmann::json& schema);

} // namespace app
