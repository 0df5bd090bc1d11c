#pragma once

#include "engine/tokenizer/piece_trie.h"
#include "engine/tokenizer/vocabulary.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace engine {

/// Who wrote a stretch of text: only a template may write control tokens.
enum class TextOrigin { Template, Person };

/// A stretch of text with one origin.
struct TextSpan {
    std::string text;
    TextOrigin origin = TextOrigin::Person;
    int message = -1; ///< whose content it is, counted from 0; -1: not known, or none's

    bool operator==(const TextSpan&) const = default;
};

/// Turns text into token ids and ids back into bytes. Immutable: any thread.
/// No BOS is ever added here; see promptIds for the one place that does.
class Tokenizer {
public:
    /// Picks the tokenizer the file names. Errors: Unsupported naming the model or pre-tokenizer.
    static Result<std::unique_ptr<Tokenizer>> create(const Metadata& metadata);
    /// As above; errors name the file too.
    static Result<std::unique_ptr<Tokenizer>> create(const GgufFile& file);

    virtual ~Tokenizer() = default;

    const Vocabulary& vocabulary() const { return m_vocabulary; }

    /// Ids of text as a person typed it: control-token text stays text; user-defined pieces match.
    TokenIds encodeText(std::string_view text) const;
    /// Ids of text in which control tokens are recognised.
    TokenIds encodeWithControl(std::string_view text) const;
    /// Ids of a formatted prompt. Control tokens come out of Template spans only; ordinary text
    /// that meets across a span border is tokenised as one piece.
    TokenIds encodeSpans(std::span<const TextSpan> spans) const;

    /// The bytes a token stands for in the output ("" for control tokens). May be part of a
    /// character.
    virtual std::string pieceBytes(TokenId id) const = 0;
    /// The bytes, with control tokens written out ("<|im_end|>"), for showing a token by itself.
    std::string pieceText(TokenId id) const;
    /// Concatenated pieceBytes.
    std::string decode(std::span<const TokenId> ids) const;
    /// "bpe/smollm", "spm": for the record.
    virtual std::string name() const = 0;

protected:
    explicit Tokenizer(Vocabulary vocabulary);
    /// Appends the ids of a non-empty stretch of ordinary text: all that stands between two control
    /// tokens, or between one and the start or end.
    virtual void encodeFragment(std::string_view text, TokenIds& ids) const = 0;

private:
    Vocabulary m_vocabulary;
    PieceTrie m_control; ///< what a template may write: control tokens and the unknown token
};

/// Ids of a formatted prompt with the file's BOS rule applied once: BOS is put in front when the
/// vocabulary asks for it and the prompt does not already start with it (G-01).
TokenIds promptIds(const Tokenizer& tokenizer, std::span<const TextSpan> spans);

} // namespace engine
