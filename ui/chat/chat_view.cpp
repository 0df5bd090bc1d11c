#include "ui/chat/chat_view.h"

#include "app/conversation/verdict_line.h"
#include "ui/chat/answer_view.h"
#include "ui/chat/link_opener.h"
#include "ui/chat/message_input.h"
#include "ui/chat/person_message.h"
#include "ui/chat/problem_card.h"
#include "ui/chat/turn_actions.h"
#include "ui/chat/turn_editor.h"
#include "ui/chat/view_start_line.h"
#include "ui/theme/icon.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>

namespace ui {

namespace {
    constexpr int kLineCharacters = 72;
    // Enough to fill a tall window; the turns above come a few at a time, when nothing else is to
    // be done.
    constexpr size_t kBuiltAtOnce = 16;
    constexpr int kBuildingMs = 8;
}

ChatView::ChatView(app::Workspace& workspace, QWidget* parent)
    : QScrollArea(parent)
    , m_workspace(workspace)
    , m_page(new QWidget)
    , m_problem(new ProblemCard(workspace, m_page))
    , m_viewStart(new ViewStartLine(m_page))
    , m_endButton(new QToolButton(this))
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    viewport()->setBackgroundRole(QPalette::Base);
    m_page->setBackgroundRole(QPalette::Base);
    setWidget(m_page);
    setAccessibleName(tr("Messages"));
    m_problem->hide();
    connect(m_problem, &MessageView::resized, this, [this] { relayout(m_items.size()); });
    m_viewStart->hide();
    connect(m_problem, &ProblemCard::loadModelRequested, this, &ChatView::loadModelRequested);
    connect(m_problem, &ProblemCard::chooseFormatRequested, this, &ChatView::chooseFormatRequested);

    m_endButton->setIcon(icon(IconName::Down));
    m_endButton->setAccessibleName(tr("Go to the end"));
    m_endButton->setToolTip(tr("Go to the end and follow what is written"));
    m_endButton->hide();
    connect(m_endButton, &QToolButton::clicked, this, &ChatView::scrollToEnd);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &ChatView::noteScrolled);
    connect(&m_workspace, &app::Workspace::modelChanged, this, &ChatView::updateProblem);
    verticalScrollBar()->setSingleStep(fontMetrics().height() * 2);
}

void ChatView::setEmptyCard(MessageView* card)
{
    m_emptyCard = card;
    card->setParent(m_page);
    connect(card, &MessageView::resized, this, [this] { relayout(); });
    updateEmptyCard();
}

void ChatView::setConversation(app::Conversation* conversation)
{
    if (m_conversation)
        m_conversation->disconnect(this);
    clear();
    m_conversation = conversation;
    if (conversation) {
        connect(conversation, &app::Conversation::turnAdded, this, &ChatView::addTurn);
        connect(conversation, &app::Conversation::draftChanged, this, &ChatView::updateTurn);
        connect(conversation, &app::Conversation::branchChanged, this, &ChatView::showBranch);
        connect(conversation, &app::Conversation::problemChanged, this, [this] {
            updateProblem();
            scrollToEnd();
        });
        showBranch(0);
    }
    updateViewStart();
    updateProblem();
    updateEmptyCard();
    m_isFollowing = true;
    relayout();
}

void ChatView::clear()
{
    for (MessageView* item : m_items)
        delete item;
    m_items.clear();
}

AnswerView* ChatView::answerAt(size_t turnIndex) const
{
    return turnIndex < m_items.size() ? qobject_cast<AnswerView*>(m_items[turnIndex]) : nullptr;
}

void ChatView::copyAnswer(const app::Answer& answer) const
{
    copyToClipboard(
        m_copiesVerdict ? app::textWithVerdict(answer) : QString::fromStdString(answer.text()));
}

TextSurface* ChatView::surfaceAt(size_t turnIndex)
{
    ensureBuilt(turnIndex);
    return builtSurfaceAt(turnIndex);
}

