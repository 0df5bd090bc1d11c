#include "ui/inspect/step_bar.h"

#include "ui/theme/icon.h"
#include "ui/theme/labels.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace ui {

StepBar::StepBar(QWidget* parent)
    : QWidget(parent)
    , m_pause(addButton(tr("Pause"), tr("Pauses before the next token, or lets the answer go on (Space)")))
    , m_step(addButton(tr("Next token"), tr("Adds one token and pauses again (.)")))
    , m_run(addButton(tr("Run"), tr("Lets the answer go on to the chosen place")))
    , m_stop(new QComboBox)
    , m_fields(new QStackedWidget)
    , m_text(new QLineEdit)
    , m_percent(new QDoubleSpinBox)
    , m_nats(new QDoubleSpinBox)
    , m_state(new QLabel)
    , m_next(new QLineEdit)
    , m_take(addButton(tr("Take"), tr("Takes the tokens of this text next, whatever the model would choose, and pauses again (Enter)")))
    , m_nextWords(new QLabel)
{
    m_pause->setIcon(icon(IconName::Paused));
    for (const QString& words : { tr("to its end"), tr("to this text"), tr("to a probability below"),
             tr("to an entropy above"), tr("to a chance of ending above") })
        m_stop->addItem(words);
    m_stop->setAccessibleName(tr("Where the answer pauses again"));
    m_stop->setMinimumContentsLength(14);
    m_stop->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_text->setPlaceholderText(tr("Text to pause after"));
    m_text->setAccessibleName(tr("Text to pause after"));
    m_percent->setRange(0, 100);
    m_percent->setDecimals(1);
    m_percent->setValue(20);
    m_percent->setSuffix(tr(" %"));
    m_percent->setAccessibleName(tr("Probability to pause at"));
    m_nats->setRange(0, 20);
    m_nats->setSingleStep(0.25);
    m_nats->setValue(2);
    m_nats->setSuffix(tr(" nats"));
    m_nats->setAccessibleName(tr("Entropy to pause at"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_next->setObjectName(QStringLiteral("nextTokens"));
    m_next->setPlaceholderText(tr("Next token: your own text"));
    m_next->setAccessibleName(tr("Text to be taken as the next tokens"));
    m_next->setToolTip(tr("While the answer pauses: what it goes on with (T). A leading blank counts: most tokens of "
                          "words begin with one"));
    m_nextWords->setObjectName(QStringLiteral("nextWords"));
    m_nextWords->setTextFormat(Qt::PlainText);
    m_nextWords->setWordWrap(true);
    m_nextWords->hide();
    m_fields->addWidget(new QWidget);
    m_fields->addWidget(m_text);
    m_fields->addWidget(m_percent);
    m_fields->addWidget(m_nats);
    m_fields->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);

    auto* first = new QHBoxLayout;
    first->addWidget(m_pause);
    first->addWidget(m_step);
    first->addWidget(m_state, 1);
    auto* second = new QHBoxLayout;
    second->addWidget(m_run);
    second->addWidget(m_stop);
    second->addWidget(m_fields, 1);
    auto* third = new QHBoxLayout;
    third->addWidget(m_next, 1);
    third->addWidget(m_take);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(first);
    layout->addLayout(third);
    layout->addWidget(m_nextWords);
    layout->addLayout(second);
    QWidget* previous = m_pause;
    for (QWidget* next : std::initializer_list<QWidget*> { m_step, m_next, m_take, m_run, m_stop, m_text, m_percent, m_nats }) {
        setTabOrder(previous, next);
        previous = next;
    }
    connect(m_pause, &QToolButton::clicked, this, &StepBar::togglePause);
    connect(m_step, &QToolButton::clicked, this, &StepBar::step);
    connect(m_run, &QToolButton::clicked, this, &StepBar::runOn);
    connect(m_stop, &QComboBox::currentIndexChanged, this, &StepBar::showField);
    connect(m_text, &QLineEdit::textChanged, this, &StepBar::enableParts);
    connect(m_text, &QLineEdit::returnPressed, this, &StepBar::runOn);
    connect(m_take, &QToolButton::clicked, this, &StepBar::takeNext);
    connect(m_next, &QLineEdit::returnPressed, this, &StepBar::takeNext);
    connect(m_next, &QLineEdit::textChanged, this, [this](const QString& text) {
        enableParts();
        emit nextEdited(text);
    });
    showField();
}

QToolButton* StepBar::addButton(const QString& words, const QString& help)
{
    auto* button = new QToolButton;
    button->setText(words);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setToolTip(help);
    button->setAccessibleName(words);
    button->setAccessibleDescription(help);
    return button;
}

void StepBar::setDraft(const app::Draft* draft)
{
    m_canResume = draft && draft->state() == app::DraftState::Paused;
    m_canPause = draft && !draft->ending() && !m_canResume;
    QString words;
    if (m_canResume)
        words = draft->queuedBehind() > 0 ? tr("Paused · waiting, %1 before this").arg(draft->queuedBehind())
            : draft->tokenCount() == 1    ? tr("Paused after 1 token")
                                          : tr("Paused after %L1 tokens").arg(draft->tokenCount());
    renew(m_state, words);
    enableParts();
}

void StepBar::enableParts()
{
    const QString words = m_canResume ? tr("Go on") : tr("Pause");
    if (m_pause->text() != words) {
        m_pause->setText(words);
        m_pause->setAccessibleName(words);
        m_pause->setIcon(icon(m_canResume ? IconName::Continue : IconName::Paused));
    }
    m_pause->setEnabled(m_canPause || m_canResume);
    m_step->setEnabled(m_canResume);
    m_next->setEnabled(m_canResume);
    m_take->setEnabled(m_canResume && !m_next->text().isEmpty());
    m_run->setEnabled(m_canResume && (m_stop->currentIndex() != AtText || !m_text->text().isEmpty()));
}

void StepBar::showField()
{
    const int stop = m_stop->currentIndex();
    m_fields->setCurrentIndex(stop == ToEnd ? 0 : stop == AtText ? 1 : stop == AtEntropy ? 3 : 2);
    enableParts();
}

engine::Pace StepBar::pace() const
{
    engine::Pace pace;
    const auto share = float(m_percent->value() / 100);
    switch (m_stop->currentIndex()) {
    case AtText:
        pace.breakpoints.text = m_text->text().toStdString();
        break;
    case AtProbability:
        pace.breakpoints.probabilityBelow = share;
        break;
    case AtEntropy:
        pace.breakpoints.entropyAbove = float(m_nats->value());
        break;
    case AtEnding:
        pace.breakpoints.endProbabilityAbove = share;
        break;
    default:
        break;
    }
    return pace;
}

bool StepBar::handleKey(const QKeyEvent& event)
{
    if (event.modifiers() & ~Qt::KeypadModifier)
        return false;
    if (event.key() == Qt::Key_Space && (m_canPause || m_canResume)) {
        togglePause();
        return true;
    }
    if (event.key() == Qt::Key_Period && m_canResume) {
        step();
        return true;
    }
    if (event.key() == Qt::Key_T && m_canResume) {
        m_next->setFocus(Qt::ShortcutFocusReason);
        return true;
    }
    return false;
}

void StepBar::setNextWords(const QString& words)
{
    m_nextWords->setVisible(!words.isEmpty());
    renew(m_nextWords, words);
}

void StepBar::clearNext() { m_next->clear(); }

void StepBar::takeNext()
{
    if (m_take->isEnabled())
        emit nextRequested(m_next->text());
}

void StepBar::togglePause()
{
    if (m_canResume)
        emit resumeRequested({});
    else if (m_canPause)
        emit pauseRequested();
}

void StepBar::step()
{
    engine::Pace pace;
    pace.tokens = 1;
    if (m_canResume)
        emit resumeRequested(pace);
}

void StepBar::runOn()
{
    if (m_run->isEnabled())
        emit resumeRequested(pace());
}

} // namespace ui
