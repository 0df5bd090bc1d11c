#include "engine/tokenizer/vocabulary.h"

#include "engine/tokenizer/end_token_table.h"
#include "engine/tokenizer/pre_tokenizer_table.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace engine {

namespace {
    constexpr const char* kTokensKey = "tokenizer.ggml.tokens";
    constexpr const char* kTypesKey = "tokenizer.ggml.token_type";
    constexpr const char* kScoresKey = "tokenizer.ggml.scores";
    constexpr const char* kBosKey = "tokenizer.ggml.bos_token_id";
    constexpr const char* kAddBosKey = "tokenizer.ggml.add_bos_token";

    constexpr size_t kLargestVocabulary = 4'000'000;
    constexpr TokenId kFreeSlot = -1;

    std::optional<int> hexDigit(char digit)
    {
        if (digit >= '0' && digit <= '9')
            return digit - '0';
        if (digit >= 'A' && digit <= 'F')
            return digit - 'A' + 10;
        if (digit >= 'a' && digit <= 'f')
            return digit - 'a' + 10;
        return std::nullopt;
    }

    /// "<0x0A>" to 10; exactly two digits.
    std::optional<uint8_t> parseBytePiece(std::string_view piece)
    {
        if (piece.size() != 6 || piece.substr(0, 3) != "<0x" || piece[5] != '>')
            return std::nullopt;
        const auto high = hexDigit(piece[3]);
        const auto low = hexDigit(piece[4]);
        if (!high || !low)
            return std::nullopt;
        return uint8_t(*high << 4 | *low);
    }

    Error lengthMismatch(const char* key, size_t found, size_t wanted)
    {
        return Error::badFile(std::string(key) + " has " + std::to_string(found) + " entries, "
            + kTokensKey + " has " + std::to_string(wanted));
    }
}

Result<Vocabulary> Vocabulary::create(const Metadata& metadata)
{
    Vocabulary vocabulary;
    TRY(vocabulary.readPieces(metadata));
    vocabulary.indexPieces();
    TRY_ASSIGN(vocabulary.m_bosId, vocabulary.readId(metadata, kBosKey));
    TRY_ASSIGN(vocabulary.m_eosId, vocabulary.readId(metadata, "tokenizer.ggml.eos_token_id"));
    TRY_ASSIGN(
        vocabulary.m_unknownId, vocabulary.readId(metadata, "tokenizer.ggml.unknown_token_id"));
    TRY(vocabulary.readBosRule(metadata));
    TRY(vocabulary.readEndTokens(metadata));
    return vocabulary;
}

Result<void> Vocabulary::readPieces(const Metadata& metadata)
{
    TRY_ASSIGN(const auto pieces, metadata.getStrings(kTokensKey));
    if (pieces.empty() || pieces.size() > kLargestVocabulary)
        return Error::badFile(std::string(kTokensKey) + ": " + std::to_string(pieces.size())
            + " entries (1 to " + std::to_string(kLargestVocabulary) + " are possible)");
    m_pieces.assign(pieces.begin(), pieces.end());

    m_scores.assign(pieces.size(), 0.0f);
    if (metadata.contains(kScoresKey)) {
        TRY_ASSIGN(const auto scores, metadata.getFloats(kScoresKey));
        if (scores.size() != pieces.size())
            return lengthMismatch(kScoresKey, scores.size(), pieces.size());
        m_scores.assign(scores.begin(), scores.end());
    }

    m_kinds.assign(pieces.size(), TokenKind::Normal);
    if (!metadata.contains(kTypesKey))
        return {};
    TRY_ASSIGN(const auto types, metadata.getInt32s(kTypesKey));
    if (types.size() != pieces.size())
        return lengthMismatch(kTypesKey, types.size(), pieces.size());
    for (size_t i = 0; i < types.size(); ++i) {
        const bool isKnown
            = types[i] >= int32_t(TokenKind::Normal) && types[i] <= int32_t(TokenKind::Byte);
        if (!isKnown)
            return Error::badFile(std::string(kTypesKey) + ": entry " + std::to_string(i)
                + " has the unknown type " + std::to_string(types[i]));
        m_kinds[i] = TokenKind(types[i]);
        if (m_kinds[i] == TokenKind::Byte && !parseBytePiece(m_pieces[i]))
            return Error::badFile(std::string(kTokensKey) + ": entry " + std::to_string(i) + " (\""
                + m_pieces[i] + "\") is of type byte but not written as <0x00> to <0xFF>");
    }
    return {};
}

