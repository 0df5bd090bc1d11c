#pragma once

#include "ui/inspect/candidate_row.h"

#include <QWidget>

class QLineEdit;
class QScrollArea;

namespace ui {

class CandidateList;
class NoteLabel;

/// A field to find tokens of the whole vocabulary by their piece or id, and the matches as bars that are used like other
/// candidates. It asks; what was found is told to it. Hidden until somebody answers it (setOffered). GUI thread.
class VocabularySearch : public QWidget {
    Q_OBJECT
public:
    explicit VocabularySearch(QWidget* parent = nullptr);

    void setOffered() { show(); }
    QString text() const;
    /// Why nothing can be searched here, in words; "" when it can.
    void setObstacle(const QString& words);
    /// How far it is: "Recomputed now: 41 positions read from the cache, 1 computed"; "" for nothing to say.
    void setState(const QString& words);
    void setMatches(const std::vector<CandidateWords>& rows);
    CandidateList& matches() const { return *m_matches; }

signals:
    void textChanged(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLineEdit* m_field;
    NoteLabel* m_state;
    QScrollArea* m_area;
    CandidateList* m_matches;
};

} // namespace ui
