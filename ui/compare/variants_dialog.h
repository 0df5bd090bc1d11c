#pragma once

#include "app/conversation/run_variants.h"
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
    /// base: what all runs have in common.
    VariantsDialog(app::ChatSettings base, const app::SettingsFile& store, QWidget* parent = nullptr);

    /// As listed now; empty where that cannot be run.
    const std::vector<app::RunVariant>& variants() const { return m_variants; }
    void setThing(app::VariedThing thing);
    /// What is typed for caps, temperatures and system texts.
    void setValues(const QString& text);

private:
    void addThing(app::VariedThing thing, const QString& name, QWidget* page, const QString& help);
    QWidget* buildSeeds();
    QWidget* buildPresets(const app::SettingsFile& store);
    app::VariedThing thing() const;
    engine::Result<std::vector<app::RunVariant>> read() const;
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
    NoteLabel* m_help;
    QLabel* m_sum;
    QPushButton* m_run;
};

} // namespace ui