Result<std::optional<TokenId>> Vocabulary::readId(const Metadata& metadata, const char* key) const
{
    if (!metadata.contains(key))
        return std::optional<TokenId>();
    TRY_ASSIGN(const uint32_t id, metadata.getUint32(key));
    if (id >= m_pieces.size())
        return Error::badFile(std::string(key) + " is " + std::to_string(id)
            + ", the vocabulary has " + std::to_string(m_pieces.size()) + " entries");
    return std::optional<TokenId>(TokenId(id));
}

Result<void> Vocabulary::readBosRule(const Metadata& metadata)
{
    TRY_ASSIGN(const std::string model, metadata.getStringOr("tokenizer.ggml.model", ""));
    TRY_ASSIGN(const std::string pre, metadata.getStringOr("tokenizer.ggml.pre", ""));
    const PreTokenizerInfo* info = findPreTokenizer(pre);
    const bool isSentencePiece = model == "llama";
    const bool byDefault = isSentencePiece || (info && info->addsBosByDefault);
    TRY_ASSIGN(m_addsBos, metadata.getBoolOr(kAddBosKey, byDefault && m_bosId));
    if (m_addsBos && !m_bosId)
        return Error::badFile(std::string(kAddBosKey) + " is true, but " + kBosKey + " is absent");
    return {};
}

Result<void> Vocabulary::readEndTokens(const Metadata& metadata)
{
    for (const char* key : { "tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
             "tokenizer.ggml.eom_token_id" }) {
        TRY_ASSIGN(const auto id, readId(metadata, key));
        if (id)
            m_endTokenIds.push_back(*id);
    }
    const auto findControl = [this](std::string_view piece) -> std::optional<TokenId> {
        const auto id = piece.empty() ? std::nullopt : find(piece);
        return id && kind(*id) == TokenKind::Control ? id : std::nullopt;
    };
    for (const EndTokenName& name : endTokenTable()) {
        const auto id = findControl(name.piece);
        if (id && !findControl(name.unlessVocabularyHas))
            m_endTokenIds.push_back(*id);
    }
    std::sort(m_endTokenIds.begin(), m_endTokenIds.end());
    m_endTokenIds.erase(
        std::unique(m_endTokenIds.begin(), m_endTokenIds.end()), m_endTokenIds.end());
    return {};
}

void Vocabulary::indexPieces()
{
    m_slots.assign(std::bit_ceil(2 * m_pieces.size()), kFreeSlot);
    for (TokenId id = 0; id < size(); ++id) {
        TokenId& slot = m_slots[slotOf(piece(id))];
        if (slot == kFreeSlot)
            slot = id;
    }
}

size_t Vocabulary::slotOf(std::string_view piece) const
{
    const size_t mask = m_slots.size() - 1;
    size_t slot = std::hash<std::string_view>()(piece) & mask;
    while (m_slots[slot] != kFreeSlot && this->piece(m_slots[slot]) != piece)
        slot = (slot + 1) & mask;
    return slot;
}

std::optional<TokenId> Vocabulary::find(std::string_view piece) const
{
    const TokenId id = m_slots[slotOf(piece)];
    return id == kFreeSlot ? std::nullopt : std::optional(id);
}

uint8_t Vocabulary::byteValue(TokenId id) const { return parseBytePiece(piece(id)).value_or(0); }

bool Vocabulary::isEndToken(TokenId id) const
{
    return std::binary_search(m_endTokenIds.begin(), m_endTokenIds.end(), id);
}

} // namespace engine
