#pragma once

#include "app/runs/run_reading.h"

namespace app {

/// A run record in a file, read only: nothing of it needs a model.
struct OpenedRecord {
    nlohmann::ordered_json json; ///< as it is in the file
    RunReading reading;
    std::vector<engine::TokenRecord> tokens; ///< the new ones
};

/// Errors: Io; BadFile for what is no run record, is cut off, or is of a later schema.
engine::Result<OpenedRecord> openRecord(const std::string& path);
/// The same, and responses of other programs (response_import.h), which are turned into one.
engine::Result<OpenedRecord> openRecordOrResponse(const std::string& path);
/// The same of the text of such a file.
engine::Result<OpenedRecord> recordFrom(std::string_view json);

/// The id of a token of which a record tells no id: other programs report pieces only.
constexpr engine::TokenId kNoTokenId = -1;

/// What a record's "tokens" tells; fields that are missing or of another kind stay empty. Final probabilities are not in a record: they follow from its settings.
std::vector<engine::TokenRecord> tokensOf(const nlohmann::ordered_json& record);

} // namespace app
