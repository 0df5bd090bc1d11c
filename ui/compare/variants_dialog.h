#pragma once

#include "app/conversation/run_variants.h"
#include "app/models/model_file.h"
#include "app/settings/settings_file.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace ui {

class NoteLabel;

/// Asks what is to be varied, one thing at a time, and says which runs that makes.
class VariantsDialog : public QDialog {
    Q_OBJECT
public:
    struct Choices {
        const app::SettingsFile& store; ///< of presets
        QList<app::ModelFile> models; ///< found on this machine
        QString loadedModel; ///< its path; "" = none
    };
    /// base: what all runs have in common.
    VariantsDialog(app::ChatSettings base, const Choices& choices, QWidget* parent = nullptr);

    /// As listed now; empty where that cannot be run.
    const std::vector<app::RunVariant>& variants() const { return m_variants; }
    void setThing(app::VariedThing thing);
    /// What is typed for caps, temperatures, system texts and stop strings.
    void setValues(const QString& text);
    /// Lists a model file, chosen, unless it is listed.
    void addModel(const QString& path);

private:
    void addThing(app::VariedThing thing, const QString& name, QWidget* page, const QString& help);
    QWidget* buildSeeds();
    QWidget* buildPresets(const app::SettingsFile& store);
    QWidget* buildTemplates();
    QWidget* buildModels(const Choices& choices);
    void askForModel();
    app::VariedThing thing() const;
    engine::Result<std::vector<app::RunVariant>> read() const;
    engine::Result<std::vector<app::RunVariant>> readTemplates() const;
    engine::Result<std::vector<app::RunVariant>> readModels() const;
    void refresh();

    app::ChatSettings m_base;
    std::vector<app::ChatSettings> m_presets;
    QStringList m_seeds; ///< drawn once, so that the list stands still
    std::vector<app::RunVariant> m_variants;
    QComboBox* m_thing;
    QStackedWidget* m_pages;
    QStringList m_helps;
    QLineEdit* m_caps;
    QLineEdit* m_temperatures;
    QSpinBox* m_seedCount;
    QListWidget* m_presetList;
    QPlainTextEdit* m_systemTexts;
    QPlainTextEdit* m_stopStrings;
    std::vector<app::PromptFormat> m_formats;
    QListWidget* m_templateList;
    QListWidget* m_modelList;
    NoteLabel* m_help;
    QLabel* m_sum;
    QPushButton* m_run;
};

} // namespace ui
