#include "engine/tokenizer/sentencepiece_tokenizer.h"

#include "engine/tokenizer/sentencepiece_proto.h"
#include "engine/tokenizer/utf8.h"

#include <sentencepiece_processor.h>

namespace engine {

struct SentencePieceTokenizer::Processor {
    sentencepiece::SentencePieceProcessor library;
};

Result<std::unique_ptr<Tokenizer>> SentencePieceTokenizer::create(const Metadata& metadata)
{
    TRY_ASSIGN(Vocabulary vocabulary, Vocabulary::create(metadata));
    if (!metadata.contains("tokenizer.ggml.scores"))
        return Error::badFile(
            "tokenizer.ggml.scores is absent, a SentencePiece vocabulary needs it");
    TRY_ASSIGN(
        const bool addsSpacePrefix, metadata.getBoolOr("tokenizer.ggml.add_space_prefix", true));
    TRY_ASSIGN(const std::string proto, sentencePieceProto(vocabulary, addsSpacePrefix));
    auto processor = std::make_unique<Processor>();
    const auto status = processor->library.LoadFromSerializedProto(proto);
    if (!status.ok())
        return Error::badFile(
            "tokenizer.ggml.tokens: the sentencepiece library refuses the vocabulary: "
            + status.ToString());
    return std::unique_ptr<Tokenizer>(
        new SentencePieceTokenizer(std::move(vocabulary), std::move(processor)));
}

SentencePieceTokenizer::SentencePieceTokenizer(
    Vocabulary vocabulary, std::unique_ptr<Processor> processor)
    : Tokenizer(std::move(vocabulary))
    , m_processor(std::move(processor))
{
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

void SentencePieceTokenizer::encodeFragment(std::string_view text, TokenIds& ids) const
{
    std::vector<int> pieceIds;
    if (!m_processor->library.Encode(toValidUtf8(text), &pieceIds).ok())
        return; // only a processor without a model refuses; ours was loaded
    for (const int id : pieceIds)
        if (vocabulary().contains(id))
            ids.push_back(id);
}

std::string SentencePieceTokenizer::pieceBytes(TokenId id) const
{
    if (!vocabulary().contains(id))
        return {};
    switch (vocabulary().kind(id)) {
    case TokenKind::Normal:
    case TokenKind::UserDefined:
        return replacedAll(vocabulary().piece(id), kSpaceMark, " ");
    case TokenKind::Byte:
        return std::string(1, char(vocabulary().byteValue(id)));
    case TokenKind::Unknown:
    case TokenKind::Control:
    case TokenKind::Unused:
        break;
    }
    return {};
}

std::string SentencePieceTokenizer::name() const { return "spm"; }

} // namespace engine
