#include "ui/settings/settings_panel.h"

#include "ui/settings/banned_tokens.h"
#include "ui/settings/preset_bar.h"
#include "ui/settings/requirement_choice.h"
#include "ui/settings/stop_settings.h"
#include "ui/theme/icon.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace ui {

namespace {
    /// A combo box that may be narrower than its longest item.
    QComboBox* narrowCombo(QWidget* parent)
    {
        auto* combo = new QComboBox(parent);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(10);
        combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        return combo;
    }
}

SettingsPanel::SettingsPanel(const Parts& parts, QWidget* parent)
    : QScrollArea(parent)
    , m_workspace(parts.workspace)
    , m_models(parts.models)
    , m_devices(parts.devices)
    , m_file(parts.file)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Settings"));
    auto* page = new QWidget;
    m_column = new QVBoxLayout(page);
    const int unit = gridUnit(this);
    m_column->setContentsMargins(unit * 2, unit * 3 / 2, unit * 2, unit * 2);
    m_column->setSpacing(unit);
    buildModelSection();
    buildPresetSection();
    buildChatSection();
    buildLengthSection();
    buildRequirementSection();
    buildSamplingSection();
    buildSeedSection();
    m_column->addStretch(1);
    setWidget(page);
    for (QLabel* label : page->findChildren<QLabel*>())
        label->setTextFormat(Qt::PlainText);
    // Room for the scroll bar, so that it never covers the fields.
    setMinimumWidth(page->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width());

    connect(&m_workspace, &app::Workspace::modelChanged, this, &SettingsPanel::refreshModelState);
    connect(&m_workspace, &app::Workspace::loadProgressed, this, &SettingsPanel::refreshModelState);
    connect(&m_models, &app::ModelFinder::fileFound, this, &SettingsPanel::refreshModels);
    connect(&m_models, &app::ModelFinder::finished, this, &SettingsPanel::refreshModels);
    connect(&m_models, &app::ModelFinder::finished, this, &SettingsPanel::refreshModelState);
    connect(&m_devices, &app::DeviceFinder::finished, this, &SettingsPanel::refreshDevices);
    refreshModels();
    refreshDevices();
    refreshModelState();
}

QFormLayout* SettingsPanel::addSection(const QString& title)
{
    auto* section = new QWidget(this);
    auto* column = new QVBoxLayout(section);
    const int unit = gridUnit(this);
    column->setContentsMargins(0, unit / 2, 0, unit);
    auto* heading = new QLabel(title, section);
    heading->setTextFormat(Qt::PlainText);
    QFont strong = heading->font();
    strong.setWeight(QFont::DemiBold);
    heading->setFont(strong);
    column->addWidget(heading);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setHorizontalSpacing(unit);
    form->setVerticalSpacing(unit * 3 / 4);
    form->setLabelAlignment(Qt::AlignLeft);
    column->addLayout(form);
    m_column->addWidget(section);
    return form;
}

void SettingsPanel::buildModelSection()
{
    QFormLayout* form = addSection(tr("Model"));
    m_model = narrowCombo(this);
    m_model->setAccessibleName(tr("Model"));
    m_model->setPlaceholderText(tr("No model"));
    form->addRow(m_model);
    m_modelState = new NoteLabel(this);
    form->addRow(m_modelState);
    m_progress = new QProgressBar(this);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(gridUnit(this));
    m_progress->setAccessibleName(tr("Loading the model"));
    form->addRow(m_progress);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(gridUnit(this));
    auto* open = new QPushButton(icon(IconName::Open), tr("Open…"), this);
    open->setToolTip(tr("Open a GGUF file (Ctrl+O)"));
    m_search = new QPushButton(tr("Search again"), this);
    m_search->setToolTip(tr(
        "Look for models on this machine: in the program's own folder and in those of LM Studio, "
        "Hugging Face, llama.cpp, GPT4All and Ollama, which are only read"));
    m_cancelLoad = new QPushButton(tr("Stop loading"), this);
    buttons->addWidget(open);
    buttons->addWidget(m_search);
    buttons->addWidget(m_cancelLoad);
    buttons->addStretch(1);
    form->addRow(buttons);
    m_device = narrowCombo(this);
    form->addRow(tr("&Device"), m_device);
    m_context = new QSpinBox(this);
    m_context->setRange(0, 10'000'000);
    m_context->setGroupSeparatorShown(true);
    m_context->setSingleStep(1024);
    m_context->setSpecialValueText(tr("Automatic"));
    m_context->setToolTip(tr("Context length in tokens: prompt and answer together. Automatic = "
                             "what the model was trained for, if it fits."));
    form->addRow(tr("&Context"), m_context);
    m_reload = new QPushButton(icon(IconName::Retry), tr("Load again with these"), this);
    form->addRow(m_reload);

    connect(m_model, &QComboBox::activated, this, &SettingsPanel::chooseModel);
    connect(open, &QPushButton::clicked, this, &SettingsPanel::openRequested);
    connect(m_search, &QPushButton::clicked, this, [this] {
        m_models.search(app::modelFolders());
        refreshModels();
    });
    connect(m_cancelLoad, &QPushButton::clicked, &m_workspace, &app::Workspace::cancelLoad);
    connect(m_device, &QComboBox::activated, this, [this] {
        m_wishedDevice = m_device->currentData().toString();
        refreshModelState();
    });
    connect(m_context, &QSpinBox::valueChanged, this, &SettingsPanel::refreshModelState);
    connect(m_reload, &QPushButton::clicked, this,
        [this] { emit modelChosen(QString::fromStdString(m_workspace.loadRequest().path)); });
}

