#include "ui/chat/error_details.h"

#include "ui/chat/text_surface.h"
#include "ui/theme/icon.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace ui {

namespace {
    QLabel* wrappingLabel(QWidget* parent)
    {
        auto* label = new QLabel(parent);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        return label;
    }
}

ErrorDetails::ErrorDetails(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_title(wrappingLabel(this))
    , m_message(wrappingLabel(this))
    , m_details(wrappingLabel(this))
    , m_unfold(new QToolButton(this))
    , m_copy(new QToolButton(this))
    , m_action(new QPushButton(this))
{
    const int unit = gridUnit(this);
    m_title->setObjectName(QStringLiteral("errorTitle"));
    m_message->setObjectName(QStringLiteral("errorMessage"));
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_title->setFont(strong);
    m_unfold->setText(tr("Details"));
    m_unfold->setCheckable(true);
    m_unfold->setAutoRaise(true);
    m_unfold->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_copy->setText(tr("Copy"));
    m_copy->setAccessibleName(tr("Copy the error"));
    m_copy->setAutoRaise(true);
    m_details->hide();
    m_action->hide();
    m_icon->setTextFormat(Qt::PlainText);
    m_icon->setAlignment(Qt::AlignTop);
    m_icon->setAccessibleName(tr("Error"));

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(unit);
    buttons->addWidget(m_action);
    buttons->addWidget(m_unfold);
    buttons->addWidget(m_copy);
    buttons->addStretch(1);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(unit * 3 / 2, unit * 3 / 2, unit * 3 / 2, unit);
    grid->setHorizontalSpacing(unit);
    grid->setVerticalSpacing(unit / 2);
    grid->addWidget(m_icon, 0, 0);
    grid->addWidget(m_title, 0, 1);
    grid->addWidget(m_message, 1, 1);
    grid->addWidget(m_details, 2, 1);
    grid->addLayout(buttons, 3, 1);
    grid->setColumnStretch(1, 1);

    connect(m_unfold, &QToolButton::toggled, this, [this](bool unfolded) {
        m_details->setVisible(unfolded);
        emit resized();
    });
    connect(m_copy, &QToolButton::clicked, this, [this] { copyToClipboard(copyText()); });
    connect(m_action, &QPushButton::clicked, this, &ErrorDetails::actionTriggered);
    applyColors();
}

void ErrorDetails::setError(const QString& title, const QString& message, const QString& details)
{
    m_title->setText(title);
    m_message->setText(message);
    m_details->setText(details);
    m_unfold->setVisible(!details.isEmpty());
    setAccessibleName(title + QStringLiteral(". ") + message);
}

void ErrorDetails::setAction(const QString& text)
{
    m_action->setText(text);
    m_action->setVisible(!text.isEmpty());
}

QString ErrorDetails::title() const { return m_title->text(); }
QString ErrorDetails::message() const { return m_message->text(); }

QString ErrorDetails::copyText() const
{
    QStringList parts { m_title->text(), m_message->text(), m_details->text() };
    parts.removeAll(QString());
    return parts.join(QLatin1Char('\n'));
}

void ErrorDetails::applyColors()
{
    const int side = fontMetrics().height() * 5 / 4;
    m_icon->setPixmap(icon(IconName::Warning, Theme::of(palette()).danger)
                          .pixmap(QSize(side, side), devicePixelRatioF()));
}

void ErrorDetails::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        applyColors();
    QWidget::changeEvent(event);
}

void ErrorDetails::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    painter.setRenderHint(QPainter::Antialiasing);
    QColor outline = theme.danger;
    outline.setAlphaF(0.55f);
    painter.setPen(QPen(outline, 1));
    painter.setBrush(theme.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), gridUnit(this) * 0.75,
        gridUnit(this) * 0.75);
}

} // namespace ui
