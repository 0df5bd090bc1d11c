#pragma once

#include "app/inspection/token_track.h"
#include "engine/sampling/sampler.h"
#include "engine/tokenizer/byte_letters.h"
#include "tests/support/tiny_vocabulary.h"

#include <memory>
#include <random>

namespace tests {

/// An answer of a made-up model whose every token was chosen by the real sampler: words on a byte
/// vocabulary, scores from a seed. Its records are those a real run would have.
class InspectedAnswer {
public:
    static constexpr engine::TokenId kEnd = 256; ///< "<|im_end|>"
    static constexpr engine::TokenId kFirstWord = 257;

    explicit InspectedAnswer(engine::SamplerSettings settings = {}, uint32_t seed = 1)
        : m_generator(seed)
    {
        TinyVocabulary vocabulary = TinyVocabulary::bpe("gpt-2");
        vocabulary.add("<|im_end|>", engine::TokenKind::Control);
        vocabulary.keys["tokenizer.ggml.eos_token_id"] = uint32_t(kEnd);
        for (const char* word : kWords)
            vocabulary.add(engine::lettersFromBytes(word));
        auto text = std::make_shared<engine::ModelText>();
        text->tokenizer = std::move(*vocabulary.tokenizer());
        app::DraftOrigin origin;
        origin.request.runId = 1;
        origin.request.sampling = std::move(settings);
        origin.request.promptIds = idsOf("Where is it?\n");
        origin.modelText = std::move(text);
        m_before = origin.request.promptIds;
        answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
    }

    /// A token whose likeliest choice is this word, more clearly so the larger the lead.
    engine::TokenRecord say(const std::string& word, float lead = 3, float endScore = -4)
    {
        std::normal_distribution<float> normal(0, 2);
        m_logits.resize(size_t(kFirstWord) + std::size(kWords));
        for (size_t id = 0; id < m_logits.size(); ++id)
            m_logits[id] = normal(m_generator) - (id < 256 ? 9 : 0);
        m_logits[size_t(kEnd)] = endScore;
        const engine::TokenId wanted = idsOf(word).front();
        m_logits[size_t(wanted)] = lead + 4;
        return choose({});
    }
    /// A token taken whatever its score.
    engine::TokenRecord force(engine::TokenId id) { return choose(id); }
    void end(engine::StopReason reason)
    {
        engine::RunEnded event;
        event.runId = 1;
        event.ledger.reason = reason;
        event.text = answer.text();
        answer.apply(event);
    }

    static engine::TokenIds idsOf(const std::string& text)
    {
        for (size_t i = 0; i < std::size(kWords); ++i)
            if (text == kWords[i])
                return { kFirstWord + engine::TokenId(i) };
        engine::TokenIds ids;
        for (char byte : text)
            ids.push_back(engine::TokenId(uint8_t(byte)));
        return ids;
    }
    const engine::SamplerSettings& settings() const
    {
        return answer.parts().front()->origin().request.sampling;
    }
    const std::vector<float>& lastLogits() const { return m_logits; }

    app::Answer answer;

private:
    static constexpr const char* kWords[] = { "The", " museum", " is", " in", " London", " Paris",
        " the", " city", " centre", ",", " near", " river", " a", " bridge", ".", "\n\n", " It",
        " opens", " on", " at", " Monday", " nine", " Tuesday", " and", " closes", " every", " day",
        " old", " new", " town", " of", " to", " with", " garden" };

    engine::TokenRecord choose(std::optional<engine::TokenId> forced)
    {
        engine::Sampler sampler(settings(), { kEnd });
        engine::TokenRecord record
            = *sampler.choose({ m_logits, m_before, m_step++, forced, true });
        record.position = int(m_before.size());
        if (record.id != kEnd)
            record.bytes
                = answer.parts().front()->origin().modelText->tokenizer->pieceBytes(record.id);
        m_before.push_back(record.id);
        engine::TokenDecoded event;
        event.runId = 1;
        event.index = int(m_step) - 1;
        event.record = record;
        event.text = record.bytes;
        answer.apply(event);
        return record;
    }

    std::mt19937 m_generator;
    std::vector<float> m_logits;
    engine::TokenIds m_before;
    uint64_t m_step = 0;
};

} // namespace tests
