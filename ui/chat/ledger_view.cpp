#include "ui/chat/ledger_view.h"

#include "ui/chat/ledger_row_view.h"
#include "ui/chat/text_surface.h"
#include "ui/theme/icon.h"
#include "ui/theme/labels.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace ui {

namespace {
    QLabel* wrappingLabel(QWidget* parent)
    {
        auto* label = new QLabel(parent);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        return label;
    }

    void setColor(QWidget* widget, const QColor& color)
    {
        QPalette palette = widget->palette();
        palette.setColor(QPalette::WindowText, color);
        widget->setPalette(palette);
        widget->setForegroundRole(QPalette::WindowText);
    }
}

LedgerView::LedgerView(QWidget* parent)
    : QWidget(parent)
    , m_cause(wrappingLabel(this))
    , m_error(wrappingLabel(this))
    , m_counters(wrappingLabel(this))
    , m_checks(wrappingLabel(this))
    , m_rule(wrappingLabel(this))
    , m_showToken(new QToolButton(this))
    , m_copy(new QToolButton(this))
    , m_close(new QToolButton(this))
{
    setObjectName(QStringLiteral("ledger"));
    setAccessibleName(tr("Ledger: why this answer stopped"));
    setFocusPolicy(Qt::ClickFocus); // so that Esc and Ctrl+C work after a click anywhere in it
    const int unit = gridUnit(this);
    m_cause->setObjectName(QStringLiteral("ledgerCause"));
    m_error->setObjectName(QStringLiteral("ledgerError"));
    m_counters->setObjectName(QStringLiteral("ledgerCounters"));
    m_checks->setObjectName(QStringLiteral("ledgerChecks"));
    m_rule->setObjectName(QStringLiteral("ledgerRule"));
    m_showToken->setObjectName(QStringLiteral("showDecidingToken"));
    m_showToken->setText(tr("Show the deciding token"));
    m_showToken->setAutoRaise(true);
    m_copy->setObjectName(QStringLiteral("copyLedger"));
    m_copy->setText(tr("Copy"));
    m_copy->setIcon(icon(IconName::Copy));
    m_copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_copy->setAccessibleName(tr("Copy the ledger"));
    m_copy->setToolTip(tr("Copy all of this as text (Ctrl+C)"));
    m_copy->setAutoRaise(true);
    m_close->setObjectName(QStringLiteral("closeLedger"));
    m_close->setIcon(icon(IconName::Close));
    m_close->setAccessibleName(tr("Close the ledger"));
    m_close->setToolTip(tr("Close (Esc)"));
    m_close->setAutoRaise(true);

    auto* top = new QHBoxLayout;
    top->setSpacing(unit);
    top->addWidget(m_cause, 1);
    top->addWidget(m_close, 0, Qt::AlignTop);
    m_rowColumn = new QVBoxLayout;
    m_rowColumn->setSpacing(0);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(unit);
    buttons->addWidget(m_showToken);
    buttons->addStretch(1);
    buttons->addWidget(m_copy);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 3 / 2, unit, unit, unit);
    column->setSpacing(unit / 2);
    column->addLayout(top);
    column->addWidget(m_error);
    column->addWidget(m_counters);
    column->addSpacing(unit / 2);
    column->addLayout(m_rowColumn);
    column->addSpacing(unit / 2);
    column->addWidget(m_checks);
    column->addWidget(m_rule);
    column->addLayout(buttons);

    connect(m_close, &QToolButton::clicked, this, &LedgerView::closeRequested);
    connect(m_showToken, &QToolButton::clicked, this, &LedgerView::decidingTokenRequested);
    connect(m_copy, &QToolButton::clicked, this, [this] { copyToClipboard(m_words.text()); });
    applyColors();
}

void LedgerView::setWords(const LedgerWords& words)
{
    if (words == m_words)
        return;
    m_words = words;
    renew(m_cause, words.cause);
    renew(m_error, words.error);
    m_error->setVisible(!words.error.isEmpty());
    QString counters = words.counters;
    if (!words.token.isEmpty())
        counters += QStringLiteral(" · ")
            + (words.isTokenDeciding ? tr("decided at %1") : tr("last was %1")).arg(words.token);
    renew(m_counters, counters);
    renew(m_rule, words.precedence + QStringLiteral(" · ") + words.contract);
    renew(m_checks, words.checks);
    m_checks->setVisible(!words.checks.isEmpty());
    m_showToken->setVisible(!words.token.isEmpty());
    m_showToken->setText(
        words.isTokenDeciding ? tr("Show the deciding token") : tr("Show the last token"));
    m_showToken->setAccessibleName(m_showToken->text() + QStringLiteral(": ") + words.token);
    m_showToken->setToolTip(tr("Put the caret on %1").arg(words.token.toHtmlEscaped()));
    showRows();
}

void LedgerView::showRows()
{
    while (m_rows.size() < m_words.rows.size()) {
        m_rows.push_back(new LedgerRowView(this));
        m_rowColumn->addWidget(m_rows.back());
    }
    int nameWidth = 0;
    for (size_t i = 0; i < m_rows.size(); ++i) {
        m_rows[i]->setVisible(i < m_words.rows.size());
        if (i >= m_words.rows.size())
            continue;
        m_rows[i]->setRow(m_words.rows[i]);
        nameWidth = std::max(nameWidth, m_rows[i]->nameWidth());
    }
    for (LedgerRowView* row : m_rows)
        row->setNameWidth(nameWidth);
}

void LedgerView::followInTabOrder(QWidget* before)
{
    for (LedgerRowView* row : m_rows) {
        setTabOrder(before, row);
        before = row;
    }
    for (QWidget* button : { m_showToken, m_copy, m_close }) {
        setTabOrder(before, button);
        before = button;
    }
}

void LedgerView::applyColors()
{
    const Theme theme = Theme::of(palette());
    setColor(m_error, theme.danger);
    setColor(m_counters, theme.mutedText);
    setColor(m_rule, theme.mutedText);
}

void LedgerView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        applyColors();
    QWidget::changeEvent(event);
}

void LedgerView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.hairline, 1));
    painter.setBrush(theme.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), gridUnit(this) * 0.75,
        gridUnit(this) * 0.75);
}

bool LedgerView::event(QEvent* event)
{
    // Copying is the ledger's own as long as the focus is inside.
    if (event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void LedgerView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copyToClipboard(m_words.text());
    else
        event->ignore();
}

} // namespace ui
