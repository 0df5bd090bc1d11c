#pragma once

#include "app/compare/cache_question.h"
#include "app/compare/reuse_proof.h"
#include "app/conversation/workspace.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;

namespace ui {

class NoteLabel;

/// Two prompts, and how far one's KV cache could serve the other: each condition with yes or no. A
/// button proves it with the loaded model.
class CacheWindow : public QDialog {
    Q_OBJECT
public:
    explicit CacheWindow(app::Workspace& workspace, QWidget* parent = nullptr);

    void setPrompts(const QString& held, const QString& asked);
    const std::optional<app::CacheQuestion>& question() const { return m_question; }

private:
    void ask();
    void showAnswers();
    void showProof();
    void prove();
    QString pieceAt(const engine::TokenIds& ids, size_t index) const;

    app::Workspace& m_workspace;
    app::ReuseProof m_proof;
    app::CachedPrompt m_held;
    app::CachedPrompt m_asked;
    std::optional<app::CacheQuestion> m_question; ///< none without a model
    QPlainTextEdit* m_heldText;
    QPlainTextEdit* m_askedText;
    QLabel* m_sum;
    QTableWidget* m_answers;
    QPushButton* m_prove;
    QLabel* m_proofWords;
    NoteLabel* m_note;
};

} // namespace ui
