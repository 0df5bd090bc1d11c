#include "engine/tokenizer/tokenizer.h"

#include "engine/tokenizer/bpe_tokenizer.h"
#include "engine/tokenizer/sentencepiece_tokenizer.h"

namespace engine {

Result<std::unique_ptr<Tokenizer>> Tokenizer::create(const Metadata& metadata)
{
    TRY_ASSIGN(const std::string model, metadata.getString("tokenizer.ggml.model"));
    if (model == "gpt2")
        return BpeTokenizer::create(metadata);
    if (model == "llama")
        return SentencePieceTokenizer::create(metadata);
    return Error::unsupported(
        "tokenizer model \"" + model + "\" (tokenizer.ggml.model) is not supported");
}

Result<std::unique_ptr<Tokenizer>> Tokenizer::create(const GgufFile& file)
{
    auto tokenizer = create(file.metadata());
    if (!tokenizer)
        tokenizer.error().message = file.path().string() + ": " + tokenizer.error().message;
    return tokenizer;
}

Tokenizer::Tokenizer(Vocabulary vocabulary)
    : m_vocabulary(std::move(vocabulary))
{
    for (TokenId id = 0; id < m_vocabulary.size(); ++id) {
        const TokenKind kind = m_vocabulary.kind(id);
        if (kind == TokenKind::Control || kind == TokenKind::Unknown)
            m_control.insert(m_vocabulary.piece(id), id);
    }
}

TokenIds Tokenizer::encodeText(std::string_view text) const
{
    const TextSpan span { std::string(text), TextOrigin::Person };
    return encodeSpans({ &span, 1 });
}

TokenIds Tokenizer::encodeWithControl(std::string_view text) const
{
    const TextSpan span { std::string(text), TextOrigin::Template };
    return encodeSpans({ &span, 1 });
}

TokenIds Tokenizer::encodeSpans(std::span<const TextSpan> spans) const
{
    TokenIds ids;
    std::string fragment; // ordinary text since the last control token, across span borders
    const auto encodeGathered = [&] {
        if (!fragment.empty())
            encodeFragment(fragment, ids);
        fragment.clear();
    };
    size_t i = 0;
    while (i < spans.size()) {
        // A control token may be written in several strokes of the template.
        const TextOrigin origin = spans[i].origin;
        std::string text;
        for (; i < spans.size() && spans[i].origin == origin; ++i)
            text += spans[i].text;

        size_t done = 0;
        if (origin == TextOrigin::Template)
            while (const auto match = m_control.find(text, done)) {
                fragment.append(text, done, match->offset - done);
                encodeGathered();
                ids.push_back(match->id);
                done = match->offset + match->byteCount;
            }
        fragment.append(text, done);
    }
    encodeGathered();
    return ids;
}

std::string Tokenizer::pieceText(TokenId id) const
{
    const bool isControl = m_vocabulary.contains(id) && m_vocabulary.kind(id) != TokenKind::Normal
        && m_vocabulary.kind(id) != TokenKind::UserDefined
        && m_vocabulary.kind(id) != TokenKind::Byte;
    return isControl ? m_vocabulary.piece(id) : pieceBytes(id);
}

std::string Tokenizer::decode(std::span<const TokenId> ids) const
{
    std::string bytes;
    for (const TokenId id : ids)
        bytes += pieceBytes(id);
    return bytes;
}

TokenIds promptIds(const Tokenizer& tokenizer, std::span<const TextSpan> spans)
{
    TokenIds ids = tokenizer.encodeSpans(spans);
    const Vocabulary& vocabulary = tokenizer.vocabulary();
    if (!vocabulary.addsBos())
        return ids;
    const TokenId bosId = *vocabulary.bosId();
    if (ids.empty() || ids.front() != bosId)
        ids.insert(ids.begin(), bosId);
    return ids;
}

} // namespace engine
