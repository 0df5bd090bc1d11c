#include "engine/chat/jinja/text.h"

#include <algorithm>

namespace engine::jinja {

namespace {
    const TextRun* runAt(std::span<const TextRun> runs, size_t offset)
    {
        return std::upper_bound(runs.data(), runs.data() + runs.size(), offset,
            [](size_t value, const TextRun& run) { return value < run.end; });
    }
}

Origin Text::originAt(size_t offset) const
{
    if (offset >= size())
        return runs().back().origin;
    return runAt(runs(), offset)->origin;
}

size_t Text::memoryBytes() const
{
    return sizeof(Text) + m_bytes.capacity() + m_runs.capacity() * sizeof(TextRun);
}

void TextBuilder::append(std::string_view bytes, Origin origin)
{
    if (m_overflowed || bytes.empty())
        return;
    if (bytes.size() > m_limitBytes - size()) {
        m_overflowed = true;
        return;
    }
    m_bytes += bytes;
    const auto end = uint32_t(size());
    if (!m_runs.empty() && m_runs.back().origin == origin)
        m_runs.back().end = end;
    else
        m_runs.push_back({ end, origin });
}

void TextBuilder::append(const Text& text, size_t begin, size_t end)
{
    if (begin >= end)
        return;
    const auto runs = text.runs();
    const std::string_view bytes = text.bytes();
    for (const TextRun* run = runAt(runs, begin); begin < end; ++run) {
        const size_t stop = std::min<size_t>(run->end, end);
        append(bytes.substr(begin, stop - begin), run->origin);
        begin = stop;
    }
}

Text TextBuilder::take()
{
    if (m_runs.empty())
        return {};
    if (m_runs.size() == 1)
        return Text(std::move(m_bytes), m_runs.front().origin);
    return Text(std::move(m_bytes), std::move(m_runs));
}

} // namespace engine::jinja
