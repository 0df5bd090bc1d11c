#pragma once

#include "app/inspection/stage_trace.h"

#include <QWidget>

namespace ui {

/// The numbers from 0 to 1 as one bar, in stretches as long as each candidate is probable, with
/// the place where the draw fell.
class DrawBar : public QWidget {
    Q_OBJECT
public:
    explicit DrawBar(QWidget* parent = nullptr);

    /// words: what the bar tells, for assistive software.
    void setTrace(const app::StageTrace& trace, const QString& words);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Stretch {
        app::Bounds end; ///< of [0, 1)
        bool isDrawn = false;
    };
    std::vector<Stretch> m_stretches;
    std::optional<double> m_draw;
};

} // namespace ui
