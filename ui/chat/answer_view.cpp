#include "ui/chat/answer_view.h"

#include "app/conversation/requirement_watch.h"
#include "app/conversation/token_place.h"
#include "ui/chat/error_details.h"
#include "ui/chat/held_text.h"
#include "ui/chat/ledger_view.h"
#include "ui/markdown/source_map.h"

#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {
    // New text waits this many times as long as laying out the last text took.
    constexpr int kRestFactor = 3;
}

AnswerView::AnswerView(app::Conversation& conversation, size_t turnIndex, QWidget* parent)
    : MessageView(parent)
    , m_conversation(conversation)
    , m_turnIndex(turnIndex)
    , m_surface(new TextSurface(this))
    , m_tints(m_stream, *m_surface)
    , m_details(new ErrorDetails(this))
    , m_footer(new AnswerFooter(this))
{
    setFocusProxy(m_surface);
    m_details->hide();
    m_details->setAction(tr("Try again"));
    m_textTimer.setSingleShot(true);
    connect(&m_textTimer, &QTimer::timeout, this, &AnswerView::takeText);
    connect(m_surface, &TextSurface::painted, this, [this] {
        const app::Draft* draft = answer().draft();
        if (m_stream.source().empty() || !draft)
            return;
        const bool isFirst = !draft->firstOutputMs();
        m_conversation.notePainted(m_turnIndex, m_stream.source().size());
        if (!isFirst)
            return;
        // Not now: the footer's height may change, and this is a paint event.
        QMetaObject::invokeMethod(
            this, [this] { update(); }, Qt::QueuedConnection);
    });
    connect(m_surface, &TextSurface::copyMessageRequested, m_footer, &AnswerFooter::copyRequested);
    connect(m_surface, &TextSurface::linkActivated, this, &AnswerView::linkActivated);
    connect(
        m_details, &ErrorDetails::actionTriggered, this, [this] { emit regenerateRequested(0); });
    connect(m_details, &ErrorDetails::resized, this, &MessageView::resized);
    connect(m_footer, &AnswerFooter::ledgerRequested, this,
        [this] { setLedgerShown(!isLedgerShown()); });
    connect(m_footer, &AnswerFooter::regenerateRequested, this, &AnswerView::regenerateRequested);
    connect(m_footer, &AnswerFooter::continueRequested, this, &AnswerView::continueRequested);
    connect(
        m_footer, &AnswerFooter::longerContextRequested, this, &AnswerView::longerContextRequested);
    connect(m_footer, &AnswerFooter::editRequested, this, &AnswerView::editRequested);
    connect(m_footer, &AnswerFooter::removeRequested, this, &AnswerView::removeRequested);
    connect(m_footer, &AnswerFooter::acceptRequested, this, &AnswerView::acceptRequested);
    connect(m_footer, &AnswerFooter::copyRequested, this, &AnswerView::copyRequested);
    connect(m_footer, &AnswerFooter::inspectRequested, this, &AnswerView::inspectRequested);
    connect(m_footer, &AnswerFooter::whyRequested, this, &AnswerView::whyRequested);
    connect(m_surface, &TextSurface::inspectRequested, this, &AnswerView::inspectRequested);
    m_surface->setInspectable(true);
    connect(m_footer, &AnswerFooter::siblingRequested, this,
        [this](int step) { m_conversation.showSibling(m_turnIndex, step); });
    update();
}

