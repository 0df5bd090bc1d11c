#pragma once

#include "engine/chat/jinja/meter.h"
#include "engine/chat/jinja/text.h"

namespace engine::jinja {

/// What a body writes, counted as memory of its rendering while it grows.
class OutputBuffer {
public:
    explicit OutputBuffer(Meter& meter)
        : m_meter(meter)
        , m_builder(kMaxOutputBytes)
    {
    }
    OutputBuffer(const OutputBuffer&) = delete;
    OutputBuffer& operator=(const OutputBuffer&) = delete;
    ~OutputBuffer() { m_meter.release(m_heldBytes); }

    /// Errors: the output's limits of bytes and spans.
    Result<void> write(const Text& text);
    Text take() { return m_builder.take(); }

private:
    Meter& m_meter;
    TextBuilder m_builder;
    size_t m_heldBytes = 0;
};

} // namespace engine::jinja
