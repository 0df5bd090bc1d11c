#pragma once

#include "engine/base/result.h"
#include "engine/base/token.h"
#include "engine/gguf/gguf_file.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// What a vocabulary entry is for; numbers are those of `tokenizer.ggml.token_type`.
enum class TokenKind : int32_t {
    Normal = 1,
    Unknown = 2,
    Control = 3,
    UserDefined = 4,
    Unused = 5,
    Byte = 6
};

/// The token table of a model, with its special ids. Immutable after create.
/// Source: GGUF keys `tokenizer.ggml.*`. Errors: BadFile naming the key.
class Vocabulary {
public:
    static Result<Vocabulary> create(const Metadata& metadata);

    int32_t size() const { return int32_t(m_pieces.size()); }
    bool contains(TokenId id) const { return id >= 0 && id < size(); }
    /// The text of the entry as the file writes it (byte-level BPE letters, "▁", "<0x0A>").
    const std::string& piece(TokenId id) const { return m_pieces[size_t(id)]; }
    TokenKind kind(TokenId id) const { return m_kinds[size_t(id)]; }
    /// 0 for all where the file has no scores.
    float score(TokenId id) const { return m_scores[size_t(id)]; }
    /// The byte that an entry of kind Byte stands for.
    uint8_t byteValue(TokenId id) const;
    /// The lowest id with this text.
    std::optional<TokenId> find(std::string_view piece) const;

    std::optional<TokenId> bosId() const { return m_bosId; }
    std::optional<TokenId> eosId() const { return m_eosId; }
    std::optional<TokenId> unknownId() const { return m_unknownId; }
    bool addsBos() const { return m_addsBos; }
    /// Every id that ends a generation (EOS, EOT, EOM and their kin), ascending.
    const TokenIds& endTokenIds() const { return m_endTokenIds; }
    bool isEndToken(TokenId id) const;

private:
    Vocabulary() = default;
    Result<void> readPieces(const Metadata& metadata);
    Result<std::optional<TokenId>> readId(const Metadata& metadata, const char* key) const;
    Result<void> readBosRule(const Metadata& metadata);
    Result<void> readEndTokens(const Metadata& metadata);
    void indexPieces();
    size_t slotOf(std::string_view piece) const;

    std::vector<std::string> m_pieces;
    std::vector<TokenKind> m_kinds;
    std::vector<float> m_scores;
    std::vector<TokenId> m_slots; ///< open-addressing hash table of ids by piece; -1: free
    std::optional<TokenId> m_bosId;
    std::optional<TokenId> m_eosId;
    std::optional<TokenId> m_unknownId;
    bool m_addsBos = false;
    TokenIds m_endTokenIds;
};

} // namespace engine
