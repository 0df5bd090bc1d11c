#pragma once

#include "app/inspection/stage_trace.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QToolButton;

namespace ui {

class CandidateList;
class DrawBar;
class FullInput;
class NoteLabel;
class VocabularySearch;

/// All that is known of one token: what it is, how likely it was, what else it could have been and
/// which stage of the sampler dropped that, where the draw fell, and what the model had read. Candidates and
/// matches of a search of the vocabulary may be used alike.
class TokenDetails : public QWidget {
    Q_OBJECT
public:
    explicit TokenDetails(QWidget* parent = nullptr);

    using QWidget::show;
    /// The track must outlive this, or be let go with clear().
    void show(const app::TokenTrack& track, const app::Answer& answer, int token);
    void clear();
    CandidateList& candidates() { return *m_candidates; }
    VocabularySearch& search() { return *m_search; }

signals:
    /// Another token instead of the shown one, from which the answer shall go on.
    void forkRequested(engine::TokenId id);
    /// A token that shall not be chosen: here, or anywhere in this chat. From here the answer shall go on.
    void banRequested(engine::TokenId id, bool everywhere);

protected:
    void connectNotify(const QMetaMethod& signal) override;
    void changeEvent(QEvent* event) override;

private:
    void showFacts();
    void showChoice();
    void showActions();
    void setActive(CandidateList* list);
    std::optional<engine::TokenId> current() const;
    void applyColors();
    void setHasContent(bool hasContent);

    const app::TokenTrack* m_track = nullptr;
    int m_token = 0;
    NoteLabel* m_empty;
    QWidget* m_content;
    QLabel* m_title;
    QGridLayout* m_facts;
    std::vector<QLabel*> m_names;
    std::vector<QLabel*> m_values;
    QLabel* m_heading;
    NoteLabel* m_unobserved;
    CandidateList* m_candidates;
    VocabularySearch* m_search;
    CandidateList* m_active; ///< which of both lists the actions are for
    QWidget* m_actions;
    QToolButton* m_fork;
    QToolButton* m_ban;
    QToolButton* m_banEverywhere;
    QWidget* m_choice;
    DrawBar* m_bar;
    NoteLabel* m_drawWords;
    NoteLabel* m_limits;
    FullInput* m_input;
};

} // namespace ui
