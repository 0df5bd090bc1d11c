#pragma once

#include "app/conversation/workspace.h"

#include <QObject>

class QWidget;

namespace ui {

/// Conversations into files and out of them: JSON, which is everything, and Markdown, which is what
/// is shown. A file is written whole or not at all; nothing that is there is replaced by an import.
class ChatFiles : public QObject {
    Q_OBJECT
public:
    ChatFiles(app::Workspace& workspace, QWidget& window);

    /// Asks for a file and writes the conversation to it.
    void exportConversation(app::Conversation* conversation);
    /// Asks for a file and adds the conversation in it.
    void importConversation();
    /// Markdown when the name ends in .md, else JSON.
    void writeTo(const QString& path, app::Conversation& conversation);
    void readFrom(const QString& path);

signals:
    /// What was done, or why it was not, in words.
    void done(const QString& words);
    void failed(const QString& words);
    void imported(app::Conversation* conversation);

private:
    void save(const QString& path, const std::string& bytes);

    app::Workspace& m_workspace;
    QWidget& m_window;
};

} // namespace ui
