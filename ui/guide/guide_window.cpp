#include "ui/guide/guide_window.h"

#include "ui/chat/draft_words.h"
#include "ui/guide/mask_triangle.h"
#include "ui/guide/pass_table.h"
#include "ui/guide/question_card.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QFile>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QVBoxLayout>

namespace ui {

namespace {
    constexpr const char* kScripts[] { "exhibition", "stop-string", "end-token" };
    constexpr int kModelCap = 64;

    QLabel* plainLabel(QWidget* parent, const char* name)
    {
        auto* label = new QLabel(parent);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setObjectName(QLatin1String(name));
        return label;
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
    , m_delivered(plainLabel(this, "delivered"))
    , m_state(plainLabel(this, "state"))
    , m_count(plainLabel(this, "count"))
    , m_question(new QuestionCard(this))
    , m_step(new QPushButton(tr("&Next pass"), this))
    , m_again(new QPushButton(tr("&Start again"), this))
{
    setWindowTitle(tr("Guided trace"));
    resize(gridUnit(this) * 108, gridUnit(this) * 84);
    build();
    loadScripts();
    restart();
}

void GuideWindow::build()
{
    m_choice->setObjectName(QStringLiteral("script"));
    m_choice->setAccessibleName(tr("What is traced"));
    m_cap->setObjectName(QStringLiteral("cap"));
    m_capName->setTextFormat(Qt::PlainText);
    m_capName->setBuddy(m_cap);
    m_prompt->setObjectName(QStringLiteral("prompt"));
    m_prompt->setAccessibleName(tr("Prompt for the loaded model"));
    m_run->setObjectName(QStringLiteral("run"));
    m_step->setObjectName(QStringLiteral("step"));
    m_again->setObjectName(QStringLiteral("again"));
    for (QPushButton* button : { m_run, m_step, m_again })
        button->setAutoDefault(false);
    auto* top = new QHBoxLayout;
    top->addWidget(m_choice, 1);
    top->addWidget(m_capName);
    top->addWidget(m_cap);
    top->addWidget(m_prompt, 2);
    top->addWidget(m_run);
    auto* mask = new QScrollArea(this);
    mask->setWidget(m_mask);
    connect(mask->verticalScrollBar(), &QScrollBar::rangeChanged, mask,
        [mask](int, int end) { mask->verticalScrollBar()->setValue(end); }); // the newest position
    mask->setWidgetResizable(true);
    mask->setFrameShape(QFrame::NoFrame);
    mask->setFocusPolicy(Qt::NoFocus);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_step);
    buttons->addWidget(m_again);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top);
    column->addWidget(m_note);
    column->addWidget(m_passes, 3);
    column->addWidget(m_count);
    column->addWidget(mask, 2);
    column->addWidget(m_delivered);
    column->addWidget(m_state);
    column->addWidget(m_question);
    column->addLayout(buttons);
    connect(m_choice, &QComboBox::activated, this, &GuideWindow::restart);
    connect(m_cap, &QSpinBox::valueChanged, this, [this] {
        if (m_trace)
            restart();
    });
    connect(m_step, &QPushButton::clicked, this, &GuideWindow::step);
    connect(m_again, &QPushButton::clicked, this, &GuideWindow::restart);
    connect(m_run, &QPushButton::clicked, this, &GuideWindow::runModel);
    connect(m_prompt, &QLineEdit::returnPressed, this, &GuideWindow::runModel);
    connect(m_question, &QuestionCard::given, this, [this](const QString& answer) {
        m_trace->give(answer.toStdString());
        showTrace();
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
    for (const char* name : kScripts) {
        QFile file(QStringLiteral(":/traces/%1.json").arg(QLatin1String(name)));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        auto script = app::traceScriptFrom(file.readAll().toStdString());
        if (!script)
            continue;
        m_choice->addItem(QString::fromStdString(script->title));
        m_scripts.push_back(std::move(*script));
    }
    m_choice->addItem(tr("The loaded model"));
}

void GuideWindow::restart()
{
    const size_t index = size_t(std::max(0, m_choice->currentIndex()));
    m_trace.reset();
    m_conversation = 0;
    if (index < m_scripts.size()) {
        const app::TraceScript& script = m_scripts[index];
        if (sender() == m_choice || m_cap->maximum() != int(script.choices.size()) + 1) {
            const QSignalBlocker blocker(m_cap);
            m_cap->setRange(1, int(script.choices.size()) + 1);
            m_cap->setValue(std::min(script.lengthCap, m_cap->maximum()));
        }
        m_trace = std::make_unique<app::GuidedTrace>(script, m_cap->value());
    }
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

void GuideWindow::showTrace()
{
    const bool isScript = m_trace != nullptr;
    for (QWidget* widget : std::initializer_list<QWidget*> { m_capName, m_cap, m_step, m_again })
        widget->setVisible(isScript);
    m_prompt->setVisible(!isScript);
    m_run->setVisible(!isScript);
    if (!isScript) {
        m_question->setAsked({});
        m_passes->setRows({}, true);
        m_mask->setPass({}, 0);
        m_delivered->clear();
        m_count->clear();
        return showState();
    }
    m_note->setNote(tr("Supplied choices: no model ran, no times were measured. A unit stands for a token. Prompt: %1")
                        .arg(QString::fromStdString([this] {
                            std::string text;
                            for (const std::string& unit : m_trace->prompt())
                                text += unit;
                            return text;
                        }())));
    m_passes->setRows(app::traceRows(*m_trace), false);
    QStringList units;
    int firstComputed = 0;
    if (!m_trace->passes().empty()) {
        for (const std::string& unit : m_trace->passes().back().input)
            units.append(QString::fromStdString(unit));
        firstComputed = m_trace->passes().back().firstComputed;
    }
    m_mask->setPass(units, firstComputed);
    m_count->setText(m_trace->passes().empty()
            ? tr("No pass yet.")
            : tr("Computed so far: %1 positions with a cache, %2 without.")
                  .arg(m_trace->computedWithCache())
                  .arg(m_trace->computedWithoutCache()));
    m_delivered->setText(tr("Delivered: %1").arg(QString::fromStdString(m_trace->text()).trimmed()));
    m_question->setAsked(m_trace->asked());
    m_step->setEnabled(m_trace->canStep());
    showState();
}

void GuideWindow::showState()
{
    if (m_trace) {
        const auto reason = m_trace->reason();
        if (!reason)
            return m_state->setText(tr("partial: the run goes on"));
        const engine::StopReasonInfo& info = engine::stopReasonInfo(*reason);
        return m_state->setText(tr("%1: %2").arg(
            QLatin1String(engine::verdictName(info.verdict)), QLatin1String(info.words)));
    }
    const bool isReady = m_workspace.modelState() == app::ModelState::Ready && m_workspace.model();
    m_run->setEnabled(isReady);
    m_note->setNote(isReady
            ? tr("Measured with %1. The run becomes a chat of its own, capped at %2 new tokens.")
                  .arg(QString::fromStdString(m_workspace.model()->description.name))
                  .arg(kModelCap)
            : tr("No model is loaded: choose one in the window, then run the same here."));
    if (m_conversation == 0)
        m_state->clear();
}

void GuideWindow::runModel()
{
    if (!m_run->isEnabled() || m_prompt->text().trimmed().isEmpty())
        return;
    app::Conversation& conversation = m_workspace.addConversation(app::ConversationKind::Chat);
    app::ChatSettings settings = conversation.settings();
    settings.lengthCap = kModelCap;
    settings.sampling.temperature = 0;
    conversation.setSettings(settings);
    m_conversation = conversation.id();
    connect(&conversation, &app::Conversation::draftChanged, this, &GuideWindow::followModel);
    if (!m_workspace.send(conversation, m_prompt->text()) && conversation.problem())
        m_state->setText(conversation.problem()->message);
    followModel();
}

void GuideWindow::followModel()
{
    const app::Conversation* conversation = m_workspace.findConversation(m_conversation);
    if (!conversation || m_trace || !conversation->lastAnswer() || !conversation->lastAnswer()->draft())
        return;
    showRun(*conversation->lastAnswer()->draft());
}

void GuideWindow::showRun(const app::Draft& draft)
{
    const auto rows = app::traceRows(draft);
    m_passes->setRows(rows, true);
    m_count->setText(QString::fromStdString(app::passSum(draft)));
    m_delivered->setText(tr("Delivered: %1").arg(QString::fromStdString(draft.text())));
    m_state->setText(draftWords(draft).sentence());
    // The mask of a real prompt is the same triangle; its last positions are shown.
    QStringList units;
    const auto& model = draft.origin().modelText;
    engine::TokenIds ids = draft.origin().request.promptIds;
    for (size_t i = 0; i + 1 < draft.records().size(); ++i)
        ids.push_back(draft.records()[i].id);
    for (engine::TokenId id : ids)
        units.append(model && model->tokenizer ? QString::fromStdString(model->tokenizer->pieceText(id)) : QString());
    const int computed = rows.empty() ? 0 : rows.back().computedCount;
    m_mask->setPass(units, int(units.size()) - computed);
}

} // namespace ui
