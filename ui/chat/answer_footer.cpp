#include "ui/chat/answer_footer.h"

#include "ui/chat/quiet_button.h"
#include "ui/theme/labels.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QVBoxLayout>

namespace ui {

namespace {
    const QString kSeparator = QStringLiteral(" · ");

    QLabel* plainLabel(QWidget* parent)
    {
        auto* label = new QLabel(parent);
        label->setTextFormat(Qt::PlainText);
        return label;
    }

    void setColor(QWidget* widget, const QColor& color)
    {
        QPalette palette = widget->palette();
        palette.setColor(QPalette::WindowText, color);
        widget->setPalette(palette);
        widget->setForegroundRole(QPalette::WindowText); // on a page it would be Text
    }
}

AnswerFooter::AnswerFooter(QWidget* parent)
    : QWidget(parent)
    , m_icon(plainLabel(this))
    , m_state(new ElidedLabel(this))
    , m_chip(new Chip(this))
    , m_note(plainLabel(this))
    , m_figures(plainLabel(this))
{
    const int unit = gridUnit(this);
    m_state->setObjectName(QStringLiteral("draftState"));
    m_chip->setObjectName(QStringLiteral("stopReason"));
    m_figures->setObjectName(QStringLiteral("figures"));
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_state->setFont(strong);
    QFont small = font();
    if (small.pointSizeF() > 0)
        small.setPointSizeF(small.pointSizeF() * 0.9);
    m_figures->setFont(small);
    m_icon->setAccessibleName(tr("State"));
    m_figures->setAccessibleName(tr("Figures"));
    m_figures->setToolTip(tr("Click to see the tokens of this answer"));
    m_figures->setCursor(Qt::PointingHandCursor);
    m_figures->installEventFilter(this);

    m_actions = new QHBoxLayout;
    m_actions->setSpacing(unit / 4);
    m_previous
        = addAction(IconName::ChevronLeft, tr("Previous answer"), tr("Previous answer (Alt+Left)"));
    m_siblings = plainLabel(this);
    m_siblings->setFont(small);
    m_actions->addWidget(m_siblings);
    m_next = addAction(IconName::ChevronRight, tr("Next answer"), tr("Next answer (Alt+Right)"));
    m_regenerate
        = addAction(IconName::Retry, tr("Regenerate"), tr("Write another answer (Ctrl+R)"));
    m_edit = addAction(IconName::Edit, tr("Edit answer"),
        tr("Edit as a branch: this answer is kept with its stop reason (Ctrl+Shift+E)"));
    m_copy = addAction(IconName::Copy, tr("Copy answer"), tr("Copy the answer's source text"));
    m_inspect = addAction(IconName::Tokens, tr("Inspect answer"),
        tr("The tokens of this answer, and what else could have been said"));
    m_why = addAction(IconName::Compare, tr("Why here?"),
        tr("Why it stopped here: the same run beside it with the cap doubled, without stop strings, and with end "
           "tokens ignored (Ctrl+Shift+Y)"));
    m_why->setObjectName(QStringLiteral("whyHere"));
    m_remove = addAction(IconName::Trash, tr("Delete answer"),
        tr("Delete this answer and what follows it; it can be brought back for a while"));
    m_accept = new QToolButton(this);
    m_accept->setObjectName(QStringLiteral("acceptAnswer"));
    m_accept->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_accept->setAutoRaise(true);
    m_accept->hide();
    connect(m_accept, &QToolButton::clicked, this, [this] { emit acceptRequested(m_offers.accepts); });
    m_continue = new QToolButton(this);
    m_continue->setObjectName(QStringLiteral("continueAnswer"));
    m_continue->setText(tr("Continue"));
    m_continue->setIcon(icon(IconName::Continue));
    m_continue->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_continue->setAutoRaise(true);
    m_continue->setToolTip(tr("Write on from here, from the very tokens (Ctrl+Enter)"));
    m_continueMenu = new QMenu(m_continue);
    m_continue->hide();
    connect(m_chip, &Chip::clicked, this, &AnswerFooter::ledgerRequested);
    connect(m_previous, &QToolButton::clicked, this, [this] { emit siblingRequested(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { emit siblingRequested(1); });
    connect(m_copy, &QToolButton::clicked, this, &AnswerFooter::copyRequested);
    connect(m_inspect, &QToolButton::clicked, this, &AnswerFooter::inspectRequested);
    connect(m_why, &QToolButton::clicked, this, &AnswerFooter::whyRequested);
    connect(m_regenerate, &QToolButton::clicked, this, [this] { emit regenerateRequested(0); });
    connect(m_continue, &QToolButton::clicked, this, [this] { emit continueRequested(0); });
    connect(m_edit, &QToolButton::clicked, this, &AnswerFooter::editRequested);
    connect(m_remove, &QToolButton::clicked, this, &AnswerFooter::removeRequested);

    auto* line = new QHBoxLayout;
    line->setSpacing(unit * 3 / 4);
    line->addWidget(m_icon);
    line->addWidget(m_state);
    line->addWidget(m_chip);
    line->addWidget(m_note);
    line->addStretch(1);
    line->addLayout(m_actions);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(unit / 4);
    column->addLayout(line);
    auto* secondLine = new QHBoxLayout;
    secondLine->setSpacing(unit);
    secondLine->addWidget(m_figures, 1);
    secondLine->addWidget(m_accept, 0, Qt::AlignTop);
    secondLine->addWidget(m_continue, 0, Qt::AlignTop);
    column->addLayout(secondLine);
    const int lineHeight = fontMetrics().height() + unit;
    m_line = line;
    m_icon->setFixedSize(fontMetrics().height(), lineHeight);
    // One line from the start; in a narrow column the figures may take a second one.
    m_figures->setWordWrap(true);
    m_figures->setMinimumHeight(QFontMetrics(small).height() + unit / 2);
    setSiblings(0, 1);
    for (QToolButton* button : { m_regenerate, m_edit, m_why, m_remove })
        button->hide();
    m_chip->hide();
}

QToolButton* AnswerFooter::addAction(IconName name, const QString& text, const QString& toolTip)
{
    auto* button = new QuietButton(this);
    button->setIcon(icon(name));
    button->setAccessibleName(text);
    button->setToolTip(toolTip);
    m_actions->addWidget(button);
    return button;
}

void AnswerFooter::setWords(const DraftWords& words)
{
    if (words == m_words)
        return;
    // Only a change of state is told to assistive software, not each token.
    const bool newState = words.spoken != m_words.spoken;
    m_words = words;
    if (newState)
        m_state->setAccessibleName(
            words.spoken); // before the text: a named label announces no text
    m_state->setWholeText(words.state);
    // Once it has ended, the verdict is never cut: the reason beside it gives way.
    m_state->setMinimumWidth(words.chip.isEmpty()
            ? 0
            : QFontMetrics(m_state->font()).horizontalAdvance(words.state) + 2);
    m_chip->setWords(
        words.chip, words.chip.isEmpty() ? QString() : tr("Stop reason: %1").arg(words.chip));
    m_chip->setVisible(!words.chip.isEmpty());
    renew(m_note, words.note);
    placeNote();
    if (newState)
        applyColors();
}

void AnswerFooter::setSiblings(size_t shown, size_t count)
{
    renew(m_siblings, tr("%1/%2").arg(shown + 1).arg(count),
        tr("Answer %1 of %2").arg(shown + 1).arg(count));
    for (QWidget* widget : { static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_siblings),
             static_cast<QWidget*>(m_next) })
        widget->setVisible(count > 1);
    m_previous->setEnabled(shown > 0);
    m_next->setEnabled(shown + 1 < count);
}

void AnswerFooter::setOffers(const AnswerOffers& offers)
{
    if (offers == m_offers)
        return;
    m_offers = offers;
    for (QToolButton* button : { m_regenerate, m_edit, m_why, m_remove })
        button->setVisible(offers.isEnded);
    m_continue->setVisible(offers.continues);
    m_accept->setVisible(offers.accepts || offers.takesBack);
    m_accept->setText(offers.takesBack ? tr("Take back") : tr("Accept for use"));
    m_accept->setIcon(icon(offers.takesBack ? IconName::Close : IconName::Complete));
    m_accept->setToolTip(offers.takesBack
            ? tr("No longer accepted for use; possible until something is said or edited")
            : tr("Records that you accept this very text, and when"));
    fillContinueMenu();
    placeNote();
}

void AnswerFooter::fillContinueMenu()
{
    m_continueMenu->clear();
    if (const auto cap = m_offers.largerCap) {
        m_continueMenu->addAction(tr("Continue with a cap of %L1").arg(*cap), this,
            [this, cap] { emit continueRequested(*cap); });
        m_continueMenu->addAction(tr("Regenerate with a cap of %L1").arg(*cap), this,
            [this, cap] { emit regenerateRequested(*cap); });
    }
    if (const auto length = m_offers.longerContext)
        m_continueMenu->addAction(tr("Load the model again with a context of %L1").arg(*length),
            this, [this, length] { emit longerContextRequested(*length); });
    m_continueMenu->addAction(tr("Edit as a branch"), this, &AnswerFooter::editRequested);
    m_continue->setMenu(m_offers.continues ? m_continueMenu : nullptr);
    m_continue->setPopupMode(QToolButton::MenuButtonPopup);
}

void AnswerFooter::setActionsShown(bool shown)
{
    for (QToolButton* button :
        { m_previous, m_next, m_copy, m_inspect, m_why, m_regenerate, m_edit, m_remove })
        static_cast<QuietButton*>(button)->setShown(shown);
}

void AnswerFooter::setLedgerShown(bool shown) { m_chip->setUnfolded(shown); }

QWidget* AnswerFooter::chip() const { return m_chip; }

bool AnswerFooter::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_figures || event->type() != QEvent::MouseButtonRelease)
        return QWidget::eventFilter(watched, event);
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() != Qt::LeftButton || !m_figures->rect().contains(mouse->pos()))
        return false;
    emit inspectRequested();
    return true;
}

