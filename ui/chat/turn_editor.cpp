#include "ui/chat/turn_editor.h"

#include "ui/chat/message_input.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

TurnEditor::TurnEditor(
    const QString& text, const QString& action, const QString& note, QWidget* parent)
    : MessageView(parent)
    , m_edit(new MessageEdit(this))
    , m_accept(new QPushButton(action, this))
{
    const int unit = gridUnit(this);
    m_edit->setAccessibleName(tr("Edited message"));
    m_edit->setObjectName(QStringLiteral("turnEditor"));
    m_edit->setPlainText(text);
    m_edit->moveCursor(QTextCursor::End);
    m_edit->installEventFilter(this);
    auto* words = new QLabel(note, this);
    words->setTextFormat(Qt::PlainText);
    words->setForegroundRole(QPalette::PlaceholderText);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setToolTip(tr("Leave the message as it was (Esc)"));
    m_accept->setToolTip(tr("%1 (Ctrl+Enter)").arg(action).toHtmlEscaped());
    m_accept->setObjectName(QStringLiteral("acceptEdit"));
    auto* row = new QHBoxLayout;
    row->addWidget(words, 1);
    row->addWidget(cancel);
    row->addWidget(m_accept);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    column->setSpacing(unit);
    column->addWidget(m_edit, 1);
    column->addLayout(row);
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        m_accept->setEnabled(!this->text().trimmed().isEmpty());
        emit textChanged(this->text());
        emit resized();
    });
    connect(m_accept, &QPushButton::clicked, this, [this] { emit accepted(this->text()); });
    connect(cancel, &QPushButton::clicked, this, &TurnEditor::cancelled);
}

QString TurnEditor::text() const { return m_edit->typedText(); }

int TurnEditor::heightFor(int) const { return layout()->sizeHint().height(); }

void TurnEditor::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme theme = Theme::of(palette());
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(theme.page);
    painter.drawRoundedRect(
        QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), gridUnit(this), gridUnit(this));
}

bool TurnEditor::eventFilter(QObject* watched, QEvent* event)
{
    // The window's own Esc and Ctrl+Enter mean something else: here they belong to the editor.
    if (watched != m_edit
        || (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride))
        return MessageView::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isEscape = key->key() == Qt::Key_Escape;
    const bool isAccept = (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)
        && key->modifiers() & Qt::ControlModifier;
    const bool isEnter = (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && !isAccept;
    if (event->type() == QEvent::ShortcutOverride) {
        if (isEscape || isAccept)
            event->accept();
        return isEscape || isAccept;
    }
    if (isEscape) {
        emit cancelled();
        return true;
    }
    if (isAccept) {
        if (m_accept->isEnabled())
            emit accepted(text());
        return true;
    }
    if (isEnter) { // a new line: sending by mistake would make a branch
        m_edit->textCursor().insertBlock();
        m_edit->ensureCursorVisible();
        return true;
    }
    return false;
}

} // namespace ui
