#pragma once

#include <QDateTime>

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace app {

/// That a person accepted an answer for use: when, and the very text.
struct Acceptance {
    QDateTime at; ///< UTC
    std::string textSha256; ///< of the whole answer, hexadecimal

    bool operator==(const Acceptance&) const = default;
};

/// As a run record keeps it in "accepted", and back; none for what is no such object.
nlohmann::ordered_json toJson(const Acceptance& acceptance);
std::optional<Acceptance> acceptanceFrom(const nlohmann::ordered_json& json);

} // namespace app
