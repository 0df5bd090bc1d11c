#include "ui/library/verify_bar.h"

#include "ui/inspect/piece_words.h"
#include "ui/library/copied_table.h"
#include "ui/library/replay_table.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

VerifyBar::VerifyBar(app::Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_verification(workspace)
    , m_button(new QPushButton(this))
    , m_words(new QLabel(this))
    , m_candidates(new ReplayTable(this))
    , m_table(new CopiedTable(this))
{
    m_button->setObjectName(QStringLiteral("verify"));
    m_button->setAutoDefault(false);
    m_button->setToolTip(tr("Runs it again with the loaded model and compares every token"));
    m_words->setObjectName(QStringLiteral("verifyWords"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_table->setObjectName(QStringLiteral("verifyTable"));
    m_table->setAccessibleName(tr("What could have come there, as recorded and now"));
    m_table->setModel(m_candidates);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gridUnit(this));
    column->addWidget(m_words);
    column->addWidget(m_table);
    connect(m_button, &QPushButton::clicked, this, &VerifyBar::press);
    connect(&m_verification, &app::RunVerification::changed, this, &VerifyBar::showState);
    clear();
}

void VerifyBar::press()
{
    if (m_verification.isUnderWay()) {
        m_verification.cancel();
        tell(tr("Verifying was stopped: nothing is known of this run’s other tokens."));
    } else {
        emit recordWanted();
    }
}

void VerifyBar::verify(const nlohmann::ordered_json& record) { m_verification.start(record); }

void VerifyBar::tell(const QString& words)
{
    m_words->setText(words);
    m_words->setVisible(!words.isEmpty());
    m_table->hide();
    m_button->setText(m_verification.isUnderWay() ? tr("Stop &verifying") : tr("&Verify"));
    setVisible(!words.isEmpty());
    if (!words.isEmpty())
        emit told(words);
}

void VerifyBar::clear()
{
    m_verification.cancel();
    tell({});
}

void VerifyBar::showState()
{
    if (m_verification.isUnderWay())
        return tell(m_verification.tokenCount() == 0
                ? tr("Verifying: the record is read.")
                : tr("Verifying: %L1 of %L2 tokens are equal so far.")
                      .arg(m_verification.comparedCount())
                      .arg(m_verification.tokenCount()));
    if (!m_verification.failure().isEmpty())
        return tell(tr("Not verified. %1").arg(m_verification.failure()));
    const auto& outcome = m_verification.outcome();
    if (!outcome)
        return tell({}); // it was stopped
    tell(outcomeWords());
    const bool hasCandidates = outcome->difference
        && (!outcome->difference->recordedTop.empty() || !outcome->difference->replayedTop.empty());
    if (!hasCandidates)
        return;
    m_candidates->setDifference(*outcome->difference);
    m_table->show();
    m_table->fitColumns(ReplayTable::Recorded);
    m_table->setFixedHeight(m_table->horizontalHeader()->height() + 2 * m_table->frameWidth()
        + m_candidates->rowCount() * m_table->verticalHeader()->defaultSectionSize());
}

QString VerifyBar::outcomeWords() const
{
    const app::RunVerification::Outcome& outcome = *m_verification.outcome();
    const QString device = QString::fromStdString(outcome.device);
    QString words;
    if (const auto& difference = outcome.difference) {
        const QString recorded = spokenBytes(difference->recorded.bytes);
        words = difference->replayed
            ? tr("Different from token %1 on: ‘%2’ was recorded, ‘%3’ came now, on %4.")
                  .arg(QString::number(difference->token + 1), recorded,
                      spokenBytes(difference->replayed->bytes), device)
            : tr("Different from token %1 on: ‘%2’ was recorded, now it ended before, on %3.")
                  .arg(QString::number(difference->token + 1), recorded, device);
    } else {
        words = outcome.tokenCount == 1
            ? tr("Equal: its one token came again, on %1.").arg(device)
            : tr("Equal: all %1 tokens came again, on %2.")
                  .arg(QLocale().toString(qulonglong(outcome.tokenCount)), device);
    }
    if (!outcome.contradiction.empty())
        words += QLatin1Char('\n') + tr("But %1.").arg(QString::fromStdString(outcome.contradiction));
    return words;
}

} // namespace ui
