#include "ui/guide/guide_window.h"

#include "app/guide/trace_record.h"
#include "app/runs/run_json.h"
#include "ui/chat/draft_words.h"
#include "ui/guide/mask_triangle.h"
#include "ui/guide/pass_table.h"
#include "ui/guide/question_card.h"
#include "ui/inspect/piece_words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QVBoxLayout>

#include <filesystem>

namespace ui {

namespace {
    constexpr const char* kScripts[] { "exhibition", "stop-string", "end-token" };
    constexpr int kModelCap = 64;

    QString modelWords(const std::string& name, const std::string& file)
    {
        return QString::fromStdString(name.empty() ? file : name);
    }

    /// Never cut: where the window is low, the tables give way.
    NoteLabel* factLabel(QWidget* parent, const char* name)
    {
        auto* label = new NoteLabel(parent);
        label->setForegroundRole(QPalette::WindowText);
        label->setObjectName(QLatin1String(name));
        return label;
    }

    QString joined(const std::vector<std::string>& units)
    {
        std::string text;
        for (const std::string& unit : units)
            text += unit;
        return QString::fromStdString(text).simplified();
    }
}

GuideWindow::GuideWindow(app::Workspace& workspace, QWidget* parent)
    : QDialog(parent)
    , m_workspace(workspace)
    , m_choice(new QComboBox(this))
    , m_capName(new QLabel(tr("Length &cap"), this))
    , m_cap(new QSpinBox(this))
    , m_prompt(new QLineEdit(tr("What is the capital of France?"), this))
    , m_run(new QPushButton(tr("&Run"), this))
    , m_note(new NoteLabel(this))
    , m_passes(new PassTable(this))
    , m_mask(new MaskTriangle(this))
    , m_delivered(factLabel(this, "delivered"))
    , m_state(factLabel(this, "state"))
    , m_count(factLabel(this, "count"))
    , m_positions(factLabel(this, "positions"))
    , m_question(new QuestionCard(this))
    , m_step(new QPushButton(tr("&Next pass"), this))
    , m_again(new QPushButton(tr("&Start again"), this))
    , m_open(new QPushButton(tr("&Open a script…"), this))
    , m_save(new QPushButton(tr("Sa&ve the record…"), this))
    , m_told(factLabel(this, "told"))
{
    setWindowTitle(tr("Guided trace"));
    resize(QSize(gridUnit(this) * 116, gridUnit(this) * 92).boundedTo(screen()->availableSize()));
    build();
    loadScripts();
    choose();
    m_step->setFocus();
}

QLayout* GuideWindow::buildTop()
{
    m_choice->setObjectName(QStringLiteral("script"));
    m_choice->setAccessibleName(tr("What is traced"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_cap->setObjectName(QStringLiteral("cap"));
    m_capName->setTextFormat(Qt::PlainText);
    m_capName->setBuddy(m_cap);
    m_prompt->setObjectName(QStringLiteral("prompt"));
    m_prompt->setAccessibleName(tr("Prompt for the loaded model"));
    auto* top = new QHBoxLayout;
    top->addWidget(m_choice, 1);
    top->addWidget(m_capName);
    top->addWidget(m_cap);
    top->addWidget(m_prompt, 2);
    top->addWidget(m_run);
    return top;
}

QLayout* GuideWindow::buildButtons()
{
    m_run->setObjectName(QStringLiteral("run"));
    m_step->setObjectName(QStringLiteral("step"));
    m_again->setObjectName(QStringLiteral("again"));
    m_open->setObjectName(QStringLiteral("openScript"));
    m_save->setObjectName(QStringLiteral("saveRecord"));
    for (QPushButton* button : { m_run, m_step, m_again, m_open, m_save })
        button->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_step);
    buttons->addWidget(m_again);
    buttons->addStretch(1);
    buttons->addWidget(m_open);
    buttons->addWidget(m_save);
    return buttons;
}

void GuideWindow::build()
{
    auto* mask = new QScrollArea(this);
    mask->setWidget(m_mask);
    connect(mask->verticalScrollBar(), &QScrollBar::rangeChanged, mask,
        [mask](int, int end) { mask->verticalScrollBar()->setValue(end); }); // the newest position
    mask->setWidgetResizable(true);
    mask->setFrameShape(QFrame::NoFrame);
    mask->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->addLayout(buildTop());
    column->addWidget(m_note);
    column->addWidget(m_passes, 3);
    column->addWidget(m_count);
    column->addWidget(m_positions);
    column->addWidget(mask, 2);
    column->addWidget(m_delivered);
    column->addWidget(m_state);
    column->addWidget(m_question);
    column->addLayout(buildButtons());
    column->addWidget(m_told);
    m_told->hide();
    connect(m_choice, &QComboBox::activated, this, &GuideWindow::choose);
    connect(m_cap, &QSpinBox::valueChanged, this, &GuideWindow::restart);
    connect(m_step, &QPushButton::clicked, this, &GuideWindow::step);
    connect(m_again, &QPushButton::clicked, this, &GuideWindow::restart);
    connect(m_open, &QPushButton::clicked, this, &GuideWindow::askForScript);
    connect(m_save, &QPushButton::clicked, this, &GuideWindow::askWhereToSave);
    connect(m_run, &QPushButton::clicked, this, &GuideWindow::runModel);
    connect(m_prompt, &QLineEdit::returnPressed, this, &GuideWindow::runModel);
    connect(m_question, &QuestionCard::given, this, [this](const QString& answer) {
        m_trace->give(answer.toStdString());
        showTrace();
        if (m_trace->canStep())
            m_step->setFocus();
    });
    connect(m_question, &QuestionCard::nextRequested, this, [this] {
        m_trace->nextQuestion();
        showTrace();
    });
    connect(m_question, &QuestionCard::toolRequested, this, &GuideWindow::toolRequested);
    connect(&m_workspace, &app::Workspace::modelChanged, this, &GuideWindow::showState);
}

void GuideWindow::loadScripts()
{
    m_choice->addItem(tr("The loaded model"));
    for (const char* name : kScripts) {
        QFile file(QStringLiteral(":/traces/%1.json").arg(QLatin1String(name)));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        if (auto script = app::traceScriptFrom(file.readAll().toStdString()))
            addScript(std::move(*script));
    }
    m_choice->setCurrentIndex(0);
}

void GuideWindow::addScript(app::TraceScript script)
{
    m_choice->insertItem(
        int(m_scripts.size()), QString::fromStdString(script.title)); // before the model
    m_scripts.push_back(std::move(script));
}

void GuideWindow::askForScript()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a trace script"), {}, tr("Trace scripts (*.json);;All files (*)"));
    if (!path.isEmpty())
        openScript(path);
}

void GuideWindow::openScript(const QString& path)
{
    auto script = app::readTraceScript(QFile::encodeName(path).toStdString());
    m_told->setVisible(!script);
    if (!script)
        return m_told->setNote(tr("The script was not opened. %1")
                                   .arg(QString::fromStdString(script.error().message)));
    addScript(std::move(*script));
    m_choice->setCurrentIndex(int(m_scripts.size()) - 1);
    choose();
}

void GuideWindow::askWhereToSave()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the record"),
        QStringLiteral("guided-trace.json"), tr("Run records (*.json)"));
    if (!path.isEmpty())
        saveRecord(path);
}

