#pragma once

#include "app/inspection/run_timeline.h"
#include "app/inspection/token_track.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QScrollBar;

namespace ui {

class NoteLabel;
class TimelineCanvas;

/// When a run did what: processing, delivery and result in words, and all of it to scale. Shown is
/// the run that chose the current token, without one the answer's last. Hidden it computes nothing.
class TimelineTab : public QWidget {
    Q_OBJECT
public:
    explicit TimelineTab(QWidget* parent = nullptr);

    /// Both must outlive their being shown here; null: none.
    void setAnswer(const app::TokenTrack* track, const app::Answer* answer);
    /// After TokenTrack::update(): shown a moment later, once for many tokens.
    void followAnswer();
    /// Index into the track; -1 = none.
    void setCurrent(int token);
    TimelineCanvas& canvas() { return *m_canvas; }
    const app::RunTimeline& timeline() const { return m_line; }

signals:
    /// Index into the track.
    void tokenChosen(int token);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    QWidget* createZoomBar();
    void showScale();
    void showStep();
    int shownPart() const;
    int firstTokenOf(int part) const;

    const app::TokenTrack* m_track = nullptr;
    const app::Answer* m_answer = nullptr;
    app::RunTimeline m_line;
    const app::Draft* m_shown = nullptr; ///< only to be compared
    int m_current = -1;
    int m_firstToken = 0; ///< of the shown run, in the track
    QLabel* m_processing;
    QLabel* m_delivery;
    QLabel* m_result;
    QLabel* m_summary;
    QLabel* m_step;
    QLabel* m_pass;
    QScrollBar* m_scroll;
    NoteLabel* m_notice;
    TimelineCanvas* m_canvas;
    QWidget* m_content;
    QTimer m_wait;
};

} // namespace ui
