#include "app/conversation/model_rounds.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace app {

ModelRounds::ModelRounds(Workspace& workspace, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
{
    connect(&workspace, &Workspace::modelChanged, this, &ModelRounds::noteModel);
    connect(&workspace, &Workspace::loadProgressed, this, &ModelRounds::noteProgress);
    connect(&workspace, &Workspace::closing, this, [this] { finish(false); });
    connect(&workspace, &Workspace::conversationAboutToBeRemoved, this, [this](const Conversation* gone) {
        if (gone == m_conversation)
            finish(true);
    });
}

ModelRounds::~ModelRounds()
{
    if (isUnderWay())
        m_workspace.releaseModel();
}

std::optional<Problem> ModelRounds::whyNot(const Conversation& conversation, const Turn& answer) const
{
    const auto refusal = [](const QString& why) {
        return Problem { Problem::Kind::NotSent, tr("The models were not compared"), why, {} };
    };
    if (isUnderWay() || m_workspace.isModelHeld())
        return refusal(tr("Models are being compared already."));
    if (m_workspace.hasActiveRuns())
        return refusal(tr("An answer is being written, which another model would end. Stop it, or wait for its end."));
    if (m_workspace.modelState() == ModelState::Loading)
        return refusal(tr("The model is still loading."));
    if (!answer.answer || conversation.kind() != ConversationKind::Chat || !conversation.isLoaded())
        return refusal(tr("There is no answer to compare."));
    return std::nullopt;
}

bool ModelRounds::begin(Conversation& conversation, Turn& answer, std::vector<RunVariant> variants)
{
    if (variants.empty())
        return false;
    if (auto problem = whyNot(conversation, answer)) {
        conversation.setProblem(std::move(problem));
        return false;
    }
    if (m_conversation)
        disconnect(m_conversation, nullptr, this, nullptr);
    m_conversation = &conversation;
    connect(&conversation, &Conversation::answerChanged, this, &ModelRounds::noteAnswer);
    m_asked = answer.id;
    m_order = { newGridId(), true };
    m_variants = std::move(variants);
    m_cells.clear();
    for (const RunVariant& variant : m_variants)
        m_cells.push_back({ .label = variant.label,
            .state = tr("waits for the model %1").arg(QFileInfo(variant.modelPath).completeBaseName()),
            .isToCome = true });
    m_first.reset();
    if (m_workspace.model())
        m_first = m_workspace.loadRequest();
    m_wanted = m_workspace.loadRequest();
    m_workspace.holdModel({ Problem::Kind::NotSent, tr("Models are being compared"),
        tr("They are loaded one after another, so that no other answer can be written meanwhile. Send the message "
           "again when that has ended, or stop it in the window that compares them. What you typed is kept."),
        {} });
    goOn();
    return true;
}

/// Later: a load must not begin while the workspace tells of the last one.
void ModelRounds::goOn()
{
    m_phase = Phase::Between;
    QMetaObject::invokeMethod(this, &ModelRounds::next, Qt::QueuedConnection);
}

void ModelRounds::next()
{
    if (m_phase != Phase::Between)
        return;
    const auto isLoaded = [this](size_t cell) {
        return m_first && m_variants[cell].modelPath.toStdString() == m_wanted.path && m_wanted == *m_first;
    };
    std::optional<size_t> chosen;
    for (size_t i = 0; i < m_cells.size(); ++i)
        if (m_cells[i].isToCome && (!chosen || (isLoaded(i) && !isLoaded(*chosen))))
            chosen = i;
    if (!chosen)
        return finish(true);
    load(*chosen);
}

void ModelRounds::load(size_t cell)
{
    m_current = cell;
    engine::ModelLoadRequest request = m_wanted; // the device and the context are the person's
    request.path = m_variants[cell].modelPath.toStdString();
    if (m_workspace.modelState() == ModelState::Ready && request == m_workspace.loadRequest())
        return write();
    m_wanted = request;
    m_phase = Phase::Loading;
    m_workspace.loadModel(std::move(request));
    noteProgress();
}

void ModelRounds::write()
{
    Turn* answer = asked();
    if (!answer)
        return finish(true);
    // A person may have turned to another branch meanwhile, which is shown again.
    Turn* const shown = m_conversation->tree().indexOf(*answer) ? nullptr : m_conversation->turns().back();
    if (shown)
        m_conversation->showTurn(*answer);
    const bool begins = m_workspace.startTogether(
        *m_conversation, *answer, { m_variants[m_current] },
        [this](const StartedGrid& started) {
            GridCell& cell = m_cells[m_current];
            cell.answer = started.cells.front().answer;
            cell.state.clear();
            cell.isToCome = false;
        },
        m_order);
    if (shown)
        m_conversation->showTurn(*shown);
    if (!begins) {
        const std::optional<Problem> problem = m_conversation->problem();
        m_conversation->setProblem(std::nullopt);
        return fail(problem);
    }
    m_phase = Phase::Writing;
    emit cellChanged(m_current);
}

void ModelRounds::noteModel()
{
    if (!isUnderWay())
        return;
    if (m_workspace.loadRequest() != m_wanted) { // somebody wants another model now
        for (size_t i = 0; i < m_cells.size(); ++i)
            if (m_cells[i].isToCome)
                giveUp(i, tr("not begun: another model was loaded meanwhile"));
        return finish(false);
    }
    if (m_phase != Phase::Loading || m_workspace.modelState() == ModelState::Loading)
        return;
    if (m_workspace.modelState() == ModelState::Ready)
        return write();
    fail(m_workspace.modelProblem());
}

void ModelRounds::noteProgress()
{
    if (m_phase != Phase::Loading)
        return;
    const engine::ModelLoadProgress& progress = m_workspace.loadProgress();
    QString words = tr("loading");
    if (!progress.step.empty())
        words += QStringLiteral(": ") + QString::fromStdString(progress.step);
    if (progress.total > 0)
        words += tr(", %1 %").arg(100 * progress.done / progress.total);
    m_cells[m_current].state = words;
    emit cellChanged(m_current);
}

void ModelRounds::noteAnswer(const Turn& turn)
{
    if (m_phase == Phase::Writing && turn.id == m_cells[m_current].answer && !turn.answer->isActive())
        goOn();
}

/// The cell that is loaded for, or about to write.
void ModelRounds::fail(std::optional<Problem> problem)
{
    GridCell& cell = m_cells[m_current];
    cell.problem = problem.value_or(Problem { Problem::Kind::LoadFailed, tr("Not begun"),
        tr("The loading of this model was stopped."), {} });
    cell.state.clear();
    cell.isToCome = false;
    emit cellChanged(m_current);
    goOn();
}

void ModelRounds::giveUp(size_t index, const QString& why)
{
    m_cells[index].state = why;
    m_cells[index].isToCome = false;
    emit cellChanged(index);
}

void ModelRounds::stop()
{
    if (!isUnderWay())
        return;
    for (size_t i = 0; i < m_cells.size(); ++i)
        if (m_cells[i].isToCome)
            giveUp(i, tr("not begun: stopped by you"));
    if (m_phase != Phase::Writing)
        return finish(true);
    if (Turn* turn = current())
        m_workspace.stop(*m_conversation, *turn); // its end leads to the next step
}

void ModelRounds::stop(size_t index)
{
    if (!isUnderWay() || index >= m_cells.size())
        return;
    if (m_cells[index].isToCome) {
        giveUp(index, tr("not begun: stopped by you"));
        if (m_phase == Phase::Loading && index == m_current)
            goOn();
    } else if (m_phase == Phase::Writing && index == m_current && current()) {
        m_workspace.stop(*m_conversation, *current());
    }
}

void ModelRounds::finish(bool restores)
{
    if (!isUnderWay())
        return;
    m_phase = Phase::Idle;
    m_workspace.releaseModel();
    for (size_t i = 0; i < m_cells.size(); ++i)
        if (m_cells[i].isToCome)
            giveUp(i, tr("not begun: the answer that was asked about is gone"));
    const bool isThere = m_first && m_workspace.modelState() == ModelState::Ready
        && m_workspace.loadRequest() == *m_first;
    if (restores && m_first && !isThere)
        m_workspace.loadModel(*m_first);
    emit ended();
}

Turn* ModelRounds::asked() const
{
    Turn* turn = m_conversation ? m_conversation->findTurn(m_asked) : nullptr;
    return turn && !turn->isDeleted ? turn : nullptr;
}

Turn* ModelRounds::current() const
{
    return m_conversation ? m_conversation->findTurn(m_cells[m_current].answer) : nullptr;
}

} // namespace app
