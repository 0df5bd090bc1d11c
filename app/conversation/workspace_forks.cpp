#include "app/conversation/workspace.h"

#include "app/conversation/continuation.h"
#include "app/storage/storage.h"
#include "engine/tokenizer/stream_decoder.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace app {

namespace {
    /// What these tokens say, up to the last whole character: the run shows the rest of one that they begin.
    std::string shownText(const engine::Tokenizer& tokenizer, std::span<const engine::TokenId> ids)
    {
        engine::StreamDecoder decoder;
        std::string text;
        for (const engine::TokenId id : ids)
            text += decoder.push(tokenizer.pieceBytes(id));
        return text;
    }

    /// Tokens in a row that somebody put in.
    struct GivenTokens {
        size_t first = 0; ///< among the run's new tokens
        engine::TokenIds ids; ///< none: all were sampled
    };
    GivenTokens lastGiven(const std::vector<engine::TokenRecord>& records)
    {
        const auto isSampled = [](const engine::TokenRecord& token) { return token.source == engine::TokenSource::Sampled; };
        size_t end = records.size();
        while (end > 0 && isSampled(records[end - 1]))
            --end;
        GivenTokens given { .first = end, .ids = {} };
        while (given.first > 0 && !isSampled(records[given.first - 1]))
            --given.first;
        for (size_t i = given.first; i < end; ++i)
            given.ids.push_back(records[i].id);
        return given;
    }
}

bool Workspace::fork(Conversation& conversation, Turn& turn, int tokenIndex, ForkChoice choice)
{
    const auto index = conversation.tree().indexOf(turn);
    if (!index || !turn.answer || turn.answer->isEdited() || turn.answer->isActive() || tokenIndex < 0
        || !mayStart(conversation))
        return false;
    if (!turn.answer->hasDetails())
        return readDetails(conversation, turn, [this, into = &conversation, tokenIndex, choice](Turn& read) {
            fork(*into, read, tokenIndex, choice);
        });
    RunPlan plan;
    if (!planFromIds(conversation, turn, *index, plan))
        return false;
    plan.draftIds = turn.answer->draftIds();
    if (size_t(tokenIndex) > plan.draftIds.size())
        return false;
    plan.draftIds.resize(size_t(tokenIndex));
    const engine::Tokenizer& tokenizer = *m_model->text->tokenizer;
    if (const auto* id = std::get_if<engine::TokenId>(&choice)) {
        if (!tokenizer.vocabulary().contains(*id))
            return false;
        plan.forcedIds = { *id };
    } else if (const auto* ban = std::get_if<BanChoice>(&choice)) {
        if (!tokenizer.vocabulary().contains(ban->id))
            return false;
        if (ban->isInChat)
            banInChat(conversation, ban->id);
        else
            plan.bannedFirstIds = { ban->id };
    } else {
        plan.forcedIds = continuationIds(tokenizer, std::get<QString>(choice).toStdString());
        if (plan.forcedIds.empty())
            return false;
    }
    // Room for what is forced and one token more.
    const int cap = conversation.settings().lengthCap;
    plan.lengthCap = std::max(cap, int(plan.forcedIds.size()) + 1);
    if (!fits(conversation, plan))
        return false;
    plan.kept = turn.answer->keptTokens(plan.draftIds.size());
    addBranch(conversation, turn, plan, createDraft(conversation, plan));
    return true;
}

bool Workspace::mayBranch(Conversation& conversation, const Turn& turn)
{
    return turn.answer && !turn.answer->isEdited() && !turn.answer->isActive() && mayStart(conversation);
}

bool Workspace::swapToken(Conversation& conversation, Turn& turn, int tokenIndex, engine::TokenId id)
{
    if (!mayBranch(conversation, turn) || tokenIndex < 0)
        return false;
    if (!turn.answer->hasDetails())
        return readDetails(conversation, turn,
            [this, into = &conversation, tokenIndex, id](Turn& read) { swapToken(*into, read, tokenIndex, id); });
    const engine::TokenIds ids = turn.answer->draftIds();
    if (size_t(tokenIndex) >= ids.size() || !m_model->text->tokenizer->vocabulary().contains(id))
        return false;
    RunPlan plan;
    plan.draftIds.assign(ids.begin(), ids.begin() + tokenIndex);
    plan.forcedIds = { id };
    const engine::GenerationRequest& last = turn.answer->draft()->origin().request;
    // Where the answer's last run would have come to its cap, this one does.
    plan.lengthCap = std::max(1, last.lengthCap + last.draftTokenCount - tokenIndex);
    return branchAsRun(conversation, turn, std::move(plan), { *plan.lengthCap, last.stopStrings, last.ignoreEndTokens });
}

