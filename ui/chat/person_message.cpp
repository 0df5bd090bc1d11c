#include "ui/chat/person_message.h"

#include <QPainter>

namespace ui {

namespace {
    constexpr double kWidestShare = 0.85; // so that it is never taken for an answer
}

PersonMessage::PersonMessage(const QString& text, QWidget* parent)
    : MessageView(parent)
    , m_surface(new TextSurface(this))
{
    MarkdownBlock block;
    block.kind = BlockKind::Plain;
    block.content.text = text;
    m_surface->setBlocks({ block }, 0);
    connect(m_surface, &TextSurface::copyMessageRequested, this, [text] { copyToClipboard(text); });
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

int PersonMessage::heightFor(int width) const { return bubble(width).height(); }

void PersonMessage::resizeEvent(QResizeEvent*)
{
    const int pad = gridUnit(this) * 3 / 2;
    m_surface->setGeometry(bubble(width()).adjusted(pad, gridUnit(this), -pad, -gridUnit(this)));
}

void PersonMessage::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::of(palette()).softBlock);
    painter.drawRoundedRect(bubble(width()), gridUnit(this), gridUnit(this));
}

} // namespace ui
