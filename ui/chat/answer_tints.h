#pragma once

#include "app/conversation/token_place.h"
#include "ui/markdown/markdown_stream.h"

#include <QColor>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace ui {

class TextSurface;

/// A stretch of an answer's source text and the tint behind it.
struct ByteTint {
    app::TextBytes bytes;
    QColor colour; ///< invalid: none
    double underline = 0; ///< logical pixels
};

/// Puts tints behind an answer's text, where Markdown shows it. Blocks that can no longer change
/// are mapped once, the open tail when it grows; never more often than what that costs allows.
class AnswerTints : public QObject {
    Q_OBJECT
public:
    AnswerTints(const MarkdownStream& stream, TextSurface& surface, QObject* parent = nullptr);

    void clear();
    /// In the order of the text, after those there are.
    void append(const std::vector<ByteTint>& tints);
    /// The stream has grown.
    void noteGrown();
    /// The stream begins anew.
    void noteRestarted();

private:
    void place();
    void placeSoon();

    const MarkdownStream& m_stream;
    TextSurface& m_surface;
    std::vector<ByteTint> m_tints;
    size_t m_placedCount = 0; ///< in blocks that do not change
    size_t m_openOffset = 0; ///< the source from here on is mapped again
    size_t m_openBlock = 0; ///< and its first block
    // One cut further: a tint that reaches over it waits until what follows is closed too.
    size_t m_cutOffset = 0;
    size_t m_cutBlock = 0;
    QTimer m_timer;
    QElapsedTimer m_sincePlaced;
    qint64 m_costMs = 0;
};

} // namespace ui
