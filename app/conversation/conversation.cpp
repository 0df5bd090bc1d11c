#include "app/conversation/conversation.h"

#include "app/settings/chat_settings_json.h"

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

Conversation::Conversation(const StoredSummary& summary, QObject* parent)
    : QObject(parent)
    , m_id(summary.conversation.id)
    , m_kind(summary.conversation.kind)
    , m_isLoaded(false)
    , m_title(summary.conversation.title)
    , m_isNamed(summary.conversation.isNamed)
    , m_folder(summary.conversation.folder)
    , m_createdAt(summary.conversation.createdAt)
    , m_changedAt(summary.conversation.changedAt)
    , m_storedReason(summary.lastReason)
    , m_storedUnfinishedCount(summary.unfinishedCount)
    , m_isStoredEmpty(summary.isEmpty)
    , m_settings(chatSettingsFromJson(summary.conversation.settings))
    , m_typedText(summary.conversation.typedText)
{
}

void Conversation::load(TurnTree turns, const QString& document, std::vector<SourceText> sources)
{
    m_tree = std::move(turns);
    m_document = document;
    m_sources = std::move(sources);
    m_isLoaded = true;
    emit branchChanged(0);
    emit sourcesChanged();
    emit loaded();
}

StoredConversation Conversation::row() const
{
    return { .id = m_id,
        .kind = m_kind,
        .title = m_title,
        .isNamed = m_isNamed,
        .folder = m_folder,
        .createdAt = m_createdAt,
        .changedAt = m_changedAt,
        .settings = chatSettingsToJson(m_settings),
        .typedText = m_typedText,
        .document = m_isLoaded ? std::optional(m_document) : std::nullopt,
        .deletedAt = m_deletedAt };
}

void Conversation::touch() { m_changedAt = QDateTime::currentDateTimeUtc(); }

void Conversation::setTitle(const QString& title)
{
    m_isNamed = !title.trimmed().isEmpty();
    m_title = title.simplified();
    emit titleChanged();
    emit rowChanged();
}

void Conversation::setFolder(FolderId folder)
{
    if (folder == m_folder)
        return;
    m_folder = folder;
    emit titleChanged();
    emit rowChanged();
}

void Conversation::setSettings(ChatSettings settings)
{
    if (settings == m_settings)
        return;
    m_settings = std::move(settings);
    emit settingsChanged();
    emit rowChanged();
}

void Conversation::setTypedText(const QString& text)
{
    if (text == m_typedText)
        return;
    m_typedText = text;
    emit rowChanged();
}

void Conversation::setEditedText(const Turn& turn, const QString& text)
{
    if (text.isEmpty())
        m_editedTexts.remove(turn.id);
    else
        m_editedTexts.insert(turn.id, text);
}

bool Conversation::isEmpty() const
{
    return m_isLoaded ? m_tree.path().empty() && m_document.isEmpty() && m_sources.empty()
                      : m_isStoredEmpty;
}

ConversationBadge Conversation::badge() const
{
    if (const Draft* active = activeDraft())
        return { active->state(), std::nullopt };
    if (!m_isLoaded)
        return { std::nullopt, m_storedReason };
    const Draft* draft = lastDraft();
    if (!draft || !draft->ending())
        return {};
    return { std::nullopt, draft->ending()->ledger.reason };
}

int Conversation::earlierUnfinishedCount() const
{
    if (!m_isLoaded) {
        const bool isLastUnfinished = m_storedReason
            && engine::stopReasonInfo(*m_storedReason).verdict != engine::Verdict::Complete;
        return std::max(0, m_storedUnfinishedCount - int(isLastUnfinished));
    }
    const std::vector<Turn*>& path = m_tree.path();
    return path.empty() ? 0 : int(std::count_if(path.begin(), path.end() - 1, [](const Turn* turn) {
        return turn->answer && turn->answer->isUnfinished();
    }));
}

