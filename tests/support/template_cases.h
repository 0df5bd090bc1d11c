#pragma once

#include "engine/chat/chat_template.h"
#include "tests/support/reference_data.h"

#include <fstream>
#include <iostream>

/// The files of reference/templates: a chat template each, with chats and what they render to.
namespace tests {

struct TemplateFile {
    std::string name; ///< without ".json"
    nlohmann::ordered_json json;

    engine::Result<engine::ChatTemplate> parse() const
    {
        return engine::ChatTemplate::parse(json.at("template").get<std::string>());
    }
    /// The case with this id; ends the test program when there is none.
    const nlohmann::ordered_json& findCase(const std::string& id) const
    {
        for (const auto& testCase : json.at("cases"))
            if (testCase.at("id") == id)
                return testCase;
        std::cerr << name << ": no case " << id << "\n";
        std::abort();
    }
    engine::RenderRequest request(const nlohmann::ordered_json& testCase) const
    {
        engine::RenderRequest request;
        request.messages = testCase.at("messages");
        request.addGenerationPrompt = testCase.at("add_generation_prompt").get<bool>();
        request.continueFinalMessage = testCase.at("continue_final_message").get<bool>();
        request.variables = json.at("always_defined");
        request.variables.update(testCase.at("variables"));
        request.bosToken = json.at("bos_token").get<std::string>();
        request.eosToken = json.at("eos_token").get<std::string>();
        request.now
            = std::chrono::sys_days(std::chrono::year(2026) / 11 / 29) + std::chrono::hours(12);
        return request;
    }
};

inline TemplateFile readTemplateFile(const std::filesystem::path& path)
{
    std::ifstream stream(path);
    return { path.stem().string(), nlohmann::ordered_json::parse(stream) };
}

/// All files, sorted by name; none when the reference data is absent.
inline std::vector<TemplateFile> templateFiles()
{
    std::vector<TemplateFile> files;
    const auto folder = referenceFolder();
    if (!folder)
        return files;
    for (const auto& entry : std::filesystem::directory_iterator(*folder / "templates"))
        if (entry.path().extension() == ".json" && entry.path().filename() != "index.json")
            files.push_back(readTemplateFile(entry.path()));
    std::sort(
        files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return files;
}

inline engine::ErrorCode codeOfKind(const std::string& kind)
{
    if (kind == "raise_exception")
        return engine::ErrorCode::TemplateRefused;
    return kind == "continue_refused" ? engine::ErrorCode::BadRequest
                                      : engine::ErrorCode::BadTemplate;
}

/// Why a rendering is not what the case expects; empty when it is, to the byte.
inline std::string difference(
    const engine::Result<engine::RenderedPrompt>& prompt, const nlohmann::ordered_json& testCase)
{
    using Json = nlohmann::ordered_json;
    const Json& expected = testCase.at("expected");
    if (!expected.is_null()) {
        if (!prompt)
            return "fails: " + prompt.error().message;
        const bool equal = prompt->text() == expected.get<std::string>();
        return equal ? ""
                     : "expected " + expected.dump() + "\nfound    " + Json(prompt->text()).dump();
    }
    if (prompt)
        return "renders, but must fail";
    const std::string kind = testCase.at("error").at("kind").get<std::string>();
    const std::string message = testCase.at("error").at("message").get<std::string>();
    if (prompt.error().code != codeOfKind(kind))
        return "fails as " + std::string(errorCodeName(prompt.error().code)) + ", not as " + kind;
    const bool sameWords = kind != "raise_exception" || prompt.error().message == message;
    return sameWords ? "" : "says " + prompt.error().message + ", not " + message;
}

} // namespace tests