void SettingsPanel::buildPresetSection()
{
    QFormLayout* form = addSection(tr("Preset"));
    m_presets = new PresetBar(m_workspace, m_file, this);
    form->addRow(m_presets);
}

void SettingsPanel::buildChatSection()
{
    QFormLayout* form = addSection(tr("Chat"));
    m_chatSection = m_column->itemAt(m_column->count() - 1)->widget();
    m_system = new QPlainTextEdit(this);
    m_system->setAccessibleName(tr("System text"));
    m_system->setTabChangesFocus(true);
    m_system->setFixedHeight(fontMetrics().lineSpacing() * 4 + gridUnit(this));
    auto* label = new QLabel(tr("&System text"), this);
    label->setBuddy(m_system);
    form->addRow(label);
    form->addRow(m_system);
    m_systemNote = new NoteLabel(this);
    form->addRow(m_systemNote);
    m_family = narrowCombo(this);
    m_family->addItem(tr("Choose…"), -1);
    for (const engine::TemplateFamilyInfo& family : engine::templateFamilyTable())
        m_family->addItem(QString::fromLatin1(family.name), int(family.family));
    form->addRow(tr("Chat &format"), m_family);
    m_familyNote = new NoteLabel(this);
    form->addRow(m_familyNote);
    m_contextPolicy = narrowCombo(this);
    m_contextPolicy->setObjectName(QStringLiteral("contextPolicy"));
    m_contextPolicy->addItem(tr("Stop and say so"), int(app::ContextPolicy::StopAndSay));
    m_contextPolicy->addItem(
        tr("Leave out the oldest messages"), int(app::ContextPolicy::DropOldestTurns));
    m_contextPolicy->setToolTip(
        tr("What happens when the chat has grown longer than the context. Leaving out takes whole "
           "messages with their answers, oldest first, and leaves room for the answer; the system "
           "text and your last message always stay. What was left out is greyed and recorded."));
    auto* policyLabel = new QLabel(tr("When the conte&xt is full"), this);
    policyLabel->setTextFormat(Qt::PlainText);
    policyLabel->setBuddy(m_contextPolicy);
    form->addRow(policyLabel);
    form->addRow(m_contextPolicy);
    connect(m_contextPolicy, &QComboBox::activated, this, &SettingsPanel::applySettings);
    connect(m_system, &QPlainTextEdit::textChanged, this, &SettingsPanel::applySettings);
    connect(m_family, &QComboBox::activated, this, &SettingsPanel::applySettings);
}

void SettingsPanel::buildLengthSection()
{
    QFormLayout* form = addSection(tr("Length and stops"));
    m_stops = new StopSettings(*form);
    connect(m_stops, &StopSettings::changed, this, &SettingsPanel::applySettings);
}

void SettingsPanel::buildRequirementSection()
{
    QFormLayout* form = addSection(tr("Requirements"));
    m_requirementSection = m_column->itemAt(m_column->count() - 1)->widget();
    m_requirements = new RequirementChoice(this);
    form->addRow(m_requirements);
    connect(m_requirements, &RequirementChoice::chosen, this,
        [this](const std::optional<app::ChosenRequirements>& chosen) {
            if (!m_conversation)
                return;
            app::ChatSettings settings = m_conversation->settings();
            settings.requirements = chosen;
            m_conversation->setSettings(settings);
        });
}

