#include "ui/markdown/source_map.h"

#include "ui/markdown/definition_guard.h"
#include "ui/markdown/markdown_builder.h"
#include "ui/markdown/markdown_reader.h"

#include <algorithm>

namespace ui {

namespace {
    /// How many UTF-16 units these bytes are shown as.
    int shownLength(std::string_view source)
    {
        return int(QString::fromUtf8(source.data(), qsizetype(source.size())).size());
    }

    /// Positions inside cells become positions in the table's text: cells end with a tab or a line
    /// break.
    void placeCells(std::vector<MarkdownSpan>& spans, const std::vector<MarkdownBlock>& blocks)
    {
        for (MarkdownSpan& span : spans) {
            if (!span.cell || span.block >= blocks.size())
                continue;
            size_t left = *span.cell;
            for (const auto& row : blocks[span.block].rows)
                for (const RichText& cell : row)
                    if (left > 0) {
                        --left;
                        span.position += int(cell.text.size()) + 1;
                    }
        }
    }
}

SourceMap::SourceMap(std::string_view source)
    : m_source(source)
{
    const GuardedMarkdown guarded = guardDefinitions(source);
    MarkdownBuilder builder(guarded.text);
    builder.keepSpans();
    if (hasOverlongMarkdownLine(source) || !builder.parse()) {
        m_spans.push_back({ {}, 0, source.size() }); // one plain block
        return;
    }
    std::vector<MarkdownSpan> spans = builder.spans();
    placeCells(spans, builder.takeBlocks());
    for (const MarkdownSpan& span : spans) {
        const size_t start = guarded.sourceOffset(span.offset);
        m_spans.push_back({ { span.block, span.position }, start,
            guarded.sourceOffset(span.offset + span.size) - start });
    }
    std::stable_sort(m_spans.begin(), m_spans.end(),
        [](const SourceSpan& a, const SourceSpan& b) { return a.sourceStart < b.sourceStart; });
}

TextPlace SourceMap::placeIn(const SourceSpan& span, size_t sourceOffset) const
{
    const size_t inside = std::clamp(sourceOffset, span.sourceStart, span.sourceEnd());
    return { span.place.block,
        span.place.position
            + shownLength(m_source.substr(span.sourceStart, inside - span.sourceStart)) };
}

TextPlace SourceMap::placeOfStart(size_t sourceOffset) const
{
    for (const SourceSpan& span : m_spans)
        if (sourceOffset < span.sourceEnd())
            return placeIn(span, sourceOffset);
    return placeOfEnd(sourceOffset);
}

TextPlace SourceMap::placeOfEnd(size_t sourceOffset) const
{
    for (auto span = m_spans.rbegin(); span != m_spans.rend(); ++span)
        if (span->sourceStart < sourceOffset)
            return placeIn(*span, sourceOffset);
    return m_spans.empty() ? TextPlace {} : placeIn(m_spans.front(), 0);
}

namespace {
    /// Counts shown characters from where it was asked last.
    class PlaceCursor {
    public:
        explicit PlaceCursor(std::string_view source)
            : m_source(source)
        {
        }
        TextPlace placeIn(const SourceSpan& span, size_t sourceOffset)
        {
            const size_t wanted = std::clamp(sourceOffset, span.sourceStart, span.sourceEnd());
            if (&span != m_span || wanted < m_offset) {
                m_span = &span;
                m_offset = span.sourceStart;
                m_position = span.place.position;
            }
            m_position += shownLength(m_source.substr(m_offset, wanted - m_offset));
            m_offset = wanted;
            return { span.place.block, m_position };
        }

    private:
        std::string_view m_source;
        const SourceSpan* m_span = nullptr;
        size_t m_offset = 0;
        int m_position = 0;
    };
}

std::vector<PlaceRange> SourceMap::placesOf(const std::vector<SourceRange>& ranges) const
{
    std::vector<PlaceRange> places(ranges.size());
    if (m_spans.empty())
        return places;
    PlaceCursor starts(m_source);
    PlaceCursor ends(m_source);
    size_t first = 0; // the span that a stretch starts in or before
    size_t last = 0; // the last span that begins before its end
    for (size_t i = 0; i < ranges.size(); ++i) {
        while (first < m_spans.size() && m_spans[first].sourceEnd() <= ranges[i].start)
            ++first;
        while (last + 1 < m_spans.size() && m_spans[last + 1].sourceStart < ranges[i].end)
            ++last;
        places[i].end = ends.placeIn(m_spans[last], ranges[i].end);
        // Of markup alone nothing is shown.
        places[i].start = first == m_spans.size()
            ? places[i].end
            : std::min(starts.placeIn(m_spans[first], ranges[i].start), places[i].end);
    }
    return places;
}

} // namespace ui
