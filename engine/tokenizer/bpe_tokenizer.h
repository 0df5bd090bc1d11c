#pragma once

#include "engine/tokenizer/bpe_merger.h"
#include "engine/tokenizer/piece_trie.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "engine/tokenizer/tokenizer.h"

namespace engine {

/// Byte-level byte pair encoding (`tokenizer.ggml.model` = "gpt2").
class BpeTokenizer final : public Tokenizer {
public:
    /// Errors: Unsupported naming the pre-tokenizer; BadFile naming the key.
    static Result<std::unique_ptr<Tokenizer>> create(const Metadata& metadata);

    std::string pieceBytes(TokenId id) const override;
    std::string name() const override;

protected:
    void encodeFragment(std::string_view text, TokenIds& ids) const override;

private:
    BpeTokenizer(Vocabulary vocabulary, const PreTokenizerInfo& info, PreTokenizer preTokenizer,
        BpeMerger merger);
    void encodeOrdinary(std::string_view text, TokenIds& ids) const;

    const PreTokenizerInfo& m_info; ///< a row of the table
    PreTokenizer m_preTokenizer;
    BpeMerger m_merger;
    PieceTrie m_userDefined;
};

} // namespace engine