QSpinBox* SettingsPanel::addCount(
    QFormLayout* form, const QString& label, int most, const QString& help)
{
    auto* field = new QSpinBox(this);
    field->setRange(0, most);
    field->setGroupSeparatorShown(true);
    field->setToolTip(help);
    form->addRow(label, field);
    connect(field, &QSpinBox::valueChanged, this, &SettingsPanel::applySettings);
    return field;
}

QDoubleSpinBox* SettingsPanel::addNumber(QFormLayout* form, const QString& label, double least,
    double most, double step, const QString& help)
{
    auto* field = new QDoubleSpinBox(this);
    field->setRange(least, most);
    field->setSingleStep(step);
    field->setDecimals(2);
    field->setToolTip(help);
    form->addRow(label, field);
    connect(field, &QDoubleSpinBox::valueChanged, this, &SettingsPanel::applySettings);
    return field;
}

void SettingsPanel::buildSamplingSection()
{
    QFormLayout* form = addSection(tr("Sampling"));
    m_temperature = addNumber(form, tr("Temp&erature"), 0, 10, 0.1,
        tr("0 always takes the likeliest token; higher is more varied."));
    m_topK = addCount(form, tr("Top-&k"), 1'000'000,
        tr("Draw among this many of the likeliest tokens; 0 = all."));
    m_topP = addNumber(form, tr("Top-p"), 0, 1, 0.05,
        tr("Draw among the likeliest tokens that together have this probability; 1 = all."));
    m_minP = addNumber(form, tr("Min-p"), 0, 1, 0.01,
        tr("Drop tokens less likely than this share of the likeliest; 0 = none."));
    m_repeatPenalty = addNumber(form, tr("Repeat penalty"), 0.1, 10, 0.05,
        tr("Makes tokens that came before less likely; 1 = off."));
    m_repeatWindow = addCount(form, tr("Repeat window"), 1'000'000,
        tr("How many of the last tokens count for the penalties."));
    m_presence = addNumber(form, tr("Presence penalty"), -10, 10, 0.1,
        tr("Taken off once from every token that came before; 0 = off."));
    m_frequency = addNumber(form, tr("Frequency penalty"), -10, 10, 0.1,
        tr("Taken off for each time a token came before; 0 = off."));
    auto* label = new QLabel(tr("Banned tokens"), this);
    m_bans = new BannedTokens(this);
    form->addRow(label);
    form->addRow(m_bans);
    connect(m_bans, &BannedTokens::allowed, this, [this](const app::BannedToken& token) {
        app::ChatSettings settings = m_conversation->settings();
        std::erase(settings.bannedTokens, token);
        m_conversation->setSettings(settings); // and comes back through showSettings
    });
}

/// The vocabulary is asked for only where it matters: to know it may take a while.
void SettingsPanel::refreshBans()
{
    const std::vector<app::BannedToken> bans
        = m_conversation ? m_conversation->settings().bannedTokens : std::vector<app::BannedToken>();
    m_bans->show(bans, bans.empty() ? QString() : m_workspace.vocabularyHash());
}

void SettingsPanel::buildSeedSection()
{
    QFormLayout* form = addSection(tr("Seed"));
    m_fixSeed = new QCheckBox(tr("Always the same seed"), this);
    m_fixSeed->setToolTip(
        tr("With the same seed and settings the same prompt gives the same answer. Otherwise a "
           "seed is drawn for each answer and kept with it."));
    form->addRow(m_fixSeed);
    m_seed = new QLineEdit(this);
    m_seed->setValidator(
        new QRegularExpressionValidator(QRegularExpression(QStringLiteral("\\d{1,20}")), m_seed));
    form->addRow(tr("Seed"), m_seed);
    m_lastSeed = new NoteLabel(this);
    m_lastSeed->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    form->addRow(m_lastSeed);
    connect(m_fixSeed, &QCheckBox::toggled, this, [this](bool fixed) {
        m_seed->setEnabled(fixed);
        if (fixed && m_seed->text().isEmpty())
            m_seed->setText(QStringLiteral("1"));
        applySettings();
    });
    connect(m_seed, &QLineEdit::editingFinished, this, &SettingsPanel::applySettings);
}

void SettingsPanel::setConversation(app::Conversation* conversation)
{
    if (m_conversation)
        m_conversation->disconnect(this);
    m_conversation = conversation;
    if (conversation) {
        connect(conversation, &app::Conversation::settingsChanged, this, [this] {
            if (!m_isApplying)
                showSettings();
        });
        connect(conversation, &app::Conversation::turnAdded, this, &SettingsPanel::refreshSeed);
        connect(conversation, &app::Conversation::branchChanged, this, &SettingsPanel::refreshSeed);
    }
    m_presets->setConversation(conversation);
    const bool isChat = conversation && conversation->kind() == app::ConversationKind::Chat;
    m_chatSection->setVisible(isChat);
    m_requirementSection->setVisible(isChat);
    showSettings();
}

