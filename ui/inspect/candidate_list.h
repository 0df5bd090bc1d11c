#pragma once

#include "ui/inspect/candidate_row.h"

#include <QWidget>

class QVBoxLayout;

namespace ui {

/// The likeliest tokens of a step as bars. One of them is current: up, down, Home and End move, and
/// the tab key reaches it alone.
class CandidateList : public QWidget {
    Q_OBJECT
public:
    explicit CandidateList(QWidget* parent = nullptr);

    void setRows(const std::vector<CandidateWords>& rows);
    int rowCount() const { return m_shown; }
    CandidateRow* row(int index) const { return m_rows[size_t(index)]; }
    /// The current candidate; none when it is not a single token.
    std::optional<engine::TokenId> current() const;

signals:
    void currentChanged();
    /// A candidate got the focus.
    void entered();
    /// Enter or F on a candidate.
    void activated(engine::TokenId id);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setCurrent(int index);

    std::vector<CandidateRow*> m_rows;
    QVBoxLayout* m_column;
    int m_shown = 0;
    int m_current = 0;
};

} // namespace ui
