#pragma once

#include "app/conversation/draft.h"

#include <QWidget>

namespace ui {

class CompareText;
class LedgerView;

/// What stands below the head of a column: the run's text, and above it, once the head's chip is
/// pressed, the ledger of why it stopped.
class CompareBody : public QWidget {
    Q_OBJECT
public:
    explicit CompareBody(QWidget* parent = nullptr);

    CompareText& text() { return *m_text; }
    bool isLedgerShown() const;
    /// Of a draft that has ended; null folds it. chip: its controls follow that one in the tab order.
    void showLedger(const app::Draft* draft, QWidget* chip);

signals:
    void closeRequested();
    void decidingTokenRequested();

private:
    LedgerView* m_ledger = nullptr;
    CompareText* m_text;
};

} // namespace ui
