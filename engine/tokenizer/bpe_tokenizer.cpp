#include "engine/tokenizer/bpe_tokenizer.h"

#include "engine/tokenizer/byte_letters.h"
#include "engine/tokenizer/nfc.h"

namespace engine {

Result<std::unique_ptr<Tokenizer>> BpeTokenizer::create(const Metadata& metadata)
{
    TRY_ASSIGN(const std::string pre, metadata.getStringOr("tokenizer.ggml.pre", ""));
    if (pre.empty())
        return Error::unsupported(
            "tokenizer.ggml.pre is absent: the file does not say how its byte-level "
            "BPE vocabulary cuts text into words");
    const PreTokenizerInfo* info = findPreTokenizer(pre);
    if (!info)
        return Error::unsupported(
            "pre-tokenizer \"" + pre + "\" (tokenizer.ggml.pre) is not supported");
    TRY_ASSIGN(Vocabulary vocabulary, Vocabulary::create(metadata));
    TRY_ASSIGN(const auto merges, metadata.getStrings("tokenizer.ggml.merges"));
    TRY_ASSIGN(BpeMerger merger, BpeMerger::create(vocabulary, merges));
    TRY_ASSIGN(PreTokenizer preTokenizer, PreTokenizer::create(*info));
    return std::unique_ptr<Tokenizer>(
        new BpeTokenizer(std::move(vocabulary), *info, std::move(preTokenizer), std::move(merger)));
}

BpeTokenizer::BpeTokenizer(Vocabulary vocabulary, const PreTokenizerInfo& info,
    PreTokenizer preTokenizer, BpeMerger merger)
    : Tokenizer(std::move(vocabulary))
    , m_info(info)
    , m_preTokenizer(std::move(preTokenizer))
    , m_merger(std::move(merger))
{
    for (TokenId id = 0; id < this->vocabulary().size(); ++id)
        if (this->vocabulary().kind(id) == TokenKind::UserDefined)
            m_userDefined.insert(this->vocabulary().piece(id), id);
}

void BpeTokenizer::encodeFragment(std::string_view text, TokenIds& ids) const
{
    size_t done = 0;
    while (const auto match = m_userDefined.find(text, done)) {
        encodeOrdinary(text.substr(done, match->offset - done), ids);
        ids.push_back(match->id);
        done = match->offset + match->byteCount;
    }
    encodeOrdinary(text.substr(done), ids);
}

void BpeTokenizer::encodeOrdinary(std::string_view text, TokenIds& ids) const
{
    std::string normalized;
    if (m_info.normalizesNfc) {
        normalized = normalizeNfc(text);
        text = normalized;
    }
    for (const std::string_view word : m_preTokenizer.words(text)) {
        if (m_info.wholeWordsFirst) {
            const auto id = vocabulary().find(lettersFromBytes(word));
            if (id && vocabulary().kind(*id) == TokenKind::Normal) {
                ids.push_back(*id);
                continue;
            }
        }
        m_merger.appendMerged(word, ids);
    }
}

std::string BpeTokenizer::pieceBytes(TokenId id) const
{
    if (!vocabulary().contains(id))
        return {};
    switch (vocabulary().kind(id)) {
    case TokenKind::Normal:
        return bytesFromLetters(vocabulary().piece(id));
    case TokenKind::UserDefined:
        return vocabulary().piece(id); // written as it stands, not in byte letters
    case TokenKind::Byte:
        return std::string(1, char(vocabulary().byteValue(id)));
    case TokenKind::Unknown:
    case TokenKind::Control:
    case TokenKind::Unused:
        break;
    }
    return {};
}

std::string BpeTokenizer::name() const { return std::string("bpe/") + m_info.name; }

} // namespace engine