Turn* Conversation::lastAnswerTurn() const
{
    const std::vector<Turn*>& path = m_tree.path();
    return path.empty() || !path.back()->answer ? nullptr : path.back();
}

const Answer* Conversation::lastAnswer() const
{
    const Turn* turn = lastAnswerTurn();
    return turn ? turn->answer.get() : nullptr;
}

const Draft* Conversation::lastDraft() const
{
    const Answer* answer = lastAnswer();
    return answer ? answer->draft() : nullptr;
}

const Draft* Conversation::activeDraft() const
{
    const Turn* turn = activeTurn();
    return turn ? turn->draft() : nullptr;
}

Turn* Conversation::activeTurn() const
{
    for (Turn* turn : m_activeTurns)
        if (m_tree.indexOf(*turn))
            return turn;
    return m_activeTurns.empty() ? nullptr : m_activeTurns.back();
}

const Draft* Conversation::findDraft(engine::RunId run) const
{
    for (const auto& turn : m_tree.turns())
        if (turn->answer)
            if (const Draft* draft = std::as_const(*turn->answer).partOf(run))
                return draft;
    return nullptr;
}

Turn& Conversation::add(std::unique_ptr<Turn> turn, Turn* parent)
{
    turn->createdAt = QDateTime::currentDateTimeUtc();
    touch();
    const size_t lengthBefore = turnCount();
    const bool extends = lengthBefore == 0 ? !parent : parent == m_tree.path().back();
    Turn& added = m_tree.add(std::move(turn), parent);
    emit turnStored(added);
    if (extends)
        emit turnAdded(lengthBefore);
    else
        emit branchChanged(turnCount() - 1);
    return added;
}

Turn& Conversation::addPersonTurn(const QString& text, Turn* parent, MessageId id)
{
    auto turn = std::make_unique<Turn>();
    turn->id = id;
    turn->text = text;
    if (m_title.isEmpty() && !m_isNamed) {
        m_title = titleFrom(text);
        emit titleChanged();
        emit rowChanged();
    }
    return add(std::move(turn), parent);
}

Turn& Conversation::addAnswer(
    AnswerOpening opening, std::unique_ptr<Draft> draft, Turn* parent, MessageId id)
{
    auto turn = std::make_unique<Turn>();
    turn->id = id;
    turn->role = TurnRole::Model;
    turn->answer = std::make_unique<Answer>(std::move(opening));
    if (draft) {
        turn->answer->addPart(std::move(draft));
        if (turn->answer->isActive())
            m_activeTurns.push_back(turn.get());
    }
    return add(std::move(turn), parent);
}

void Conversation::addPart(Turn& turn, std::unique_ptr<Draft> draft)
{
    turn.answer->addPart(std::move(draft));
    m_activeTurns.push_back(&turn);
    touch();
    if (const auto index = m_tree.indexOf(turn))
        emit draftChanged(*index);
}

void Conversation::showTurn(Turn& turn)
{
    const size_t firstChanged = m_tree.show(turn);
    emit turnShown(turn);
    if (firstChanged < turnCount())
        emit branchChanged(firstChanged);
}

void Conversation::showSibling(size_t turnIndex, int step)
{
    if (turnIndex >= turnCount())
        return;
    const std::vector<Turn*> siblings = m_tree.siblings(*turns()[turnIndex]);
    const auto at = std::find(siblings.begin(), siblings.end(), turns()[turnIndex]);
    const auto wanted = at - siblings.begin() + step;
    if (wanted >= 0 && wanted < std::ssize(siblings))
        showTurn(*siblings[size_t(wanted)]);
}

void Conversation::setTurnDeleted(Turn& turn, bool isDeleted)
{
    const size_t firstChanged = m_tree.setDeleted(turn, isDeleted);
    touch();
    emit branchChanged(firstChanged);
}

