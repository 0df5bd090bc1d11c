#pragma once

#include "ui/inspect/token_colours.h"
#include "ui/theme/theme.h"

#include <QWidget>

namespace ui {

/// What the tints of a token strip mean: the scale with its numbers, and the dotted underline of
/// what is not known. The same in words for those who do not see it.
class TokenLegend : public QWidget {
    Q_OBJECT
public:
    explicit TokenLegend(QWidget* parent = nullptr);

    void setMeasure(TokenMeasure measure);
    /// One of the measure's units; others are taken as its first.
    void setUnit(ValueUnit unit);
    TokenMeasure measure() const { return m_measure; }
    ValueUnit unit() const;
    /// The numbers of the scale as they are shown, from the low end.
    QStringList tickWords() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void say();
    QStringList wordsOf(const std::vector<double>& ticks) const;
    void paintWords(QPainter& painter, const std::vector<double>& ticks, int row) const;
    QRectF bar() const;

    TokenMeasure m_measure = TokenMeasure::Probability;
    ValueUnit m_unit = ValueUnit::Percent;
    TokenColours m_colours;
    Theme m_theme;
};

} // namespace ui