void SettingsPanel::showSettings()
{
    if (!m_conversation)
        return;
    m_isShowing = true;
    const app::ChatSettings& settings = m_conversation->settings();
    const engine::SamplerSettings& sampling = settings.sampling;
    m_system->setPlainText(settings.systemText);
    m_family->setCurrentIndex(settings.family ? m_family->findData(int(*settings.family)) : 0);
    m_contextPolicy->setCurrentIndex(m_contextPolicy->findData(int(settings.contextPolicy)));
    m_stops->show(settings);
    m_requirements->show(settings.requirements);
    m_temperature->setValue(double(sampling.temperature));
    m_topK->setValue(sampling.topK);
    m_topP->setValue(double(sampling.topP));
    m_minP->setValue(double(sampling.minP));
    m_repeatPenalty->setValue(double(sampling.repeatPenalty));
    m_repeatWindow->setValue(sampling.repeatWindow);
    m_presence->setValue(double(sampling.presencePenalty));
    m_frequency->setValue(double(sampling.frequencyPenalty));
    m_fixSeed->setChecked(settings.fixedSeed.has_value());
    m_seed->setEnabled(settings.fixedSeed.has_value());
    m_seed->setText(settings.fixedSeed ? QString::number(*settings.fixedSeed) : QString());
    m_isShowing = false;
    refreshSeed();
    refreshBans();
    refreshModelState();
}

void SettingsPanel::applySettings()
{
    if (m_isShowing || !m_conversation)
        return;
    app::ChatSettings settings = m_conversation->settings();
    engine::SamplerSettings& sampling = settings.sampling;
    settings.systemText = m_system->toPlainText();
    settings.family.reset();
    if (m_family->currentData().toInt() >= 0)
        settings.family = engine::TemplateFamily(m_family->currentData().toInt());
    settings.contextPolicy = app::ContextPolicy(m_contextPolicy->currentData().toInt());
    m_stops->readInto(settings);
    sampling.temperature = float(m_temperature->value());
    sampling.topK = m_topK->value();
    sampling.topP = float(m_topP->value());
    sampling.minP = float(m_minP->value());
    sampling.repeatPenalty = float(m_repeatPenalty->value());
    sampling.repeatWindow = m_repeatWindow->value();
    sampling.presencePenalty = float(m_presence->value());
    sampling.frequencyPenalty = float(m_frequency->value());
    settings.fixedSeed.reset();
    bool isNumber = false;
    const quint64 seed = m_seed->text().toULongLong(&isNumber);
    if (m_fixSeed->isChecked() && isNumber)
        settings.fixedSeed = seed;
    m_isApplying = true;
    m_conversation->setSettings(settings);
    m_isApplying = false;
    refreshModelState();
}

void SettingsPanel::refreshSeed()
{
    const app::Draft* draft = m_conversation ? m_conversation->lastDraft() : nullptr;
    m_lastSeed->setVisible(draft != nullptr);
    if (draft)
        m_lastSeed->setNote(
            tr("The last answer used seed %1.").arg(draft->origin().request.sampling.seed));
}

void SettingsPanel::refreshModels()
{
    const QString loaded = QString::fromStdString(m_workspace.loadRequest().path);
    m_model->clear();
    auto* rows = qobject_cast<QStandardItemModel*>(m_model->model());
    for (const app::ModelFile& file : m_models.files()) {
        const bool usable = file.refusal.isEmpty();
        m_model->addItem(
            usable ? file.candidate.name : tr("%1 (cannot be used)").arg(file.candidate.name),
            file.candidate.path);
        const int row = m_model->count() - 1;
        m_model->setItemData(row,
            (usable ? app::describeModelFile(file) : file.refusal).toHtmlEscaped(),
            Qt::ToolTipRole);
        rows->item(row)->setEnabled(usable);
    }
    // A file opened by hand need not lie in a folder that is searched.
    if (!loaded.isEmpty() && m_model->findData(loaded) < 0)
        m_model->addItem(QFileInfo(loaded).completeBaseName(), loaded);
    m_model->setCurrentIndex(loaded.isEmpty() ? -1 : m_model->findData(loaded));
    m_search->setEnabled(!m_models.isSearching());
}

