#pragma once

#include "ui/inspect/token_measure.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QStackedLayout;

namespace ui {

class CurveView;
class ElidedLabel;
class NoteLabel;
class TokenDetails;
class TokenLegend;
class TokenStrip;

/// The tokens of one answer: what their tints stand for, the strip, and what is known of the
/// current token. Without tokens a sentence says why.
class TokensTab : public QWidget {
    Q_OBJECT
public:
    explicit TokensTab(QWidget* parent = nullptr);

    /// Both must outlive their being shown here; null: none.
    void setAnswer(const app::TokenTrack* track, const app::Answer* answer);
    /// Takes over what TokenTrack::update() brought. restarts: what it returned.
    void takeTokens(bool restarts);
    /// Shown in place of tokens where there are none.
    void setNotice(const QString& words);

    TokenStrip& strip() { return *m_strip; }
    TokenDetails& details() { return *m_details; }
    CurveView& curves() { return *m_curves; }
    const app::TokenTrack* track() const { return m_track; }
    const app::Answer* answer() const { return m_answer; }
    TokenMeasure measure() const { return m_measure; }
    void setMeasure(TokenMeasure measure);

signals:
    void measureChanged();
    /// The current token, or what is known of it, changed; -1: none.
    void tokenShown(int token);

private:
    QWidget* makeContent();
    void fillUnits();
    void chooseMeasure(int row);
    void chooseUnit(int row);
    void showLine();
    void showDetails();
    void updatePage();

    TokenMeasure m_measure = TokenMeasure::Probability;
    const app::TokenTrack* m_track = nullptr;
    const app::Answer* m_answer = nullptr;
    QComboBox* m_measures;
    QComboBox* m_units;
    QCheckBox* m_prompt;
    TokenLegend* m_legend;
    TokenStrip* m_strip;
    ElidedLabel* m_line; ///< the token pointed at, or else the current one
    CurveView* m_curves;
    TokenDetails* m_details;
    NoteLabel* m_notice;
    QStackedLayout* m_pages;
};

} // namespace ui
