#include "ui/chat/message_input.h"

#include "ui/theme/icon.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QTextBlock>
#include <QTextOption>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {
    constexpr int kMostLines = 10;
}

MessageEdit::MessageEdit(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    document()->setDocumentMargin(0);
    viewport()->setAutoFillBackground(false);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
        [this] { updateGeometry(); });
}

QString MessageEdit::typedText() const
{
    QString text = document()->toRawText();
    return text.replace(QChar::ParagraphSeparator, QLatin1Char('\n'))
        .replace(QChar::LineSeparator, QLatin1Char('\n'));
}

QSize MessageEdit::sizeHint() const
{
    // A plain text document's size counts lines, not pixels.
    const int lines = std::clamp(int(document()->size().height()), 1, kMostLines);
    return { gridUnit(this) * 20, fontMetrics().lineSpacing() * lines + 4 };
}

void MessageEdit::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    updateGeometry();
}

void MessageEdit::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isEnter) {
        QPlainTextEdit::keyPressEvent(event);
        return;
    }
    if (event->modifiers() & Qt::ShiftModifier)
        textCursor().insertBlock(); // a plain Shift+Enter would put in U+2028
    else if (event->modifiers() & Qt::ControlModifier)
        event->ignore();
    else
        emit sendRequested();
    ensureCursorVisible();
}

bool MessageEdit::canInsertFromMimeData(const QMimeData* source) const
{
    const QList<QUrl> urls = source->urls();
    const bool isFiles = !urls.isEmpty()
        && std::all_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); });
    return !isFiles && source->hasText();
}

void MessageEdit::insertFromMimeData(const QMimeData* source)
{
    // Files are dropped on the window, not into the text.
    if (source->hasText())
        insertPlainText(source->text());
}

MessageInput::MessageInput(QWidget* parent)
    : QWidget(parent)
    , m_edit(new MessageEdit(this))
    , m_openingRow(new QWidget(this))
    , m_openingEdit(new MessageEdit(m_openingRow))
    , m_count(new QLabel(this))
    , m_addSource(new QToolButton(this))
    , m_button(new QPushButton(this))
{
    const int unit = gridUnit(this);
    m_edit->setPlaceholderText(tr("Type a message…"));
    m_edit->setAccessibleName(tr("Message"));
    m_edit->installEventFilter(this);
    m_count->setTextFormat(Qt::PlainText);
    m_count->setAccessibleName(tr("Tokens typed"));
    m_count->setObjectName(QStringLiteral("tokenCount"));
    m_count->setWordWrap(true);
    m_count->setAlignment(Qt::AlignRight);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    QFont small = font();
    if (small.pointSizeF() > 0)
        small.setPointSizeF(small.pointSizeF() * 0.9);
    m_count->setFont(small);
    m_addSource->setAutoRaise(true);
    m_addSource->setFocusPolicy(Qt::StrongFocus);
    m_addSource->setIcon(icon(IconName::Attach));
    m_addSource->setObjectName(QStringLiteral("addSource"));
    m_addSource->setAccessibleName(tr("Add source text"));
    m_addSource->setToolTip(tr("Add a text that the answers rest on (Ctrl+Shift+U)"));
    connect(m_addSource, &QToolButton::clicked, this, &MessageInput::addSourceRequested);
    m_button->setObjectName(QStringLiteral("sendButton"));

    m_box = new QHBoxLayout;
    m_box->setContentsMargins(unit * 3 / 2, unit, unit, unit);
    m_box->setSpacing(unit);
    m_box->addWidget(m_edit, 1, Qt::AlignVCenter);
    m_box->addWidget(m_addSource, 0, Qt::AlignBottom);
    m_box->addWidget(m_button, 0, Qt::AlignBottom);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(unit / 2);
    column->addLayout(m_box);
    column->addWidget(m_openingRow);
    column->addWidget(m_count);

    auto* openingLabel = new QLabel(tr("The answer begins with"), m_openingRow);
    openingLabel->setTextFormat(Qt::PlainText);
    openingLabel->setBuddy(m_openingEdit);
    m_openingEdit->setObjectName(QStringLiteral("openingEdit"));
    m_openingEdit->setAccessibleName(tr("First words of the answer"));
    m_openingEdit->setPlaceholderText(tr("Words the model goes on from"));
    m_openingEdit->installEventFilter(this);
    auto* close = new QToolButton(m_openingRow);
    close->setAutoRaise(true);
    close->setIcon(icon(IconName::Close));
    close->setAccessibleName(tr("Let the model begin"));
    close->setToolTip(tr("Let the model begin (Esc)"));
    auto* openingLine = new QHBoxLayout(m_openingRow);
    openingLine->setContentsMargins(unit * 3 / 2, unit / 2, unit, unit / 2);
    openingLine->addWidget(openingLabel);
    openingLine->addWidget(m_openingEdit, 1, Qt::AlignVCenter);
    openingLine->addWidget(close);
    m_openingRow->hide();
    connect(close, &QToolButton::clicked, this, &MessageInput::hideOpening);
    connect(m_openingEdit, &MessageEdit::sendRequested, this, &MessageInput::sendRequested);

    connect(m_edit, &QPlainTextEdit::textChanged, this, &MessageInput::updateButton);
    connect(m_edit, &MessageEdit::sendRequested, this, &MessageInput::sendRequested);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_isWriting)
            emit stopRequested();
        else
            emit sendRequested();
    });
    setFocusProxy(m_edit);
    updateButton();
}

