#pragma once

#include "app/inspection/score_search.h"

#include <QObject>

namespace ui {

class InspectorPane;

/// Answers the search of the vocabulary in the details of a token: reads the scores of the current place when a text is
/// typed, and shows what matches. GUI thread.
class VocabularyControl : public QObject {
    Q_OBJECT
public:
    VocabularyControl(app::Workspace& workspace, InspectorPane& pane, QObject* parent = nullptr);

    app::ScoreSearch& scores() { return m_scores; }
    static constexpr size_t kMostMatches = 200;

private:
    void follow();
    void refresh();
    QString obstacle() const;
    std::optional<app::ScorePlace> place() const;
    QString stateWords(const app::ScoreSearch::Matches& matches) const;

    app::Workspace& m_workspace;
    InspectorPane& m_pane;
    app::ScoreSearch m_scores;
    int m_token = -1;
};

} // namespace ui
