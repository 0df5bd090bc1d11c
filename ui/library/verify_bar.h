#pragma once

#include "app/compare/run_verification.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace ui {

class CopiedTable;
class ReplayTable;

/// Runs a recorded run again with the loaded model and says what came out: equal, or the first token
/// that is another one with both distributions, or why it cannot be done.
class VerifyBar : public QWidget {
    Q_OBJECT
public:
    explicit VerifyBar(app::Workspace& workspace, QWidget* parent = nullptr);

    /// Begins or, while it is under way, stops: for a window's row of buttons.
    QPushButton* button() { return m_button; }
    void verify(const nlohmann::ordered_json& record);
    void tell(const QString& words);
    /// Stops what is under way, and forgets what came out.
    void clear();

signals:
    /// The button was pressed: verify() with the record, or tell() why there is none.
    void recordWanted();
    void told(const QString& words);

private:
    void press();
    void showState();
    QString outcomeWords() const;

    app::RunVerification m_verification;
    QPushButton* m_button;
    QLabel* m_words;
    ReplayTable* m_candidates;
    CopiedTable* m_table;
};

} // namespace ui
