#pragma once

#include "ui/inspect/trace_words.h"

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
    /// What one of app::kTracedStages left, without a draw; stretches with room have their names.
    void setStage(const app::StageTrace& trace, size_t stage, const PieceNames& names);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void setStretches(const app::StageTrace& trace, size_t stage, const QString& words);

    struct Stretch {
        app::Bounds end; ///< of [0, 1)
        bool isDrawn = false;
        QString name; ///< "" = none is shown
    };
    void paintName(QPainter& painter, const QRectF& room, const Stretch& stretch) const;

    std::vector<Stretch> m_stretches;
    bool m_hasNames = false;
    std::optional<double> m_draw;
};

} // namespace ui