void SettingsPanel::chooseModel(int index)
{
    const QString path = m_model->itemData(index).toString();
    if (!path.isEmpty())
        emit modelChosen(path);
}

void SettingsPanel::refreshDevices()
{
    m_device->clear();
    m_device->addItem(tr("Best available"), QString());
    if (m_devices.found())
        for (const engine::DeviceDescription& device : m_devices.found()->devices) {
            m_device->addItem(tr("%1 (%2)").arg(QString::fromStdString(device.name),
                                  QString::fromStdString(device.kind)),
                QString::fromStdString(device.uuid));
            m_device->setItemData(m_device->count() - 1,
                QString::fromStdString(device.driver).toHtmlEscaped(), Qt::ToolTipRole);
        }
    m_device->setCurrentIndex(std::max(0, m_device->findData(m_wishedDevice)));
    if (m_devices.found())
        m_device->setToolTip(
            app::describeDeviceChoice(*m_devices.found(), m_wishedDevice).toHtmlEscaped());
}

QString SettingsPanel::deviceUuid() const { return m_wishedDevice; }
int SettingsPanel::contextLength() const { return m_context->value(); }

void SettingsPanel::setContextLength(int contextLength) { m_context->setValue(contextLength); }

void SettingsPanel::setDeviceUuid(const QString& uuid)
{
    m_wishedDevice = uuid;
    refreshDevices();
}

void SettingsPanel::focusFamily()
{
    ensureWidgetVisible(m_family);
    m_family->setFocus(Qt::OtherFocusReason);
    m_family->showPopup();
}

QString SettingsPanel::quantizationOf(const QString& path) const
{
    for (const app::ModelFile& file : m_models.files())
        if (file.candidate.path == path)
            return file.quantization;
    return {};
}

void SettingsPanel::refreshModelState()
{
    const app::ModelState state = m_workspace.modelState();
    const bool loading = state == app::ModelState::Loading;
    const auto& model = m_workspace.model();
    const engine::ModelLoadProgress& progress = m_workspace.loadProgress();
    m_progress->setVisible(loading);
    m_progress->setRange(0, progress.total > 0 ? 1000 : 0);
    m_progress->setValue(
        progress.total > 0 ? int(1000.0 * double(progress.done) / double(progress.total)) : 0);
    m_cancelLoad->setVisible(loading);
    m_search->setVisible(!loading);
    const QString path = QString::fromStdString(m_workspace.loadRequest().path);
    if (m_model->currentData().toString() != path)
        refreshModels();

    refreshBans();
    const bool ready = state == app::ModelState::Ready && model;
    if (loading) {
        m_modelState->setNote(progress.step.empty()
                ? tr("Loading…")
                : tr("Loading: %1").arg(QString::fromStdString(progress.step)));
    } else if (ready) {
        const engine::ModelDescription& about = model->description;
        QString kind = QString::fromStdString(about.architecture);
        if (const QString quantization = quantizationOf(path); !quantization.isEmpty())
            kind += QStringLiteral(" · ") + quantization;
        m_modelState->setNote(tr("%1 · %2 · context %L3 of %L4 · %5")
                                  .arg(kind, app::describeBytes(about.fileBytes))
                                  .arg(about.contextLength)
                                  .arg(about.trainedContextLength)
                                  .arg(QString::fromStdString(about.device.name)));
        m_modelState->setToolTip(QString::fromStdString(about.tensorTypes).toHtmlEscaped());
    } else {
        m_modelState->setNote(tr("No model is loaded."));
    }
    m_reload->setVisible(ready
        && (m_wishedDevice.toStdString() != m_workspace.loadRequest().deviceUuid
            || contextLength() != m_workspace.loadRequest().contextLength));

    const bool usable = !ready || model->text->offer.usable();
    m_family->setVisible(!usable);
    if (auto* form = qobject_cast<QFormLayout*>(m_chatSection->layout()->itemAt(1)->layout()))
        if (QWidget* label = form->labelForField(m_family))
            label->setVisible(!usable);
    m_familyNote->setVisible(!usable);
    const QString fromTemplate
        = ready ? QString::fromStdString(model->text->offer.defaultSystemText) : QString();
    m_systemNote->setVisible(usable && !fromTemplate.isEmpty() && m_system->document()->isEmpty());
    m_systemNote->setNote(tr("from the template"));
    m_system->setPlaceholderText(usable && !fromTemplate.isEmpty() ? fromTemplate : tr("None"));
    if (!usable)
        m_familyNote->setNote(QString::fromStdString(model->text->offer.problem));
}

} // namespace ui
