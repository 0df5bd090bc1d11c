#pragma once

#include "ui/compare/aligned_run.h"

#include <QWidget>

class QTextEdit;

namespace ui {

class LedgerTable;
class WhatIfBar;

/// Where one finished run would have stopped under other stop settings: its text up to there, the
/// rest struck out, and the ledger of that moment beside its own.
class WhatIfPage : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfPage(QWidget* parent = nullptr);

    /// What a person has set stays while it is the same run.
    void setRun(std::optional<AlignedRun> run);
    WhatIfBar& bar() { return *m_bar; }

private:
    void showOutcome();

    std::optional<AlignedRun> m_run;
    WhatIfBar* m_bar;
    QTextEdit* m_text;
    LedgerTable* m_ledgers;
};

} // namespace ui
