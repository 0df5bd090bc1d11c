#include "ui/notice_bar.h"

#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace ui {

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
    , m_action(new QPushButton(this))
    , m_close(new QToolButton(this))
{
    const int unit = gridUnit(this);
    setObjectName(QStringLiteral("notice"));
    m_icon->setTextFormat(Qt::PlainText);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setObjectName(QStringLiteral("noticeText"));
    m_action->setObjectName(QStringLiteral("noticeAction"));
    m_close->setAutoRaise(true);
    m_close->setIcon(icon(IconName::Close));
    m_close->setAccessibleName(tr("Close this note"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(unit * 2, unit, unit, unit);
    row->setSpacing(unit);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_action);
    row->addWidget(m_close);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &NoticeBar::dismiss);
    connect(m_close, &QToolButton::clicked, this, &NoticeBar::dismiss);
    connect(m_action, &QPushButton::clicked, this, [this] {
        dismiss();
        emit actionTriggered();
    });
    hide();
}

void NoticeBar::show(
    Kind kind, const QString& text, const QString& details, const QString& action, int shownMs)
{
    m_showsBeneath = false;
    m_kind = kind;
    m_text->setText(text);
    m_text->setAccessibleName(text);
    m_text->setToolTip(details.toHtmlEscaped());
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    applyColors();
    setVisible(true);
    if (shownMs > 0)
        m_timer.start(shownMs);
    else
        m_timer.stop();
    QAccessibleEvent alert(m_text, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void NoticeBar::showBeneath(Kind kind, const QString& text, const QString& details)
{
    m_beneath = Beneath { kind, text, details };
    if (!isHidden() && !m_showsBeneath)
        return;
    show(kind, text, details);
    m_showsBeneath = true;
}

void NoticeBar::dismiss()
{
    hide();
    if (m_showsBeneath)
        m_beneath.reset();
    m_showsBeneath = false;
    if (m_beneath)
        showBeneath(m_beneath->kind, m_beneath->text, m_beneath->details);
}

QString NoticeBar::text() const { return isVisible() ? m_text->text() : QString(); }

void NoticeBar::applyColors()
{
    const Theme theme = Theme::of(palette());
    const bool warns = m_kind == Kind::Warning;
    const int side = fontMetrics().height();
    m_icon->setPixmap(icon(warns ? IconName::Warning : IconName::Document,
        theme.tone(warns ? Tone::Caution : Tone::Neutral))
                          .pixmap(QSize(side, side), devicePixelRatioF()));
}

void NoticeBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    painter.fillRect(rect(), theme.softBlock);
    painter.setPen(theme.hairline);
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

void NoticeBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        applyColors();
    QWidget::changeEvent(event);
}

} // namespace ui
