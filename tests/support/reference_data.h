#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tests {

/// The folder of right values: TOKENGLASS_REFERENCE, else ../shared/reference beside the checkout.
/// None when absent; tests that need it then QSKIP with kNoReference.
std::optional<std::filesystem::path> referenceFolder();
constexpr const char* kNoReference = "reference data absent (set TOKENGLASS_REFERENCE)";

/// A tiny model with known logits by its stem ("arch-llama"): FILE.gguf with FILE.json beside it,
/// from tests/golden/models or the reference folder. None when absent; tests then QSKIP with
/// kNoReference.
std::optional<std::filesystem::path> tinyModel(const std::string& stem);

/// A model fetched by tools/fetch-model ("SmolLM2-135M-Instruct.Q4_1.gguf"), from the data folder.
/// None when absent; tests that need it then QSKIP with kNoModel.
std::optional<std::filesystem::path> realModel(const std::string& fileName);
constexpr const char* kSmolLM2 = "SmolLM2-135M-Instruct.Q4_1.gguf";
constexpr const char* kGemma3 = "gemma-3-270m-q4_k_m.gguf";
constexpr const char* kNoModel = "model absent (tools/fetch-model fetches it)";

/// Parses a JSON file; aborts the test program with a message when it cannot.
nlohmann::json readJson(const std::filesystem::path& path);

} // namespace tests
