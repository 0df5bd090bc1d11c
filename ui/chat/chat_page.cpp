#include "ui/chat/chat_page.h"

#include "ui/chat/text_surface.h"
#include "ui/find/find_bar.h"
#include "ui/find/text_matches.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

ChatPage::ChatPage(app::Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_view(new ChatView(workspace, this))
    , m_input(new MessageInput(this))
    , m_find(new FindBar(*m_view, this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    const int unit = gridUnit(this);
    m_findRow = new QHBoxLayout;
    m_findRow->addWidget(m_find);
    m_inputRow = new QHBoxLayout;
    m_inputRow->setContentsMargins(unit * 3, unit, unit * 3, unit);
    m_inputRow->addWidget(m_input);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_view, 1);
    column->addLayout(m_findRow);
    column->addLayout(m_inputRow);

    connect(m_find, &FindBar::closed, m_input, &MessageInput::focusEdit);
    connect(m_input, &MessageInput::sendRequested, this, &ChatPage::send);
    connect(m_input, &MessageInput::stopRequested, this, &ChatPage::stop);
    connect(m_input, &MessageInput::typingPaused, this, &ChatPage::countTokens);
    connect(m_input->edit(), &QPlainTextEdit::textChanged, this, [this] {
        if (m_conversation)
            m_conversation->setTypedText(m_input->text());
    });
    connect(&workspace, &app::Workspace::modelChanged, this, &ChatPage::countTokens);
}

void ChatPage::setConversation(app::Conversation* conversation)
{
    if (m_conversation)
        m_conversation->disconnect(this);
    if (m_conversation)
        m_openings.insert(m_conversation->id(), m_input->opening());
    m_conversation = conversation;
    m_view->setConversation(conversation);
    if (conversation)
        m_input->setOpening(m_openings.value(conversation->id()));
    m_wantedMessage = 0;
    m_find->refresh();
    if (!conversation)
        return;
    connect(conversation, &app::Conversation::loaded, this, &ChatPage::showWanted);
    connect(conversation, &app::Conversation::turnAdded, this, &ChatPage::refresh);
    connect(conversation, &app::Conversation::draftChanged, this, &ChatPage::refresh);
    connect(conversation, &app::Conversation::branchChanged, this, &ChatPage::refresh);
    m_input->setText(conversation->typedText());
    countTokens();
    refresh();
}

void ChatPage::resizeEvent(QResizeEvent*)
{
    // The message box is as wide as the column of messages above it.
    const int unit = gridUnit(this);
    const int side = std::max(unit * 2, (width() - m_view->columnWidth(width())) / 2 - unit * 2);
    m_inputRow->setContentsMargins(side, unit, side, unit);
    m_findRow->setContentsMargins(side, 0, side, 0);
}

void ChatPage::showMessage(app::MessageId message, const QString& text)
{
    m_wantedMessage = message;
    m_wantedText = text;
    if (m_conversation && m_conversation->isLoaded())
        showWanted();
}

void ChatPage::showWanted()
{
    app::Turn* turn = m_conversation->findTurn(std::exchange(m_wantedMessage, 0));
    if (!turn)
        return;
    if (!m_conversation->tree().indexOf(*turn))
        m_conversation->showTurn(*turn);
    const auto index = m_conversation->tree().indexOf(*turn);
    if (!index)
        return;
    const TextSurface* surface = m_view->surfaceAt(*index);
    const std::vector<TextRange> places
        = surface ? textMatches(surface->plainText(), m_wantedText) : std::vector<TextRange>();
    m_view->revealTurn(*index);
    if (!places.empty())
        m_view->showMatch(*index, places.front());
}

void ChatPage::send()
{
    if (!m_conversation || m_conversation->activeDraft())
        return;
    // The text stays in the box unless it has become a turn.
    if (m_workspace.send(*m_conversation, m_input->text(), m_input->opening())) {
        m_input->setText({});
        m_input->setOpening({});
    }
}

void ChatPage::stop()
{
    if (m_conversation)
        m_workspace.stop(*m_conversation);
}

void ChatPage::refresh()
{
    m_find->refresh();
    m_input->setWriting(m_conversation && m_conversation->activeDraft());
}

void ChatPage::countTokens()
{
    const QString text = m_input->text();
    const auto count = text.isEmpty() ? std::nullopt : m_workspace.countTokens(text);
    m_input->setTokenCount(!count ? QString()
            : *count == 1         ? tr("1 token")
                                  : tr("%L1 tokens").arg(*count));
}

} // namespace ui
