#include "ui/chat/chat_actions.h"

#include "ui/chat/chat_page.h"
#include "ui/chat/plain_text_page.h"
#include "ui/find/find_bar.h"
#include "ui/menu_entry.h"

namespace ui {

namespace {
    constexpr auto kCopiesVerdictKey = "window/copyVerdictLine";
}

ChatActions::ChatActions(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_workspace(parts.workspace)
    , m_chatPage(parts.chatPage)
    , m_plainTextPage(parts.plainTextPage)
    , m_store(parts.store)
{
}

void ChatActions::addAnswerEntries(QMenu& menu)
{
    QAction* goOn
        = addEntry(menu, tr("&Continue the answer, or write on the page"), {}, this, &ChatActions::continueAnswer);
    goOn->setShortcuts({ QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter) });
    addEntry(menu, tr("S&top"), QKeySequence(Qt::Key_Escape), this, &ChatActions::stop);
    addEntry(menu, tr("&Regenerate"), QKeySequence(Qt::CTRL | Qt::Key_R), this, &ChatActions::regenerate);
    addEntry(menu, tr("Add so&urce text…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_U), this,
        &ChatActions::addSource);
    addEntry(menu, tr("&Edit your last message"), QKeySequence(Qt::CTRL | Qt::Key_E), this,
        &ChatActions::editLastMessage);
    addEntry(menu, tr("Edit the last &answer"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), this,
        &ChatActions::editLastAnswer);
    menu.addSeparator();
    addEntry(menu, tr("&Previous answer"), QKeySequence(Qt::ALT | Qt::Key_Left), this,
        &ChatActions::showPreviousAnswer);
    addEntry(menu, tr("&Next answer"), QKeySequence(Qt::ALT | Qt::Key_Right), this,
        &ChatActions::showNextAnswer);
    addEntry(menu, tr("Cop&y last answer"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this,
        &ChatActions::copyAnswer);
    QAction* copiesVerdict = menu.addAction(tr("Copy &with verdict line"));
    copiesVerdict->setCheckable(true);
    copiesVerdict->setToolTip(tr("A copied answer ends with a line that says how it ended"));
    connect(copiesVerdict, &QAction::toggled, this, &ChatActions::setCopiesVerdict);
    copiesVerdict->setChecked(m_store.value(kCopiesVerdictKey, true).toBool());
    setCopiesVerdict(copiesVerdict->isChecked());
}

void ChatActions::addFindEntries(QMenu& menu, bool areKept)
{
    addEntry(menu, tr("&Begin the answer…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), this,
        &ChatActions::beginAnswer);
    addEntry(menu, tr("&Find in this chat"), QKeySequence(Qt::CTRL | Qt::Key_F), this, &ChatActions::findInChat);
    addEntry(menu, tr("Find ne&xt"), QKeySequence(Qt::Key_F3), this, &ChatActions::findNext);
    addEntry(menu, tr("Find pre&vious"), QKeySequence(Qt::SHIFT | Qt::Key_F3), this, &ChatActions::findPrevious);
    addEntry(menu, tr("Search in all conversations"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), this,
        &ChatActions::searchRequested)
        ->setEnabled(areKept);
    menu.addSeparator();
    addEntry(menu, tr("&Message box"), QKeySequence(Qt::CTRL | Qt::Key_L), this, &ChatActions::focusInput);
}

bool ChatActions::showsPage() const
{
    return m_conversation && m_conversation->kind() == app::ConversationKind::PlainText;
}

bool ChatActions::isChat() const
{
    return m_conversation && m_conversation->kind() == app::ConversationKind::Chat;
}

void ChatActions::stop()
{
    if (m_chatPage.isVisible() && m_chatPage.findBar().isVisible())
        return m_chatPage.findBar().close();
    if (m_conversation && m_conversation->activeDraft())
        m_workspace.stop(*m_conversation);
    else
        m_workspace.cancelLoad();
}

void ChatActions::regenerate()
{
    if (isChat())
        m_workspace.regenerate(*m_conversation);
}

void ChatActions::continueAnswer()
{
    if (showsPage())
        m_plainTextPage.writeOn();
    else if (m_conversation)
        m_workspace.continueAnswer(*m_conversation);
}

void ChatActions::addSource()
{
    if (!showsPage())
        m_chatPage.addSource();
}

void ChatActions::beginAnswer()
{
    if (isChat())
        m_chatPage.input().showOpening();
}

void ChatActions::editLastMessage()
{
    if (!isChat())
        return;
    for (size_t i = m_conversation->turnCount(); i-- > 0;)
        if (!m_conversation->turns()[i]->answer)
            return m_chatPage.view().editTurn(i);
}

void ChatActions::editLastAnswer()
{
    if (isChat() && m_conversation->lastAnswerTurn())
        m_chatPage.view().editTurn(m_conversation->turnCount() - 1);
}

void ChatActions::showPreviousAnswer() { showSibling(-1); }
void ChatActions::showNextAnswer() { showSibling(1); }

void ChatActions::showSibling(int step)
{
    if (m_conversation && m_conversation->turnCount() > 0)
        m_conversation->showSibling(m_conversation->turnCount() - 1, step);
}

void ChatActions::copyAnswer()
{
    if (const app::Answer* answer = m_conversation ? m_conversation->lastAnswer() : nullptr)
        m_chatPage.view().copyAnswer(*answer);
}

void ChatActions::setCopiesVerdict(bool copies)
{
    m_chatPage.view().setCopiesVerdict(copies);
    m_plainTextPage.setCopiesVerdict(copies);
    m_store.setValue(kCopiesVerdictKey, copies);
}

void ChatActions::findInChat()
{
    if (!showsPage())
        m_chatPage.findBar().open();
}

void ChatActions::findNext()
{
    if (!showsPage())
        m_chatPage.findBar().next();
}

void ChatActions::findPrevious()
{
    if (!showsPage())
        m_chatPage.findBar().previous();
}

void ChatActions::focusInput()
{
    if (showsPage())
        m_plainTextPage.edit().setFocus(Qt::ShortcutFocusReason);
    else
        m_chatPage.input().focusEdit();
}

} // namespace ui
