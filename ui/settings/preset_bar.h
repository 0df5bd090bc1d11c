#pragma once

#include "app/conversation/workspace.h"
#include "app/settings/settings_file.h"

#include <QPointer>
#include <QWidget>

#include <functional>
#include <optional>

class QAction;
class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace ui {

class NoteLabel;

/// Which preset the settings of a conversation come from and whether they have changed since, what
/// can be done with presets, and whether new chats with the model start the same way.
/// What it replaces in one step it brings back in one step, until something else is changed.
class PresetBar : public QWidget {
    Q_OBJECT
public:
    PresetBar(app::Workspace& workspace, app::SettingsFile& file, QWidget* parent = nullptr);

    void setConversation(app::Conversation* conversation);
    QComboBox* combo() const { return m_combo; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildRows();
    void buildMenu();
    QAction* addAction(const QString& text, const char* name, void (PresetBar::*slot)());
    void refresh();
    void refreshModel();
    QString chosenName() const;
    int chosenIndex() const;
    app::ChatSettings settingsAt(int index) const;
    void choose(int index);
    void reset();
    void askForName();
    void refreshName();
    void closeName();
    void save();
    void remove();
    void useForAll();
    void useForModel();
    void apply(const app::ChatSettings& settings);
    void act(const std::function<void()>& change, const std::function<void()>& undo);
    void undo();

    app::Workspace& m_workspace;
    app::SettingsFile& m_file;
    QPointer<app::Conversation> m_conversation;
    std::function<void()> m_undo; ///< none when there is nothing to bring back
    std::optional<app::ChatSettings> m_before; ///< choices made one after the other
    bool m_isActing = false; ///< the change of settings comes from here
    QComboBox* m_combo;
    QToolButton* m_more;
    NoteLabel* m_state;
    QPushButton* m_undoButton;
    QWidget* m_nameRow;
    QLineEdit* m_name;
    QPushButton* m_save;
    QCheckBox* m_forModel;
    QAction* m_reset = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_forAll = nullptr;
};

} // namespace ui
