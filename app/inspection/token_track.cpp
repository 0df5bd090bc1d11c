#include "app/inspection/token_track.h"

#include "app/inspection/prompt_place.h"

#include <algorithm>

namespace app {

namespace {
    bool isInsideCharacter(char byte) { return (uint8_t(byte) & 0xC0) == 0x80; }

    int reusedCount(const Draft& draft)
    {
        if (draft.ending())
            return draft.ending()->cache.reusedTokens;
        return draft.prefill() ? draft.prefill()->reused : 0;
    }
}

TokenTrack::TokenTrack(const Answer& answer, std::shared_ptr<const engine::ModelText> fallback)
    : m_answer(answer)
    , m_fallback(std::move(fallback))
{
    update();
}

bool TokenTrack::update()
{
    const auto& parts = m_answer.parts();
    const bool hasEnd = !parts.empty() && parts.front()->ending().has_value();
    const bool restarts = m_tokens.empty() || m_hasDetails != m_answer.hasDetails() || m_hasEnd != hasEnd;
    if (restarts) {
        m_hasDetails = m_answer.hasDetails();
        m_hasEnd = hasEnd;
        start();
    }
    if (m_hasDetails)
        for (size_t part = 0; part < parts.size(); ++part)
            addPart(int(part));
    return restarts;
}

void TokenTrack::start()
{
    m_tokens.clear();
    m_taken.clear();
    m_said.clear();
    m_promptCount = 0;
    if (!m_answer.parts().empty()) {
        const Draft& first = *m_answer.parts().front();
        const engine::GenerationRequest& request = first.origin().request;
        const size_t count = request.promptIds.size() - std::min(request.promptIds.size(), size_t(request.draftTokenCount));
        const int reused = reusedCount(first);
        PromptPlace place(first.origin());
        for (size_t i = 0; i < count; ++i) {
            TrackToken token = describe(request.promptIds[i], first.origin().modelText.get());
            token.isReused = int(i) < reused;
            const std::string& piece = token.bytes.empty() ? token.controlText : token.bytes;
            std::optional<size_t> promptByte;
            if (!piece.empty())
                promptByte = place.take(piece, i == 0);
            if (const auto* span = promptByte ? spanAt(first.origin().promptSpans, *promptByte) : nullptr)
                token.origin = span->origin;
            m_tokens.push_back(std::move(token));
        }
        m_promptCount = int(count);
    }
    addOpening();
}

void TokenTrack::addOpening()
{
    const AnswerOpening& opening = m_answer.opening();
    const engine::ModelText* text = m_answer.parts().empty() ? nullptr : m_answer.parts().front()->origin().modelText.get();
    const size_t first = m_tokens.size();
    const auto* kept = m_answer.parts().empty() ? nullptr : &m_answer.parts().front()->origin().kept.records;
    for (size_t i = 0; i < opening.ids.size(); ++i) {
        TrackToken token = describe(opening.ids[i], text);
        token.place = TokenPlace::Opening;
        token.source = kept && i < kept->size() ? (*kept)[i].source : opening.source;
        say(std::move(token));
    }
    if (m_said == opening.text)
        return;
    // Some tokenizers put a blank in front: then no byte of the text can be told to be a token's.
    m_said = opening.text;
    for (size_t i = first; i < m_tokens.size(); ++i)
        m_tokens[i].text = {};
}

/// Adds a token whose bytes are the next ones of the answer.
void TokenTrack::say(TrackToken token)
{
    token.text = { m_said.size(), m_said.size() + token.bytes.size() };
    m_said += token.bytes;
    m_tokens.push_back(std::move(token));
    widenLast();
}

void TokenTrack::addPart(int part)
{
    if (m_taken.size() <= size_t(part))
        m_taken.resize(size_t(part) + 1);
    const Draft& draft = *m_answer.parts()[size_t(part)];
    size_t& taken = m_taken[size_t(part)];
    for (; taken < draft.records().size(); ++taken) {
        const engine::TokenRecord& record = draft.records()[taken];
        TrackToken token = describe(record.id, draft.origin().modelText.get());
        token.place = TokenPlace::Answer;
        token.source = record.source;
        token.bytes = record.bytes;
        if (token.bytes.empty() && token.controlText.empty())
            token.controlText = draft.origin().tokenText(record.id);
        token.part = part;
        token.index = int(taken);
        say(std::move(token));
    }
}

TrackToken TokenTrack::describe(engine::TokenId id, const engine::ModelText* text) const
{
    TrackToken token;
    token.id = id;
    const engine::ModelText* known = text ? text : m_fallback.get();
    if (!known || !known->tokenizer || !known->tokenizer->vocabulary().contains(id))
        return token;
    token.bytes = known->tokenizer->pieceBytes(id);
    if (token.bytes.empty())
        token.controlText = known->tokenizer->pieceText(id);
    return token;
}

/// A character that several tokens make up belongs to all of them.
void TokenTrack::widenLast()
{
    TextBytes& last = m_tokens.back().text;
    if (last.start == last.end || !isInsideCharacter(m_said[last.start]))
        return;
    const size_t end = size_t(std::ranges::find_if_not(m_said.begin() + ptrdiff_t(last.start), m_said.end(), isInsideCharacter)
        - m_said.begin());
    size_t start = last.start;
    while (start > 0 && isInsideCharacter(m_said[start]))
        --start;
    last.start = start;
    for (size_t i = m_tokens.size() - 1; i-- > 0 && m_tokens[i].text.end > start;)
        m_tokens[i].text.end = std::max(m_tokens[i].text.end, end);
}

const engine::TokenRecord* TokenTrack::record(int i) const
{
    if (const Draft* draft = draftOf(i))
        return &draft->records()[size_t(m_tokens[size_t(i)].index)];
    return isKept(i) ? &m_answer.parts().front()->origin().kept.records[drawStepOf(i)] : nullptr;
}

const KeptTokens::Run* TokenTrack::keptRunOf(int i) const
{
    const TrackToken& token = m_tokens[size_t(i)];
    if (token.place != TokenPlace::Opening || m_answer.parts().empty())
        return nullptr;
    const KeptTokens& kept = m_answer.parts().front()->origin().kept;
    const auto index = int(drawStepOf(i));
    const bool isThere = index < int(kept.records.size()) && kept.records[size_t(index)].id == token.id;
    return isThere ? kept.runOf(index) : nullptr;
}

bool TokenTrack::isKept(int i) const { return keptRunOf(i) != nullptr; }

bool TokenTrack::isFirstOfRun(int i) const
{
    if (const KeptTokens::Run* run = keptRunOf(i))
        return run->firstToken == int(drawStepOf(i));
    return m_tokens[size_t(i)].index <= 0;
}

const engine::SamplerSettings* TokenTrack::samplingOf(int i) const
{
    if (const Draft* draft = draftOf(i))
        return &draft->origin().request.sampling;
    const KeptTokens::Run* run = keptRunOf(i);
    return run ? &run->sampling : nullptr;
}

engine::TokenIds TokenTrack::bannedFirstIdsOf(int i) const
{
    if (const Draft* draft = draftOf(i))
        return draft->origin().request.bannedFirstIds;
    const KeptTokens::Run* run = keptRunOf(i);
    return run ? run->bannedFirstIds : engine::TokenIds();
}

const Draft* TokenTrack::draftOf(int i) const
{
    const TrackToken& token = m_tokens[size_t(i)];
    return token.part < 0 ? nullptr : m_answer.parts()[size_t(token.part)].get();
}

const Draft* TokenTrack::modelRunOf(int i) const
{
    const Draft* draft = draftOf(i);
    return draft || m_answer.parts().empty() ? draft : m_answer.parts().front().get();
}

std::optional<int> TokenTrack::tokenAt(size_t textByte) const
{
    const auto begin = m_tokens.begin() + m_promptCount;
    const auto found = std::partition_point(
        begin, m_tokens.end(), [textByte](const TrackToken& token) { return token.text.end <= textByte; });
    if (found == m_tokens.end() || found->text.start > textByte)
        return std::nullopt;
    return int(found - m_tokens.begin());
}

std::string TokenTrack::pieceText(int i, engine::TokenId id) const
{
    const Draft* draft = modelRunOf(i);
    std::string text = draft ? draft->origin().tokenText(id) : std::string();
    if (!text.empty())
        return text;
    const TrackToken token = describe(id, nullptr);
    return token.bytes.empty() ? token.controlText : token.bytes;
}

engine::TokenIds TokenTrack::idsBefore(int i) const
{
    engine::TokenIds ids;
    for (int before = 0; before < i; ++before)
        ids.push_back(m_tokens[size_t(before)].id);
    return ids;
}

} // namespace app
