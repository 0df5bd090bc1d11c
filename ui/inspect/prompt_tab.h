#pragma once

#include "app/inspection/prompt_view.h"
#include "app/inspection/round_trip.h"

#include <QWidget>

class QCheckBox;
class QPlainTextEdit;
class QStackedLayout;
class QToolButton;

namespace ui {

class NoteLabel;

/// What the newest run of an answer was given, exactly, as text or as ids; which of it the KV cache
/// had; and whether the answer's text would be read back as its own tokens.
/// Nothing is put together while it is hidden.
class PromptTab : public QWidget {
    Q_OBJECT
public:
    explicit PromptTab(QWidget* parent = nullptr);

    /// The answer must outlive its being shown here; null: none. vocabulary: for answers without
    /// one of their own, shared with the workspace, which may unload its model; may be null.
    void setAnswer(
        const app::Answer* answer, std::shared_ptr<const engine::ModelText> vocabulary = {});
    /// The answer may have changed. What it costs does not grow with the answer while it is
    /// written.
    void follow();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// What the shown text depends on.
    struct Basis {
        const app::Draft* draft = nullptr;
        bool hasDetails = false;
        bool hasEnded = false;
        std::optional<int> reused;

        bool operator==(const Basis&) const = default;
    };
    QWidget* makeContent();
    Basis basis() const;
    QString notice() const;
    void refill();
    void write();

    const app::Answer* m_answer = nullptr;
    std::shared_ptr<const engine::ModelText> m_vocabulary;
    std::optional<Basis> m_shown; ///< none: nothing was put together
    app::PromptView m_view;
    QToolButton* m_asText;
    QToolButton* m_asIds;
    QCheckBox* m_lens;
    QToolButton* m_copy;
    NoteLabel* m_cache;
    NoteLabel* m_roundTrip;
    NoteLabel* m_sources;
    NoteLabel* m_legend;
    QPlainTextEdit* m_edit;
    NoteLabel* m_notice;
    QStackedLayout* m_pages;
};

} // namespace ui
