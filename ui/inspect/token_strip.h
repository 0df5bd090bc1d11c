#pragma once

#include "ui/inspect/chip_text.h"
#include "ui/inspect/token_colours.h"
#include "ui/inspect/token_strip_layout.h"
#include "ui/theme/theme.h"

#include <QAbstractScrollArea>
#include <QFont>
#include <QHash>

namespace ui {

/// An answer's tokens as chips, tinted by one measure. Only chips in view are painted. Arrow keys,
/// Home and End go from token to token; a token is its index in TokenTrack::tokens(). GUI thread.
class TokenStrip : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TokenStrip(QWidget* parent = nullptr);

    /// Shows its tokens, the last one current. Null: nothing. The track must outlive it here.
    void setTrack(const app::TokenTrack* track);
    const app::TokenTrack* track() const { return m_track; }
    /// Takes over what TokenTrack::update() brought. restarts: what it returned.
    void takeTokens(bool restarts);
    void setMeasure(TokenMeasure measure);
    const TokenColours& colours() const { return m_colours; }
    /// The prompt's tokens before those of the answer.
    void setPromptShown(bool shown);

    /// -1: none.
    int current() const { return m_current; }
    void setCurrent(int token);
    int hovered() const { return m_hovered; }
    void setHovered(int token);
    /// The first of the shown tokens: the prompt's are left out unless they are shown.
    int firstToken() const;
    int shownCount() const { return m_layout.count(); }
    /// In the viewport.
    QRect tokenRect(int token) const;
    int tokenAt(const QPoint& point) const;
    QSize sizeHint() const override;

signals:
    void currentChanged(int token);
    void hoveredChanged(int token);
    /// Another measure, or another palette.
    void coloursChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void applyStyle();
    void rebuild();
    void appendNew();
    void updateScrollBar();
    void updateToken(int token);
    void reveal(int token);
    void tellFocus();
    int chipWidth(const ChipText& chip);
    void paintChip(QPainter& painter, int token, const QRect& rect);
    void paintFrame(QPainter& painter, const app::TrackToken& token, const QRect& rect) const;
    void paintUnderline(QPainter& painter, const TokenTint& tint, const QRect& rect) const;
    void paintText(QPainter& painter, const ChipText& chip, const QRect& rect) const;

    const app::TokenTrack* m_track = nullptr;
    TokenStripLayout m_layout;
    TokenColours m_colours;
    Theme m_theme;
    QFont m_chipFont;
    QHash<QString, int> m_widths; ///< of texts in the chip font
    bool m_isPromptShown = false;
    int m_shownFrom = 0; ///< the token of chip 0
    int m_current = -1;
    int m_hovered = -1;
};

} // namespace ui
