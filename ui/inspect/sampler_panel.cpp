#include "ui/inspect/sampler_panel.h"

#include "ui/inspect/draw_bar.h"
#include "ui/inspect/number_control.h"
#include "ui/inspect/trace_words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QMetaMethod>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QToolButton>

namespace ui {

namespace {
    using engine::SamplerSettings;
    using engine::SamplerStage;

    /// One number of the settings; the stage it belongs to says where its control stands.
    struct NumberInfo {
        SamplerStage stage;
        const char* name;
        NumberRange range;
        void (*write)(SamplerSettings&, double);
        double (*read)(const SamplerSettings&);
    };
    const NumberInfo kNumbers[] = {
        { SamplerStage::LogitBias, QT_TRANSLATE_NOOP("ui::SamplerPanel", "Repeat penalty"),
            { 0.01, 100, 2, 0.05, 2 },
            [](SamplerSettings& s, double value) { s.repeatPenalty = float(value); },
            [](const SamplerSettings& s) { return double(s.repeatPenalty); } },
        { SamplerStage::LogitBias, QT_TRANSLATE_NOOP("ui::SamplerPanel", "Repeat window"),
            { 0, 1048576, 512, 1, 0 },
            [](SamplerSettings& s, double value) { s.repeatWindow = int(value); },
            [](const SamplerSettings& s) { return double(s.repeatWindow); } },
        { SamplerStage::LogitBias, QT_TRANSLATE_NOOP("ui::SamplerPanel", "Presence penalty"),
            { -100, 100, 100, 0.1, 2 },
            [](SamplerSettings& s, double value) { s.presencePenalty = float(value); },
            [](const SamplerSettings& s) { return double(s.presencePenalty); } },
        { SamplerStage::LogitBias, QT_TRANSLATE_NOOP("ui::SamplerPanel", "Frequency penalty"),
            { -100, 100, 100, 0.1, 2 },
            [](SamplerSettings& s, double value) { s.frequencyPenalty = float(value); },
            [](const SamplerSettings& s) { return double(s.frequencyPenalty); } },
        { SamplerStage::TopK, QT_TRANSLATE_NOOP("ui::SamplerPanel", "Top-k (0 = off)"),
            { 0, 1048576, 100, 1, 0 },
            [](SamplerSettings& s, double value) { s.topK = int(value); },
            [](const SamplerSettings& s) { return double(s.topK); } },
        { SamplerStage::TopP, QT_TRANSLATE_NOOP("ui::SamplerPanel", "Top-p (1 = off)"),
            { 0, 1, 1, 0.01, 3 }, [](SamplerSettings& s, double value) { s.topP = float(value); },
            [](const SamplerSettings& s) { return double(s.topP); } },
        { SamplerStage::MinP, QT_TRANSLATE_NOOP("ui::SamplerPanel", "Min-p (0 = off)"),
            { 0, 1, 1, 0.01, 3 }, [](SamplerSettings& s, double value) { s.minP = float(value); },
            [](const SamplerSettings& s) { return double(s.minP); } },
        { SamplerStage::Temperature, QT_TRANSLATE_NOOP("ui::SamplerPanel", "Temperature"),
            { 0, 100, 2, 0.05, 3 },
            [](SamplerSettings& s, double value) {
                // Below 0.001 a temperature is none: 0 is greedy.
                s.temperature = value < 0.001 ? 0 : float(value);
            },
            [](const SamplerSettings& s) { return double(s.temperature); } },
    };
}

SamplerPanel::SamplerPanel(QWidget* parent)
    : QWidget(parent)
    , m_note(new NoteLabel(this))
    , m_content(new QWidget(this))
    , m_seed(new QLineEdit(m_content))
    , m_draw(new DrawBar(m_content))
    , m_drawn(new QLabel(m_content))
    , m_reset(new QToolButton(m_content))
    , m_use(new QPushButton(m_content))
{
    setAccessibleName(tr("Sampler stages"));
    const int unit = gridUnit(this);
    m_note->setObjectName(QStringLiteral("samplerNote"));
    auto* content = new QVBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(unit / 2);
    buildStages(content);
    buildDraw(content);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(unit, unit, unit, unit);
    column->addWidget(m_note);
    column->addWidget(m_content);
    column->addStretch(1);
    clear();
}

void SamplerPanel::buildStages(QVBoxLayout* column)
{
    for (size_t stage = 0; stage < app::kTracedStages.size(); ++stage) {
        for (const NumberInfo& number : kNumbers) {
            if (number.stage != app::kTracedStages[stage])
                continue;
            auto* control = new NumberControl(tr(number.name), number.range, m_content);
            connect(control, &NumberControl::changed, this, [this, control, write = number.write] {
                write(m_settings, control->value());
                preview();
            });
            column->addWidget(control);
            m_fields.push_back({ control, number.read });
        }
        m_stages[stage].bar = new DrawBar(m_content);
        m_stages[stage].words = new NoteLabel(m_content);
        column->addWidget(m_stages[stage].bar);
        column->addWidget(m_stages[stage].words);
        column->addSpacing(gridUnit(this) / 2);
    }
}

void SamplerPanel::buildDraw(QVBoxLayout* column)
{
    auto* name = new QLabel(m_content);
    name->setTextFormat(Qt::PlainText);
    name->setText(tr("Seed"));
    name->setBuddy(m_seed);
    m_seed->setObjectName(QStringLiteral("trySeed"));
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setValidator(
        new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{1,20}")), m_seed));
    m_drawn->setObjectName(QStringLiteral("wouldBeDrawn"));
    m_drawn->setTextFormat(Qt::PlainText);
    m_drawn->setWordWrap(true);
    m_reset->setObjectName(QStringLiteral("resetSampler"));
    m_reset->setText(tr("Back to the run's settings"));
    m_reset->setAutoRaise(true);
    m_reset->setFocusPolicy(Qt::StrongFocus);
    m_use->setObjectName(QStringLiteral("useSettings"));
    m_use->setText(tr("Use for this chat"));
    m_use->setAutoDefault(false);
    auto* seedRow = new QHBoxLayout;
    seedRow->setSpacing(gridUnit(this));
    seedRow->addWidget(name);
    seedRow->addWidget(m_seed, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_reset);
    buttons->addStretch(1);
    buttons->addWidget(m_use);
    column->addLayout(seedRow);
    column->addWidget(m_draw);
    column->addWidget(m_drawn);
    column->addLayout(buttons);
    connect(m_seed, &QLineEdit::textEdited, this, [this](const QString& text) {
        bool isNumber = false;
        const qulonglong seed = text.toULongLong(&isNumber);
        if (!isNumber)
            return; // while it is being typed, and above 64 bits
        m_settings.seed = seed;
        preview();
    });
    connect(m_reset, &QToolButton::clicked, this, [this] {
        m_settings = m_runSettings;
        showSettings();
        preview();
    });
    connect(m_use, &QPushButton::clicked, this, [this] { emit settingsChosen(m_settings); });
}

void SamplerPanel::show(const app::TokenTrack& track, const app::Answer&, int token)
{
    if (token < 0 || size_t(token) >= track.tokens().size()) {
        clear();
        return;
    }
    m_track = &track;
    m_token = token;
    const app::Draft* run = track.modelRunOf(token);
    const engine::SamplerSettings* sampling = track.samplingOf(token);
    // Also when a step of the same answer was chosen with other settings, as a fork may keep it.
    if (run && sampling && (m_run != run->runId() || m_runSettings != *sampling)) {
        m_run = run->runId();
        m_runSettings = *sampling;
        m_settings = m_runSettings;
        showSettings();
    }
    preview();
}

void SamplerPanel::clear()
{
    m_track = nullptr;
    m_token = -1;
    m_run.reset();
    m_note->setNote(tr("No token is selected."));
    m_note->setVisible(true);
    m_content->setVisible(false);
}

void SamplerPanel::showSettings()
{
    for (const Field& field : m_fields)
        field.control->setValue(field.read(m_settings));
    m_seed->setText(QString::number(m_settings.seed));
}

void SamplerPanel::preview()
{
    if (!m_track)
        return;
    const auto step = app::tracedStep(*m_track, m_token);
    m_content->setVisible(step.has_value());
    m_note->setVisible(!step || !m_settings.logitBias.empty());
    if (!step) {
        m_note->setNote(
            tr("Not observed: nothing is known of what else this token could have been."));
        return;
    }
    m_note->setNote(tr("Biased tokens: %1").arg(m_settings.logitBias.size()));
    // Untouched, what was observed at the draw is known better than it can be computed again.
    const app::StageTrace trace = m_settings == m_runSettings
        ? app::traceAsRecorded(*step, m_settings)
        : app::traceStages(*step, m_settings);
    const PieceNames names = pieceNames(*m_track, m_token);
    for (size_t stage = 0; stage < m_stages.size(); ++stage) {
        const bool isTold = !trace.isGreedy || stage == 0 || stage + 1 == m_stages.size();
        m_stages[stage].bar->setVisible(isTold);
        m_stages[stage].bar->setStage(trace, stage, names);
        m_stages[stage].words->setNote(
            isTold ? keptWords(trace, stage) : tr("not used at temperature 0"));
    }
    showDraw(trace, step->record);
    showButtons();
}

void SamplerPanel::showDraw(const app::StageTrace& trace, const engine::TokenRecord& record)
{
    const PieceNames names = pieceNames(*m_track, m_token);
    m_draw->setVisible(trace.draw.has_value());
    m_draw->setTrace(trace, drawWords(trace, names));
    QString words;
    if (!trace.drawn)
        words = tr("Which token would have been drawn cannot be told from the twenty likeliest.");
    else if (trace.candidates[*trace.drawn].id == record.id)
        words = trace.isGreedy
            ? tr("%1 would have been taken, as it was.").arg(names.quoted(record.id))
            : tr("With this seed %1 would have been drawn, as it was.")
                  .arg(names.quoted(record.id));
    else
        words = (trace.isGreedy ? tr("%1 would have been taken. It was %2.")
                                : tr("With this seed %1 would have been drawn. It was %2."))
                    .arg(names.quoted(trace.candidates[*trace.drawn].id), names.quoted(record.id));
    renew(m_drawn, words);
}

void SamplerPanel::showButtons()
{
    m_reset->setVisible(m_settings != m_runSettings);
    m_use->setVisible(isSignalConnected(QMetaMethod::fromSignal(&SamplerPanel::settingsChosen)));
}

// Not when a connection goes: then Qt holds the lock that isSignalConnected takes.
void SamplerPanel::connectNotify(const QMetaMethod&) { showButtons(); }

} // namespace ui
