#include "ui/compare/compare_text.h"

#include "ui/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QTextBlock>

#include <cmath>

namespace ui {

CompareText::CompareText(QWidget* parent)
    : QTextEdit(parent)
{
    setReadOnly(true);
    setAcceptRichText(false);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document()->setUndoRedoEnabled(false);
    document()->setDocumentMargin(0);
    fitHeight();
}

void CompareText::setText(const QString& text)
{
    if (text == m_text)
        return;
    if (!m_text.isEmpty() && text.startsWith(m_text)) {
        QTextCursor end(document());
        end.movePosition(QTextCursor::End);
        end.insertText(text.mid(m_text.size()));
    } else {
        setPlainText(text);
    }
    m_text = text;
    mark();
    fitHeight();
}

void CompareText::setCommon(qsizetype length, bool differs)
{
    if (length == m_common && differs == m_differs)
        return;
    m_common = length;
    m_differs = differs;
    mark();
}

void CompareText::mark()
{
    const Theme theme = Theme::of(palette());
    QList<ExtraSelection> marks;
    // The document has as many characters as the text: a line end is one in both.
    const int last = std::max(0, document()->characterCount() - 1);
    const auto add = [&](int from, int to, const QTextCharFormat& format) {
        if (from >= to)
            return;
        ExtraSelection part;
        part.cursor = QTextCursor(document());
        part.cursor.setPosition(from);
        part.cursor.setPosition(to, QTextCursor::KeepAnchor);
        part.format = format;
        marks.append(part);
    };
    const int common = std::min(int(m_common), last);
    QTextCharFormat pale;
    pale.setForeground(theme.mutedText);
    add(0, common, pale);
    if (m_differs) {
        int end = common;
        while (end < last && (end == common || !document()->characterAt(end).isSpace()))
            ++end;
        QTextCharFormat different;
        different.setFontUnderline(true);
        different.setUnderlineColor(theme.accent);
        different.setBackground(theme.softBlock);
        add(common, end, different);
    }
    setExtraSelections(marks);
}

void CompareText::fitHeight()
{
    const int height = int(std::ceil(document()->documentLayout()->documentSize().height()));
    setFixedHeight(std::max(height, fontMetrics().lineSpacing()) + 2 * frameWidth());
}

void CompareText::paintEvent(QPaintEvent* event)
{
    QTextEdit::paintEvent(event);
    emit painted();
}

void CompareText::resizeEvent(QResizeEvent* event)
{
    QTextEdit::resizeEvent(event);
    fitHeight();
}

void CompareText::changeEvent(QEvent* event)
{
    QTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        mark();
    else if (event->type() == QEvent::FontChange)
        fitHeight();
}

} // namespace ui
