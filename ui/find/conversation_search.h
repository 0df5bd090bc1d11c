#pragma once

#include "app/storage/storage.h"

#include <QTimer>
#include <QWidget>

class QListView;

namespace ui {

class FindLine;
class NoteLabel;
class SearchResultsModel;

/// The search in all kept conversations: a line above their list, and what was found in place of
/// the list while there is text in the line.
class ConversationSearch : public QWidget {
    Q_OBJECT
public:
    /// storage: null where nothing is kept; then there is no line. list: shown while nothing is
    /// searched for; becomes a child.
    ConversationSearch(app::Storage* storage, QWidget* list, QWidget* parent = nullptr);

    void focusLine();
    FindLine& line() { return *m_line; }
    QListView& results() { return *m_results; }
    bool isSearching() const;

signals:
    /// message: 0 for a title or a document.
    void hitChosen(const app::SearchHit& hit);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void textChanged();
    void search();
    void show(const engine::Result<std::vector<app::SearchHit>>& hits);
    void setNote(const QString& text);
    void choose();
    void step(int step);
    void clear();

    app::Storage* m_storage;
    QWidget* m_list;
    FindLine* m_line;
    NoteLabel* m_note;
    QListView* m_results;
    SearchResultsModel* m_model;
    QTimer m_pause; ///< while a person types
    int m_asked = 0; ///< answers to earlier questions are not shown
    bool m_isWaiting = false; ///< for an answer
    bool m_choosesFirst = false; ///< Enter came before the answer
};

} // namespace ui
