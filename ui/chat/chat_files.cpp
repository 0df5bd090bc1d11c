#include "ui/chat/chat_files.h"

#include "app/conversation/chat_export.h"
#include "app/conversation/chat_import.h"
#include "app/conversation/chat_markdown.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QSaveFile>

namespace ui {

namespace {
    // Far above any conversation; what is larger is something else.
    constexpr qint64 kLargestFile = qint64(1) << 30;

    QString fileNameOf(const app::Conversation& conversation)
    {
        QString name;
        for (const QChar sign : conversation.title())
            name += sign.isLetterOrNumber() || sign == QLatin1Char('-') ? sign : QLatin1Char(' ');
        name = name.simplified();
        return name.isEmpty() ? ChatFiles::tr("Conversation") : name;
    }
}

ChatFiles::ChatFiles(app::Workspace& workspace, QWidget& window)
    : QObject(&window)
    , m_workspace(workspace)
    , m_window(window)
{
}

void ChatFiles::exportConversation(app::Conversation* conversation)
{
    if (!conversation)
        return;
    const QString everything = tr("JSON, everything (*.json)");
    const QString shown = tr("Markdown, what is shown (*.md)");
    QString chosen = everything;
    QString path = QFileDialog::getSaveFileName(&m_window, tr("Export the conversation"),
        fileNameOf(*conversation) + QStringLiteral(".json"),
        everything + QStringLiteral(";;") + shown, &chosen);
    if (path.isEmpty())
        return;
    if (chosen == shown && path.endsWith(QLatin1String(".json")))
        path.replace(path.size() - 5, 5, QStringLiteral(".md"));
    if (QFileInfo(path).suffix().isEmpty())
        path += chosen == shown ? QStringLiteral(".md") : QStringLiteral(".json");
    writeTo(path, *conversation);
}

void ChatFiles::importConversation()
{
    const QString path = QFileDialog::getOpenFileName(
        &m_window, tr("Import a conversation"), {}, tr("Conversations (*.json);;All files (*)"));
    if (!path.isEmpty())
        readFrom(path);
}

void ChatFiles::writeTo(const QString& path, app::Conversation& conversation)
{
    if (path.endsWith(QLatin1String(".md"), Qt::CaseInsensitive)) {
        if (!conversation.isLoaded())
            return emit failed(tr("The conversation is still being read. Try again in a moment."));
        return save(path, app::chatMarkdown(conversation));
    }
    m_workspace.readWhole(
        conversation, [files = QPointer(this), path](const engine::Result<app::ChatFile>& file) {
            if (!files)
                return;
            if (file)
                files->save(path, app::chatToJson(*file));
            else
                emit files->failed(tr("The conversation was not exported: %1")
                                       .arg(QString::fromStdString(file.error().message)));
        });
}

void ChatFiles::save(const QString& path, const std::string& bytes)
{
    QSaveFile file(path);
    const bool isWritten = file.open(QIODevice::WriteOnly)
        && file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size()) && file.commit();
    const QString name = QFileInfo(path).fileName();
    if (isWritten)
        emit done(tr("The conversation was written to %1.").arg(name));
    else
        emit failed(tr("%1 could not be written: %2").arg(name, file.errorString()));
}

void ChatFiles::readFrom(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    const auto refuse
        = [&](const QString& why) { emit failed(tr("%1 was not imported: %2").arg(name, why)); };
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refuse(file.errorString());
    if (file.size() > kLargestFile)
        return refuse(tr("it is larger than any conversation"));
    const QByteArray bytes = file.readAll();
    const engine::Result<app::ChatFile> read
        = app::chatFromJson({ bytes.constData(), size_t(bytes.size()) });
    if (!read)
        return refuse(QString::fromStdString(read.error().message));
    app::Conversation& added = m_workspace.addConversation(*read);
    emit imported(&added);
    emit done(tr("“%1” was imported.").arg(added.title()));
}

} // namespace ui
