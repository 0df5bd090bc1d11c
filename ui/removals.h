#pragma once

#include "app/conversation/workspace.h"

#include <QObject>

#include <functional>

namespace ui {

class NoticeBar;

/// Takes conversations, turns and source texts away, each with a note that can bring it back for as
/// long as it stands.
class Removals : public QObject {
    Q_OBJECT
public:
    Removals(app::Workspace& workspace, NoticeBar& notice, QObject* parent);

    void removeConversation(app::Conversation& doomed);
    void removeTurn(app::Conversation& conversation, size_t turnIndex);
    void removeSource(app::Conversation& conversation, app::SourceId id);
    /// Brings back what was removed last.
    void undo();

signals:
    /// The conversation is to be shown: in place of one that goes, or for what came back in it.
    void conversationWanted(app::Conversation* conversation);

private:
    void note(const QString& text, const QString& details, std::function<void()> undo);

    app::Workspace& m_workspace;
    NoticeBar& m_notice;
    std::function<void()> m_undo;
};

} // namespace ui
