#include "ui/compare/compare_body.h"

#include "ui/chat/ledger_view.h"
#include "ui/compare/compare_text.h"
#include "ui/theme/theme.h"

#include <QVBoxLayout>

namespace ui {

CompareBody::CompareBody(QWidget* parent)
    : QWidget(parent)
    , m_text(new CompareText(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gridUnit(this));
    column->addWidget(m_text);
    setMinimumWidth(1); // all columns have the width of their heads, whatever is in them
}

bool CompareBody::isLedgerShown() const { return m_ledger && !m_ledger->isHidden(); }

void CompareBody::showLedger(const app::Draft* draft, QWidget* chip)
{
    const bool shows = draft && draft->ending();
    if (!shows && !m_ledger)
        return;
    if (!m_ledger) {
        m_ledger = new LedgerView(this);
        static_cast<QVBoxLayout*>(layout())->insertWidget(0, m_ledger);
        connect(m_ledger, &LedgerView::closeRequested, this, &CompareBody::closeRequested);
        connect(m_ledger, &LedgerView::decidingTokenRequested, this, &CompareBody::decidingTokenRequested);
    }
    if (shows) {
        m_ledger->setWords(ledgerWords(*draft));
        m_ledger->followInTabOrder(chip);
    }
    m_ledger->setVisible(shows);
}

} // namespace ui
