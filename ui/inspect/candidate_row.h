#pragma once

#include "ui/inspect/trace_words.h"

#include <QLabel>

namespace ui {

/// One candidate as a bar: its piece, raw and final probability, and the stage that dropped it.
/// The thin bar is the raw probability, the thick one below it the final one. Assistive software
/// reads it as one sentence.
class CandidateRow : public QLabel {
    Q_OBJECT
public:
    explicit CandidateRow(QWidget* parent = nullptr);

    void setWords(const CandidateWords& words);
    const CandidateWords& words() const { return m_words; }
    /// The widths that all rows share.
    struct Columns {
        int raw = 0;
        int outcome = 0;
    };
    static Columns neededColumns(const CandidateWords& words, const QFontMetrics& metrics);
    void setColumns(const Columns& columns);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void focused();

protected:
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    /// A label keeps keys to itself; these belong to the list.
    void keyPressEvent(QKeyEvent* event) override;

private:
    void paintBars(QPainter& painter) const;

    CandidateWords m_words;
    Columns m_columns;
};

} // namespace ui
