#include "ui/settings/preset_bar.h"

#include "app/conversation/starting_settings.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>

namespace ui {

namespace {
    /// The first entries of the list; presets follow.
    constexpr int kDefaultsIndex = 0;
    constexpr int kBuiltInIndex = 1;
    constexpr int kFirstPresetIndex = 2;
    constexpr int kLongestName = 80;

    /// Whether both make the same answers, whatever preset they come from.
    bool isSame(app::ChatSettings left, const app::ChatSettings& right)
    {
        left.preset = right.preset;
        return left == right;
    }
}

PresetBar::PresetBar(app::Workspace& workspace, app::SettingsFile& file, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_file(file)
    , m_combo(new QComboBox(this))
    , m_more(new QToolButton(this))
    , m_state(new NoteLabel(this))
    , m_undoButton(new QPushButton(tr("Undo"), this))
    , m_nameRow(new QWidget(this))
    , m_name(new QLineEdit(m_nameRow))
    , m_save(new QPushButton(tr("Save"), m_nameRow))
    , m_forModel(new QCheckBox(tr("Use for new chats with this model"), this))
{
    buildRows();
    buildMenu();
    connect(m_combo, &QComboBox::activated, this, &PresetBar::choose);
    connect(m_undoButton, &QPushButton::clicked, this, &PresetBar::undo);
    connect(m_name, &QLineEdit::textChanged, this, &PresetBar::refreshName);
    connect(m_name, &QLineEdit::returnPressed, this, &PresetBar::save);
    connect(m_save, &QPushButton::clicked, this, &PresetBar::save);
    connect(m_forModel, &QCheckBox::clicked, this, &PresetBar::useForModel);
    connect(&file, &app::SettingsFile::chatSettingsChanged, this, &PresetBar::refresh);
    connect(&workspace, &app::Workspace::modelChanged, this, &PresetBar::refreshModel);
}

void PresetBar::buildRows()
{
    const int unit = gridUnit(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(unit * 3 / 4);
    auto* top = new QHBoxLayout;
    top->setSpacing(unit);
    m_combo->setObjectName(QStringLiteral("preset"));
    m_combo->setAccessibleName(tr("Preset"));
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_combo->setMinimumContentsLength(10);
    m_combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_combo->setToolTip(tr("Settings kept under a name. Choosing one changes this chat only."));
    m_more->setObjectName(QStringLiteral("presetActions"));
    m_more->setText(QStringLiteral("…"));
    m_more->setAccessibleName(tr("What to do with presets"));
    m_more->setToolTip(tr("Save, delete, reset"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setFocusPolicy(Qt::StrongFocus);
    top->addWidget(m_combo, 1);
    top->addWidget(m_more);
    column->addLayout(top);

    auto* state = new QHBoxLayout;
    m_state->setObjectName(QStringLiteral("presetState"));
    m_undoButton->setObjectName(QStringLiteral("presetUndo"));
    // The rows below stay where they are.
    QSizePolicy keepsPlace = m_undoButton->sizePolicy();
    keepsPlace.setRetainSizeWhenHidden(true);
    m_undoButton->setSizePolicy(keepsPlace);
    state->addWidget(m_state, 1);
    state->addWidget(m_undoButton);
    column->addLayout(state);

    auto* nameRow = new QHBoxLayout(m_nameRow);
    nameRow->setContentsMargins(0, 0, 0, 0);
    nameRow->setSpacing(unit);
    m_name->setObjectName(QStringLiteral("presetName"));
    m_name->setAccessibleName(tr("Name of the preset"));
    m_name->setPlaceholderText(tr("Name of the preset"));
    m_name->setMaxLength(kLongestName);
    m_name->installEventFilter(this);
    m_save->setObjectName(QStringLiteral("presetSave"));
    nameRow->addWidget(m_name, 1);
    nameRow->addWidget(m_save);
    m_nameRow->hide();
    column->addWidget(m_nameRow);
    m_forModel->setObjectName(QStringLiteral("presetForModel"));
    column->addWidget(m_forModel);
}

void PresetBar::buildMenu()
{
    m_more->setMenu(new QMenu(m_more));
    addAction(tr("&Save as preset…"), "savePreset", &PresetBar::askForName);
    m_remove = addAction(tr("&Delete preset"), "deletePreset", &PresetBar::remove);
    m_more->menu()->addSeparator();
    m_reset = addAction(tr("&Reset to defaults"), "resetPreset", &PresetBar::reset);
    m_forAll = addAction(tr("&Use for every new chat"), "presetForAll", &PresetBar::useForAll);
}

QAction* PresetBar::addAction(const QString& text, const char* name, void (PresetBar::*slot)())
{
    QAction* action = m_more->menu()->addAction(text, this, slot);
    action->setObjectName(QLatin1String(name));
    return action;
}

void PresetBar::setConversation(app::Conversation* conversation)
{
    if (m_conversation)
        m_conversation->disconnect(this);
    m_conversation = conversation;
    m_undo = nullptr;
    m_before.reset();
    closeName();
    if (conversation)
        connect(conversation, &app::Conversation::settingsChanged, this, [this] {
            if (m_isActing)
                return;
            m_undo = nullptr;
            m_before.reset();
            refresh();
        });
    refresh();
}

QString PresetBar::chosenName() const
{
    const QString name = m_conversation ? m_conversation->settings().preset : QString();
    return m_file.preset(name) ? name : QString();
}

int PresetBar::chosenIndex() const
{
    if (const QString name = chosenName(); !name.isEmpty())
        return kFirstPresetIndex + int(m_file.presetNames().indexOf(name));
    const bool isBuiltIn = m_conversation
        && !isSame(m_conversation->settings(), m_file.chatDefaults())
        && isSame(m_conversation->settings(), app::ChatSettings());
    return isBuiltIn ? kBuiltInIndex : kDefaultsIndex;
}

app::ChatSettings PresetBar::settingsAt(int index) const
{
    if (index == kDefaultsIndex)
        return m_file.chatDefaults();
    if (index == kBuiltInIndex)
        return {};
    const QString name = m_file.presetNames().value(index - kFirstPresetIndex);
    app::ChatSettings settings = m_file.preset(name).value_or(app::ChatSettings());
    settings.preset = name;
    return settings;
}

void PresetBar::refresh()
{
    setEnabled(m_conversation != nullptr);
    if (!m_conversation)
        return;
    const QSignalBlocker blocker(m_combo);
    QStringList items { tr("Defaults"), tr("As built in") };
    items += m_file.presetNames();
    m_combo->clear();
    m_combo->addItems(items);
    const int index = chosenIndex();
    m_combo->setCurrentIndex(index);
    const bool isChanged = !isSame(m_conversation->settings(), settingsAt(index));
    m_state->setNote(isChanged ? tr("Changed") : tr("Not changed"));
    m_combo->setAccessibleDescription(m_state->text());
    m_undoButton->setVisible(m_undo != nullptr);
    m_remove->setEnabled(!chosenName().isEmpty());
    m_reset->setEnabled(index != kDefaultsIndex || isChanged);
    m_forAll->setEnabled(!isSame(m_conversation->settings(), m_file.chatDefaults()));
    refreshModel();
}

void PresetBar::refreshModel()
{
    const QString model = app::modelFileName(m_workspace);
    const auto ofModel = m_file.modelSettings(model);
    m_forModel->setEnabled(m_conversation && !model.isEmpty());
    Qt::CheckState state = Qt::Unchecked;
    if (ofModel && m_conversation)
        state = isSame(*ofModel, m_conversation->settings()) ? Qt::Checked : Qt::PartiallyChecked;
    m_forModel->setCheckState(state);
    const QString now = !ofModel ? tr("New chats with %1 start with the defaults.")
        : state == Qt::Checked   ? tr("New chats with %1 start with these settings.")
                                 : tr("New chats with %1 start with other settings of its own.");
    const QString help = model.isEmpty() ? tr("No model is loaded.") : now.arg(model);
    m_forModel->setToolTip(help.toHtmlEscaped());
    m_forModel->setAccessibleDescription(help);
}

void PresetBar::act(const std::function<void()>& change, const std::function<void()>& undo)
{
    m_undo = undo;
    m_before.reset();
    m_isActing = true;
    change();
    m_isActing = false;
    refresh();
}

void PresetBar::apply(const app::ChatSettings& settings)
{
    if (settings == m_conversation->settings())
        return;
    // Arrow keys choose one preset after the other: what was there before the first comes back.
    const app::ChatSettings before = m_before.value_or(m_conversation->settings());
    act([&] { m_conversation->setSettings(settings); },
        [this, before] { m_conversation->setSettings(before); });
    m_before = before;
}

void PresetBar::choose(int index) { apply(settingsAt(index)); }
void PresetBar::reset() { choose(kDefaultsIndex); }

void PresetBar::askForName()
{
    m_name->setText(chosenName());
    m_name->selectAll();
    refreshName();
    m_nameRow->show();
    m_name->setFocus(Qt::OtherFocusReason);
}

void PresetBar::refreshName()
{
    const QString name = m_name->text().trimmed();
    m_save->setEnabled(!name.isEmpty());
    m_save->setText(m_file.preset(name) ? tr("Replace") : tr("Save"));
}

void PresetBar::closeName()
{
    const bool hadFocus = m_nameRow->isAncestorOf(focusWidget());
    m_nameRow->hide();
    if (hadFocus)
        m_combo->setFocus(Qt::OtherFocusReason);
}

void PresetBar::save()
{
    const QString name = m_name->text().trimmed();
    if (name.isEmpty())
        return;
    const auto old = m_file.preset(name);
    const app::ChatSettings before = m_conversation->settings();
    app::ChatSettings settings = before;
    settings.preset = name;
    act(
        [&] {
            app::ChatSettings kept = before;
            kept.preset.clear();
            m_file.setPreset(name, kept);
            m_conversation->setSettings(settings);
        },
        [this, name, old, before] {
            m_file.setPreset(name, old);
            m_conversation->setSettings(before);
        });
    closeName();
}

void PresetBar::remove()
{
    const QString name = chosenName();
    const auto old = m_file.preset(name);
    if (!old)
        return;
    const app::ChatSettings before = m_conversation->settings();
    app::ChatSettings settings = before;
    settings.preset.clear();
    act(
        [&] {
            m_conversation->setSettings(settings);
            m_file.setPreset(name, std::nullopt);
        },
        [this, name, old, before] {
            m_file.setPreset(name, old);
            m_conversation->setSettings(before);
        });
}

void PresetBar::useForAll()
{
    const app::ChatSettings old = m_file.chatDefaults();
    app::ChatSettings settings = m_conversation->settings();
    settings.preset.clear();
    act([&] { m_file.setChatDefaults(settings); }, [this, old] { m_file.setChatDefaults(old); });
}

void PresetBar::useForModel()
{
    const QString model = app::modelFileName(m_workspace);
    const auto old = m_file.modelSettings(model);
    std::optional<app::ChatSettings> settings;
    if (!old || !isSame(*old, m_conversation->settings()))
        settings = m_conversation->settings();
    act([&] { m_file.setModelSettings(model, settings); },
        [this, model, old] { m_file.setModelSettings(model, old); });
}

void PresetBar::undo()
{
    const std::function<void()> bringBack = std::move(m_undo);
    if (!bringBack || !m_conversation)
        return;
    // A hidden button would hand the focus to whatever comes next.
    m_combo->setFocus(Qt::OtherFocusReason);
    act(bringBack, nullptr);
}

bool PresetBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_name
        || (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
        return QWidget::eventFilter(watched, event);
    // Else the key would stop the run.
    event->accept();
    if (event->type() == QEvent::KeyPress)
        closeName();
    return true;
}

} // namespace ui
