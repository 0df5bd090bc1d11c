#pragma once

#include <QWidget>

class QDoubleSpinBox;
class QSlider;

namespace ui {

/// What a number of a sampler stage may be, and how far its slider reaches.
struct NumberRange {
    double least = 0;
    double most = 1;
    double sliderMost = 1; ///< what lies beyond is typed
    double step = 0.01;
    int decimals = 2;
};

/// A number with a slider and a box of digits that show the same value.
class NumberControl : public QWidget {
    Q_OBJECT
public:
    NumberControl(const QString& name, const NumberRange& range, QWidget* parent = nullptr);

    double value() const;
    /// Does not emit.
    void setValue(double value);
    QSlider& slider() { return *m_slider; }
    QDoubleSpinBox& box() { return *m_box; }

signals:
    void changed();

private:
    void showOnSlider();

    NumberRange m_range;
    QSlider* m_slider;
    QDoubleSpinBox* m_box;
};

} // namespace ui