TextSurface* ChatView::builtSurfaceAt(size_t turnIndex) const
{
    if (AnswerView* answer = answerAt(turnIndex))
        return &answer->surface();
    auto* message
        = turnIndex < m_items.size() ? qobject_cast<PersonMessage*>(m_items[turnIndex]) : nullptr;
    return message ? &message->surface() : nullptr;
}

void ChatView::revealTurn(size_t turnIndex)
{
    ensureBuilt(turnIndex);
    if (turnIndex < m_items.size())
        reveal(m_items[turnIndex]->geometry());
}

void ChatView::showMatch(size_t turnIndex, TextRange range)
{
    clearMatch();
    TextSurface* surface = surfaceAt(turnIndex);
    if (!surface)
        return;
    surface->select(range);
    reveal(surface->caretRect().translated(surface->mapTo(m_page, QPoint())));
}

void ChatView::clearMatch()
{
    for (size_t i = 0; i < m_items.size(); ++i)
        if (TextSurface* surface = builtSurfaceAt(i); surface && surface->hasSelection())
            surface->clearSelection();
}

void ChatView::addTurn(size_t turnIndex)
{
    m_items.push_back(createItem(turnIndex));
    if (!m_conversation->turns()[turnIndex]->answer)
        m_isFollowing = true; // a message just sent is what a person wants to see
    m_items.back()->show();
    if (turnIndex > 0)
        if (AnswerView* before = answerAt(turnIndex - 1))
            before->setIsLast(false);
    if (AnswerView* answer = answerAt(turnIndex))
        answer->setIsLast(true);
    if (m_isBuilding)
        return;
    updateEmptyCard();
    updateViewStart();
    relayout(turnIndex);
}

void ChatView::updateViewStart()
{
    const app::Draft* draft = m_conversation ? m_conversation->lastDraft() : nullptr;
    const size_t before = m_unseenCount;
    m_unseenCount = draft ? size_t(draft->origin().droppedTurnCount) : 0;
    for (size_t i = 0; i < m_items.size(); ++i)
        if (m_items[i])
            m_items[i]->setUnseen(i < m_unseenCount);
    // It waits for the first turn below it to be built.
    m_viewStart->setVisible(
        m_unseenCount > 0 && m_unseenCount < m_items.size() && m_items[m_unseenCount]);
    if (m_unseenCount == before)
        return;
    m_viewStart->setDroppedCount(m_unseenCount);
    relayout(std::min(before, m_unseenCount));
}

