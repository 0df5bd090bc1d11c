#include "app/conversation/requirement_watch.h"

#include "app/runs/run_json.h"
#include "app/storage/storage.h"

#include <QPointer>

#include <algorithm>

namespace app {

RequirementWatch::RequirementWatch(Workspace& workspace, Storage* storage, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_storage(storage)
{
    m_pool.setMaxThreadCount(1); // in the order they were asked for
    m_timer.setInterval(kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &RequirementWatch::lookAtLive);
    connect(&workspace, &Workspace::conversationAdded, this,
        [this](Conversation* conversation) { watch(*conversation); });
    for (const auto& conversation : workspace.conversations())
        watch(*conversation);
}

RequirementWatch::~RequirementWatch()
{
    m_pool.clear();
    m_pool.waitForDone();
}

void RequirementWatch::watch(Conversation& conversation)
{
    if (conversation.kind() != ConversationKind::Chat)
        return;
    disconnect(&conversation, nullptr, this, nullptr); // one that was brought back
    const auto lookAgain = [this, &conversation] { look(conversation); };
    connect(&conversation, &Conversation::settingsChanged, this, [this, &conversation] {
        const auto asked = m_asked.find(&conversation);
        const bool isSame = asked == m_asked.end()
            ? !conversation.settings().requirements.has_value()
            : conversation.settings().requirements == asked->second.chosen;
        if (!isSame)
            takeAsked(conversation);
    });
    connect(&conversation, &Conversation::sourcesChanged, this,
        [this, &conversation] { takeAsked(conversation); });
    connect(&conversation, &Conversation::branchChanged, this, lookAgain);
    connect(&conversation, &Conversation::turnAdded, this, lookAgain);
    connect(&conversation, &Conversation::draftChanged, this, [this, &conversation](size_t index) {
        const auto asked = m_asked.find(&conversation);
        if (asked == m_asked.end() || index >= conversation.turnCount())
            return;
        Turn& turn = *conversation.turns()[index];
        lookUnlessGrowing(conversation, turn, asked->second);
    });
    connect(&conversation, &Conversation::answerChanged, this, [this, &conversation](const Turn& turn) {
        const auto asked = m_asked.find(&conversation);
        Turn* changed = asked == m_asked.end() ? nullptr : conversation.findTurn(turn.id);
        if (changed)
            lookUnlessGrowing(conversation, *changed, asked->second);
    });
    connect(&conversation, &QObject::destroyed, this, [this, gone = &conversation] {
        m_asked.erase(gone);
        std::erase_if(m_live, [gone](const auto& live) { return live.second.first == gone; });
    });
    takeAsked(conversation);
}

/// What grows waits for the timer; what has ended, and what begins, does not.
void RequirementWatch::lookUnlessGrowing(Conversation& conversation, Turn& turn, const Asked& asked)
{
    if (turn.draft() && (!turn.answer->isActive() || !m_live.contains(turn.draft()->runId())))
        lookAt(conversation, turn, asked);
}

void RequirementWatch::takeAsked(Conversation& conversation)
{
    const std::optional<ChosenRequirements>& chosen = conversation.settings().requirements;
    const auto set = chosen ? requirementSetFrom(chosen->content)
                            : engine::Result<RequirementSet>(engine::Error::badRequest("none"));
    if (!set) {
        m_asked.erase(&conversation);
        return look(conversation);
    }
    Sources sources;
    for (const SourceText& source : conversation.sources())
        sources.emplace(source.name.toStdString(), source.text.toStdString());
    Asked& asked = m_asked[&conversation];
    if (asked.set && asked.chosen == *chosen && *asked.sources == sources)
        return;
    asked.chosen = *chosen;
    asked.set = std::make_shared<const RequirementSet>(*set);
    asked.sources = std::make_shared<const Sources>(std::move(sources));
    asked.version = ++m_lastVersion;
    look(conversation);
}

void RequirementWatch::look(Conversation& conversation)
{
    const auto asked = m_asked.find(&conversation);
    std::vector<Turn*> answers; // whoever is told may change the tree
    for (const auto& turn : conversation.tree().turns())
        if (turn->draft() && !turn->isDeleted)
            answers.push_back(turn.get());
    for (Turn* turn : answers) {
        if (asked != m_asked.end())
            lookAt(conversation, *turn, asked->second);
        else if (!turn->draft()->acceptance())
            conversation.setCheck(*turn, std::nullopt); // nothing is asked any more
    }
}

void RequirementWatch::lookAt(Conversation& conversation, Turn& turn, const Asked& asked)
{
    if (!turn.answer || !turn.draft())
        return;
    const Answer& answer = *turn.answer;
    const engine::RunId run = answer.draft()->runId();
    if (answer.isActive()) {
        m_live[run] = { &conversation, turn.id };
        if (!m_timer.isActive())
            m_timer.start();
    }
    Looked& looked = m_looked[run];
    const Looked now { answer.text().size(), answer.verdict(), asked.version, true };
    if (looked.isUnderWay)
        return; // take() looks again
    if (looked.textBytes == now.textBytes && looked.verdict == now.verdict
        && looked.version == now.version)
        return;
    looked = now;
    const auto job = [this, chat = QPointer(&conversation), id = turn.id, run, set = asked.set,
                         sources = asked.sources, text = answer.text(), verdict = now.verdict] {
        RequirementCheck check = checkRequirements(*set, text, verdict, *sources);
        QMetaObject::invokeMethod(
            this,
            [this, chat, id, run, check = std::move(check)] {
                m_looked[run].isUnderWay = false;
                if (chat)
                    take(*chat, id, run, check);
            },
            Qt::QueuedConnection);
    };
    m_pool.start(job);
}

void RequirementWatch::take(
    Conversation& conversation, MessageId id, engine::RunId run, RequirementCheck check)
{
    const auto asked = m_asked.find(&conversation);
    Turn* turn = conversation.findTurn(id);
    if (asked == m_asked.end() || !turn || !turn->draft() || turn->draft()->runId() != run)
        return;
    conversation.setCheck(*turn, std::move(check));
    const Answer& answer = *turn->answer;
    const Looked& looked = m_looked[run];
    const bool isOfNow = looked.textBytes == answer.text().size()
        && looked.verdict == answer.verdict() && looked.version == asked->second.version;
    if (!isOfNow && !answer.isActive())
        return lookAt(conversation, *turn, asked->second);
    if (isOfNow && !answer.isActive() && m_live.erase(run) > 0)
        put(conversation, *answer.draft(), false);
}

void RequirementWatch::lookAtLive()
{
    const auto live = m_live;
    for (const auto& [run, place] : live) {
        const auto& [conversation, id] = place;
        const auto asked = m_asked.find(conversation);
        Turn* turn = conversation->findTurn(id);
        if (asked == m_asked.end() || !turn || !turn->draft() || turn->draft()->runId() != run)
            m_live.erase(run);
        else
            lookAt(*conversation, *turn, asked->second);
    }
    if (m_live.empty())
        m_timer.stop();
}

void RequirementWatch::put(const Conversation& conversation, const Draft& draft, bool isAct)
{
    if (!m_storage || conversation.isPrivate())
        return;
    nlohmann::ordered_json fields;
    fields["requirement_check"] = nullptr;
    if (draft.check())
        fields["requirement_check"] = toJson(*draft.check());
    fields["accepted"] = nullptr;
    if (draft.acceptance())
        fields["accepted"] = toJson(*draft.acceptance());
    m_storage->write({ PutRecordFields { StoredRunId(draft.runId()), dumped(fields), isAct } });
}

bool RequirementWatch::mayAccept(const Conversation& conversation, const Turn& turn)
{
    const Draft* draft = turn.draft();
    const auto& chosen = conversation.settings().requirements;
    return draft && chosen && !turn.answer->isActive() && !draft->acceptance()
        && turn.answer->verdict() == engine::Verdict::Complete && draft->check()
        && draft->check()->isReady() && draft->check()->setSha256 == chosen->sha256;
}

bool RequirementWatch::mayTakeBack(const Conversation& conversation, const Turn& turn)
{
    const Draft* draft = turn.draft();
    if (!draft || !draft->acceptance())
        return false;
    const QDateTime& at = draft->acceptance()->at;
    return std::ranges::none_of(conversation.tree().turns(),
        [&at](const std::unique_ptr<Turn>& other) { return other->createdAt > at; });
}

void RequirementWatch::accept(Conversation& conversation, MessageId id)
{
    Turn* turn = conversation.findTurn(id);
    if (!turn || !mayAccept(conversation, *turn))
        return;
    conversation.setAcceptance(
        *turn, Acceptance { QDateTime::currentDateTimeUtc(), sha256Hex(turn->answer->text()) });
    put(conversation, *turn->draft(), true);
}

void RequirementWatch::takeBack(Conversation& conversation, MessageId id)
{
    Turn* turn = conversation.findTurn(id);
    if (!turn || !mayTakeBack(conversation, *turn))
        return;
    conversation.setAcceptance(*turn, std::nullopt);
    put(conversation, *turn->draft(), true);
}

} // namespace app
