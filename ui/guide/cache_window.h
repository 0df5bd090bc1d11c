#pragma once

#include "app/compare/cached_prompt.h"
#include "app/compare/reuse_proof.h"
#include "app/conversation/workspace.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QPlainTextEdit;
class QPushButton;

namespace ui {

class FactTable;
class NoteLabel;

/// Two prompts, and how far one's KV cache could serve the other: each condition with yes or no,
/// and what either side has. Without a model, words stand for tokens. The side that is held can be
/// kept while another model is loaded. A button proves it with the loaded model.
class CacheWindow : public QDialog {
    Q_OBJECT
public:
    explicit CacheWindow(app::Workspace& workspace, QWidget* parent = nullptr);

    /// Texts beyond it are refused: nobody waits for their tokens at every key.
    static constexpr size_t kLongestText = 256 * 1024; // bytes

    /// Answered at once, and not after a pause as what is typed.
    void setPrompts(const QString& held, const QString& asked);
    const std::optional<app::CacheQuestion>& question() const { return m_question; }

private:
    void build();
    void askSoon();
    void ask();
    void readHeld();
    void keep(bool isKept);
    void showAnswers();
    QString sumWords() const;
    QString sharedWords() const;
    QString pageWords() const;
    bool canProve() const;
    bool hasModel() const;
    QString differenceWords() const;
    void showProof();
    void prove();
    QString heldPiece(size_t index) const;
    QString askedPiece(size_t index) const;

    app::Workspace& m_workspace;
    app::ReuseProof m_proof;
    app::CachedPrompt m_held;
    /// Of m_held: another model's while it is kept. Shared with the engine; immutable.
    std::shared_ptr<const engine::ModelText> m_heldModel;
    app::CachedPrompt m_asked;
    app::WordVocabulary m_words; ///< that stand for tokens without a model
    bool m_isTooLong = false; ///< one of the texts
    QTimer m_pause; ///< after the last key
    std::optional<app::CacheQuestion>
        m_question; ///< none where one side is kept and no model is there, and of too long texts
    QPlainTextEdit* m_heldText;
    QPlainTextEdit* m_askedText;
    QCheckBox* m_keep;
    NoteLabel* m_sum;
    FactTable* m_answers;
    QPushButton* m_prove;
    NoteLabel* m_proofWords;
    NoteLabel* m_note;
};

} // namespace ui