const SourceText* Conversation::findSource(SourceId id) const
{
    const auto found = std::find_if(
        m_sources.begin(), m_sources.end(), [id](const auto& source) { return source.id == id; });
    return found == m_sources.end() ? nullptr : &*found;
}

void Conversation::addSource(SourceText source)
{
    m_sources.push_back(std::move(source));
    touch();
    emit sourceStored(m_sources.back());
    emit sourcesChanged();
}

void Conversation::setSourceRemoved(SourceId id, bool isRemoved)
{
    std::vector<SourceText>& from = isRemoved ? m_sources : m_removedSources;
    std::vector<SourceText>& to = isRemoved ? m_removedSources : m_sources;
    const auto found = std::find_if(
        from.begin(), from.end(), [id](const auto& source) { return source.id == id; });
    if (found == from.end())
        return;
    to.push_back(std::move(*found));
    from.erase(found);
    std::sort(to.begin(), to.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    touch();
    emit sourceMarked(id, isRemoved);
    emit sourcesChanged();
}

void Conversation::purge()
{
    m_removedSources.clear();
    if (m_activeTurns.empty())
        m_tree.purge();
}

Turn* Conversation::findTurn(MessageId id) const
{
    for (const auto& turn : m_tree.turns())
        if (turn->id == id)
            return turn.get();
    return nullptr;
}

Turn* Conversation::apply(const engine::GenerationEvent& event)
{
    const auto found = std::find_if(m_activeTurns.begin(), m_activeTurns.end(),
        [&](Turn* turn) { return turn->answer->apply(event); });
    if (found == m_activeTurns.end())
        return nullptr;
    Turn* turn = *found;
    if (std::find(m_changedTurns.begin(), m_changedTurns.end(), turn) == m_changedTurns.end())
        m_changedTurns.push_back(turn);
    if (!turn->answer->isActive()) {
        m_activeTurns.erase(found);
        touch();
    }
    return turn;
}

void Conversation::announceChanges()
{
    if (m_kind == ConversationKind::PlainText && !m_changedTurns.empty())
        writeIntoDocument();
    for (const Turn* turn : std::exchange(m_changedTurns, {})) {
        if (const auto index = m_tree.indexOf(*turn))
            emit draftChanged(*index);
        else
            emit titleChanged(); // the badge in the list changes, though the turn is not shown
        emit answerChanged(*turn);
    }
}

void Conversation::announceDetails(const Turn& turn)
{
    if (const auto index = m_tree.indexOf(turn))
        emit draftChanged(*index);
    emit answerChanged(turn);
}

void Conversation::setCheck(Turn& turn, std::optional<RequirementCheck> check)
{
    Draft* draft = turn.answer ? turn.answer->draft() : nullptr;
    if (!draft || draft->check() == check)
        return;
    draft->setCheck(std::move(check));
    if (const auto index = m_tree.indexOf(turn))
        emit draftChanged(*index);
    emit answerChanged(turn);
}

void Conversation::setAcceptance(Turn& turn, std::optional<Acceptance> acceptance)
{
    Draft* draft = turn.answer ? turn.answer->draft() : nullptr;
    if (!draft || draft->acceptance() == acceptance)
        return;
    draft->setAcceptance(std::move(acceptance));
    if (const auto index = m_tree.indexOf(turn))
        emit draftChanged(*index);
}

void Conversation::notePainted(size_t turnIndex, size_t textBytes)
{
    if (turnIndex >= turnCount() || !turns()[turnIndex]->draft())
        return;
    Turn& turn = *turns()[turnIndex];
    turn.answer->draft()->notePainted();
    emit painted(turn, textBytes);
}

void Conversation::notePainted(Turn& turn)
{
    if (!turn.draft())
        return;
    turn.answer->draft()->notePainted();
    emit painted(turn, turn.answer->text().size());
}

void Conversation::setDocument(const QString& text)
{
    if (text == m_document)
        return;
    m_document = text;
    emit rowChanged();
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
