#pragma once

#include "engine/chat/jinja/limits.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::jinja {

/// Who wrote a stretch of text. ResumeMark is the mark put behind a message that is to be
/// continued. From FirstContent on: data too, the content of a message (contentOf).
enum class Origin : uint16_t { Template, Person, ResumeMark, FirstContent };

/// Messages past what the type holds are a person's, without a number.
constexpr Origin contentOf(size_t message)
{
    const size_t number = size_t(Origin::FirstContent) + message;
    return number <= UINT16_MAX ? Origin(number) : Origin::Person;
}
/// -1: it is no message's content.
constexpr int messageOf(Origin origin)
{
    return origin < Origin::FirstContent ? -1 : int(origin) - int(Origin::FirstContent);
}

/// A stretch of one origin: it begins where the run before it ends.
struct TextRun {
    uint32_t end = 0; ///< byte offset
    Origin origin = Origin::Template;

    bool operator==(const TextRun&) const = default;
};

/// A string that knows for each byte who wrote it. Immutable once built; see TextBuilder.
class Text {
public:
    Text() = default;
    Text(std::string bytes, Origin origin)
        : m_bytes(std::move(bytes))
        , m_whole { uint32_t(m_bytes.size()), origin }
    {
    }
    /// runs: ascending, neighbours differ, the last one ends at bytes.size().
    Text(std::string bytes, std::vector<TextRun> runs)
        : m_bytes(std::move(bytes))
        , m_runs(std::move(runs))
    {
    }

    const std::string& bytes() const { return m_bytes; }
    size_t size() const { return m_bytes.size(); }
    bool empty() const { return m_bytes.empty(); }
    /// Ascending; neighbours differ in origin; the last one ends at size().
    std::span<const TextRun> runs() const
    {
        return m_runs.empty() ? std::span<const TextRun>(&m_whole, 1)
                              : std::span<const TextRun>(m_runs);
    }
    Origin originAt(size_t offset) const;
    size_t memoryBytes() const;

private:
    std::string m_bytes;
    TextRun m_whole; ///< stands for m_runs when there is one run
    std::vector<TextRun> m_runs;
};

/// Collects a Text. Past the limit it stops collecting and says so.
class TextBuilder {
public:
    explicit TextBuilder(size_t limitBytes = kMaxStringBytes)
        : m_limitBytes(limitBytes)
    {
    }

    void append(std::string_view bytes, Origin origin);
    void append(const Text& text) { append(text, 0, text.size()); }
    /// Appends the bytes [begin, end) of text with their origins.
    void append(const Text& text, size_t begin, size_t end);

    size_t size() const { return m_bytes.size(); }
    size_t runCount() const { return m_runs.size(); }
    bool overflowed() const { return m_overflowed; }
    Text take();

private:
    std::string m_bytes;
    std::vector<TextRun> m_runs;
    size_t m_limitBytes;
    bool m_overflowed = false;
};

} // namespace engine::jinja
