#include "ui/library/run_filter_row.h"

#include "app/conversation/verdict_line.h"
#include "ui/library/run_words.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QDateEdit>
#include <QHBoxLayout>
#include <QLineEdit>

namespace ui {

namespace {
    enum Days { AnyDay, Today, LastSeven, LastThirty, Between };
    constexpr int kMostModelSigns = 18;
}

RunFilterRow::RunFilterRow(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLineEdit(this))
    , m_model(new QComboBox(this))
    , m_verdict(new QComboBox(this))
    , m_reason(new QComboBox(this))
    , m_days(new QComboBox(this))
    , m_from(new QDateEdit(QDate::currentDate().addDays(-7), this))
    , m_to(new QDateEdit(QDate::currentDate(), this))
{
    m_title->setObjectName(QStringLiteral("titleFilter"));
    m_title->setPlaceholderText(tr("Part of the title"));
    m_title->setAccessibleName(tr("Part of the conversation's title"));
    m_title->setClearButtonEnabled(true);
    m_model->setObjectName(QStringLiteral("modelFilter"));
    m_model->setAccessibleName(tr("Model"));
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_model->setMinimumContentsLength(kMostModelSigns);
    m_model->addItem(tr("Any model"), QString());
    m_verdict->setObjectName(QStringLiteral("verdictFilter"));
    m_verdict->setAccessibleName(tr("Verdict"));
    m_verdict->addItem(tr("Any verdict"));
    for (const auto verdict : { engine::Verdict::Complete, engine::Verdict::Stopped,
             engine::Verdict::Capped, engine::Verdict::Partial })
        m_verdict->addItem(app::verdictWord(verdict), int(verdict));
    m_reason->setObjectName(QStringLiteral("reasonFilter"));
    m_reason->setAccessibleName(tr("Stop reason"));
    m_reason->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_reason->setMinimumContentsLength(kMostModelSigns);
    m_reason->addItem(tr("Any stop reason"));
    for (const engine::StopReasonInfo& info : engine::stopReasonTable())
        m_reason->addItem(RunWords::reason(info.reason), int(info.reason));
    m_days->setObjectName(QStringLiteral("dayFilter"));
    m_days->setAccessibleName(tr("Days"));
    m_days->addItems({ tr("Any day"), tr("Today"), tr("Last 7 days"), tr("Last 30 days"),
        tr("From – to…") });
    m_from->setObjectName(QStringLiteral("fromFilter"));
    m_to->setObjectName(QStringLiteral("toFilter"));
    m_from->setAccessibleName(tr("First day"));
    m_to->setAccessibleName(tr("Last day"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(gridUnit(this));
    line->addWidget(m_title, 1);
    for (QComboBox* box : { m_model, m_verdict, m_reason, m_days }) {
        line->addWidget(box);
        connect(box, &QComboBox::currentIndexChanged, this, &RunFilterRow::filterChanged);
    }
    for (QDateEdit* edit : { m_from, m_to }) {
        edit->setCalendarPopup(true);
        line->addWidget(edit);
        connect(edit, &QDateEdit::dateChanged, this, &RunFilterRow::filterChanged);
    }
    connect(m_title, &QLineEdit::textChanged, this, &RunFilterRow::filterChanged);
    connect(m_days, &QComboBox::currentIndexChanged, this, &RunFilterRow::placeDays);
    placeDays();
}

void RunFilterRow::placeDays()
{
    m_from->setVisible(m_days->currentIndex() == Between);
    m_to->setVisible(m_days->currentIndex() == Between);
}

app::RunFilter RunFilterRow::filter() const
{
    app::RunFilter filter;
    filter.title = m_title->text().trimmed();
    filter.checkpointFile = m_model->currentData().toString();
    if (m_verdict->currentIndex() > 0)
        filter.verdict = engine::Verdict(m_verdict->currentData().toInt());
    if (m_reason->currentIndex() > 0)
        filter.reason = engine::StopReason(m_reason->currentData().toInt());
    const QDate today = QDate::currentDate();
    switch (Days(m_days->currentIndex())) {
    case Today:
        filter.from = today;
        break;
    case LastSeven:
        filter.from = today.addDays(-6);
        break;
    case LastThirty:
        filter.from = today.addDays(-29);
        break;
    case Between:
        filter.from = m_from->date();
        filter.to = m_to->date();
        break;
    case AnyDay:
        break;
    }
    return filter;
}

void RunFilterRow::setCheckpointFiles(const QStringList& files)
{
    QStringList known;
    for (int i = 1; i < m_model->count(); ++i)
        known.append(m_model->itemData(i).toString());
    if (known == files)
        return;
    const QString chosen = m_model->currentData().toString();
    const QSignalBlocker blocker(m_model);
    while (m_model->count() > 1)
        m_model->removeItem(1);
    for (const QString& file : files)
        m_model->addItem(file, file);
    // One that is gone stays as a condition: else the list would change by itself.
    if (!chosen.isEmpty() && !files.contains(chosen))
        m_model->addItem(chosen, chosen);
    m_model->setCurrentIndex(std::max(0, m_model->findData(chosen)));
}

void RunFilterRow::clear()
{
    {
        const QSignalBlocker blocker(this);
        m_title->clear();
        for (QComboBox* box : { m_model, m_verdict, m_reason, m_days })
            box->setCurrentIndex(0);
    }
    emit filterChanged();
}

} // namespace ui
