#pragma once

#include "app/storage/database.h"

namespace app {

/// Ends every run that has no reason with `interrupted`: the program that wrote it is gone. Text
/// and count of tokens are put together from what was appended; the record's stop is filled in.
/// Returns how many there were. One transaction.
engine::Result<int> closeInterruptedRuns(Database& database);

/// The record with this text and the stop of an interrupted run; as it was when it is no record.
std::string interruptedRecord(const std::string& record, const std::string& text);

} // namespace app