void AnswerView::update()
{
    if (m_shownAnswer != &answer()) {
        m_shownAnswer = &answer();
        m_stream = {};
        m_seamCount = 0;
        m_surface->setSeams({});
        m_surface->setBlocks({}, 0);
        m_surface->clearSelection();
        m_tints.noteRestarted();
    }
    const qint64 restMs
        = m_sinceText.isValid() ? kRestFactor * m_textCostMs - m_sinceText.elapsed() : 0;
    if (restMs <= 0 || !answer().isActive())
        takeText();
    else if (!m_textTimer.isActive())
        m_textTimer.start(int(restMs));

    const DraftWords words = answerWords(answer());
    const bool newLook = words.edge != m_words.edge || words.tone != m_words.tone;
    m_words = words;
    const int footerHeight = m_footer->heightForWidth(width() - indent());
    m_footer->setWords(words);
    const std::vector<app::Turn*> siblings = m_conversation.tree().siblings(turn());
    const auto at = std::find(siblings.begin(), siblings.end(), &turn());
    m_footer->setSiblings(size_t(at - siblings.begin()), siblings.size());
    m_footer->setOffers(offers());
    updateDetails();
    updateLedger();
    setBusy(answer().isActive());
    m_surface->setCaretShown(answer().isActive());
    if (m_footer->heightForWidth(width() - indent()) != footerHeight)
        emit resized();
    if (newLook)
        QWidget::update();
}

void AnswerView::takeText()
{
    takeReleased();
    takeHeld();
}

void AnswerView::takeHeld()
{
    const app::Draft* draft = answer().draft();
    const HeldText held = draft ? heldText(*draft) : HeldText {};
    const std::string& text = answer().text();
    const size_t end = text.find_last_not_of(" \t\r\n") + 1;
    const QString gap = QString::fromStdString(text.substr(end));
    const QString& spoken = isUnseen() ? unseenWords() : held.words;
    if (m_surface->accessibleDescription() != spoken)
        m_surface->setAccessibleDescription(spoken);
    if (held.shown == m_surface->ghost() && (held.shown.isEmpty() || gap == m_shownGap))
        return;
    m_shownGap = gap;
    m_surface->setGhost(held.shown, gap);
    emit resized();
}

void AnswerView::takeReleased()
{
    const std::string& text = answer().text();
    const std::string& known = m_stream.source();
    if (text.size() == known.size() && text == known)
        return;
    QElapsedTimer cost;
    cost.start();
    if (text.size() < known.size() || text.compare(0, known.size(), known) != 0) {
        m_stream = {};
        m_seamCount = 0;
        m_surface->setSeams({});
        m_surface->setBlocks({}, 0);
        m_tints.noteRestarted();
    }
    const size_t firstChanged = m_stream.closedCount();
    m_stream.append(std::string_view(text).substr(m_stream.source().size()));
    m_surface->setBlocks(m_stream.blocks(), firstChanged);
    placeSeams();
    m_tints.noteGrown();
    emit resized();
    m_textCostMs = cost.elapsed();
    m_sinceText.start();
}

/// Marks where one run ended and the next went on. The place of a seam never changes once text
/// follows it, so the source is mapped once for each seam.
void AnswerView::placeSeams()
{
    const std::vector<size_t>& seams = answer().seams();
    size_t passed = 0;
    while (passed < seams.size() && seams[passed] < m_stream.source().size())
        ++passed;
    if (passed == m_seamCount)
        return;
    m_seamCount = passed;
    std::vector<TextPlace> places;
    const SourceMap map(m_stream.source());
    for (size_t i = 0; i < passed; ++i)
        places.push_back(seams[i] == 0 ? TextPlace {} : map.placeOfEnd(seams[i]));
    m_surface->setSeams(std::move(places));
}

AnswerOffers AnswerView::offers() const
{
    AnswerOffers offers;
    offers.isEnded = !answer().isActive();
    // An answer that others follow is not written on: what follows was said to it as it is.
    offers.continues = m_isLast && answer().mayContinue();
    offers.accepts = app::RequirementWatch::mayAccept(m_conversation, turn());
    offers.takesBack = app::RequirementWatch::mayTakeBack(m_conversation, turn());
    const app::Draft* draft = answer().draft();
    if (!draft || !draft->ending())
        return offers;
    const engine::Ledger& ledger = draft->ending()->ledger;
    if (ledger.reason == engine::StopReason::LengthCap && ledger.lengthCap > 0)
        offers.largerCap = std::min(
            2 * std::min(ledger.lengthCap, app::kLargestLengthCap / 2), app::kLargestLengthCap);
    if (ledger.reason == engine::StopReason::ContextFull && ledger.contextLength < m_longestContext)
        offers.longerContext
            = std::min(m_longestContext, std::max(1, 2 * std::min(ledger.contextLength, 1 << 24)));
    return offers;
}

