#pragma once

#include "ui/theme/theme.h"

#include <QFont>
#include <QRectF>
#include <QTextLayout>

class QPainter;

namespace ui {

/// Text that flows on from where other text ends, paler and with a dotted underline: it is there,
/// but it is not released. Coordinates are those of the text it follows.
class GhostText {
public:
    /// Where the text before it ends.
    struct Start {
        QRectF caret; ///< empty: nothing stands before it
        QRectF column; ///< that later lines keep to
        bool onNewLine = false;
        bool afterSpace = false;
    };

    void setText(const QString& text) { m_text = text; }
    const QString& text() const { return m_text; }
    void layOut(const QFont& font, const Start& start);
    /// Lower edge of its last line; 0 without text.
    qreal bottom() const { return m_bottom; }
    void paint(QPainter& painter, const Theme& theme);

private:
    QString m_text;
    QTextLayout m_layout;
    qreal m_bottom = 0;
};

} // namespace ui
