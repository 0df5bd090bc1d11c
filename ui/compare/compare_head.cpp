#include "ui/compare/compare_head.h"

#include "ui/chat/quiet_button.h"
#include "ui/theme/labels.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace ui {

namespace {
    void setColor(QWidget* widget, const QColor& color)
    {
        QPalette palette = widget->palette();
        palette.setColor(QPalette::WindowText, color);
        widget->setPalette(palette);
        widget->setForegroundRole(QPalette::WindowText);
    }
}

CompareHead::CompareHead(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_name(name)
    , m_label(new ElidedLabel(this))
    , m_icon(new QLabel(this))
    , m_state(new ElidedLabel(this))
    , m_chip(new Chip(this))
    , m_note(new NoteLabel(this))
    , m_remark(new NoteLabel(this))
    , m_checks(new NoteLabel(this))
    , m_figures(new NoteLabel(this))
    , m_stop(addButton(IconName::Stop, tr("Stop run %1").arg(name), tr("Stop this run (Delete)")))
    , m_open(addButton(IconName::Open, tr("Open run %1 in the chat").arg(name),
          tr("Show this answer in the chat, with its tokens (Enter)")))
{
    const int unit = gridUnit(this);
    setFocusPolicy(Qt::StrongFocus);
    setObjectName(QStringLiteral("compareHead"));
    m_chip->setObjectName(QStringLiteral("stopReason"));
    m_state->setObjectName(QStringLiteral("draftState"));
    m_figures->setObjectName(QStringLiteral("figures"));
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_label->setFont(strong);
    m_remark->setObjectName(QStringLiteral("columnRemark"));
    m_checks->setObjectName(QStringLiteral("columnChecks"));
    m_remark->hide();
    m_checks->hide();
    m_chip->setWords({}, tr("Stop reason"));
    m_chip->setVisible(false);
    for (ElidedLabel* label : { m_label, m_state })
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_icon->setTextFormat(Qt::PlainText);
    m_icon->setFixedSize(fontMetrics().height(), fontMetrics().height());
    m_icon->setAccessibleName(tr("State"));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(unit / 2, unit, unit / 2, unit / 2);
    column->setSpacing(unit / 4);
    auto* top = new QHBoxLayout;
    top->setSpacing(unit / 4);
    top->addWidget(m_label, 1);
    top->addWidget(m_stop);
    top->addWidget(m_open);
    column->addLayout(top);
    auto* state = new QHBoxLayout;
    state->setSpacing(unit / 2);
    state->addWidget(m_icon);
    state->addWidget(m_state, 1);
    column->addLayout(state);
    // An empty line keeps its place: texts below do not jump when a run ends.
    QSizePolicy keeps = m_chip->sizePolicy();
    keeps.setRetainSizeWhenHidden(true);
    m_chip->setSizePolicy(keeps);
    column->addWidget(m_chip, 0, Qt::AlignLeft);
    column->addWidget(m_note);
    column->addWidget(m_remark);
    column->addWidget(m_checks);
    column->addWidget(m_figures);
    column->addStretch(1);
    connect(m_chip, &Chip::clicked, this, &CompareHead::ledgerRequested);
    connect(m_stop, &QToolButton::clicked, this, &CompareHead::stopRequested);
    connect(m_open, &QToolButton::clicked, this, &CompareHead::openRequested);
    setLabel({});
}

QToolButton* CompareHead::addButton(IconName name, const QString& text, const QString& toolTip)
{
    auto* button = new QToolButton(this);
    button->setIcon(icon(name));
    button->setAutoRaise(true);
    button->setAccessibleName(text);
    button->setToolTip(toolTip);
    return button;
}

void CompareHead::setLabel(const QString& label)
{
    m_label->setWholeText(label.isEmpty() ? m_name : tr("%1  %2").arg(m_name, label));
    tell();
}

void CompareHead::setWords(const DraftWords& words)
{
    if (words == m_words)
        return;
    const bool newState = words.spoken != m_words.spoken;
    m_words = words;
    // What grows wraps with the figures: a narrow column would cut it off behind the state.
    const QString sep = QStringLiteral(" · ");
    const bool grows = words.state.startsWith(words.spoken + sep);
    m_state->setWholeText(grows ? words.spoken : words.state);
    QStringList figures { grows ? words.state.mid(words.spoken.size() + sep.size()) : QString(), words.figures };
    figures.removeAll(QString());
    m_chip->setWords(
        words.chip, words.chip.isEmpty() ? tr("Stop reason") : tr("Stop reason: %1").arg(words.chip));
    m_chip->setVisible(!words.chip.isEmpty());
    m_note->setNote(words.note.isEmpty() ? QStringLiteral(" ") : words.note);
    m_figures->setNote(figures.join(sep));
    m_checks->setNote(words.checks);
    m_checks->setVisible(!words.checks.isEmpty());
    m_checks->setToolTip(words.checkList.toHtmlEscaped());
    m_checks->setAccessibleDescription(words.checkList);
    if (newState) {
        tell();
        applyColors();
    }
}

void CompareHead::setRemark(const QString& remark)
{
    m_remark->setNote(remark);
    m_remark->setVisible(!remark.isEmpty());
    tell();
}

void CompareHead::setLedgerShown(bool shown) { m_chip->setUnfolded(shown); }

QWidget* CompareHead::chip() const { return m_chip; }

/// Only a change of state is told to assistive software, not each token.
void CompareHead::tell()
{
    setAccessibleName(tr("Run %1").arg(m_label->wholeText()));
    QStringList parts { m_words.spoken, m_remark->text() };
    parts.removeAll(QString());
    setAccessibleDescription(parts.join(QStringLiteral(" · ")));
}

void CompareHead::setPossible(bool stops, bool opens)
{
    m_stop->setVisible(stops);
    m_open->setEnabled(opens);
}

void CompareHead::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        emit copyRequested();
    else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
        emit stepRequested(event->key() == Qt::Key_Left ? -1 : 1);
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_open->isEnabled())
        emit openRequested();
    else if (event->key() == Qt::Key_Delete && !m_stop->isHidden())
        emit stopRequested();
    else if (event->key() == Qt::Key_Space && !m_chip->isHidden())
        emit ledgerRequested();
    else
        QWidget::keyPressEvent(event);
}

void CompareHead::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
    emit focused();
}

void CompareHead::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void CompareHead::mouseDoubleClickEvent(QMouseEvent*)
{
    if (m_open->isEnabled())
        emit openRequested();
}

void CompareHead::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    const int thickness = std::max(2, gridUnit(this) / 4);
    if (hasFocus())
        painter.fillRect(QRect(0, 0, width(), thickness), theme.accent);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.hairline);
}

void CompareHead::applyColors()
{
    const Theme theme = Theme::of(palette());
    const QColor color = theme.tone(m_words.tone);
    const int side = m_icon->width();
    m_icon->setPixmap(icon(m_words.icon, color).pixmap(QSize(side, side), devicePixelRatioF()));
    setColor(m_state, m_words.tone == Tone::Neutral ? theme.text : color);
    setColor(m_chip, color);
    setColor(m_note, theme.mutedText);
    for (QWidget* label : { m_remark, m_checks, m_figures })
        setColor(label, theme.mutedText);
}

void CompareHead::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColors();
}

} // namespace ui
