#pragma once

#include "app/inspection/token_curves.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace ui {

class CurveCanvas;

/// Curves under the token strip, the numbers of one place in words, and the jump to what is worth
/// a look (N and Shift+N). Shown are the tokens after the prompt, which alone were observed.
class CurveView : public QWidget {
    Q_OBJECT
public:
    explicit CurveView(QWidget* parent = nullptr);

    /// Borrowed until the next call; null = none.
    void setTrack(const app::TokenTrack* track);
    /// After TokenTrack::update(), with what it returned.
    void followTrack(bool restarts);
    void setCurrent(int token);
    /// To the next (1) or previous (-1) token of the chosen kind; stays where there is none.
    void jump(int direction);
    app::Interest kind() const;
    void setKind(app::Interest kind);
    /// What assistive software reads in place of the curves.
    QString summary() const;
    CurveCanvas& canvas() { return *m_canvas; }

signals:
    void tokenChosen(int token);

private:
    void showWords();

    const app::TokenTrack* m_track = nullptr;
    app::TokenCurves m_curves;
    QLabel* m_words;
    QComboBox* m_kind;
    CurveCanvas* m_canvas;
    int m_current = -1;
};

} // namespace ui
