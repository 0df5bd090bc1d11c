#pragma once

#include "ui/markdown/markdown_block.h"
#include "ui/theme/theme.h"

#include <QFont>
#include <QRectF>
#include <QTextLayout>

#include <memory>

class QPainter;

namespace ui {

/// Fonts and measures that blocks are laid out with.
struct BlockStyle {
    QFont font;
    QFont codeFont;
    qreal unit = 8; ///< the spacing grid
};

/// A stretch of a block's text.
struct TextRange {
    int start = 0;
    int end = 0; ///< exclusive

    bool isEmpty() const { return end <= start; }
};

/// How a tint is pointed out.
enum class TintMark { None, PointedAt, Current };

/// A tint behind a stretch of a block's text.
struct BlockTint {
    TextRange range;
    QColor colour; ///< invalid: none, and a dotted underline
    double underline = 0; ///< logical pixels
    TintMark mark = TintMark::None;
};

/// Where the text of one block stands: geometry apart from painting. Coordinates are logical
/// pixels from the block's top left corner; text positions count UTF-16 units of text().
class BlockLayout {
public:
    explicit BlockLayout(MarkdownBlock block);
    BlockLayout(BlockLayout&&) noexcept = default;
    BlockLayout& operator=(BlockLayout&&) noexcept = default;

    const MarkdownBlock& block() const { return m_block; }
    /// Lines that the old block shares with the new one stay as they are.
    void setBlock(MarkdownBlock block);
    void setWidth(qreal width, const BlockStyle& style);

    qreal height() const { return m_height; }
    /// Width of the widest line: what a bubble needs.
    qreal naturalWidth() const { return m_naturalWidth; }
    /// What selecting counts in and copies: lines end with '\n', cells with '\t'.
    QString text() const;
    int positionAt(const QPointF& point) const;
    QString linkAt(const QPointF& point) const;
    TextRange wordAt(int position) const;
    /// Where its text stands, containers left out.
    QRectF viewport() const { return m_viewport; }
    /// Where a caret before this position stands: kCaretGap right of the edge between characters.
    static constexpr qreal kCaretGap = 2;
    QRectF caretAt(int position) const;
    /// Where a caret after the last character stands.
    QRectF endCaret() const { return caretAt(int(text().size())); }
    /// Where a stretch of text stands: a box for each line it is on.
    std::vector<QRectF> rectsOf(TextRange range) const;
    /// The text that may be seen through this part.
    TextRange rangeIn(const QRectF& visible) const;

    /// visible: the part that needs painting.
    void paint(QPainter& painter, const Theme& theme, TextRange selection, const QRectF& visible,
        const std::vector<BlockTint>& tints = {}) const;

    /// Code and tables wider than the page scroll sideways.
    bool isScrollable() const { return m_contentWidth > m_viewport.width() + 1; }
    qreal scrollOffset() const { return m_scrollOffset; }
    void setScrollOffset(qreal offset);
    QRectF scrollBar() const;
    /// The strip above code that holds the language and the copy button; empty for other blocks.
    QRectF header() const { return m_header; }

private:
    /// One run of lines that wraps by itself: a paragraph, a line of code, a cell.
    struct Part {
        std::unique_ptr<QTextLayout> layout;
        QPointF origin; ///< in content coordinates
        int start = 0; ///< its first position in text()
        qreal height = 0;
    };

    /// What is shown with the text besides its own formats.
    struct Overlay {
        TextRange selection;
        bool isTinted = false; ///< then code has no background of its own
    };

    void rebuildParts();
    Part makePart(const RichText& rich, int start) const;
    void addCodeLines(int fromOffset);
    void layOut();
    qreal layOutPart(Part& part, qreal width, Qt::Alignment alignment, qreal lineFactor);
    void layOutText(qreal left, qreal width);
    void layOutCode(qreal left, qreal width);
    void layOutTable(qreal left, qreal width);
    QFont partFont() const;
    void paintContainers(QPainter& painter, const Theme& theme) const;
    void paintTints(
        QPainter& painter, const Theme& theme, const std::vector<BlockTint>& tints) const;
    void paintParts(
        QPainter& painter, const Theme& theme, const Overlay& over, const QRectF& visible) const;
    QPointF contentOffset() const { return m_viewport.topLeft() - QPointF(m_scrollOffset, 0); }
    const Part* partAt(const QPointF& contentPoint) const;

    MarkdownBlock m_block;
    BlockStyle m_style;
    std::vector<Part> m_parts;
    bool m_isLaidOut = false;
    qreal m_width = -1;
    qreal m_height = 0;
    qreal m_naturalWidth = 0;
    qreal m_contentWidth = 0;
    qreal m_scrollOffset = 0;
    QRectF m_viewport; ///< where content shows
    QRectF m_header;
    std::vector<qreal> m_columnEdges; ///< tables: content x, one more than columns
    std::vector<qreal> m_rowEdges;
};

} // namespace ui
