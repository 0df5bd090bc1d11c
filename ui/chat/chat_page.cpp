#include "ui/chat/chat_page.h"

#include "ui/chat/measure_words.h"
#include "ui/chat/source_dialog.h"
#include "ui/chat/source_shelf.h"
#include "ui/chat/text_surface.h"
#include "ui/find/find_bar.h"
#include "ui/find/text_matches.h"
#include "ui/theme/theme.h"

#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMimeData>
#include <QPointer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

ChatPage::ChatPage(app::Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_gauge(workspace)
    , m_view(new ChatView(workspace, this))
    , m_shelf(new SourceShelf(workspace, this))
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
    auto* inputColumn = new QVBoxLayout;
    inputColumn->setSpacing(0);
    inputColumn->addWidget(m_shelf);
    inputColumn->addWidget(m_input);
    m_inputRow->addLayout(inputColumn);
    setAcceptDrops(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_view, 1);
    column->addLayout(m_findRow);
    column->addLayout(m_inputRow);

    connect(m_find, &FindBar::closed, m_input, &MessageInput::focusEdit);
    connect(m_input, &MessageInput::sendRequested, this, &ChatPage::send);
    connect(m_shelf, &SourceShelf::openRequested, this, &ChatPage::readSource);
    connect(m_shelf, &SourceShelf::removeRequested, this, &ChatPage::removeSourceRequested);
    connect(m_input, &MessageInput::addSourceRequested, this, &ChatPage::addSource);
    connect(m_input, &MessageInput::stopRequested, this, &ChatPage::stop);
    connect(m_input->edit(), &QPlainTextEdit::textChanged, this, [this] {
        if (!m_conversation)
            return;
        m_conversation->setTypedText(m_input->text());
        m_gauge.setText(m_input->text());
    });
    connect(&m_gauge, &app::PromptGauge::measured, this, &ChatPage::showMeasure);
}

void ChatPage::setConversation(app::Conversation* conversation)
{
    if (m_conversation)
        m_conversation->disconnect(this);
    if (m_conversation)
        m_openings.insert(m_conversation->id(), m_input->opening());
    m_conversation = conversation;
    m_view->setConversation(conversation);
    m_gauge.setConversation(conversation);
    m_shelf->setConversation(conversation);
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
    showMeasure();
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

void ChatPage::noteSent(app::Conversation* conversation, const QString& text)
{
    if (!conversation || conversation->typedText() != text)
        return;
    if (conversation == m_conversation) {
        m_input->setText({});
        m_input->setOpening({});
    } else {
        conversation->setTypedText({});
        m_openings.remove(conversation->id());
    }
}

void ChatPage::addSource()
{
    if (!m_conversation)
        return;
    auto* dialog = new SourceDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, into = QPointer(m_conversation)] {
        if (into)
            m_workspace.addSources(*into, dialog->sources());
    });
    dialog->open();
}

void ChatPage::readSource(app::SourceId id)
{
    const app::SourceText* source = m_conversation ? m_conversation->findSource(id) : nullptr;
    if (source)
        (new SourceReader(*source, m_workspace.knownTokens(*source), this))->open();
}

void ChatPage::dragEnterEvent(QDragEnterEvent* event)
{
    event->ignore(); // what holds no text is for the window
    for (const QUrl& url : event->mimeData()->urls())
        if (m_conversation && url.isLocalFile() && app::isSourceFileName(url.toLocalFile()))
            event->acceptProposedAction();
}

void ChatPage::dropEvent(QDropEvent* event)
{
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        paths.append(url.toLocalFile());
    event->acceptProposedAction();
    if (m_conversation)
        m_workspace.addSources(*m_conversation, app::readSourceFiles(paths));
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

void ChatPage::showMeasure()
{
    const auto& measure = m_gauge.measure();
    m_input->setTokenCount(measure ? measureWords(*measure) : QString(),
        measure && measureWarns(*measure) ? Tone::Caution : Tone::Neutral);
}

} // namespace ui
