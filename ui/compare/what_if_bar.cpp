#include "ui/compare/what_if_bar.h"

#include "app/settings/chat_settings.h"
#include "ui/compare/difference_words.h"
#include "ui/settings/stop_settings.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

namespace ui {

WhatIfBar::WhatIfBar(QWidget* parent)
    : QWidget(parent)
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_cap(new QSpinBox(this))
    , m_strings(new QLineEdit(this))
    , m_ignoreEnd(new QCheckBox(tr("&ignore end tokens"), this))
    , m_words(new QLabel(this))
    , m_extend(new QPushButton(tr("E&xtend"), this))
{
    m_slider->setAccessibleName(tr("What-if length cap"));
    m_slider->setObjectName(QStringLiteral("whatIfSlider"));
    m_cap->setRange(0, app::kLargestLengthCap);
    m_cap->setObjectName(QStringLiteral("whatIfCap"));
    m_cap->setAccessibleName(tr("What-if length cap"));
    m_strings->setObjectName(QStringLiteral("whatIfStrings"));
    m_strings->setPlaceholderText(tr("no stop strings"));
    m_strings->setAccessibleName(tr("What-if stop strings"));
    m_strings->setToolTip(tr("Separated by |; \\n is a line end, \\| a bar"));
    m_ignoreEnd->setObjectName(QStringLiteral("whatIfIgnoreEnd"));
    m_words->setObjectName(QStringLiteral("whatIfWords"));
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::PlainText);
    m_extend->setObjectName(QStringLiteral("extend"));
    m_extend->setAutoDefault(false);
    auto* row = new QHBoxLayout;
    auto* name = new QLabel(tr("What if the ca&p were"), this);
    name->setTextFormat(Qt::PlainText);
    name->setBuddy(m_cap);
    row->addWidget(name);
    row->addWidget(m_cap);
    row->addWidget(m_slider, 2);
    row->addWidget(m_strings, 2);
    row->addWidget(m_ignoreEnd);
    auto* below = new QHBoxLayout;
    below->addWidget(m_words, 1);
    below->addWidget(m_extend);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addLayout(below);
    connect(m_slider, &QSlider::valueChanged, m_cap, &QSpinBox::setValue);
    connect(m_cap, &QSpinBox::valueChanged, this, [this](int cap) {
        const QSignalBlocker blocker(m_slider);
        m_slider->setValue(cap);
        ask();
    });
    connect(m_strings, &QLineEdit::textChanged, this, &WhatIfBar::ask);
    connect(m_ignoreEnd, &QCheckBox::toggled, this, &WhatIfBar::ask);
    connect(m_extend, &QPushButton::clicked, this, [this] { emit extendRequested(wish()); });
    setRun({});
}

void WhatIfBar::setRun(std::optional<app::ComparedRun> run)
{
    m_run = std::move(run);
    const bool canAsk = m_run && m_run->request;
    setEnabled(canAsk);
    if (canAsk) {
        const app::StopWish wish = app::stopWishOf(*m_run);
        const QSignalBlocker slider(m_slider);
        const QSignalBlocker cap(m_cap);
        const QSignalBlocker strings(m_strings);
        const QSignalBlocker ignore(m_ignoreEnd);
        m_slider->setRange(0, int(m_run->tokens.size()) + 1);
        m_cap->setValue(wish.lengthCap);
        m_slider->setValue(wish.lengthCap);
        QStringList stops;
        for (const std::string& stop : wish.stopStrings)
            stops.append(QString::fromStdString(stop));
        m_strings->setText(joinStopStrings(stops));
        m_ignoreEnd->setChecked(wish.ignoreEndTokens);
    }
    ask();
}

app::StopWish WhatIfBar::wish() const
{
    app::StopWish wish;
    wish.lengthCap = m_cap->value();
    for (const QString& stop : splitStopStrings(m_strings->text()))
        wish.stopStrings.push_back(stop.toStdString());
    wish.ignoreEndTokens = m_ignoreEnd->isChecked();
    return wish;
}

void WhatIfBar::ask()
{
    m_outcome.reset();
    if (m_run && m_run->request)
        m_outcome = app::whatIfStops(*m_run, wish());
    m_words->setText(m_outcome ? outcomeWords(*m_outcome, m_run->tokens.size())
                               : tr("The run's settings are not known, so nothing can be said."));
    m_extend->setEnabled(m_outcome && !m_outcome->reason);
    emit outcomeChanged();
}

} // namespace ui
