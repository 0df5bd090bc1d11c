#include "ui/compare/compare_actions.h"

#include "ui/chat/chat_view.h"
#include "ui/compare/compare_details.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/variants_dialog.h"
#include "ui/theme/theme.h"

#include <QMenu>

#include <algorithm>

namespace ui {

namespace {
    /// All answers to the same message, the asked one first; none where it is the only one.
    std::vector<app::GridCell> siblingCells(app::Conversation& conversation, const app::Turn& answer)
    {
        std::vector<app::GridCell> cells { { CompareActions::tr("shown in the chat"), answer.id, {} } };
        int number = 1;
        for (const app::Turn* sibling : conversation.tree().siblings(answer)) {
            const bool isOther = sibling != &answer && sibling->answer && !sibling->isDeleted;
            if (isOther && cells.size() < app::kLargestGrid)
                cells.push_back({ CompareActions::tr("branch %L1").arg(number), sibling->id, {} });
            ++number;
        }
        return cells.size() > 1 ? cells : std::vector<app::GridCell>();
    }

    /// Whether these are runs of "Why here?" and the answer they were asked for of.
    bool isWhyGrid(const std::vector<app::GridCell>& cells, const std::vector<app::WhyColumn>& why)
    {
        return std::all_of(cells.begin() + 1, cells.end(), [&](const app::GridCell& cell) {
            return std::any_of(why.begin(), why.end(),
                [&](const app::WhyColumn& column) { return column.variant.label == cell.label; });
        });
    }

    /// Puts in what was not run because it would have been the same answer.
    void fillWhy(std::vector<app::GridCell>& cells, const std::vector<app::WhyColumn>& why)
    {
        std::vector<app::GridCell> all { cells.front() };
        for (const app::WhyColumn& column : why) {
            const auto run = std::find_if(cells.begin() + 1, cells.end(),
                [&](const app::GridCell& cell) { return cell.label == column.variant.label; });
            if (run != cells.end())
                all.push_back(*run);
            else if (!column.same.isEmpty())
                all.push_back({ .label = column.variant.label, .answer = cells.front().answer, .note = column.same });
        }
        cells = std::move(all);
    }
}

CompareActions::CompareActions(const Parts& parts, QMenu* menu)
    : QObject(parts.window)
    , m_workspace(parts.workspace)
    , m_chat(parts.chat)
    , m_store(parts.store)
    , m_models(parts.models)
    , m_window(parts.window)
    , m_rounds(parts.workspace)
{
    const auto add = [&](const QString& text, int key, void (CompareActions::*act)(app::Conversation&, app::Turn&)) {
        QAction* action = menu->addAction(text, this, [this, act] { withShown(act); });
        action->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key(key)));
    };
    add(tr("Why &here?"), Qt::Key_Y, &CompareActions::whyHere);
    add(tr("Compare with &other settings…"), Qt::Key_D, &CompareActions::askShown);
    add(tr("Show the runs compare&d with it"), Qt::Key_G, &CompareActions::showShown);
    connect(&m_rounds, &app::ModelRounds::cellChanged, this, [this](size_t cell) {
        if (m_page)
            m_page->setCell(m_firstRound + cell, m_rounds.cells()[cell]);
    });
    connect(&m_chat, &ChatView::whyRequested, this, [this](size_t turnIndex) {
        app::Conversation* conversation = m_chat.conversation();
        if (conversation && turnIndex < conversation->turnCount())
            whyHere(*conversation, *conversation->turns()[turnIndex]);
    });
}

ComparePage* CompareActions::page() const { return m_page; }

CompareDetails* CompareActions::details() const { return m_details; }

void CompareActions::withShown(void (CompareActions::*act)(app::Conversation&, app::Turn&))
{
    app::Conversation* conversation = m_chat.conversation();
    app::Turn* answer = conversation ? conversation->lastAnswerTurn() : nullptr;
    if (answer)
        (this->*act)(*conversation, *answer);
    else
        emit noted(tr("There is no answer to compare yet."));
}

