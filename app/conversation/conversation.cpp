#include "app/conversation/conversation.h"

#include <algorithm>

namespace app {

namespace {
    constexpr int kTitleLength = 48;

    QString titleFrom(const QString& text)
    {
        const QString line = text.simplified();
        if (line.size() <= kTitleLength)
            return line;
        const qsizetype space = line.lastIndexOf(QLatin1Char(' '), kTitleLength);
        return line.left(space > kTitleLength / 2 ? space : kTitleLength) + QChar(0x2026);
    }
}

Conversation::Conversation(ConversationKind kind, ChatSettings settings, QObject* parent)
    : QObject(parent)
    , m_kind(kind)
    , m_settings(std::move(settings))
{
}

void Conversation::setTitle(const QString& title)
{
    m_isNamed = !title.trimmed().isEmpty();
    m_title = title.simplified();
    emit titleChanged();
}

void Conversation::setSettings(ChatSettings settings)
{
    if (settings == m_settings)
        return;
    m_settings = std::move(settings);
    emit settingsChanged();
}

const Draft* Conversation::lastDraft() const
{
    if (m_turns.empty() || m_turns.back().role != TurnRole::Model)
        return nullptr;
    return &m_turns.back().draft();
}

const Draft* Conversation::activeDraft() const
{
    if (m_turns.empty() || m_turns.back().role != TurnRole::Model)
        return nullptr;
    const Draft& newest = *m_turns.back().drafts.back();
    return newest.ending() ? nullptr : &newest;
}

void Conversation::addPersonTurn(const QString& text)
{
    Turn turn;
    turn.text = text;
    m_turns.push_back(std::move(turn));
    if (m_title.isEmpty() && !m_isNamed) {
        m_title = titleFrom(text);
        emit titleChanged();
    }
    emit turnAdded(m_turns.size() - 1);
}

void Conversation::addDraft(std::unique_ptr<Draft> draft)
{
    Turn turn;
    turn.role = TurnRole::Model;
    turn.drafts.push_back(std::move(draft));
    m_turns.push_back(std::move(turn));
    emit turnAdded(m_turns.size() - 1);
}

void Conversation::addSibling(std::unique_ptr<Draft> draft)
{
    if (!lastDraft())
        return addDraft(std::move(draft));
    m_turns.back().drafts.push_back(std::move(draft));
    showSibling(m_turns.size() - 1, m_turns.back().drafts.size() - 1);
}

void Conversation::showSibling(size_t turnIndex, size_t draftIndex)
{
    if (turnIndex >= m_turns.size() || draftIndex >= m_turns[turnIndex].drafts.size())
        return;
    m_turns[turnIndex].shown = draftIndex;
    emit shownDraftChanged(turnIndex);
}

bool Conversation::apply(const engine::GenerationEvent& event)
{
    for (size_t i = m_turns.size(); i-- > 0;) {
        for (const auto& draft : m_turns[i].drafts) {
            if (draft->runId() != engine::runIdOf(event))
                continue;
            draft->apply(event);
            if (std::find(m_changedTurns.begin(), m_changedTurns.end(), i) == m_changedTurns.end())
                m_changedTurns.push_back(i);
            return true;
        }
    }
    return false;
}

void Conversation::announceChanges()
{
    if (m_kind == ConversationKind::PlainText && !m_changedTurns.empty())
        writeIntoDocument();
    for (const size_t turnIndex : std::exchange(m_changedTurns, {}))
        emit draftChanged(turnIndex);
}

void Conversation::notePainted(size_t turnIndex)
{
    if (turnIndex < m_turns.size() && m_turns[turnIndex].role == TurnRole::Model)
        m_turns[turnIndex].draft().notePainted();
}

void Conversation::setDocument(const QString& text)
{
    m_document = text;
    const QString title = titleFrom(text.left(4 * kTitleLength));
    if (m_isNamed || title == m_title)
        return;
    m_title = title;
    emit titleChanged();
}

void Conversation::setWritingPosition(qsizetype position)
{
    m_writingPosition = std::clamp(position, qsizetype(0), m_document.size());
    m_textAfterCaret = m_document.mid(m_writingPosition);
}

void Conversation::writeIntoDocument()
{
    if (const Draft* draft = lastDraft())
        setDocument(m_document.left(m_writingPosition) + QString::fromStdString(draft->text())
            + m_textAfterCaret);
}

void Conversation::setProblem(std::optional<Problem> problem)
{
    if (problem == m_problem)
        return;
    m_problem = std::move(problem);
    emit problemChanged();
}

} // namespace app
