#include "ui/inspect/vocabulary_control.h"

#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/inspect/trace_words.h"
#include "ui/inspect/vocabulary_search.h"

namespace ui {

VocabularyControl::VocabularyControl(app::Workspace& workspace, InspectorPane& pane, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_pane(pane)
    , m_scores(workspace)
{
    VocabularySearch& search = pane.tokens().details().search();
    search.setOffered();
    connect(&pane.tokens(), &TokensTab::tokenShown, this, [this](int token) {
        m_token = token;
        follow();
    });
    connect(&workspace, &app::Workspace::modelChanged, this, &VocabularyControl::follow);
    connect(&search, &VocabularySearch::textChanged, this, &VocabularyControl::refresh);
    connect(&m_scores, &app::ScoreSearch::changed, this, &VocabularyControl::refresh);
}

/// Which answer's token is shown, and whether its model is there.
void VocabularyControl::follow()
{
    m_scores.setPlace(obstacle().isEmpty() ? place() : std::nullopt);
    refresh();
}

std::optional<app::ScorePlace> VocabularyControl::place() const
{
    const app::TokenTrack* track = m_pane.tokens().track();
    if (!track || m_token < 0 || m_token >= int(track->tokens().size()))
        return std::nullopt;
    app::ScorePlace place { track->idsBefore(m_token), {} };
    if (const engine::SamplerSettings* sampling = track->samplingOf(m_token)) {
        place.settings = *sampling;
        if (track->isFirstOfRun(m_token)) {
            const engine::TokenIds banned = track->bannedFirstIdsOf(m_token);
            place.settings.bannedIds.insert(place.settings.bannedIds.end(), banned.begin(), banned.end());
        }
    }
    return place;
}

QString VocabularyControl::obstacle() const
{
    const app::TokenTrack* track = m_pane.tokens().track();
    const app::Answer* answer = m_pane.tokens().answer();
    if (!track || !answer || answer->parts().empty() || m_token < 0 || m_token >= int(track->tokens().size()))
        return tr("No token is selected.");
    const app::Draft* draft = track->draftOf(m_token);
    const app::Draft& writer = draft ? *draft : *answer->parts().front();
    const QString file = QString::fromStdString(writer.origin().checkpointFile);
    if (!m_workspace.model() || m_workspace.modelState() != app::ModelState::Ready)
        return tr("To search the whole vocabulary, load %1, which wrote this answer.").arg(file);
    if (!m_workspace.isOfThisModel(writer))
        return tr("%1 wrote this answer, and another model is loaded. Load that one to search its vocabulary.").arg(file);
    if (m_token == 0)
        return tr("No token stands before this one, so the model gives no scores for it.");
    return {};
}

void VocabularyControl::refresh()
{
    VocabularySearch& search = m_pane.tokens().details().search();
    const QString words = obstacle();
    search.setObstacle(words);
    if (!words.isEmpty() || search.text().isEmpty()) {
        if (words.isEmpty())
            search.setState({});
        return search.setMatches({});
    }
    if (m_scores.state() == app::ScoreState::NotAsked)
        return m_scores.read(); // and comes back here
    const app::ScoreSearch::Matches matches = m_scores.find(search.text(), kMostMatches);
    search.setState(stateWords(matches));
    const app::TokenTrack& track = *m_pane.tokens().track();
    const bool wasChosen = track.samplingOf(m_token) != nullptr;
    search.setMatches(rowWords(matches.best,
        { .names = pieceNames(track, m_token), .chosen = track.tokens()[size_t(m_token)].id, .isGreedy = matches.isGreedy,
            .hasStages = wasChosen }));
}

QString VocabularyControl::stateWords(const app::ScoreSearch::Matches& matches) const
{
    switch (m_scores.state()) {
    case app::ScoreState::Failed:
        return m_scores.problem();
    case app::ScoreState::Reading:
        if (const auto& progress = m_scores.progress())
            return tr("Reading what stood before: %L1 of %L2 (%L3 from the cache)")
                .arg(progress->done)
                .arg(progress->total)
                .arg(progress->reused);
        return tr("Waiting for the model…");
    case app::ScoreState::NotAsked:
        return {};
    case app::ScoreState::Ready:
        break;
    }
    const QString read = tr("Recomputed now: %L1 read from the cache, %L2 computed")
                             .arg(m_scores.reusedPositions())
                             .arg(m_scores.computedPositions());
    const QString found = matches.count == 0 ? tr("no token matches")
        : matches.count == 1                 ? tr("1 token matches")
        : matches.count <= int(kMostMatches) ? tr("%L1 tokens match").arg(matches.count)
                                             : tr("%L1 tokens match, the %L2 likeliest are listed")
                                                   .arg(matches.count)
                                                   .arg(matches.best.size());
    return read + QStringLiteral(" · ") + found;
}

} // namespace ui
