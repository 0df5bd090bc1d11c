#include "ui/library/plan_bar.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

using State = app::PlannedRun::State;

PlanBar::PlanBar(std::unique_ptr<app::PlannedRun> plan, QWidget* parent)
    : QWidget(parent)
    , m_plan(std::move(plan))
    , m_button(new QPushButton(this))
    , m_words(new QLabel(this))
{
    m_button->setObjectName(QStringLiteral("runPlan"));
    m_button->setAutoDefault(false);
    m_words->setObjectName(QStringLiteral("planWords"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_words);
    connect(m_button, &QPushButton::clicked, this, &PlanBar::press);
    connect(m_plan.get(), &app::PlannedRun::changed, this, &PlanBar::showState);
    showState();
}

void PlanBar::press()
{
    if (m_plan->state() == State::UnderWay)
        return m_plan->cancel();
    if (const auto why = m_plan->start())
        return tell(tr("Not started. %1").arg(*why));
    emit started(m_plan->conversation(), m_plan->text());
}

void PlanBar::showState()
{
    const State state = m_plan->state();
    m_button->setText(state == State::UnderWay ? tr("Stop the &run") : tr("&Run this plan"));
    m_button->setToolTip(state == State::UnderWay
            ? tr("What there is of the answer is kept, as partial")
            : tr("Sends the message in its chat, with exactly what stands here"));
    m_button->setVisible(state != State::Ended);
    tell(state == State::Planned
            ? tr("Planned. The blanks are filled only by the run that is started here.")
            : state == State::UnderWay
            ? tr("The run is under way in its chat. The blanks are filled when it has ended.")
            : tr("Filled by the run that was started here."));
    if (state == State::Ended)
        emit filled();
}

void PlanBar::tell(const QString& words)
{
    m_words->setText(words);
    emit told(words);
}

} // namespace ui
