#pragma once

#include "engine/tokenizer/byte_letters.h"
#include "engine/tokenizer/tokenizer.h"

#include <cstdio>
#include <cstdlib>

namespace tests {

/// A vocabulary made in a test, entry by entry, as the metadata of a model file.
struct TinyVocabulary {
    std::string model = "gpt2"; ///< "": no such key
    std::string pre = "gpt-2"; ///< "": no such key
    std::vector<std::string> pieces;
    std::vector<int32_t> kinds;
    std::vector<float> scores;
    std::vector<std::string> merges;
    /// Further keys, or others in place of those above.
    std::map<std::string, engine::MetadataValue> keys;

    /// Byte-level BPE: the 256 letters, ids equal to the bytes.
    static TinyVocabulary bpe(std::string pre)
    {
        TinyVocabulary vocabulary;
        vocabulary.pre = std::move(pre);
        for (int byte = 0; byte < 256; ++byte)
            vocabulary.add(engine::letterOfByte(uint8_t(byte)));
        return vocabulary;
    }
    /// SentencePiece: <unk>, <s>, </s>, then 256 byte pieces from id 3 on.
    static TinyVocabulary sentencePiece()
    {
        TinyVocabulary vocabulary;
        vocabulary.model = "llama";
        vocabulary.pre = "default";
        vocabulary.add("<unk>", engine::TokenKind::Unknown);
        vocabulary.add("<s>", engine::TokenKind::Control);
        vocabulary.add("</s>", engine::TokenKind::Control);
        for (int byte = 0; byte < 256; ++byte) {
            char piece[7];
            std::snprintf(piece, sizeof piece, "<0x%02X>", unsigned(byte));
            vocabulary.add(piece, engine::TokenKind::Byte);
        }
        vocabulary.keys["tokenizer.ggml.unknown_token_id"] = uint32_t(0);
        vocabulary.keys["tokenizer.ggml.bos_token_id"] = uint32_t(1);
        vocabulary.keys["tokenizer.ggml.eos_token_id"] = uint32_t(2);
        return vocabulary;
    }

    /// Returns the id.
    engine::TokenId add(
        std::string piece, engine::TokenKind kind = engine::TokenKind::Normal, float score = 0.0f)
    {
        pieces.push_back(std::move(piece));
        kinds.push_back(int32_t(kind));
        scores.push_back(score);
        return engine::TokenId(pieces.size() - 1);
    }
    /// A merge and its piece, in letters. Returns the piece's id.
    engine::TokenId addMerge(const std::string& left, const std::string& right)
    {
        merges.push_back(left + " " + right);
        return add(left + right);
    }

    engine::Metadata metadata() const
    {
        std::map<std::string, engine::MetadataValue> all = keys;
        if (!model.empty())
            all.try_emplace("tokenizer.ggml.model", model);
        if (!pre.empty())
            all.try_emplace("tokenizer.ggml.pre", pre);
        all.try_emplace("tokenizer.ggml.tokens", pieces);
        all.try_emplace("tokenizer.ggml.token_type", kinds);
        if (model == "llama")
            all.try_emplace("tokenizer.ggml.scores", scores);
        else
            all.try_emplace("tokenizer.ggml.merges", merges);
        engine::Metadata metadata;
        for (const auto& [key, value] : all)
            if (!metadata.insert(key, value))
                std::abort();
        return metadata;
    }
    engine::Result<std::unique_ptr<engine::Tokenizer>> tokenizer() const
    {
        return engine::Tokenizer::create(metadata());
    }
    engine::Result<engine::Vocabulary> vocabulary() const
    {
        return engine::Vocabulary::create(metadata());
    }
};

} // namespace tests