bool CompareActions::mayBegin(app::Conversation& conversation, const app::Turn& answer)
{
    if (m_rounds.isUnderWay()) {
        emit noted(tr("Models are being compared. Something else can be compared when that has ended."));
        return false;
    }
    if (conversation.activeDraft()) {
        emit noted(tr("An answer is being written in this chat. It can be compared when that has ended."));
        return false;
    }
    if (!answer.answer || answer.answer->isEdited()) {
        emit noted(tr("You wrote this answer: no run ended here."));
        return false;
    }
    return true;
}

void CompareActions::whyHere(app::Conversation& conversation, app::Turn& answer)
{
    if (!mayBegin(conversation, answer))
        return;
    if (!answer.answer->hasDetails()) {
        m_workspace.readAnswerDetails(
            conversation, answer, [self = QPointer(this), into = &conversation](app::Turn& read) {
                if (self)
                    self->whyHere(*into, read);
            });
        return;
    }
    std::vector<app::GridCell> cells { { tr("as run"), answer.id, {} } };
    std::vector<app::RunVariant> variants;
    for (app::WhyColumn& column : app::whyHere(*answer.draft())) {
        const bool isSame = !column.same.isEmpty();
        cells.push_back({ .label = column.variant.label, .answer = isSame ? answer.id : 0, .note = column.same });
        if (!isSame)
            variants.push_back(std::move(column.variant));
    }
    const auto startedCells = [cells](const app::StartedGrid& grid) {
        std::vector<app::GridCell> filled = cells;
        auto run = grid.cells.begin();
        for (app::GridCell& cell : filled)
            if (cell.answer == 0)
                cell = *run++;
        return filled;
    };
    if (variants.empty())
        return show(conversation, std::move(cells));
    if (!conversation.tree().indexOf(answer))
        conversation.showTurn(answer);
    const bool begins = m_workspace.startTogether(conversation, answer, std::move(variants),
        [this, into = &conversation, startedCells](
            const app::StartedGrid& grid) { show(*into, startedCells(grid)); });
    if (begins || !conversation.problem())
        return;
    for (app::GridCell& cell : cells)
        if (cell.answer == 0)
            cell.problem = conversation.problem();
    show(conversation, std::move(cells));
}

VariantsDialog* CompareActions::askForSettings(app::Conversation& conversation, app::Turn& answer)
{
    if (!mayBegin(conversation, answer))
        return nullptr;
    app::ChatSettings base = conversation.settings();
    base.fixedSeed = answer.draft()->origin().request.sampling.seed;
    QWidget* parent = m_page && m_page->isActiveWindow() ? m_page.data() : m_window;
    auto* dialog = new VariantsDialog(
        std::move(base), { m_store, m_models.files(), QString::fromStdString(m_workspace.loadRequest().path) }, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
        [this, dialog, into = QPointer(&conversation), id = answer.id] {
            app::Turn* asked = into ? into->findTurn(id) : nullptr;
            if (asked && !dialog->variants().empty())
                begin(*into, *asked, dialog->variants());
        });
    dialog->open();
    return dialog;
}

void CompareActions::askShown(app::Conversation& conversation, app::Turn& answer)
{
    askForSettings(conversation, answer);
}

void CompareActions::showShown(app::Conversation& conversation, app::Turn& answer)
{
    if (!showGridOf(conversation, answer))
        emit noted(tr("No runs were compared with this answer."));
}

