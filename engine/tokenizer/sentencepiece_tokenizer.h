#pragma once

#include "engine/tokenizer/tokenizer.h"

namespace engine {

/// SentencePiece BPE with byte fallback (`tokenizer.ggml.model` = "llama"), through the
/// sentencepiece library. Bytes that are no UTF-8 are encoded as U+FFFD.
class SentencePieceTokenizer final : public Tokenizer {
public:
    /// Errors: BadFile naming the key, or with the library's own words.
    static Result<std::unique_ptr<Tokenizer>> create(const Metadata& metadata);
    ~SentencePieceTokenizer() override;

    std::string pieceBytes(TokenId id) const override;
    std::string name() const override;

protected:
    void encodeFragment(std::string_view text, TokenIds& ids) const override;

private:
    struct Processor;
    SentencePieceTokenizer(Vocabulary vocabulary, std::unique_ptr<Processor> processor);
    std::unique_ptr<Processor> m_processor;
};

} // namespace engine
