#include "app/conversation/answer.h"

#include <algorithm>

namespace app {

namespace {
    /// Bytes at the end of text that begin a character and do not end it.
    size_t unfinishedBytes(std::string_view text)
    {
        for (size_t back = 1; back <= 3 && back <= text.size(); ++back) {
            const auto byte = uint8_t(text[text.size() - back]);
            if (byte < 0x80)
                return 0;
            if (byte < 0xC0)
                continue;
            const size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
            return length > back ? back : 0;
        }
        return 0;
    }
}

Answer::Answer(AnswerOpening opening)
    : m_opening(std::move(opening))
    , m_text(m_opening.text)
    , m_textBeforeDraft(m_text.size())
{
}

const Draft* Answer::partOf(engine::RunId run) const
{
    for (const auto& part : m_parts)
        if (part->runId() == run)
            return part.get();
    return nullptr;
}

Draft* Answer::partOf(engine::RunId run)
{
    return const_cast<Draft*>(std::as_const(*this).partOf(run));
}

void Answer::addPart(std::unique_ptr<Draft> draft)
{
    if (!m_parts.empty())
        m_text += heldForGood();
    m_textBeforeDraft = m_text.size();
    if (!m_text.empty() || !m_parts.empty())
        m_seams.push_back(m_textBeforeDraft);
    m_parts.push_back(std::move(draft));
    takeText();
}

/// What the tokens so far say beyond the shown text: a stop string that ended the last part. The
/// bytes of an unfinished character are not of it: the next part shows the whole character.
std::string Answer::heldForGood() const
{
    std::string said = m_opening.text;
    for (const auto& part : m_parts)
        for (const engine::TokenRecord& record : part->records())
            said += record.bytes;
    if (said.size() <= m_text.size() || said.compare(0, m_text.size(), m_text) != 0)
        return {};
    said.resize(said.size() - unfinishedBytes(said));
    return said.size() > m_text.size() ? said.substr(m_text.size()) : std::string();
}

bool Answer::apply(const engine::GenerationEvent& event)
{
    Draft* part = partOf(engine::runIdOf(event));
    if (!part)
        return false;
    part->apply(event);
    takeText();
    return true;
}

void Answer::takeText()
{
    const std::string& written = draft()->text();
    const size_t known = m_text.size() - m_textBeforeDraft;
    if (written.size() < known) { // only a faulty engine withdraws text; show what it says
        m_text.resize(m_textBeforeDraft);
        m_text += written;
        return;
    }
    m_text.append(written, known);
}

engine::Verdict Answer::verdict() const
{
    return draft() ? draft()->verdict() : engine::Verdict::Partial;
}

bool Answer::hasDetails() const
{
    for (const auto& part : m_parts)
        if (!part->hasDetails())
            return false;
    return true;
}

const engine::TokenIds& Answer::promptIds() const
{
    static const engine::TokenIds kNone;
    return m_parts.empty() ? kNone : m_parts.front()->origin().request.promptIds;
}

engine::TokenIds Answer::draftIds() const
{
    engine::TokenIds ids = m_opening.ids;
    for (const auto& part : m_parts)
        for (const engine::TokenRecord& record : part->records())
            ids.push_back(record.id);
    return ids;
}

KeptTokens Answer::keptTokens(size_t count) const
{
    KeptTokens kept;
    if (m_parts.empty())
        return kept;
    kept = m_parts.front()->origin().kept;
    if (kept.records.size() != m_opening.ids.size()) { // a person began it, or the fork is an old one
        kept = {};
        const engine::TokenIds& prompt = promptIds();
        const size_t start = prompt.size() - std::min(prompt.size(), m_opening.ids.size());
        for (const engine::TokenId id : m_opening.ids)
            kept.records.push_back({ .id = id,
                .source = m_opening.source,
                .position = int(start + kept.records.size()) });
    }
    for (const auto& part : m_parts) {
        if (kept.records.size() >= count)
            break;
        const engine::GenerationRequest& request = part->origin().request;
        kept.runs.push_back({ int(kept.records.size()), request.sampling, request.bannedFirstIds });
        kept.records.insert(kept.records.end(), part->records().begin(), part->records().end());
    }
    if (kept.records.size() > count)
        kept.records.resize(count);
    std::erase_if(
        kept.runs, [count](const KeptTokens::Run& run) { return run.firstToken >= int(count); });
    return kept;
}

int Answer::tokenCount() const
{
    int count = 0;
    for (const auto& part : m_parts)
        count += part->tokenCount();
    return count;
}

int Answer::notSampledCount() const
{
    int count = 0;
    if (m_opening.source != engine::TokenSource::Sampled)
        count = int(m_opening.ids.size());
    else if (!m_parts.empty()) // a fork; what was forced on the branch it left was not sampled here either
        count = int(std::ranges::count_if(m_parts.front()->origin().kept.records,
            [](const engine::TokenRecord& record) { return record.source != engine::TokenSource::Sampled; }));
    for (const auto& part : m_parts)
        count += part->notSampledCount();
    return count;
}

} // namespace app
