#pragma once

#include "app/compare/what_if_stops.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSlider;
class QSpinBox;

namespace ui {

/// Other stop settings for a finished run: where this very run would have stopped, at once and
/// without generating. Where it would have gone on, one key extends it.
class WhatIfBar : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfBar(QWidget* parent = nullptr);

    /// none: nothing can be asked.
    void setRun(std::optional<app::ComparedRun> run);
    app::StopWish wish() const;
    const std::optional<app::StopOutcome>& outcome() const { return m_outcome; }

signals:
    void outcomeChanged();
    /// The answer shall go on under these settings.
    void extendRequested(const app::StopWish& wish);

private:
    void ask();

    std::optional<app::ComparedRun> m_run;
    std::optional<app::StopOutcome> m_outcome;
    QSlider* m_slider;
    QSpinBox* m_cap;
    QLineEdit* m_strings;
    QCheckBox* m_ignoreEnd;
    QLabel* m_words;
    QPushButton* m_extend;
};

} // namespace ui