MessageView* ChatView::createItem(size_t turnIndex)
{
    const app::Turn* turn = m_conversation->turns()[turnIndex];
    MessageView* item = nullptr;
    if (turn->answer) {
        // The same view shows another answer when a sibling takes its place: it looks up the turn.
        auto* answer = new AnswerView(*m_conversation, turnIndex, m_page);
        const auto shown = [this, turnIndex] { return m_conversation->turns()[turnIndex]; };
        const auto capOf = [](int cap) { return cap > 0 ? std::optional(cap) : std::nullopt; };
        connect(answer, &AnswerView::regenerateRequested, this, [this, shown, capOf](int cap) {
            m_workspace.regenerate(*m_conversation, shown(), capOf(cap));
        });
        connect(answer, &AnswerView::continueRequested, this, [this, shown, capOf](int cap) {
            m_workspace.continueAnswer(*m_conversation, shown(), capOf(cap));
        });
        connect(
            answer, &AnswerView::longerContextRequested, this, &ChatView::longerContextRequested);
        connect(
            answer, &AnswerView::editRequested, this, [this, turnIndex] { editTurn(turnIndex); });
        connect(answer, &AnswerView::removeRequested, this,
            [this, turnIndex] { emit removeTurnRequested(turnIndex); });
        connect(answer, &AnswerView::whyRequested, this,
            [this, turnIndex] { emit whyRequested(turnIndex); });
        connect(answer, &AnswerView::acceptRequested, this, [this, turnIndex](bool accepted) {
            emit acceptRequested(m_conversation->turns()[turnIndex]->id, accepted);
        });
        connect(answer, &AnswerView::inspectRequested, this,
            [this, turnIndex] { emit inspectRequested(turnIndex); });
        connect(answer, &AnswerView::copyRequested, this,
            [this, turnIndex] { copyAnswer(*m_conversation->turns()[turnIndex]->answer); });
        connect(answer, &AnswerView::linkActivated, this,
            [this](const QString& target) { openLink(target, this); });
        connect(answer, &AnswerView::revealRequested, this,
            [this, answer](const QRect& part) { reveal(part.translated(answer->pos())); });
        const auto& model = m_workspace.model();
        answer->setLongestContext(model ? model->description.trainedContextLength : 0);
        connect(&m_workspace, &app::Workspace::modelChanged, answer, [this, answer] {
            const auto& loaded = m_workspace.model();
            answer->setLongestContext(loaded ? loaded->description.trainedContextLength : 0);
        });
        item = answer;
    } else {
        auto* message = new PersonMessage(turn->text, m_page);
        const std::vector<app::Turn*> siblings = m_conversation->tree().siblings(*turn);
        const auto at = std::find(siblings.begin(), siblings.end(), turn);
        TurnActions& actions = message->actions();
        actions.setSiblings(size_t(at - siblings.begin()), siblings.size());
        connect(&actions, &TurnActions::siblingRequested, this,
            [this, turnIndex](int step) { m_conversation->showSibling(turnIndex, step); });
        connect(&actions, &TurnActions::editRequested, this,
            [this, turnIndex] { editTurn(turnIndex); });
        connect(&actions, &TurnActions::removeRequested, this,
            [this, turnIndex] { emit removeTurnRequested(turnIndex); });
        item = message;
    }
    connect(item, &MessageView::resized, this, [this, turnIndex] { relayout(turnIndex); });
    return item;
}

void ChatView::replaceItem(size_t turnIndex, MessageView* item)
{
    // Later: the old item may be the one that asked for this.
    m_items[turnIndex]->hide();
    m_items[turnIndex]->deleteLater();
    m_items[turnIndex] = item;
    item->show();
    if (AnswerView* answer = answerAt(turnIndex))
        answer->setIsLast(turnIndex + 1 == m_items.size());
    updateViewStart();
    relayout(turnIndex);
    if (answerAt(turnIndex))
        emit answerBuilt(turnIndex);
}

void ChatView::editTurn(size_t turnIndex)
{
    app::Turn* turn = m_conversation->turns()[turnIndex];
    if (turn->answer && turn->answer->isActive())
        return;
    ensureBuilt(turnIndex);
    const QString kept = m_conversation->editedText(*turn);
    auto* editor = new TurnEditor(kept.isEmpty() ? turn->said() : kept,
        turn->answer ? tr("Keep as a branch") : tr("Send as a branch"),
        turn->answer ? tr("The model's answer stays beside it, with its stop reason.")
                     : tr("The message and its answers stay beside it."),
        m_page);
    connect(editor, &MessageView::resized, this, [this, turnIndex] { relayout(turnIndex); });
    connect(editor, &TurnEditor::textChanged, this, [this, turn](const QString& text) {
        m_conversation->setEditedText(*turn, text == turn->said() ? QString() : text);
    });
    connect(editor, &TurnEditor::cancelled, this, [this, turnIndex] {
        replaceItem(turnIndex, createItem(turnIndex));
        setFocus();
    });
    connect(editor, &TurnEditor::accepted, this, [this, turn](const QString& text) {
        const bool taken = turn->answer ? m_workspace.editAnswer(*m_conversation, *turn, text)
                                        : m_workspace.editMessage(*m_conversation, *turn, text);
        if (taken) // else the problem card says why, and the editor stays
            m_conversation->setEditedText(*turn, {});
    });
    replaceItem(turnIndex, editor);
    editor->edit()->setFocus();
    ensureWidgetVisible(editor);
}

