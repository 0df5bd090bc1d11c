#pragma once

#include "ui/chat/chat_view.h"

#include <QTimer>
#include <QWidget>

#include <optional>
#include <tuple>
#include <vector>

class QLabel;
class QToolButton;

namespace ui {

class FindLine;

/// Finds text in the shown messages: a line, how many places there are, and the way to the next.
/// The place is selected in its message; what is still being written is searched as it grows.
class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(ChatView& view, QWidget* parent = nullptr);

    void open();
    void close();
    void next();
    void previous();
    /// The messages have changed.
    void refresh();
    FindLine& line() { return *m_line; }

signals:
    void closed();

private:
    struct Match {
        size_t turnIndex = 0;
        TextRange range;

        auto operator<=>(const Match& other) const
        {
            return std::tuple(turnIndex, range.start)
                <=> std::tuple(other.turnIndex, other.range.start);
        }
        bool operator==(const Match& other) const
        {
            return turnIndex == other.turnIndex && range.start == other.range.start;
        }
    };
    void search();
    void step(int direction);
    void select(size_t index);
    void showCount();
    QToolButton* addButton(const QString& toolTip, void (FindBar::*slot)());

    ChatView& m_view;
    FindLine* m_line;
    QLabel* m_count;
    const app::Conversation* m_searched = nullptr;
    std::vector<Match> m_matches; ///< in the order of the messages
    std::optional<Match> m_current;
    QTimer m_refreshTimer;
};

} // namespace ui
