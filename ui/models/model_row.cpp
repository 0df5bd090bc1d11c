#include "ui/models/model_row.h"

#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace ui {

ModelRow::ModelRow(const app::ModelFile& file, QWidget* parent)
    : QAbstractButton(parent)
    , m_details(app::describeModelFile(file))
{
    setText(file.candidate.name);
    setAccessibleName(tr("Load %1").arg(file.candidate.name));
    setAccessibleDescription(m_details);
    setToolTip(file.candidate.path.toHtmlEscaped());
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize ModelRow::sizeHint() const
{
    return { gridUnit(this) * 20, fontMetrics().lineSpacing() * 2 + gridUnit(this) * 2 };
}

void ModelRow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    const int unit = gridUnit(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? theme.accent : theme.hairline, 1));
    painter.setBrush(isDown() || underMouse() ? theme.softBlock : theme.card);
    painter.drawRoundedRect(
        QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), unit * 0.75, unit * 0.75);
    const int side = fontMetrics().height() * 3 / 2;
    paintIcon(painter, QRectF(unit * 1.5, (height() - side) / 2.0, side, side), IconName::Model,
        theme.mutedText);
    const QRect lines = rect().adjusted(unit * 3 + side, unit, -unit, -unit);
    const QRect first(lines.left(), lines.top(), lines.width(), fontMetrics().lineSpacing());
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(theme.text);
    painter.drawText(first, Qt::AlignVCenter,
        QFontMetrics(strong).elidedText(text(), Qt::ElideMiddle, first.width()));
    painter.setFont(font());
    painter.setPen(theme.mutedText);
    painter.drawText(first.translated(0, first.height()), Qt::AlignVCenter,
        fontMetrics().elidedText(m_details, Qt::ElideRight, first.width()));
}

void ModelRow::enterEvent(QEnterEvent*) { update(); }
void ModelRow::leaveEvent(QEvent*) { update(); }

} // namespace ui