void GuideWindow::saveRecord(const QString& path)
{
    const std::string bytes = app::dumped(app::traceRecord(*m_trace), 2) + "\n";
    QSaveFile file(path);
    const bool isWritten = file.open(QIODevice::WriteOnly)
        && file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size()) && file.commit();
    const QString name = QFileInfo(path).fileName();
    m_told->setNote(isWritten
            ? tr("The record was written to %1: supplied choices, no model ran, no times measured.")
                  .arg(name)
            : tr("%1 could not be written: %2").arg(name, file.errorString()));
    m_told->show();
}

void GuideWindow::choose()
{
    const size_t index = size_t(std::max(0, m_choice->currentIndex()));
    if (index < m_scripts.size()) {
        const QSignalBlocker blocker(m_cap);
        m_cap->setRange(1, m_scripts[index].lengthCap);
        m_cap->setValue(m_scripts[index].lengthCap);
    }
    restart();
}

void GuideWindow::restart()
{
    const size_t index = size_t(std::max(0, m_choice->currentIndex()));
    m_trace.reset();
    m_conversation = 0;
    if (index < m_scripts.size())
        m_trace = std::make_unique<app::GuidedTrace>(m_scripts[index], m_cap->value());
    showTrace();
}

void GuideWindow::step()
{
    if (m_trace && m_trace->canStep())
        m_trace->step();
    showTrace();
    if (!m_trace || !m_trace->asked())
        m_step->setFocus();
}