void AnswerFooter::resizeEvent(QResizeEvent*) { placeNote(); }

void AnswerFooter::placeNote()
{
    // Where the first line has no room, what the reason does not prove goes before the figures.
    m_note->setVisible(!m_words.note.isEmpty());
    m_line->activate();
    const bool fits = m_line->sizeHint().width() <= width();
    m_note->setVisible(fits && !m_words.note.isEmpty());
    QStringList parts = m_words.figures.split(kSeparator, Qt::SkipEmptyParts);
    if (!m_words.checks.isEmpty())
        parts = m_words.checks.split(kSeparator, Qt::SkipEmptyParts) + parts;
    if (!fits && !m_words.note.isEmpty())
        parts.prepend(m_words.note);
    if (m_figures->accessibleDescription() != m_words.checkList)
        m_figures->setAccessibleDescription(m_words.checkList);
    // Lines break between figures, not inside one that has room in a line.
    for (QString& part : parts)
        if (m_figures->fontMetrics().horizontalAdvance(part) < width() * 9 / 10)
            part.replace(QLatin1Char(' '), QChar::Nbsp);
    m_figures->setText(parts.join(kSeparator));
    // Otherwise the line that holds them answers with the height it had before.
    layout()->activate();
}

void AnswerFooter::applyColors()
{
    const Theme theme = Theme::of(palette());
    const QColor color = theme.tone(m_words.tone);
    const int side = m_icon->width();
    m_icon->setPixmap(icon(m_words.icon, color).pixmap(QSize(side, side), devicePixelRatioF()));
    setColor(m_state, m_words.tone == Tone::Neutral ? theme.text : color);
    setColor(m_chip, color);
    setColor(m_note, theme.mutedText);
    setColor(m_figures, theme.mutedText);
    setColor(m_siblings, theme.mutedText);
}

void AnswerFooter::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        applyColors();
    QWidget::changeEvent(event);
}

} // namespace ui
