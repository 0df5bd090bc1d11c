#include "ui/compare/what_if_page.h"

#include "ui/compare/compare_words.h"
#include "ui/compare/ledger_table.h"
#include "ui/compare/what_if_bar.h"
#include "ui/theme/theme.h"

#include <QSplitter>
#include <QTextEdit>
#include <QVBoxLayout>

namespace ui {

WhatIfPage::WhatIfPage(QWidget* parent)
    : QWidget(parent)
    , m_bar(new WhatIfBar(this))
    , m_text(new QTextEdit(this))
    , m_ledgers(new LedgerTable(this))
{
    m_text->setReadOnly(true);
    m_text->setAcceptRichText(false);
    m_text->setTabChangesFocus(true);
    m_text->setObjectName(QStringLiteral("whatIfText"));
    m_text->setAccessibleName(tr("Text as it would have been, the rest struck out"));
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->addWidget(m_text);
    parts->addWidget(m_ledgers);
    parts->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_bar);
    column->addWidget(parts, 1);
    connect(m_bar, &WhatIfBar::outcomeChanged, this, &WhatIfPage::showOutcome);
    setRun({});
}

void WhatIfPage::setRun(std::optional<AlignedRun> run)
{
    if (m_run && run && m_run->label == run->label && m_run->run == run->run)
        return;
    m_run = std::move(run);
    m_bar->setRun(m_run ? std::optional(m_run->run) : std::nullopt);
}

void WhatIfPage::showOutcome()
{
    const std::optional<app::StopOutcome>& outcome = m_bar->outcome();
    const QString had = m_run ? QString::fromStdString(m_run->run.text) : QString();
    const QString would = outcome ? QString::fromStdString(outcome->text) : had;
    // A stop string that is not heeded shows what was cut away by it.
    const qsizetype common = commonLength(would, had);
    const QString rest = would.size() == common ? had.mid(common) : QString();
    m_text->setPlainText(would + rest);
    QTextEdit::ExtraSelection struck;
    struck.cursor = QTextCursor(m_text->document());
    struck.cursor.setPosition(int(would.size()));
    struck.cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
    struck.format.setForeground(Theme::of(palette()).mutedText);
    struck.format.setFontStrikeOut(true);
    m_text->setExtraSelections(rest.isEmpty() ? QList<QTextEdit::ExtraSelection>() : QList { struck });
    std::vector<AlignedRun> ledgers;
    if (m_run) {
        ledgers.push_back(*m_run);
        ledgers.front().label = tr("as run");
        AlignedRun wished = *m_run;
        wished.label = tr("what if");
        wished.run.reason = outcome ? outcome->reason : std::nullopt;
        wished.run.ledger = outcome ? outcome->ledger : engine::Ledger();
        if (outcome)
            wished.run.tokens.resize(std::min(wished.run.tokens.size(), size_t(outcome->tokenCount)));
        ledgers.push_back(std::move(wished));
    }
    m_ledgers->setRuns(ledgers);
}

} // namespace ui