void GuideWindow::showNoRun()
{
    m_conversation = 0;
    m_measuredWith.clear();
    m_question->setAsked({});
    m_passes->setRows({}, true);
    m_mask->setPass({}, 0, 0);
    for (NoteLabel* label : { m_delivered, m_count, m_positions })
        label->setNote({});
    showState();
}

void GuideWindow::showTrace()
{
    const bool isScript = m_trace != nullptr;
    for (QWidget* widget :
        std::initializer_list<QWidget*> { m_capName, m_cap, m_step, m_again, m_save })
        widget->setVisible(isScript);
    for (QWidget* widget : std::initializer_list<QWidget*> { m_prompt, m_run, m_positions })
        widget->setVisible(!isScript);
    if (!isScript)
        return showNoRun();
    m_note->setNote(tr("Supplied choices: no model ran, no times were measured. A unit stands for "
                       "a token. Prompt: %1")
                        .arg(joined(m_trace->prompt())));
    m_passes->setRows(app::traceRows(*m_trace), false);
    QStringList units;
    int firstComputed = 0;
    if (!m_trace->passes().empty()) {
        for (const std::string& unit : m_trace->passes().back().input)
            units.append(QString::fromStdString(unit));
        firstComputed = m_trace->passes().back().firstComputed;
    }
    m_mask->setPass(units, firstComputed, int(m_trace->prompt().size()));
    m_count->setNote(countWords());
    m_delivered->setNote(
        tr("Delivered: %1").arg(QString::fromStdString(m_trace->text()).trimmed()));
    m_step->setEnabled(m_trace->canStep());
    m_question->setAsked(m_trace->asked());
    showState();
}

QString GuideWindow::countWords() const
{
    if (m_trace->passes().empty())
        return tr("No pass yet. A pass reads the whole input, computes the positions that the "
                  "cache does not "
                  "hold, and scores what could come next; one unit is selected from the scores.");
    QString words = tr("Computed so far: %1 positions with a cache, %2 without.")
                        .arg(m_trace->computedWithCache())
                        .arg(m_trace->computedWithoutCache());
    if (m_trace->reason())
        words += tr(" “%1” was selected last and never entered the cache.")
                     .arg(QString::fromStdString(m_trace->passes().back().selected).trimmed());
    return words;
}

QString GuideWindow::stateWords() const
{
    if (const auto reason = m_trace->reason()) {
        const engine::StopReasonInfo& info = engine::stopReasonInfo(*reason);
        return tr("%1: %2").arg(
            QLatin1String(engine::verdictName(info.verdict)), QLatin1String(info.words));
    }
    const QString held = QString::fromStdString(m_trace->heldText());
    if (held.isEmpty())
        return tr("partial: the run goes on");
    return tr("partial: the run goes on · held back: “%1”, which may become the stop string “%2”")
        .arg(held, QString::fromStdString(m_trace->stopString()));
}

void GuideWindow::showState()
{
    if (m_trace)
        return m_state->setNote(stateWords());
    m_run->setEnabled(isModelReady());
    m_note->setNote(noteWords());
    if (m_conversation == 0)
        m_state->setNote({});
}

