#pragma once

#include "ui/chat/ledger_words.h"

#include <QLabel>

namespace ui {

/// One condition in three columns: its name, how near it was, what came of it. Assistive software
/// reads it as one sentence.
class LedgerRowView : public QLabel {
    Q_OBJECT
public:
    explicit LedgerRowView(QWidget* parent = nullptr);

    void setRow(const LedgerRow& row);
    /// Width the names of all rows share.
    void setNameWidth(int width);
    int nameWidth() const;
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    /// A label keeps keys to itself; these belong to the ledger.
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// The columns of a row this wide, of unlimited height.
    struct Columns {
        QRect name;
        QRect state;
        QRect result;
    };
    Columns columnsFor(int width) const;
    QFont strongFont() const;

    LedgerRow m_row;
    int m_nameWidth = 0;
};

} // namespace ui
