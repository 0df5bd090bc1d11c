#include "ui/chat/chat_page.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

ChatPage::ChatPage(app::Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_view(new ChatView(workspace, this))
    , m_input(new MessageInput(this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    const int unit = gridUnit(this);
    m_inputRow = new QHBoxLayout;
    m_inputRow->setContentsMargins(unit * 3, unit, unit * 3, unit);
    m_inputRow->addWidget(m_input);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_view, 1);
    column->addLayout(m_inputRow);

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
    if (!conversation)
        return;
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

void ChatPage::refresh() { m_input->setWriting(m_conversation && m_conversation->activeDraft()); }

void ChatPage::countTokens()
{
    const QString text = m_input->text();
    const auto count = text.isEmpty() ? std::nullopt : m_workspace.countTokens(text);
    m_input->setTokenCount(!count ? QString()
            : *count == 1         ? tr("1 token")
                                  : tr("%L1 tokens").arg(*count));
}

} // namespace ui
