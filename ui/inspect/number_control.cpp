#include "ui/inspect/number_control.h"

#include "ui/theme/theme.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace ui {

NumberControl::NumberControl(const QString& name, const NumberRange& range, QWidget* parent)
    : QWidget(parent)
    , m_range(range)
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_box(new QDoubleSpinBox(this))
{
    auto* label = new QLabel(this);
    label->setTextFormat(Qt::PlainText);
    label->setText(name);
    label->setBuddy(m_box);
    label->setMinimumWidth(fontMetrics().averageCharWidth() * 19); // in one column with its like
    m_slider->setRange(0, int(std::lround((range.sliderMost - range.least) / range.step)));
    m_slider->setAccessibleName(tr("%1, slider").arg(name));
    m_slider->setMinimumWidth(gridUnit(this) * 6);
    m_box->setDecimals(range.decimals);
    m_box->setRange(range.least, range.most);
    m_box->setSingleStep(range.step);
    m_box->setAccessibleName(name);
    m_box->setFixedWidth( // as its like, whose numbers may be longer
        fontMetrics().horizontalAdvance(QStringLiteral("1048576")) + gridUnit(this) * 5);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(gridUnit(this));
    row->addWidget(label);
    row->addWidget(m_slider, 1);
    row->addWidget(m_box);
    connect(m_slider, &QSlider::valueChanged, this,
        [this](int place) { m_box->setValue(m_range.least + place * m_range.step); });
    connect(m_box, &QDoubleSpinBox::valueChanged, this, [this] {
        showOnSlider();
        emit changed();
    });
}

double NumberControl::value() const { return m_box->value(); }

void NumberControl::setValue(double value)
{
    const QSignalBlocker quiet(m_box);
    m_box->setValue(value);
    showOnSlider();
}

void NumberControl::showOnSlider()
{
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(int(std::lround((m_box->value() - m_range.least) / m_range.step)));
}

} // namespace ui
