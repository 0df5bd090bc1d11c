// How a workspace begins several runs together, to be compared.
#include "app/conversation/workspace.h"

#include "app/conversation/journal.h"

#include <QUuid>

#include <algorithm>

namespace app {

const GridPlace* gridPlaceOf(const Turn& turn)
{
    if (!turn.answer || turn.answer->isEdited())
        return nullptr;
    const std::optional<GridPlace>& grid = turn.answer->parts().front()->origin().grid;
    return grid ? &*grid : nullptr;
}

std::vector<Turn*> turnsOfGrid(const Conversation& conversation, const std::string& id)
{
    std::vector<Turn*> found;
    for (const auto& turn : conversation.tree().turns())
        if (const GridPlace* place = gridPlaceOf(*turn); place && place->id == id && !turn->isDeleted)
            found.push_back(turn.get());
    if (found.empty())
        return found;
    const std::optional<int64_t> beside = gridPlaceOf(*found.front())->besideRun;
    for (Turn* sibling : conversation.tree().siblings(*found.front()))
        if (beside && sibling->answer && sibling->answer->partOf(engine::RunId(*beside))) {
            found.insert(found.begin(), sibling);
            break;
        }
    return found;
}

std::string newGridId()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
}

Workspace::CellPlan Workspace::planCell(
    Conversation& conversation, size_t index, const RunVariant& variant, GridPlace place)
{
    CellPlan cell;
    const auto& settings = std::get<ChatSettings>(variant.how);
    PromptParts parts = partsOf(conversation, index);
    parts.systemText = settings.systemText.toStdString();
    parts.family = settings.family;
    parts.format = variant.format;
    auto prompt = formatted(std::move(parts), roomFor(conversation, 0, settings.lengthCap));
    if (!prompt) {
        cell.problem = refusalOf(prompt.error());
        return cell;
    }
    RunPlan plan { .prompt = std::move(*prompt), .grid = std::move(place) };
    cell.problem = misfitOf(plan);
    if (cell.problem)
        return cell;
    cell.draft = std::make_unique<Draft>(originOf(settings, plan));
    cell.prompt = std::move(plan.prompt);
    return cell;
}

bool Workspace::startTogether(Conversation& conversation, Turn& answer,
    std::vector<RunVariant> variants, std::function<void(const StartedGrid&)> started,
    const GridOrder& order)
{
    const auto isAgain = [](const RunVariant& variant) { return std::holds_alternative<StopWish>(variant.how); };
    const auto againCount = std::count_if(variants.begin(), variants.end(), isAgain);
    const auto index = conversation.tree().indexOf(answer);
    if (!index || !answer.answer || variants.empty() || conversation.kind() != ConversationKind::Chat
        || (againCount > 0 && answer.answer->isEdited()) || !mayStart(conversation, order.isOfHolder))
        return false;
    if (againCount < std::ssize(variants) && !sourcesMayFit(conversation))
        return false;
    if (againCount > 0 && !answer.answer->hasDetails())
        return readDetails(conversation, answer,
            [this, into = &conversation, variants = std::move(variants), started = std::move(started), order](
                Turn& read) { startTogether(*into, read, variants, started, order); });
    RunPlan again;
    if (againCount > 0 && !planFromIds(conversation, answer, *index, again))
        return false;

    StartedGrid grid { order.id.empty() ? newGridId() : order.id, {} };
    GridPlace place { grid.id, {}, {} };
    if (const Draft* draft = answer.draft())
        place.besideRun = int64_t(draft->runId());
    std::vector<CellPlan> cells;
    for (const RunVariant& variant : variants) {
        place.label = variant.label.toStdString();
        const auto* wish = std::get_if<StopWish>(&variant.how);
        cells.push_back(wish ? planAgain(*answer.answer, again.prompt, *wish, place)
                             : planCell(conversation, *index, variant, place));
        grid.cells.push_back({ variant.label, 0, cells.back().problem });
    }
    if (std::none_of(cells.begin(), cells.end(), [](const CellPlan& cell) { return bool(cell.draft); })) {
        conversation.setProblem(cells.front().problem);
        return false;
    }

    std::vector<CellRun> runs;
    for (size_t i = 0; i < cells.size(); ++i) {
        if (!cells[i].draft)
            continue;
        Turn& turn = conversation.addAnswer(
            std::move(cells[i].opening), std::move(cells[i].draft), answer.parent, m_ids.next());
        grid.cells[i].answer = turn.id;
        runs.push_back({ &turn, std::move(cells[i].prompt) });
    }
    conversation.showTurn(answer);
    startRuns(conversation, runs);
    if (started)
        started(grid);
    return true;
}

/// They begin when all of them are safe.
void Workspace::startRuns(const Conversation& conversation, const std::vector<CellRun>& runs)
{
    struct Gathering {
        std::vector<engine::GenerationRequest> requests;
        size_t unsafeCount = 0;
    };
    const auto gathering = std::make_shared<Gathering>(); // of the callbacks of all its runs
    for (const CellRun& run : runs)
        gathering->requests.push_back(run.turn->draft()->origin().request);
    if (!m_journal)
        return beginTogether(std::move(gathering->requests));
    gathering->unsafeCount = runs.size();
    for (const engine::GenerationRequest& request : gathering->requests)
        m_notBegun.insert(request.runId);
    for (const CellRun& run : runs)
        m_journal->openRun(
            conversation, *run.turn, openingOf(conversation, run.turn->draft()->origin(), run.prompt), [this, gathering] {
                if (--gathering->unsafeCount == 0)
                    beginTogether(std::move(gathering->requests));
            });
}

void Workspace::beginTogether(std::vector<engine::GenerationRequest> requests)
{
    if (requests.size() == 1) {
        begin(requests.front());
        return cancelEarly(requests.front());
    }
    for (engine::GenerationRequest& request : requests)
        noteBegun(request);
    m_client.generateTogether(requests);
    for (const engine::GenerationRequest& request : requests)
        cancelEarly(request);
}

} // namespace app
