#include "engine/chat/jinja/output_buffer.h"

namespace engine::jinja {

Result<void> OutputBuffer::write(const Text& text)
{
    const size_t bytes = text.size() + text.runs().size() * sizeof(TextRun);
    m_heldBytes += bytes;
    m_meter.hold(bytes);
    TRY(m_meter.stepBytes(bytes));
    m_builder.append(text);
    if (m_builder.overflowed())
        return Error::badTemplate("the output is longer than "
            + std::to_string(kMaxOutputBytes / (1024 * 1024)) + " MiB");
    if (m_builder.runCount() > kMaxOutputSpans)
        return Error::badTemplate("the output changes between template and data more than "
            + std::to_string(kMaxOutputSpans) + " times");
    return {};
}

} // namespace engine::jinja