void AnswerView::updateDetails()
{
    const app::Draft* draft = answer().draft();
    const auto ending = draft ? draft->ending() : std::nullopt;
    const bool failed
        = ending && ending->ledger.reason == engine::StopReason::Failed && ending->ledger.error;
    if (failed == !m_details->isHidden())
        return;
    m_details->setVisible(failed);
    if (failed) {
        const engine::Error& error = *ending->ledger.error;
        const bool lost = error.code == engine::ErrorCode::DeviceLost;
        const bool full = error.code == engine::ErrorCode::ContextFull;
        m_details->setError(lost ? tr("The device was lost")
                : full           ? tr("The context is too small")
                                 : tr("The answer failed"),
            QString::fromStdString(error.message),
            tr("Error: %1\nModel: %2\nDevice: %3")
                .arg(QLatin1String(engine::errorCodeName(error.code)),
                    QString::fromStdString(draft->origin().modelName),
                    QString::fromStdString(draft->origin().deviceName)));
    }
    emit resized();
}

bool AnswerView::isLedgerShown() const { return m_ledger && !m_ledger->isHidden(); }

void AnswerView::setLedgerShown(bool shown)
{
    shown = shown && answer().draft() && answer().draft()->ending();
    if (shown == isLedgerShown())
        return;
    if (!m_ledger) {
        m_ledger = new LedgerView(this);
        connect(m_ledger, &LedgerView::closeRequested, this, [this] {
            setLedgerShown(false);
            m_footer->chip()->setFocus();
        });
        connect(
            m_ledger, &LedgerView::decidingTokenRequested, this, &AnswerView::showDecidingToken);
    }
    const bool hadFocus = m_ledger->isAncestorOf(QApplication::focusWidget());
    m_ledger->setVisible(shown);
    m_footer->setLedgerShown(shown);
    updateLedger();
    emit resized();
    if (shown)
        emit revealRequested(m_footer->geometry().united(m_ledger->geometry()));
    else if (hadFocus)
        m_footer->chip()->setFocus();
}

void AnswerView::updateLedger()
{
    if (!isLedgerShown())
        return;
    const app::Draft* draft = answer().draft();
    if (!draft || !draft->ending())
        return setLedgerShown(false);
    const LedgerWords words = ledgerWords(*draft);
    if (words == m_ledger->words())
        return;
    m_ledger->setWords(words);
    m_ledger->followInTabOrder(m_footer->chip());
    emit resized();
}

void AnswerView::showDecidingToken()
{
    const app::Draft* draft = answer().draft();
    if (draft && draft->ending() && draft->ending()->ledger.decidingTokenIndex)
        showToken(*draft->ending()->ledger.decidingTokenIndex);
}

void AnswerView::showToken(int tokenIndex)
{
    takeText();
    app::TextBytes bytes = app::textOfToken(*answer().draft(), tokenIndex);
    const size_t before = answer().text().size() - answer().draft()->text().size();
    bytes.start += before;
    bytes.end += before;
    if (bytes.start == bytes.end) {
        m_surface->select(m_surface->endPlace(), m_surface->endPlace());
    } else {
        const SourceMap map(answer().text());
        const TextPlace end = map.placeOfEnd(bytes.end);
        // Of markup alone nothing is shown: the caret stands where it would be.
        m_surface->select(std::min(map.placeOfStart(bytes.start), end), end);
    }
    m_surface->setFocus();
    emit revealRequested(m_surface->caretRect().translated(m_surface->pos()));
}

void AnswerView::revealTint(int index)
{
    const QRect rect = m_surface->tintRect(index);
    if (!rect.isEmpty())
        emit revealRequested(rect.translated(m_surface->pos()));
}