bool CompareActions::showGridOf(app::Conversation& conversation, const app::Turn& answer)
{
    if (m_rounds.isUnderWay() && m_page) {
        m_page->raise();
        m_page->activateWindow();
        return true;
    }
    std::string id;
    if (const app::GridPlace* own = app::gridPlaceOf(answer))
        id = own->id;
    // The newest that was asked for beside it.
    for (const app::Turn* sibling : conversation.tree().siblings(answer)) {
        const app::GridPlace* place = app::gridPlaceOf(*sibling);
        if (place && place->besideRun && answer.answer
            && answer.answer->partOf(engine::RunId(*place->besideRun)))
            id = place->id;
    }
    std::vector<app::GridCell> cells;
    app::Turn* asked = nullptr; // the answer beside which they were asked for
    std::optional<int64_t> askedRun;
    for (app::Turn* turn : app::turnsOfGrid(conversation, id)) {
        const app::GridPlace* place = app::gridPlaceOf(*turn);
        const bool isOfGrid = place && place->id == id;
        cells.push_back({ isOfGrid ? QString::fromStdString(place->label) : tr("as run"), turn->id, {} });
        if (isOfGrid)
            askedRun = place->besideRun;
        else
            asked = turn;
    }
    if (cells.empty())
        cells = siblingCells(conversation, answer);
    if (cells.empty())
        return false;
    const app::Draft* draft = asked && askedRun ? asked->answer->partOf(engine::RunId(*askedRun)) : nullptr;
    const std::vector<app::WhyColumn> why = draft ? app::whyHere(*draft) : std::vector<app::WhyColumn>();
    const bool isWhy = draft && isWhyGrid(cells, why);
    if (!isWhy || draft->hasDetails()) {
        if (isWhy)
            fillWhy(cells, why);
        show(conversation, std::move(cells));
        return true;
    }
    return m_workspace.readAnswerDetails(conversation, *asked,
        [self = QPointer(this), into = &conversation, id = answer.id](app::Turn&) {
            if (app::Turn* turn = into->findTurn(id); self && turn)
                self->showGridOf(*into, *turn);
        });
}

void CompareActions::begin(
    app::Conversation& conversation, app::Turn& answer, std::vector<app::RunVariant> variants)
{
    if (!conversation.tree().indexOf(answer))
        conversation.showTurn(answer);
    const bool isOfModels = !variants.front().modelPath.isEmpty();
    const auto showCells = [this, into = &conversation, asked = answer.id](std::vector<app::GridCell> cells) {
        m_firstRound = cells.size() < app::kLargestGrid ? 1 : 0;
        if (m_firstRound > 0)
            cells.insert(cells.begin(), { tr("as run"), asked, {} });
        show(*into, std::move(cells));
    };
    const bool begins = isOfModels
        ? m_rounds.begin(conversation, answer, std::move(variants))
        : m_workspace.startTogether(conversation, answer, std::move(variants),
            [showCells](const app::StartedGrid& grid) { showCells(grid.cells); });
    if (begins && isOfModels)
        showCells(m_rounds.cells());
    if (const auto& problem = conversation.problem(); !begins && problem)
        emit noted(problem->title + QStringLiteral(". ") + problem->message);
}

void CompareActions::show(app::Conversation& conversation, std::vector<app::GridCell> cells)
{
    if (!m_page) {
        m_page = new ComparePage(m_workspace, m_window);
        m_page->setWindowFlag(Qt::Window);
        m_page->setAttribute(Qt::WA_DeleteOnClose);
        const int unit = gridUnit(m_page);
        m_page->resize(unit * 140, unit * 80);
        m_details = new CompareDetails(m_workspace, *m_page);
        m_page->setBelow(m_details);
        connect(m_details, &CompareDetails::noted, m_page, &ComparePage::tell);
        connect(m_page, &QObject::destroyed, this, [this] {
            m_page.clear(); // a widget that is being destroyed can still be pointed at
            m_rounds.stop();
        });
        connect(m_page, &ComparePage::giveUpAllRequested, &m_rounds, qOverload<>(&app::ModelRounds::stop));
        connect(m_page, &ComparePage::giveUpRequested, &m_rounds,
            [this](int column) { m_rounds.stop(size_t(column) - m_firstRound); });
        connect(m_page, &ComparePage::openRequested, this, &CompareActions::openRequested);
        connect(m_page, &ComparePage::settingsRequested, this,
            [this](app::Conversation* shown, app::MessageId id) {
                if (app::Turn* turn = shown->findTurn(id))
                    askForSettings(*shown, *turn);
            });
    }
    m_page->setCells(conversation, std::move(cells)); // first: the focus goes to a column
    m_page->show();
    m_page->raise();
    m_page->activateWindow();
}

} // namespace ui
