#pragma once

#include "app/inspection/token_table.h"
#include "engine/base/result.h"
#include "engine/session/generation_event.h"
#include "engine/session/model_event.h"

namespace app {

/// The table of a run's tokens in a file (`run --tokens`), whose name says the format: .csv or
/// .json. It is written when the run has ended.
class TokenFile {
public:
    /// Error BadRequest for a name with another ending.
    static engine::Result<void> checkName(const std::string& path);
    /// promptIds: the tokens before the first new one. Error Io when the file cannot be written.
    static engine::Result<TokenFile> open(std::string path, const engine::TokenIds& promptIds,
        std::shared_ptr<const engine::ModelText> text);

    void apply(const engine::GenerationEvent& event);
    /// Error Io.
    engine::Result<void> close() const;

private:
    TokenFile(std::string path, std::shared_ptr<const engine::ModelText> text);
    TableToken describe(engine::TokenId id) const;

    std::string m_path;
    std::shared_ptr<const engine::ModelText> m_text; ///< shared with the engine: immutable
    std::vector<TableToken> m_tokens;
};

} // namespace app
