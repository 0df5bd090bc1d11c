#include "engine/session/stop_string_matcher.h"

#include <algorithm>

namespace engine {

namespace {
    /// Length of the longest proper prefix of `wanted` that `text` ends with.
    size_t begunBytes(std::string_view text, std::string_view wanted)
    {
        for (size_t count = std::min(text.size(), wanted.size() - 1); count > 0; --count)
            if (text.ends_with(wanted.substr(0, count)))
                return count;
        return 0;
    }
}

StopStringMatcher::StopStringMatcher(std::vector<std::string> stopStrings)
    : m_stopStrings(std::move(stopStrings))
{
    std::erase_if(m_stopStrings, [](const std::string& text) { return text.empty(); });
    // Longest first: the first that fits at a byte is the one to report.
    std::stable_sort(m_stopStrings.begin(), m_stopStrings.end(),
        [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
    m_longest = m_stopStrings.empty() ? 0 : m_stopStrings.front().size();
}

void StopStringMatcher::continueFrom(std::string_view text)
{
    m_seenBytes += int64_t(text.size());
    m_tail += text;
    keepTail();
}

StopStringMatcher::Step StopStringMatcher::push(std::string_view text)
{
    Step step;
    if (m_stopStrings.empty()) {
        m_seenBytes += int64_t(text.size());
        step.released = text;
        return step;
    }
    for (char byte : text) {
        m_tail += byte;
        ++m_heldBytes;
        ++m_seenBytes;
        for (const std::string& stopString : m_stopStrings) {
            if (!m_tail.ends_with(stopString))
                continue;
            // A match that began before the seam takes back nothing: that part is shown.
            const size_t before = m_heldBytes - std::min(m_heldBytes, stopString.size());
            step.released = m_tail.substr(m_tail.size() - m_heldBytes, before);
            step.match = { stopString, m_seenBytes - int64_t(stopString.size()) };
            m_heldBytes = 0;
            m_heldFor.clear();
            return step;
        }
    }
    size_t begun = 0;
    m_heldFor.clear();
    for (const std::string& stopString : m_stopStrings) {
        const size_t count = begunBytes(m_tail, stopString);
        if (count <= begun)
            continue;
        begun = count;
        m_heldFor = stopString;
    }
    const size_t stillHeld = std::min(begun, m_heldBytes);
    step.released = m_tail.substr(m_tail.size() - m_heldBytes, m_heldBytes - stillHeld);
    m_heldBytes = stillHeld;
    if (m_heldBytes == 0)
        m_heldFor.clear();
    keepTail();
    return step;
}

std::string StopStringMatcher::finish()
{
    std::string rest(held());
    m_heldBytes = 0;
    m_heldFor.clear();
    return rest;
}

std::string_view StopStringMatcher::held() const
{
    return std::string_view(m_tail).substr(m_tail.size() - m_heldBytes);
}

void StopStringMatcher::keepTail()
{
    const size_t needed = std::max(m_heldBytes, m_longest);
    if (m_tail.size() > needed)
        m_tail.erase(0, m_tail.size() - needed);
}

} // namespace engine