QString MessageInput::text() const { return m_edit->typedText(); }

QString MessageInput::opening() const
{
    return m_openingRow->isHidden() ? QString() : m_openingEdit->typedText();
}

void MessageInput::setOpening(const QString& text)
{
    m_openingEdit->setPlainText(text);
    m_openingRow->setVisible(!text.isEmpty());
}

void MessageInput::showOpening()
{
    m_openingRow->show();
    m_openingEdit->setFocus(Qt::ShortcutFocusReason);
}

void MessageInput::hideOpening()
{
    m_openingRow->hide(); // the words stay, for when it is shown again
    focusEdit();
}

void MessageInput::setText(const QString& text)
{
    if (text == this->text())
        return;
    m_edit->setPlainText(text);
    m_edit->moveCursor(QTextCursor::End);
}

void MessageInput::setWriting(bool writing)
{
    m_isWriting = writing;
    updateButton();
}

void MessageInput::setTokenCount(const QString& words, Tone tone)
{
    // The words are the name too: a warning is spoken, not only coloured.
    renew(m_count, words, words.isEmpty() ? tr("Tokens typed") : words);
    m_countTone = tone;
    colourCount();
}

void MessageInput::colourCount()
{
    QPalette colours;
    if (m_countTone != Tone::Neutral)
        colours.setColor(QPalette::PlaceholderText, Theme::of(palette()).tone(m_countTone));
    m_count->setPalette(colours);
}

void MessageInput::focusEdit() { m_edit->setFocus(Qt::ShortcutFocusReason); }

void MessageInput::updateButton()
{
    const QString name = m_isWriting ? tr("Stop the answer") : tr("Send the message");
    if (m_button->accessibleName() != name)
        m_button->setAccessibleName(name);
    m_button->setText(m_isWriting ? tr("Stop") : tr("Send"));
    m_button->setToolTip(
        m_isWriting ? tr("Stop the answer (Esc)") : tr("Send (Enter). New line: Shift+Enter"));
    m_button->setIcon(icon(m_isWriting ? IconName::Stop : IconName::Send));
    m_button->setEnabled(m_isWriting || !m_edit->document()->isEmpty());
}

void MessageInput::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme theme = Theme::of(palette());
    painter.setPen(QPen(m_edit->hasFocus() ? theme.accent : theme.hairline, 1));
    painter.setBrush(theme.page);
    painter.drawRoundedRect(
        QRectF(m_box->geometry()).adjusted(0.5, 0.5, -0.5, -0.5), gridUnit(this), gridUnit(this));
}

void MessageInput::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        updateButton();
        colourCount();
    }
    QWidget::changeEvent(event);
}

bool MessageInput::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_edit
        && (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut))
        update();
    // Esc closes this line before it stops an answer.
    if (watched == m_openingEdit
        && (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress)
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        if (event->type() == QEvent::KeyPress)
            hideOpening();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ui