bool GuideWindow::isModelReady() const
{
    return m_workspace.modelState() == app::ModelState::Ready && m_workspace.model();
}

/// Whose figures are shown, which is not always the loaded model, and whose the next would be.
QString GuideWindow::noteWords() const
{
    QString loaded;
    if (isModelReady()) {
        const engine::ModelDescription& model = m_workspace.model()->description;
        loaded = modelWords(model.name, std::filesystem::path(model.path).filename().string());
    }
    if (m_measuredWith.isEmpty())
        return loaded.isEmpty()
            ? tr("No model is loaded: choose one in the window, then run the same here.")
            : tr("Nothing is measured yet. A run with %1 becomes a chat of its own, capped at %2 "
                 "new tokens.")
                  .arg(loaded)
                  .arg(kModelCap);
    const QString measured
        = tr("Measured with %1. The run is a chat of its own, capped at %2 new tokens.")
              .arg(m_measuredWith)
              .arg(kModelCap);
    if (loaded.isEmpty())
        return measured + tr(" No model is loaded now: choose one in the window for another run.");
    return loaded == m_measuredWith ? measured
                                    : measured + tr(" The next run is with %1.").arg(loaded);
}

void GuideWindow::runModel()
{
    if (!m_run->isEnabled() || m_prompt->text().trimmed().isEmpty())
        return;
    showNoRun(); // a refusal must not stand beside the figures of the last run
    app::Conversation& conversation = m_workspace.addConversation(app::ConversationKind::Chat);
    app::ChatSettings settings = conversation.settings();
    settings.lengthCap = kModelCap;
    settings.sampling.temperature = 0;
    conversation.setSettings(settings);
    if (!m_workspace.send(conversation, m_prompt->text())) {
        if (conversation.problem())
            m_state->setNote(conversation.problem()->message);
        return m_workspace.removeConversation(conversation); // there is nothing in it
    }
    m_conversation = conversation.id();
    connect(&conversation, &app::Conversation::draftChanged, this, &GuideWindow::followModel);
    followModel();
}

void GuideWindow::followModel()
{
    const app::Conversation* conversation = m_workspace.findConversation(m_conversation);
    if (!conversation || m_trace || !conversation->lastAnswer()
        || !conversation->lastAnswer()->draft())
        return;
    showRun(*conversation->lastAnswer()->draft());
}

void GuideWindow::showRun(const app::Draft& draft)
{
    m_measuredWith = modelWords(draft.origin().modelName, draft.origin().checkpointFile);
    m_note->setNote(noteWords());
    const auto rows = app::traceRows(draft);
    m_passes->setRows(rows, true);
    m_count->setNote(QString::fromStdString(app::passSum(draft)));
    m_delivered->setNote(tr("Delivered: %1").arg(QString::fromStdString(draft.text()).trimmed()));
    m_state->setNote(draftWords(draft).sentence());
    const app::PositionSum sum = app::positionSum(rows);
    QString positions;
    if (!rows.empty())
        positions = tr("Computed so far: %1 positions with a cache, %2 without.")
                        .arg(sum.withCache)
                        .arg(sum.withoutCache);
    if (sum.fromBefore > 0)
        positions
            += tr(" The cache held %1 of the prompt from an earlier run.").arg(sum.fromBefore);
    m_positions->setNote(positions);
    // The mask of a real prompt is the same triangle; its last positions are shown.
    engine::TokenIds ids = draft.origin().request.promptIds;
    const int promptCount = int(ids.size());
    for (const engine::TokenRecord& record : draft.records())
        ids.push_back(record.id);
    const int inputCount
        = rows.empty() ? 0 : std::min(rows.back().cacheAfter.value_or(0), int(ids.size()));
    QStringList units;
    for (int i = 0; i < inputCount; ++i)
        units.append(drawnPiece(draft.origin().tokenText(ids[size_t(i)])));
    m_mask->setPass(units, rows.empty() ? 0 : inputCount - rows.back().computedCount, promptCount);
}

} // namespace ui