void ChatView::showBranch(size_t fromIndex)
{
    // What is above stays where it is, and so does the view, unless it followed the end.
    size_t kept = fromIndex;
    // A view of an answer goes on with its sibling, and keeps the focus and what is unfolded.
    if (fromIndex < m_items.size() && fromIndex < m_conversation->turnCount() && answerAt(fromIndex)
        && m_conversation->turns()[fromIndex]->answer)
        ++kept;
    const bool hadFocus
        = std::any_of(m_items.begin() + std::ptrdiff_t(std::min(kept, m_items.size())),
            m_items.end(), [](const MessageView* item) {
                return item && item->isAncestorOf(QApplication::focusWidget());
            });
    for (; m_items.size() > kept; m_items.pop_back())
        if (MessageView* item = m_items.back()) {
            item->hide();
            item->deleteLater(); // it may be the one that asked for this
        }
    const bool wasFollowing = m_isFollowing;
    m_isBuilding = true;
    const size_t count = m_conversation->turnCount();
    if (count > kept + kBuiltAtOnce) {
        m_items.resize(count - kBuiltAtOnce, nullptr);
        QTimer::singleShot(0, this, &ChatView::buildMore);
    }
    while (m_items.size() < count)
        addTurn(m_items.size());
    if (kept > fromIndex) {
        answerAt(fromIndex)->setIsLast(kept == m_items.size());
        answerAt(fromIndex)->update();
    }
    if (hadFocus && fromIndex < m_items.size()) {
        ensureBuilt(fromIndex);
        m_items[fromIndex]->setFocus();
    }
    m_isBuilding = false;
    m_isFollowing = wasFollowing;
    updateEmptyCard();
    updateViewStart();
    relayout(fromIndex);
}

void ChatView::ensureBuilt(size_t turnIndex)
{
    if (turnIndex >= m_items.size() || m_items[turnIndex])
        return;
    m_items[turnIndex] = createItem(turnIndex);
    m_items[turnIndex]->show();
    if (!m_isBuilding)
        relayout(turnIndex);
    if (answerAt(turnIndex))
        emit answerBuilt(turnIndex);
}

/// Builds items of turns that have none yet, the last first. What is in view stays where it is.
void ChatView::buildMore()
{
    QElapsedTimer spent;
    spent.start();
    size_t next = m_items.size();
    while (next > 0 && m_items[next - 1])
        --next;
    const size_t anchor = next; // the first item below, which is to stay in its place
    m_isBuilding = true;
    while (next > 0 && !m_items[next - 1] && spent.elapsed() < kBuildingMs)
        ensureBuilt(--next);
    m_isBuilding = false;
    if (next == anchor)
        return;
    const int above = anchor < m_items.size() ? m_items[anchor]->y() : 0;
    const int top = verticalScrollBar()->value();
    updateViewStart();
    m_isShifting = true;
    relayout(next);
    m_isShifting = false;
    if (!m_isFollowing && anchor < m_items.size()) {
        m_isLayingOut = true; // this is no scrolling of the person's
        verticalScrollBar()->setValue(top + m_items[anchor]->y() - above);
        m_isLayingOut = false;
    }
    QTimer::singleShot(0, this, &ChatView::buildMore);
}

void ChatView::updateTurn(size_t turnIndex)
{
    if (AnswerView* answer = answerAt(turnIndex))
        answer->update();
    updateViewStart();
}

void ChatView::updateProblem()
{
    m_problem->refresh(m_conversation);
    relayout(m_items.size());
}

void ChatView::updateEmptyCard()
{
    if (!m_emptyCard)
        return;
    m_emptyCard->setVisible(m_items.empty());
    relayout();
}

