#pragma once

#include "app/inspection/cache_lens.h"
#include "app/inspection/prompt_view.h"
#include "app/inspection/round_trip.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QPlainTextEdit;
class QStackedLayout;
class QToolButton;

namespace ui {

class NoteLabel;
class OriginLegend;

/// What a run of an answer was given, exactly, as text, as ids or message by message: whose words
/// each stretch is, which of it the KV cache had and why not more, and whether the answer's text
/// would be read back as its own tokens. It is the newest run, unless a person chooses another.
/// Nothing is put together while it is hidden.
class PromptTab : public QWidget {
    Q_OBJECT
public:
    explicit PromptTab(QWidget* parent = nullptr);

    /// The answer must outlive its being shown here; null: none. vocabulary: for answers without
    /// one of their own, shared with the workspace, which may unload its model; may be null. tree:
    /// of the chat, for the runs before; may be null.
    void setAnswer(const app::Answer* answer,
        std::shared_ptr<const engine::ModelText> vocabulary = {}, const app::TurnTree* tree = nullptr);
    /// The answer may have changed. What it costs does not grow with the answer while it is
    /// written.
    void follow();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

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
    /// The part that is shown; null where a person wrote all of the answer.
    const app::Draft* shownPart() const;
    void listRuns();
    void refill();
    void writeWords();
    void write();

    const app::Answer* m_answer = nullptr;
    std::shared_ptr<const engine::ModelText> m_vocabulary;
    std::optional<Basis> m_shown; ///< none: nothing was put together
    app::PromptView m_view;
    std::optional<app::CacheLens> m_cacheLens; ///< of the shown run
    const app::TurnTree* m_tree = nullptr;
    std::optional<int> m_chosenPart; ///< none: the newest
    QComboBox* m_runs;
    QToolButton* m_asText;
    QToolButton* m_asIds;
    QToolButton* m_asMessages;
    QCheckBox* m_lens;
    QToolButton* m_copy;
    NoteLabel* m_cache;
    NoteLabel* m_room;
    OriginLegend* m_origins;
    NoteLabel* m_roundTrip;
    NoteLabel* m_sources;
    NoteLabel* m_legend;
    QPlainTextEdit* m_edit;
    NoteLabel* m_notice;
    QStackedLayout* m_pages;
};

} // namespace ui
