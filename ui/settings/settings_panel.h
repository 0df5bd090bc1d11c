#pragma once

#include "app/conversation/workspace.h"
#include "app/models/device_finder.h"
#include "app/models/model_finder.h"
#include "app/settings/settings_file.h"

#include <QScrollArea>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace ui {

class BannedTokens;
class NoteLabel;
class PresetBar;
class RequirementChoice;
class StopSettings;

/// The right panel: which model on which device, and how the answers of the shown conversation are
/// made. What is changed here is changed in that conversation only.
class SettingsPanel : public QScrollArea {
    Q_OBJECT
public:
    struct Parts {
        app::Workspace& workspace;
        app::ModelFinder& models;
        app::DeviceFinder& devices;
        app::SettingsFile& file;
    };
    explicit SettingsPanel(const Parts& parts, QWidget* parent = nullptr);

    void setConversation(app::Conversation* conversation);
    /// The device and context that the next load asks for.
    QString deviceUuid() const;
    int contextLength() const;
    void setContextLength(int contextLength);
    void setDeviceUuid(const QString& uuid);
    void focusFamily();

signals:
    void modelChosen(const QString& path);
    void openRequested();

private:
    QFormLayout* addSection(const QString& title);
    void buildModelSection();
    void buildPresetSection();
    void buildChatSection();
    void buildLengthSection();
    void buildRequirementSection();
    void buildSamplingSection();
    void buildSeedSection();
    QDoubleSpinBox* addNumber(QFormLayout* form, const QString& label, double least, double most,
        double step, const QString& help);
    QSpinBox* addCount(QFormLayout* form, const QString& label, int most, const QString& help);
    void showSettings();
    void applySettings();
    void refreshModels();
    void refreshDevices();
    void refreshModelState();
    /// "" for a file that was not found by the search.
    QString quantizationOf(const QString& path) const;
    void refreshSeed();
    void refreshBans();
    void chooseModel(int index);

    app::Workspace& m_workspace;
    app::ModelFinder& m_models;
    app::DeviceFinder& m_devices;
    app::SettingsFile& m_file;
    app::Conversation* m_conversation = nullptr;
    bool m_isShowing = false; ///< fields are being filled, not edited
    bool m_isApplying = false; ///< the change of settings comes from these fields
    QString m_wishedDevice;

    QVBoxLayout* m_column;
    QComboBox* m_model;
    NoteLabel* m_modelState;
    QProgressBar* m_progress;
    QPushButton* m_cancelLoad;
    QPushButton* m_search;
    QComboBox* m_device;
    QSpinBox* m_context;
    QPushButton* m_reload;
    PresetBar* m_presets;
    QWidget* m_chatSection = nullptr;
    QPlainTextEdit* m_system;
    NoteLabel* m_systemNote;
    QComboBox* m_family;
    NoteLabel* m_familyNote;
    QComboBox* m_contextPolicy;
    StopSettings* m_stops;
    RequirementChoice* m_requirements;
    QWidget* m_requirementSection = nullptr;
    QDoubleSpinBox* m_temperature;
    QSpinBox* m_topK;
    QDoubleSpinBox* m_topP;
    QDoubleSpinBox* m_minP;
    QDoubleSpinBox* m_repeatPenalty;
    QSpinBox* m_repeatWindow;
    QDoubleSpinBox* m_presence;
    QDoubleSpinBox* m_frequency;
    BannedTokens* m_bans;
    QCheckBox* m_fixSeed;
    QLineEdit* m_seed;
    NoteLabel* m_lastSeed;
};

} // namespace ui
