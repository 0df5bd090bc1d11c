#pragma once

#include "ui/inspect/candidate_row.h"

#include <QTimer>
#include <QWidget>

class QVBoxLayout;

namespace ui {

/// Tokens of a step as bars. One of them is current: up, down, Home and End move, and the tab key
/// reaches it alone. A long list comes in portions, so that no step of the window is long.
class CandidateList : public QWidget {
    Q_OBJECT
public:
    explicit CandidateList(QWidget* parent = nullptr);

    void setRows(const std::vector<CandidateWords>& rows);
    /// Those that are there already.
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
    static constexpr int kPortion = 25; ///< more than are in view

    void showPortion();
    CandidateRow* rowFor(int index);
    void setCurrent(int index);

    std::vector<CandidateRow*> m_rows; ///< those beyond m_shown are hidden
    std::vector<CandidateWords> m_words; ///< of all rows, shown or yet to come
    CandidateRow::Columns m_columns;
    QVBoxLayout* m_column;
    QTimer m_nextPortion;
    int m_shown = 0;
    int m_current = 0;
};

} // namespace ui
