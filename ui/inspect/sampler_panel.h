#pragma once

#include "app/inspection/stage_trace.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace ui {

class DrawBar;
class NoteLabel;
class NumberControl;

/// The stages of the sampler at one step, with settings to try: what each stage leaves, and which
/// token would have been drawn. Nothing is generated. What is tried stays while other tokens of the
/// same run are shown.
class SamplerPanel : public QWidget {
    Q_OBJECT
public:
    explicit SamplerPanel(QWidget* parent = nullptr);

    using QWidget::show;
    /// The track must outlive this, or be let go with clear().
    void show(const app::TokenTrack& track, const app::Answer& answer, int token);
    void clear();
    /// What is tried at the moment.
    const engine::SamplerSettings& settings() const { return m_settings; }

signals:
    /// The tried settings shall be those of the chat.
    void settingsChosen(const engine::SamplerSettings& settings);

protected:
    void connectNotify(const QMetaMethod& signal) override;

private:
    struct Stage {
        DrawBar* bar = nullptr;
        NoteLabel* words = nullptr;
    };
    /// One number of the settings with its control.
    struct Field {
        NumberControl* control = nullptr;
        double (*read)(const engine::SamplerSettings&) = nullptr;
    };

    void buildStages(QVBoxLayout* column);
    void buildDraw(QVBoxLayout* column);
    void showSettings();
    void preview();
    void showDraw(const app::StageTrace& trace, const engine::TokenRecord& record);
    void showButtons();

    const app::TokenTrack* m_track = nullptr;
    int m_token = -1;
    std::optional<engine::RunId> m_run;
    engine::SamplerSettings m_runSettings;
    engine::SamplerSettings m_settings;
    NoteLabel* m_note;
    QWidget* m_content;
    std::vector<Field> m_fields;
    std::array<Stage, app::kTracedStages.size()> m_stages;
    QLineEdit* m_seed;
    DrawBar* m_draw;
    QLabel* m_drawn;
    QToolButton* m_reset;
    QPushButton* m_use;
};

} // namespace ui