int ChatView::columnWidth(int viewWidth) const
{
    // Average width of running text, not of all characters of the font.
    static const QString sample
        = QStringLiteral("the quick brown fox jumps over the lazy dog and runs on ");
    const int lineWidth
        = fontMetrics().horizontalAdvance(sample) * kLineCharacters / int(sample.size());
    const int margin = gridUnit(this) * 3;
    return std::max(
        gridUnit(this) * 12, std::min(lineWidth + gridUnit(this) * 2, viewWidth - 2 * margin));
}

void ChatView::relayout(size_t fromIndex)
{
    if (m_isLayingOut)
        return;
    m_isLayingOut = true;
    const int unit = gridUnit(this);
    const int width = columnWidth(viewport()->width());
    const int left = std::max(0, (viewport()->width() - width) / 2);
    fromIndex = std::min(fromIndex, m_items.size());
    int y = unit * 3;
    for (size_t i = fromIndex; i-- > 0;)
        if (const MessageView* above = m_items[i]) {
            y = above->geometry().bottom() + 1 + above->gapBelow();
            break;
        }
    for (size_t i = fromIndex; i < m_items.size(); ++i) {
        MessageView* item = m_items[i];
        if (!item)
            continue;
        if (i == m_unseenCount && m_unseenCount > 0) {
            m_viewStart->setGeometry(left, y, width, m_viewStart->heightFor(width));
            y = m_viewStart->geometry().bottom() + 1 + m_viewStart->gapBelow();
        }
        const QRect before = item->geometry();
        const int height = item->heightFor(width);
        item->setGeometry(left, y, width, height);
        // A child that keeps its size but not its inner parts must still place them.
        if (!m_isShifting || before.size() != item->size()) {
            QResizeEvent inner(item->size(), item->size());
            QCoreApplication::sendEvent(item, &inner);
        }
        y += height + item->gapBelow();
    }
    if (m_emptyCard && !m_emptyCard->isHidden()) {
        const int height = m_emptyCard->heightFor(width);
        const int room = viewport()->height() - y - unit * 3;
        y += std::max(0, (room - height) / 3);
        m_emptyCard->setGeometry(left, y, width, height);
        y += height + unit * 3;
    }
    if (!m_problem->isHidden()) {
        const int height = m_problem->heightFor(width);
        m_problem->setGeometry(left, y, width, height);
        y += height + unit * 3;
    }
    m_page->resize(viewport()->width(), std::max(y, viewport()->height()));
    if (m_isFollowing)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    m_isLayingOut = false;
    placeEndButton();
}

void ChatView::noteScrolled()
{
    if (m_isLayingOut)
        return;
    m_isFollowing = verticalScrollBar()->value() >= verticalScrollBar()->maximum();
    placeEndButton();
}

void ChatView::reveal(const QRect& part)
{
    const int margin = gridUnit(this) * 2;
    QScrollBar* bar = verticalScrollBar();
    const int lowest = part.bottom() + margin - viewport()->height();
    const int highest = part.top() - margin; // what is taller than the view shows its start
    bar->setValue(std::min(std::max(bar->value(), lowest), highest));
}

void ChatView::scrollToEnd()
{
    m_isFollowing = true;
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    placeEndButton();
}

void ChatView::placeEndButton()
{
    const QSize size = m_endButton->sizeHint();
    m_endButton->setGeometry((viewport()->width() - size.width()) / 2,
        viewport()->height() - size.height() - gridUnit(this), size.width(), size.height());
    m_endButton->setVisible(!m_isFollowing);
    m_endButton->raise();
}

void ChatView::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    // What stands at the top stays there when lines wrap anew.
    const int top = verticalScrollBar()->value();
    const MessageView* anchor = nullptr;
    for (const MessageView* item : m_items)
        if (item && item->geometry().bottom() >= top) {
            anchor = item;
            break;
        }
    const double share = anchor ? double(top - anchor->y()) / std::max(1, anchor->height()) : 0;
    relayout();
    if (anchor && !m_isFollowing)
        verticalScrollBar()->setValue(anchor->y() + int(share * anchor->height()));
}

void ChatView::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        relayout();
}

} // namespace ui
