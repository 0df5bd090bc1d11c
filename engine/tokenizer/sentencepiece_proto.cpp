#include "engine/tokenizer/sentencepiece_proto.h"

#include <algorithm>
#include <bit>

namespace engine {

namespace {
    // Field numbers of sentencepiece_model.proto.
    namespace model {
        constexpr uint32_t kPieces = 1;
        constexpr uint32_t kTrainerSpec = 2;
        constexpr uint32_t kNormalizerSpec = 3;
    }
    namespace piece {
        constexpr uint32_t kText = 1;
        constexpr uint32_t kScore = 2;
        constexpr uint32_t kType = 3;
    }
    namespace trainer {
        constexpr uint32_t kModelType = 3;
        constexpr uint32_t kByteFallback = 35;
        constexpr uint64_t kBpe = 2; // a value of kModelType
    }
    namespace normalizer {
        constexpr uint32_t kName = 1;
        constexpr uint32_t kAddDummyPrefix = 3;
        constexpr uint32_t kRemoveExtraWhitespaces = 4;
        constexpr uint32_t kEscapeWhitespaces = 5;
    }

    /// Writes fields of one protocol buffer message.
    class MessageWriter {
    public:
        void writeNumber(uint32_t field, uint64_t value)
        {
            writeVarint(field << 3 | 0);
            writeVarint(value);
        }
        void writeFloat(uint32_t field, float value)
        {
            writeVarint(field << 3 | 5);
            const uint32_t bits = std::bit_cast<uint32_t>(value);
            for (int shift = 0; shift < 32; shift += 8)
                m_bytes += char(bits >> shift & 0xFF);
        }
        void writeBytes(uint32_t field, std::string_view value)
        {
            writeVarint(field << 3 | 2);
            writeVarint(value.size());
            m_bytes += value;
        }
        std::string& bytes() { return m_bytes; }

    private:
        void writeVarint(uint64_t value)
        {
            for (; value >= 0x80; value >>= 7)
                m_bytes += char(value | 0x80);
            m_bytes += char(value);
        }

        std::string m_bytes;
    };

    /// The library wants exactly one unknown piece.
    std::optional<TokenId> unknownPiece(const Vocabulary& vocabulary)
    {
        if (vocabulary.unknownId())
            return vocabulary.unknownId();
        for (TokenId id = 0; id < vocabulary.size(); ++id)
            if (vocabulary.kind(id) == TokenKind::Unknown)
                return id;
        return std::nullopt;
    }

    std::string encodedPiece(std::string_view text, float score, TokenKind kind)
    {
        MessageWriter writer;
        writer.writeBytes(piece::kText, text);
        writer.writeFloat(piece::kScore, score);
        writer.writeNumber(piece::kType, uint64_t(kind)); // the GGUF numbers are the library's
        return std::move(writer.bytes());
    }

    std::string encodedPiece(
        const Vocabulary& vocabulary, TokenId id, std::optional<TokenId> unknownId)
    {
        std::string text = vocabulary.piece(id);
        TokenKind kind = vocabulary.kind(id);
        if (kind == TokenKind::Unknown)
            kind = TokenKind::Control; // further unknown pieces: never found in text either
        if (id == unknownId)
            kind = TokenKind::Unknown;
        if (kind == TokenKind::UserDefined)
            text = replacedAll(text, " ", kSpaceMark); // found in text after the spaces were marked
        return encodedPiece(text, vocabulary.score(id), kind);
    }
}

std::string replacedAll(std::string_view text, std::string_view from, std::string_view to)
{
    std::string result;
    result.reserve(text.size());
    size_t done = 0;
    for (size_t at; (at = text.find(from, done)) != std::string_view::npos;
         done = at + from.size()) {
        result += text.substr(done, at - done);
        result += to;
    }
    result += text.substr(done);
    return result;
}

Result<std::string> sentencePieceProto(const Vocabulary& vocabulary, bool addsSpacePrefix)
{
    MessageWriter proto;
    const auto unknownId = unknownPiece(vocabulary);
    size_t bytePieceCount = 0;
    for (TokenId id = 0; id < vocabulary.size(); ++id) {
        bytePieceCount += vocabulary.kind(id) == TokenKind::Byte;
        proto.writeBytes(model::kPieces, encodedPiece(vocabulary, id, unknownId));
    }
    if (!unknownId) // one past the vocabulary: recognised and left out when encoding
        proto.writeBytes(
            model::kPieces, encodedPiece("<tokenglass-unknown>", 0.0f, TokenKind::Unknown));
    if (bytePieceCount != 0 && bytePieceCount != 256)
        return Error::badFile("tokenizer.ggml.token_type: " + std::to_string(bytePieceCount)
            + " byte pieces, there must be 256 or none");

    MessageWriter trainerSpec;
    trainerSpec.writeNumber(trainer::kModelType, trainer::kBpe);
    trainerSpec.writeNumber(trainer::kByteFallback, bytePieceCount == 256);
    proto.writeBytes(model::kTrainerSpec, trainerSpec.bytes());

    MessageWriter normalizerSpec;
    normalizerSpec.writeBytes(normalizer::kName, "identity");
    normalizerSpec.writeNumber(normalizer::kAddDummyPrefix, addsSpacePrefix);
    normalizerSpec.writeNumber(normalizer::kRemoveExtraWhitespaces, false);
    normalizerSpec.writeNumber(normalizer::kEscapeWhitespaces, true);
    proto.writeBytes(model::kNormalizerSpec, normalizerSpec.bytes());
    return std::move(proto.bytes());
}

} // namespace engine