bool Workspace::extend(Conversation& conversation, Turn& turn, const StopWish& wish)
{
    if (!mayBranch(conversation, turn))
        return false;
    if (!turn.answer->hasDetails())
        return readDetails(conversation, turn,
            [this, into = &conversation, wish](Turn& read) { extend(*into, read, wish); });
    RunPlan plan;
    plan.draftIds = turn.answer->draftIds();
    plan.lengthCap = wish.lengthCap - turn.answer->draft()->tokenCount();
    return *plan.lengthCap > 0 && branchAsRun(conversation, turn, std::move(plan), wish);
}

/// plan: the tokens that are kept, those that are forced, and the cap.
bool Workspace::branchAsRun(Conversation& conversation, Turn& turn, RunPlan plan, const StopWish& wish)
{
    // On whichever branch it is.
    if (!conversation.tree().indexOf(turn))
        conversation.showTurn(turn);
    const auto index = conversation.tree().indexOf(turn);
    if (!index || !planFromIds(conversation, turn, *index, plan) || !fits(conversation, plan))
        return false;
    plan.kept = turn.answer->keptTokens(plan.draftIds.size());
    DraftOrigin origin = originAsRun(*turn.answer->draft(), plan, wish);
    engine::GenerationRequest& request = origin.request;
    request.promptIds = plan.prompt.ids;
    request.promptIds.insert(request.promptIds.end(), plan.draftIds.begin(), plan.draftIds.end());
    request.draftTokenCount = int(plan.draftIds.size());
    request.forcedIds = plan.forcedIds;
    request.bannedFirstIds.clear();
    request.lengthCap = *plan.lengthCap;
    addBranch(conversation, turn, plan, std::make_unique<Draft>(std::move(origin)));
    return true;
}

/// Another answer beside this one, which begins with the plan's tokens; its run starts.
void Workspace::addBranch(
    Conversation& conversation, const Turn& turn, const RunPlan& plan, std::unique_ptr<Draft> draft)
{
    AnswerOpening kept { shownText(*m_model->text->tokenizer, plan.draftIds), engine::TokenSource::Sampled, plan.draftIds };
    Turn& added = conversation.addAnswer(std::move(kept), std::move(draft), turn.parent, m_ids.next());
    start(conversation, added, plan.prompt);
}

/// The plan with that run's very request, but for what stops it.
DraftOrigin Workspace::originAsRun(const Draft& run, const RunPlan& plan, const StopWish& wish)
{
    DraftOrigin origin = originOf({}, plan);
    const engine::RunId id = origin.request.runId;
    origin.request = run.origin().request;
    origin.request.runId = id;
    origin.request.pace = {};
    origin.request.lengthCap = wish.lengthCap;
    origin.request.stopStrings = wish.stopStrings;
    origin.request.ignoreEndTokens = wish.ignoreEndTokens;
    return origin;
}

