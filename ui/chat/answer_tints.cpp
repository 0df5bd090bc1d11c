#include "ui/chat/answer_tints.h"

#include "ui/chat/text_surface.h"

#include <algorithm>
#include <utility>

namespace ui {

namespace {
    // Mapping waits this many times as long as the last one took.
    constexpr int kRestFactor = 3;
}

AnswerTints::AnswerTints(const MarkdownStream& stream, TextSurface& surface, QObject* parent)
    : QObject(parent)
    , m_stream(stream)
    , m_surface(surface)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &AnswerTints::place);
}

void AnswerTints::clear()
{
    m_tints.clear();
    noteRestarted();
}

void AnswerTints::append(const std::vector<ByteTint>& tints)
{
    m_tints.insert(m_tints.end(), tints.begin(), tints.end());
    placeSoon();
}

void AnswerTints::noteGrown() { placeSoon(); }

void AnswerTints::noteRestarted()
{
    m_placedCount = 0;
    m_openOffset = 0;
    m_openBlock = 0;
    m_cutOffset = 0;
    m_cutBlock = 0;
    m_surface.setTints(0, {});
    placeSoon();
}

void AnswerTints::placeSoon()
{
    if (m_tints.empty() || m_timer.isActive())
        return;
    const qint64 restMs
        = m_sincePlaced.isValid() ? kRestFactor * m_costMs - m_sincePlaced.elapsed() : 0;
    m_timer.start(int(std::max<qint64>(0, restMs)));
}

void AnswerTints::place()
{
    m_sincePlaced.start();
    const std::string_view source = std::string_view(m_stream.source()).substr(m_openOffset);
    std::vector<SourceRange> ranges;
    for (size_t i = m_placedCount; i < m_tints.size(); ++i) {
        const app::TextBytes& bytes = m_tints[i].bytes;
        if (bytes.start >= m_stream.source().size() && bytes.start > 0)
            break; // not released yet
        const size_t start = std::max(bytes.start, m_openOffset) - m_openOffset;
        const size_t end = std::max(bytes.end, m_openOffset) - m_openOffset;
        ranges.push_back({ std::min(start, source.size()), std::min(end, source.size()) });
    }
    std::vector<TextTint> placed;
    for (const PlaceRange& place : SourceMap(source).placesOf(ranges)) {
        const ByteTint& tint = m_tints[m_placedCount + placed.size()];
        placed.push_back({ { place.start.block + m_openBlock, place.start.position },
            { place.end.block + m_openBlock, place.end.position }, tint.colour, tint.underline });
    }
    const size_t placedEnd = m_placedCount + placed.size();
    m_surface.setTints(m_placedCount, std::move(placed));
    if (m_cutOffset != m_stream.tailOffset()) {
        m_openOffset = std::exchange(m_cutOffset, m_stream.tailOffset());
        m_openBlock = std::exchange(m_cutBlock, m_stream.closedCount());
    }
    while (m_placedCount < placedEnd && m_tints[m_placedCount].bytes.start < m_openOffset)
        ++m_placedCount;
    m_costMs = m_sincePlaced.elapsed();
}

} // namespace ui
