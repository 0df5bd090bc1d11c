#include "ui/chat/person_message.h"

#include "ui/chat/turn_actions.h"

#include <QPainter>

namespace ui {

namespace {
    constexpr double kWidestShare = 0.85; // so that it is never taken for an answer
}

PersonMessage::PersonMessage(const QString& text, QWidget* parent)
    : MessageView(parent)
    , m_surface(new TextSurface(this))
    , m_actions(new TurnActions(this))
{
    MarkdownBlock block;
    block.kind = BlockKind::Plain;
    block.content.text = text;
    m_surface->setBlocks({ block }, 0);
    connect(m_surface, &TextSurface::copyMessageRequested, this, [text] { copyToClipboard(text); });
    connect(m_actions, &TurnActions::copyRequested, this, [text] { copyToClipboard(text); });
    setFocusProxy(m_surface);
    m_surface->setAccessibleName(tr("Your message"));
}

QRect PersonMessage::bubble(int width) const
{
    const int pad = gridUnit(this) * 3 / 2;
    const int most = int(width * kWidestShare) - 2 * pad;
    const int textWidth = m_surface->naturalWidth(most);
    const int height = m_surface->heightForWidth(textWidth) + gridUnit(this) * 2;
    return { width - textWidth - 2 * pad, 0, textWidth + 2 * pad, height };
}

int PersonMessage::heightFor(int width) const
{
    return bubble(width).height() + m_actions->sizeHint().height();
}

void PersonMessage::resizeEvent(QResizeEvent*)
{
    const int pad = gridUnit(this) * 3 / 2;
    m_surface->setGeometry(bubble(width()).adjusted(pad, gridUnit(this), -pad, -gridUnit(this)));
    const int height = m_actions->sizeHint().height();
    m_actions->setGeometry(0, bubble(width()).height(), width(), height);
}

void PersonMessage::noteUnseen() { m_surface->setAccessibleDescription(unseenWords()); }

void PersonMessage::enterEvent(QEnterEvent*) { m_actions->setShown(true); }
void PersonMessage::leaveEvent(QEvent*) { m_actions->setShown(false); }

void PersonMessage::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::of(palette()).softBlock);
    painter.drawRoundedRect(bubble(width()), gridUnit(this), gridUnit(this));
}

} // namespace ui
