#include "ui/inspect/inspector_control.h"

#include "ui/chat/chat_view.h"
#include "ui/inspect/answer_link.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/prompt_tab.h"
#include "ui/inspect/timeline_tab.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"

#include <QAction>
#include <QApplication>
#include <QTabWidget>

#include <algorithm>

namespace ui {

namespace {
    const QString kShownKey = QStringLiteral("window/inspector");
    const QString kMeasureKey = QStringLiteral("window/tokenMeasure");
}

InspectorControl::InspectorControl(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_workspace(parts.workspace)
    , m_chat(parts.chat)
    , m_pane(parts.pane)
    , m_store(parts.store)
    , m_action(new QAction(tr("&Inspector"), this))
    , m_link(new AnswerLink(m_pane.tokens().strip(), this))
{
    m_action->setCheckable(true);
    m_action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_I));
    m_action->setToolTip(tr("The tokens of an answer, and what else could have been said"));
    const QString key = m_store.value(kMeasureKey).toString();
    for (const TokenMeasureInfo& info : tokenMeasures())
        if (key == QLatin1String(info.key))
            m_pane.tokens().setMeasure(info.measure);
    m_action->setChecked(m_store.value(kShownKey, false).toBool());
    m_pane.setVisible(m_action->isChecked());
    connect(m_action, &QAction::toggled, this, &InspectorControl::setShown);
    connect(&m_pane.tokens(), &TokensTab::measureChanged, this, [this] {
        m_store.setValue(
            kMeasureKey, QLatin1String(tokenMeasureInfo(m_pane.tokens().measure()).key));
    });
    connect(
        &m_pane.tokens().strip(), &TokenStrip::coloursChanged, this, [this] { updateText(true); });
    connect(&m_chat, &ChatView::inspectRequested, this, &InspectorControl::inspect);
    connect(&m_chat, &ChatView::answerBuilt, this, [this](size_t turnIndex) {
        if (turnIndex == m_shownIndex)
            updateText(true);
    });
    connect(&m_workspace, &app::Workspace::modelChanged, this, [this] {
        // A vocabulary has come that prompt tokens of an earlier start can be written with.
        drop();
        follow();
    });
}

InspectorControl::~InspectorControl() { drop(); }

void InspectorControl::setConversation(app::Conversation* conversation)
{
    drop();
    if (m_conversation)
        m_conversation->disconnect(this);
    m_conversation = conversation;
    m_chosenIndex.reset();
    if (conversation) {
        connect(conversation, &app::Conversation::draftChanged, this, &InspectorControl::takeEvent);
        connect(conversation, &app::Conversation::branchChanged, this, &InspectorControl::follow);
        connect(conversation, &app::Conversation::loaded, this, &InspectorControl::follow);
        connect(conversation, &app::Conversation::turnAdded, this, [this] {
            m_chosenIndex.reset(); // what is written now is what a person wants to see
            follow();
        });
        connect(conversation, &QObject::destroyed, this, &InspectorControl::drop);
    }
    follow();
}

void InspectorControl::inspect(size_t turnIndex)
{
    m_chosenIndex.reset();
    if (m_conversation && turnIndex + 1 < m_conversation->turnCount())
        m_chosenIndex = turnIndex;
    m_action->setChecked(true);
    follow();
    focusStrip(Qt::OtherFocusReason);
}

/// The tokens come first, whichever tab was open before.
void InspectorControl::focusStrip(Qt::FocusReason reason)
{
    m_pane.tabs().setCurrentWidget(&m_pane.tokens());
    m_pane.tokens().strip().setFocus(reason);
}

void InspectorControl::setShown(bool shown)
{
    m_store.setValue(kShownKey, shown);
    if (shown) {
        m_focusBefore = QApplication::focusWidget();
        m_pane.show();
        follow();
        focusStrip(Qt::ShortcutFocusReason);
        return;
    }
    const bool hadFocus = m_pane.isAncestorOf(QApplication::focusWidget());
    if (hadFocus && m_focusBefore)
        m_focusBefore->setFocus(Qt::OtherFocusReason);
    m_pane.hide();
    drop();
}

void InspectorControl::drop()
{
    m_pane.timeline().setAnswer(nullptr, nullptr); // first: it looks at the current token's run
    m_pane.tokens().setAnswer(nullptr, nullptr);
    m_pane.prompt().setAnswer(nullptr);
    m_track.reset();
    m_answer = nullptr;
    m_shownIndex.reset();
    updateText(true);
}

