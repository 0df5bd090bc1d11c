#pragma once

#include "app/conversation/model_rounds.h"
#include "app/conversation/run_variants.h"
#include "app/conversation/workspace.h"
#include "app/models/model_finder.h"
#include "app/settings/settings_file.h"

#include <QObject>
#include <QPointer>

class QMenu;

namespace ui {

class ChatView;
class CompareDetails;
class ComparePage;
class VariantsDialog;

/// Comparing answers, as entries of the chat's menu and behind its answers: why one stopped here,
/// what other settings make of it, and the runs compared last. The runs are shown in one window of
/// their own. GUI thread.
class CompareActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        app::Workspace& workspace;
        ChatView& chat;
        const app::SettingsFile& store;
        const app::ModelFinder& models;
        QWidget* window; ///< of which the others are children
    };
    CompareActions(const Parts& parts, QMenu* menu);

    /// Four columns: as run, cap doubled, stop strings off, end tokens ignored. Where that would
    /// change nothing the column shows the same answer and says why. The answer's tokens are read
    /// first, if they are not there.
    void whyHere(app::Conversation& conversation, app::Turn& answer);
    /// Asks what is to be varied and runs that beside the answer.
    VariantsDialog* askForSettings(app::Conversation& conversation, app::Turn& answer);
    /// The grid that the answer is of, or that was asked for beside it; else the other answers to the
    /// same message. False when there is neither.
    bool showGridOf(app::Conversation& conversation, const app::Turn& answer);
    /// Null while nothing is compared.
    ComparePage* page() const;
    /// What stands below its columns; null likewise.
    CompareDetails* details() const;

signals:
    /// The answer is to be shown in the chat, with its tokens.
    void openRequested(app::Conversation* conversation, app::MessageId answer);
    /// What a person should know, where no answer shows it.
    void noted(const QString& words);

private:
    /// The last answer shown, which a key means.
    void withShown(void (CompareActions::*act)(app::Conversation&, app::Turn&));
    bool mayBegin(app::Conversation& conversation, const app::Turn& answer);
    void askShown(app::Conversation& conversation, app::Turn& answer);
    void showShown(app::Conversation& conversation, app::Turn& answer);
    void begin(app::Conversation& conversation, app::Turn& answer, std::vector<app::RunVariant> variants);
    void show(app::Conversation& conversation, std::vector<app::GridCell> cells);

    app::Workspace& m_workspace;
    ChatView& m_chat;
    const app::SettingsFile& m_store;
    const app::ModelFinder& m_models;
    QWidget* m_window;
    app::ModelRounds m_rounds;
    size_t m_firstRound = 0; ///< column of the first of m_rounds' cells
    QPointer<ComparePage> m_page;
    QPointer<CompareDetails> m_details; ///< in it
};

} // namespace ui
