#include "ui/compare/what_if_bar.h"

#include "ui/compare/difference_words.h"

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

namespace {
    constexpr int kLargestCap = 1'000'000;
    const QString kSeparator = QStringLiteral(" | ");

    QString drawnString(const std::string& text)
    {
        return QString::fromStdString(text).replace(QLatin1Char('\\'), QStringLiteral("\\\\")).replace(QLatin1Char('\n'), QStringLiteral("\\n"));
    }
    std::string typedString(QString text)
    {
        QString plain;
        for (qsizetype i = 0; i < text.size(); ++i) {
            const bool isEscape = text[i] == QLatin1Char('\\') && i + 1 < text.size();
            plain += !isEscape ? text[i] : text[++i] == QLatin1Char('n') ? QChar(QLatin1Char('\n')) : text[i];
        }
        return plain.toStdString();
    }
}

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
    m_cap->setRange(0, kLargestCap);
    m_cap->setObjectName(QStringLiteral("whatIfCap"));
    m_cap->setAccessibleName(tr("What-if length cap"));
    m_strings->setObjectName(QStringLiteral("whatIfStrings"));
    m_strings->setPlaceholderText(tr("no stop strings"));
    m_strings->setAccessibleName(tr("What-if stop strings"));
    m_strings->setToolTip(tr("Stop strings, parted by “ | ”; \\n is a line end"));
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
        QStringList drawn;
        for (const std::string& text : wish.stopStrings)
            drawn.append(drawnString(text));
        m_strings->setText(drawn.join(kSeparator));
        m_ignoreEnd->setChecked(wish.ignoreEndTokens);
    }
    ask();
}

app::StopWish WhatIfBar::wish() const
{
    app::StopWish wish;
    wish.lengthCap = m_cap->value();
    for (const QString& text : m_strings->text().split(kSeparator))
        if (!text.isEmpty())
            wish.stopStrings.push_back(typedString(text));
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
