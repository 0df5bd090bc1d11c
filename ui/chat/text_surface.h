#pragma once

#include "ui/chat/block_layout.h"
#include "ui/chat/ghost_text.h"
#include "ui/chat/text_tints.h"
#include "ui/markdown/source_map.h"

#include <QToolButton>
#include <QWidget>

#include <optional>

namespace ui {

/// The text of one message: blocks under each other, selectable across all of them. Nothing it
/// shows is ever fetched; links are only reported. GUI thread.
class TextSurface : public QWidget {
    Q_OBJECT
public:
    explicit TextSurface(QWidget* parent = nullptr);

    /// Shows these blocks; those before firstChanged are the ones already shown.
    void setBlocks(const std::vector<MarkdownBlock>& blocks, size_t firstChanged);
    /// What is shown, as plain text.
    QString plainText() const;
    QString selectedText() const;
    bool hasSelection() const;
    /// A caret after the last character: more text is being written.
    void setCaretShown(bool shown);
    bool isCaretShown() const { return m_isCaretShown; }
    /// Text after the last character that is held back: shown apart, never part of plainText().
    /// gap: the white space at the end of the source, which blocks leave out.
    void setGhost(const QString& text, const QString& gap);
    const QString& ghost() const { return m_ghost.text(); }
    /// Where one run ended and the next went on: a small mark at each place.
    void setSeams(std::vector<TextPlace> places);
    const std::vector<TextPlace>& seams() const { return m_seams; }
    /// Tints behind the text, in its order; these replace all from an index on.
    void setTints(size_t from, std::vector<TextTint> tints);
    const TextTints& tints() const { return m_tints; }
    /// Points out a tint, or two; -1: none.
    void setTintMarks(int current, int pointedAt);
    int currentTint() const { return m_currentTint; }
    int pointedTint() const { return m_pointedTint; }
    /// Where it starts, as far as it is in one block; empty when it is not there.
    QRect tintRect(int index) const;
    /// Its menu offers to inspect it.
    void setInspectable(bool inspectable) { m_isInspectable = inspectable; }
    void selectAll();
    /// Selects from one place to another, or shows a caret where they are the same.
    void select(TextPlace from, TextPlace to);
    /// Selects these positions in plainText().
    void select(TextRange range);
    /// After the last character.
    TextPlace endPlace() const;
    /// Where the end of the selection stands, for scrolling there.
    QRect caretRect() const;
    /// Positions in plainText() that the selection starts and ends at; its caret is at the end.
    TextRange selection() const;
    void clearSelection();

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    /// Width the text would take unwrapped, limited to mostWidth.
    int naturalWidth(int mostWidth) const;

signals:
    void linkActivated(const QString& target);
    void painted();
    /// The mouse is over this tint; -1: over none.
    void tintPointedAt(int index);
    void tintClicked(int index);
    void inspectRequested();
    /// The whole message's source is to be copied.
    void copyMessageRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    BlockStyle style() const;
    void layOut(int width) const;
    void layOutGhost(int width) const;
    qreal gapBefore(size_t block) const;
    size_t blockAt(qreal y) const;
    TextPlace placeAt(const QPointF& point) const;
    TextRange selectionIn(size_t block) const;
    std::vector<BlockTint> tintsIn(size_t block, const QRectF& visible) const;
    int tintAt(const QPointF& point) const;
    void pointAt(int tint);
    QString linkAt(const QPointF& point) const;
    void placeCopyButtons();
    int offsetOf(TextPlace place) const;
    TextPlace placeOf(int offset) const;
    void addLinkActions(class QMenu& menu);

    mutable std::vector<BlockLayout> m_blocks;
    mutable std::vector<qreal> m_tops; ///< of each block, and the end of the last
    mutable int m_laidOutWidth = -1;
    mutable size_t m_firstDirty = 0;
    mutable GhostText m_ghost;
    QString m_ghostGap;
    std::vector<QToolButton*> m_copyButtons; ///< one for each code block, in order
    std::vector<TextPlace> m_seams;
    TextTints m_tints;
    int m_currentTint = -1;
    int m_pointedTint = -1;
    int m_toldTint = -1; ///< that the mouse was last over
    TextPlace m_anchor;
    TextPlace m_caret;
    bool m_isPlaceShown = false; ///< the caret was put somewhere and is to be seen
    bool m_isSelecting = false;
    bool m_isInspectable = false;
    bool m_isCaretShown = false;
    QString m_pressedLink;
    std::optional<size_t> m_scrolledBlock; ///< whose sideways bar is being dragged
};

/// Puts exactly this text on the clipboard.
void copyToClipboard(const QString& text);

} // namespace ui
