#include "ui/inspect/inspector_actions.h"

#include "app/conversation/continuation.h"
#include "app/inspection/track_table.h"
#include "ui/inspect/fork_line.h"
#include "ui/inspect/inspector_control.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/piece_words.h"
#include "ui/inspect/step_bar.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/inspect/sampler_panel.h"
#include "ui/theme/labels.h"

#include <QFileDialog>
#include <QKeyEvent>
#include <QSaveFile>
#include <QToolButton>
#include <QVBoxLayout>

namespace ui {

InspectorActions::InspectorActions(
    app::Workspace& workspace, InspectorControl& control, InspectorPane& pane, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_control(control)
    , m_pane(pane)
    , m_steps(new StepBar(&pane))
    , m_forkLine(new ForkLine(&pane))
    , m_save(new QToolButton(&pane))
{
    const int unit = gridUnit(&pane);
    auto* column = new QVBoxLayout;
    column->setContentsMargins(unit, 0, unit, unit);
    column->setSpacing(unit / 2);
    column->addWidget(m_forkLine);
    column->addWidget(m_steps);
    column->addWidget(m_save, 0, Qt::AlignLeft);
    m_save->setText(tr("Save tokens…"));
    m_save->setAccessibleName(m_save->text());
    m_save->setToolTip(tr("Saves the table of this answer's tokens as CSV or JSON"));
    m_save->setFocusPolicy(Qt::StrongFocus);
    connect(m_save, &QToolButton::clicked, this, &InspectorActions::askWhereToSave);
    connect(&pane.sampler(), &SamplerPanel::settingsChosen, this, &InspectorActions::useSettings);
    static_cast<QVBoxLayout*>(pane.layout())->addLayout(column);

    TokenStrip& strip = pane.tokens().strip();
    strip.installEventFilter(this);
    connect(&strip, &TokenStrip::currentChanged, this, &InspectorActions::noteCurrent);
    connect(&pane.tokens().details(), &TokenDetails::forkRequested, this,
        [this](engine::TokenId id) { fork(id); });
    connect(&pane.tokens().details(), &TokenDetails::banRequested, this,
        [this](engine::TokenId id, bool everywhere) { fork(app::BanChoice { id, everywhere }); });
    connect(
        m_forkLine, &ForkLine::forkRequested, this, [this](const QString& text) { fork(text); });
    connect(m_steps, &StepBar::pauseRequested, this, [this] {
        if (m_conversation)
            m_workspace.pause(*m_conversation);
    });
    connect(m_steps, &StepBar::resumeRequested, this, [this](const engine::Pace& pace) {
        if (m_conversation)
            m_workspace.resume(*m_conversation, pace);
    });
    connect(m_steps, &StepBar::nextEdited, this, &InspectorActions::tellNext);
    connect(m_steps, &StepBar::nextRequested, this, &InspectorActions::takeNext);
    follow();
}

void InspectorActions::setConversation(app::Conversation* conversation)
{
    if (m_conversation)
        m_conversation->disconnect(this);
    m_conversation = conversation;
    m_waiting.reset();
    if (conversation) {
        connect(conversation, &app::Conversation::draftChanged, this, &InspectorActions::follow);
        connect(conversation, &app::Conversation::turnAdded, this, &InspectorActions::follow);
        connect(conversation, &app::Conversation::branchChanged, this, &InspectorActions::follow);
    }
    follow();
}

bool InspectorActions::eventFilter(QObject*, QEvent* event)
{
    return event->type() == QEvent::KeyPress && m_steps->handleKey(*static_cast<QKeyEvent*>(event));
}

void InspectorActions::follow()
{
    m_steps->setDraft(m_conversation ? m_conversation->activeDraft() : nullptr);
    noteCurrent();
    if (m_waiting && m_conversation && !m_conversation->activeDraft())
        // After everybody has seen that the answer ended.
        QMetaObject::invokeMethod(this, &InspectorActions::forkWaiting, Qt::QueuedConnection);
}

void InspectorActions::noteCurrent()
{
    m_forkLine->setPossible(currentIndex().has_value());
    m_save->setEnabled(m_control.track() && !m_control.track()->tokens().empty());
}

/// The seed stays that of the chat: a tried one was for this step.
void InspectorActions::useSettings(const engine::SamplerSettings& settings)
{
    if (!m_conversation)
        return;
    app::ChatSettings changed = m_conversation->settings();
    const uint64_t seed = changed.sampling.seed;
    changed.sampling = settings;
    changed.sampling.bannedIds.clear(); // those of the chat stand beside its sampler settings
    changed.sampling.seed = seed;
    m_conversation->setSettings(std::move(changed));
}

engine::TokenIds InspectorActions::nextIds(const QString& text) const
{
    if (!m_workspace.model())
        return {};
    return app::continuationIds(*m_workspace.model()->text->tokenizer, text.toStdString());
}

void InspectorActions::tellNext(const QString& text)
{
    constexpr int kNamed = 8;
    const engine::TokenIds ids = nextIds(text);
    QStringList pieces;
    for (const engine::TokenId id : std::span(ids).first(std::min<size_t>(ids.size(), kNamed)))
        pieces.append(QStringLiteral("‘%1’").arg(spokenBytes(m_workspace.model()->text->tokenizer->pieceBytes(id))));
    if (ids.size() > kNamed)
        pieces.append(tr("and %L1 more").arg(ids.size() - kNamed));
    const QString list = pieces.join(QLatin1Char(' '));
    m_steps->setNextWords(ids.empty() ? QString()
            : ids.size() == 1         ? tr("1 token: %1").arg(list)
                                      : tr("%L1 tokens: %2").arg(ids.size()).arg(list));
}

void InspectorActions::takeNext(const QString& text)
{
    engine::Pace pace;
    pace.forcedIds = nextIds(text);
    if (!m_conversation || pace.forcedIds.empty())
        return;
    pace.tokens = int(pace.forcedIds.size());
    m_workspace.resume(*m_conversation, std::move(pace));
    m_steps->clearNext();
}

void InspectorActions::askWhereToSave()
{
    const QString path = QFileDialog::getSaveFileName(
        m_pane.window(), tr("Save the tokens"), QStringLiteral("tokens.csv"), tr("Tables (*.csv);;JSON (*.json)"));
    if (!path.isEmpty())
        saveTokens(path);
}

bool InspectorActions::saveTokens(const QString& path)
{
    const app::TokenTrack* track = m_control.track();
    if (!track)
        return false;
    const std::vector<app::TableToken> tokens = app::tableTokens(*track);
    const std::string text = path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive) ? app::tokenTableJson(tokens)
                                                                                         : app::tokenTableCsv(tokens);
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(text.data(), qint64(text.size())) == qint64(text.size())
        && file.commit())
        return true;
    if (m_conversation)
        m_conversation->setProblem(app::Problem { app::Problem::Kind::NotSent, tr("The tokens were not saved"),
            tr("%1 could not be written: %2. Choose another place, or make room there.").arg(path, file.errorString()), {} });
    return false;
}

std::optional<int> InspectorActions::currentIndex() const
{
    const app::TokenTrack* track = m_control.track();
    const int token = m_pane.tokens().strip().current();
    if (!track || token < track->promptCount() || token >= int(track->tokens().size()))
        return std::nullopt;
    return token - track->promptCount();
}

void InspectorActions::fork(app::ForkChoice choice)
{
    const std::optional<int> index = currentIndex();
    const std::optional<size_t> turn = m_control.turnIndex();
    if (!index || !turn || !m_conversation || *turn >= m_conversation->turnCount())
        return;
    m_waiting = WaitingFork { m_conversation->turns()[*turn]->id, *index, std::move(choice) };
    if (m_conversation->activeDraft())
        m_workspace.stop(*m_conversation);
    else
        forkWaiting();
}

void InspectorActions::forkWaiting()
{
    if (!m_waiting || !m_conversation || m_conversation->activeDraft())
        return;
    WaitingFork waiting = *std::exchange(m_waiting, std::nullopt);
    app::Turn* answer = m_conversation->findTurn(waiting.answer);
    if (answer
        && m_workspace.fork(
            *m_conversation, *answer, waiting.tokenIndex, std::move(waiting.choice)))
        m_forkLine->clear();
}

} // namespace ui