/// The cell of a grid in which the answer's last run is done again. prompt: of its first run.
Workspace::CellPlan Workspace::planAgain(
    const Answer& answer, const FormattedPrompt& prompt, const StopWish& wish, GridPlace place)
{
    CellPlan cell;
    const Draft& run = *answer.draft();
    const GivenTokens given = lastGiven(run.records());
    RunPlan plan { .prompt = prompt, .grid = std::move(place) };
    DraftOrigin origin = originAsRun(run, plan, wish);
    engine::GenerationRequest& request = origin.request;
    if (given.ids.size() + given.first > request.forcedIds.size()) {
        // Words were put in while it was paused: up to them the answer is kept, and they are given at once.
        for (size_t i = 0; i < given.first; ++i)
            request.promptIds.push_back(run.records()[i].id);
        request.draftTokenCount += int(given.first);
        request.lengthCap = std::max(0, request.lengthCap - int(given.first));
        request.forcedIds = given.ids;
        request.bannedFirstIds.clear();
    }
    plan.prompt.ids = request.promptIds; // with those of the draft it writes on
    cell.problem = misfitOf(plan);
    if (cell.problem)
        return cell;
    const bool isWhole = given.first == 0; // the run begins where it began
    if (isWhole && answer.parts().size() == 1) {
        cell.opening = answer.opening();
        origin.kept = run.origin().kept;
    } else {
        // What was written before is kept, as in a fork.
        const engine::TokenIds& ids = request.promptIds;
        cell.opening.source = engine::TokenSource::Sampled;
        cell.opening.ids.assign(ids.end() - request.draftTokenCount, ids.end());
        cell.opening.text = isWhole ? answer.text().substr(0, answer.seams().back())
                                    : shownText(*m_model->text->tokenizer, cell.opening.ids);
        origin.kept = answer.keptTokens(cell.opening.ids.size());
    }
    cell.draft = std::make_unique<Draft>(std::move(origin));
    cell.prompt = std::move(plan.prompt);
    return cell;
}

void Workspace::banInChat(Conversation& conversation, engine::TokenId id)
{
    ChatSettings settings = conversation.settings();
    const std::string piece = m_model->text->tokenizer->pieceText(id);
    const QString text = QString::fromStdString(piece);
    const bool isText = text.toStdString() == piece;
    const QByteArray bytes(piece.data(), qsizetype(piece.size()));
    const BannedToken token { id, vocabularyHash(),
        isText ? text : QStringLiteral("⟨%1⟩").arg(QString::fromLatin1(bytes.toHex(' ').toUpper())) };
    for (const BannedToken& known : settings.bannedTokens)
        if (known.id == token.id && known.vocabularySha256 == token.vocabularySha256)
            return;
    settings.bannedTokens.push_back(token);
    conversation.setSettings(std::move(settings));
}

engine::ScoreReadId Workspace::readScores(engine::TokenIds prefix)
{
    m_client.readScores({ ++m_lastRead, std::move(prefix), m_model->description.fingerprint });
    return m_lastRead;
}

void Workspace::cancelScores(engine::ScoreReadId id) { m_client.cancelScores(id); }

QString Workspace::vocabularyHash() const
{
    return m_model && m_vocabularyHash.valid() ? QString::fromStdString(m_vocabularyHash.get()) : QString();
}

void Workspace::readAnswerDetails(Conversation& conversation, Turn& answer)
{
    readDetails(conversation, answer, {});
}

bool Workspace::readAnswerDetails(
    Conversation& conversation, Turn& answer, std::function<void(Turn&)> then)
{
    if (!answer.answer || !answer.answer->hasDetails())
        return answer.answer && readDetails(conversation, answer, std::move(then));
    then(answer);
    return true;
}

/// Reads the ids of the parts; then is called once when all are there, and not when one cannot be read.
bool Workspace::readDetails(Conversation& conversation, Turn& turn, std::function<void(Turn&)> then)
{
    if (!m_storage)
        return false;
    const auto onceRead = std::make_shared<std::function<void(Turn&)>>(std::move(then));
    for (const auto& part : turn.answer->parts()) {
        if (part->hasDetails())
            continue;
        m_storage->readRun(StoredRunId(part->runId()),
            [this, onceRead, id = part->runId(), turnId = turn.id, into = QPointer(&conversation)](
                engine::Result<StoredRunDetails> details) {
                Turn* read = into ? into->findTurn(turnId) : nullptr;
                Draft* draft = read ? read->answer->partOf(id) : nullptr;
                if (!draft)
                    return;
                if (!details) {
                    refuse(*into, details.error());
                    return;
                }
                if (!draft->hasDetails()) { // somebody else may have asked too
                    draft->setDetails(std::move(details->promptIds), std::move(details->promptText),
                        std::move(details->tokens), std::move(details->kept));
                    into->announceDetails(*read);
                }
                if (read->answer->hasDetails())
                    if (const auto goOn = std::exchange(*onceRead, {}))
                        goOn(*read);
            });
    }
    return true;
}

} // namespace app