bool AnswerView::event(QEvent* event)
{
    // What is open here closes before Esc stops anything.
    if (event->type() == QEvent::ShortcutOverride && isLedgerShown()
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return MessageView::event(event);
}

void AnswerView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !isLedgerShown())
        return event->ignore();
    setLedgerShown(false);
    m_footer->chip()->setFocus();
}

void AnswerView::setBusy(bool busy)
{
    const QString name = tr("Answer. %1").arg(m_words.spoken);
    if (name != m_surface->accessibleName())
        m_surface->setAccessibleName(name);
    if (busy == m_isBusy)
        return;
    m_isBusy = busy;
    QAccessible::State changed;
    changed.busy = true;
    QAccessibleStateChangeEvent event(m_surface, changed);
    QAccessible::updateAccessibility(&event);
}

void AnswerView::setLongestContext(int contextLength)
{
    m_longestContext = contextLength;
    m_footer->setOffers(offers());
}

void AnswerView::setIsLast(bool isLast)
{
    m_isLast = isLast;
    m_footer->setOffers(offers());
    m_footer->setActionsShown(isLast || underMouse());
    m_details->setAction(isLast ? tr("Try again") : QString());
}

int AnswerView::indent() const { return gridUnit(this) * 2; }
int AnswerView::footerGap() const { return gridUnit(this); }

int AnswerView::heightFor(int width) const
{
    int height = m_surface->heightForWidth(width - indent());
    if (height > 0)
        height += footerGap();
    if (!m_details->isHidden())
        height += m_details->heightForWidth(width - indent()) + footerGap();
    height += m_footer->heightForWidth(width - indent());
    if (isLedgerShown())
        height += m_ledger->heightForWidth(width - indent()) + footerGap();
    return height;
}

void AnswerView::resizeEvent(QResizeEvent*)
{
    const int contentWidth = width() - indent();
    int y = m_surface->heightForWidth(contentWidth);
    m_surface->setGeometry(indent(), 0, contentWidth, y);
    if (y > 0)
        y += footerGap();
    if (!m_details->isHidden()) {
        const int height = m_details->heightForWidth(contentWidth);
        m_details->setGeometry(indent(), y, contentWidth, height);
        y += height + footerGap();
    }
    const int footerHeight = m_footer->heightForWidth(contentWidth);
    m_footer->setGeometry(indent(), y, contentWidth, footerHeight);
    y += footerHeight + footerGap();
    if (isLedgerShown())
        m_ledger->setGeometry(indent(), y, contentWidth, m_ledger->heightForWidth(contentWidth));
}

void AnswerView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    const qreal thickness = std::max(2.0, gridUnit(this) * 0.3);
    QPen pen(theme.tone(m_words.tone), thickness);
    pen.setCapStyle(m_words.edge == EdgeStyle::Dotted ? Qt::RoundCap : Qt::FlatCap);
    if (m_words.edge == EdgeStyle::Dotted)
        pen.setDashPattern({ 0.01, 2.2 });
    if (m_words.edge == EdgeStyle::Dashed)
        pen.setDashPattern({ 3, 2 });
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    const qreal x = thickness;
    const qreal bottom = height() - thickness;
    if (m_words.edge != EdgeStyle::Torn) {
        painter.drawLine(QPointF(x, thickness), QPointF(x, bottom));
        return;
    }
    // The lower end is torn: a zigzag where the text was cut.
    const qreal tooth = thickness * 1.5;
    painter.drawLine(QPointF(x, thickness), QPointF(x, bottom - 4 * tooth));
    pen.setWidthF(thickness * 0.7);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    QPolygonF zigzag { { x, bottom - 4 * tooth } };
    for (int i = 1; i <= 4; ++i)
        zigzag.append({ x + (i % 2 ? tooth * 0.8 : -tooth * 0.6), bottom - (4 - i) * tooth });
    painter.drawPolyline(zigzag);
}

void AnswerView::enterEvent(QEnterEvent*) { m_footer->setActionsShown(true); }
void AnswerView::leaveEvent(QEvent*) { m_footer->setActionsShown(m_isLast); }

} // namespace ui