void InspectorControl::updateText(bool restarts)
{
    m_link->follow(m_shownIndex ? m_chat.answerAt(*m_shownIndex) : nullptr, restarts);
    giveTints(restarts);
}

void InspectorControl::giveTints(bool restarts)
{
    const bool isPage = m_track && m_conversation
        && m_conversation->kind() == app::ConversationKind::PlainText
        && m_shownIndex && *m_shownIndex + 1 == m_conversation->turnCount();
    if (restarts && std::exchange(m_givenTints, 0) > 0)
        emit tintsChanged(0, {});
    if (!isPage)
        return;
    const TokenColours& colours = m_pane.tokens().strip().colours();
    const auto& tokens = m_track->tokens();
    std::vector<ByteTint> tints;
    for (size_t i = size_t(m_track->promptCount()) + m_givenTints; i < tokens.size(); ++i) {
        const TokenTint tint = colours.tintOf(*m_track, int(i));
        tints.push_back(
            { tokens[i].text, colours.colour(tint), TokenColours::underlineHeight(tint) });
    }
    if (tints.empty())
        return;
    const size_t from = std::exchange(m_givenTints, m_givenTints + tints.size());
    emit tintsChanged(from, tints);
}

void InspectorControl::takeEvent(size_t turnIndex)
{
    if (turnIndex == m_shownIndex || !m_track)
        follow();
}

void InspectorControl::follow()
{
    if (m_pane.isHidden())
        return;
    const size_t count = m_conversation ? m_conversation->turnCount() : 0;
    std::optional<size_t> index = m_chosenIndex;
    if (index && (*index >= count || !m_conversation->turns()[*index]->answer))
        m_chosenIndex = index = std::nullopt;
    for (size_t i = count; !index && i-- > 0;)
        if (m_conversation->turns()[i]->answer)
            index = i;
    const app::Answer* answer = index ? m_conversation->turns()[*index]->answer.get() : nullptr;
    m_pane.tokens().setNotice(answer
            ? notice(*answer)
            : tr("There is no answer yet. Its tokens will be shown here as they are written."));
    if (answer != m_answer || index != m_shownIndex) {
        drop();
        m_answer = answer;
        m_shownIndex = index;
        m_hasAskedForDetails = false;
        if (answer) {
            m_track = std::make_unique<app::TokenTrack>(*answer, vocabularyFor(*answer));
            m_pane.timeline().setAnswer(m_track.get(), answer);
            m_pane.tokens().setAnswer(m_track.get(), answer);
            m_pane.prompt().setAnswer(answer, vocabularyFor(*answer), &m_conversation->tree());
        }
        updateText(true);
    } else if (m_track) {
        const bool restarts = m_track->update();
        m_pane.tokens().takeTokens(restarts);
        m_pane.prompt().follow();
        m_pane.timeline().followAnswer();
        updateText(restarts);
    }
    m_pane.setTitle(title());
    if (answer && !answer->hasDetails() && !std::exchange(m_hasAskedForDetails, true))
        m_workspace.readAnswerDetails(*m_conversation, *m_conversation->turns()[*index]);
}

QString InspectorControl::notice(const app::Answer& answer) const
{
    if (!answer.hasDetails())
        return tr("Reading the tokens of this answer…");
    if (answer.isEdited())
        return tr("A person wrote this answer: no model chose its tokens.");
    return answer.isActive() ? tr("No token has been written yet.")
                             : tr("This answer ended before its first token.");
}

QString InspectorControl::title() const
{
    if (!m_answer)
        return tr("Inspector");
    const auto& turns = m_conversation->turns();
    const auto isAnswer = [](const app::Turn* turn) { return turn->answer != nullptr; };
    const auto shown = turns.begin() + std::ptrdiff_t(*m_shownIndex);
    const int count = m_answer->tokenCount();
    return tr("Answer %L1 of %L2 · %3")
        .arg(std::count_if(turns.begin(), shown + 1, isAnswer))
        .arg(std::count_if(turns.begin(), turns.end(), isAnswer))
        .arg(count == 1 ? tr("1 token") : tr("%L1 tokens").arg(count));
}

std::shared_ptr<const engine::ModelText> InspectorControl::vocabularyFor(
    const app::Answer& answer) const
{
    const bool isOfModel = m_workspace.model() && answer.draft()
        && m_workspace.isOfThisModel(*answer.parts().front());
    return isOfModel ? m_workspace.model()->text : nullptr;
}

} // namespace ui
