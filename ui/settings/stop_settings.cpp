#include "ui/settings/stop_settings.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>

namespace ui {

StopSettings::StopSettings(QFormLayout& form)
    : QObject(&form)
    , m_cap(new QSpinBox)
    , m_stops(new QLineEdit)
    , m_timeCap(new QDoubleSpinBox)
{
    m_cap->setObjectName(QStringLiteral("lengthCap"));
    m_cap->setRange(1, app::kLargestLengthCap);
    m_cap->setGroupSeparatorShown(true);
    m_cap->setToolTip(
        tr("The most new tokens of one answer, the end token included. An answer that reaches it "
           "is not known to be complete."));
    form.addRow(tr("Length ca&p"), m_cap);
    m_stops->setObjectName(QStringLiteral("stopStrings"));
    m_stops->setPlaceholderText(tr("None"));
    m_stops->setToolTip(tr("Text that ends an answer when the model writes it. Several are divided "
                           "by |; \\n is a new line, \\| a bar."));
    form.addRow(tr("Stop s&trings"), m_stops);
    m_timeCap->setObjectName(QStringLiteral("timeCap"));
    m_timeCap->setRange(0, app::kLargestTimeCapMs / 1000.0);
    m_timeCap->setDecimals(3);
    m_timeCap->setSingleStep(5);
    m_timeCap->setSpecialValueText(tr("Off"));
    m_timeCap->setSuffix(tr(" s"));
    m_timeCap->setToolTip(
        tr("Seconds from the moment an answer's turn comes, reading the prompt included; 0 = off. "
           "An answer that reaches it is not known to be complete."));
    form.addRow(tr("T&ime limit"), m_timeCap);
    m_repetition = addSwitch(form, tr("End when it repeats itself"),
        tr("Ends an answer whose last tokens are %1 times the same %2 or fewer tokens.")
            .arg(app::kRepetitionLimits.repeatCount)
            .arg(app::kRepetitionLimits.longestPeriod));
    m_repetition->setObjectName(QStringLiteral("repetitionGuard"));
    m_ignoreEnd = addSwitch(form, tr("Ignore end tokens"),
        tr("Writes on where the model would end its answer, until a cap or a stop string ends it. "
           "What a model writes after its own end is often nonsense."));
    m_ignoreEnd->setObjectName(QStringLiteral("ignoreEndTokens"));
    connect(m_cap, &QSpinBox::valueChanged, this, &StopSettings::changed);
    connect(m_stops, &QLineEdit::editingFinished, this, &StopSettings::changed);
    connect(m_timeCap, &QDoubleSpinBox::valueChanged, this, &StopSettings::changed);
}

QCheckBox* StopSettings::addSwitch(QFormLayout& form, const QString& label, const QString& help)
{
    auto* field = new QCheckBox(label);
    field->setToolTip(help);
    form.addRow(field);
    connect(field, &QCheckBox::toggled, this, &StopSettings::changed);
    return field;
}

void StopSettings::show(const app::ChatSettings& settings)
{
    m_cap->setValue(settings.lengthCap);
    m_stops->setText(joinStopStrings(settings.stopStrings));
    m_timeCap->setValue(settings.timeCapMs.value_or(0) / 1000.0);
    m_repetition->setChecked(settings.guardsAgainstRepetition);
    m_ignoreEnd->setChecked(settings.ignoreEndTokens);
}

void StopSettings::readInto(app::ChatSettings& settings) const
{
    settings.lengthCap = m_cap->value();
    settings.stopStrings = splitStopStrings(m_stops->text());
    settings.timeCapMs.reset();
    if (const int timeCapMs = qRound(m_timeCap->value() * 1000); timeCapMs > 0)
        settings.timeCapMs = timeCapMs;
    settings.guardsAgainstRepetition = m_repetition->isChecked();
    settings.ignoreEndTokens = m_ignoreEnd->isChecked();
}

} // namespace ui
