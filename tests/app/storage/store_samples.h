#pragma once

#include "app/storage/chat_store.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

namespace tests {

/// A folder that goes with the test, and the database in it.
class StoreFolder {
public:
    QString path() const { return m_folder.path(); }
    QString databasePath() const { return m_folder.filePath(QStringLiteral("tokenglass.sqlite")); }
    /// The bytes of every file in the folder, one after the other.
    QByteArray allBytes() const;
    QStringList files(const QString& pattern) const
    {
        return QDir(m_folder.path()).entryList({ pattern }, QDir::Files, QDir::Name);
    }

private:
    QTemporaryDir m_folder;
};

/// The store at this path; fails the test when it does not open.
std::unique_ptr<app::ChatStore> openedStore(const QString& path);

/// A moment, so many milliseconds after a fixed one.
QDateTime moment(qint64 ms);
app::StoredConversation conversation(app::ConversationId id, const QString& title);
app::StoredMessage message(
    app::MessageId id, app::ConversationId conversation, app::MessageId parent);
/// A person's message with a text.
app::StoredMessage question(app::MessageId id, app::ConversationId conversation,
    app::MessageId parent, const QString& text);
app::StoredMessage answer(
    app::MessageId id, app::ConversationId conversation, app::MessageId parent);
app::OpenRun openedRun(app::StoredRunId id, app::MessageId message, int part = 0);
app::EndRun endedRun(app::StoredRunId id, engine::StopReason reason, const std::string& text);
/// Records with and without each optional field, and bytes that are no text.
std::vector<engine::TokenRecord> sampleTokens(int count, int firstPosition = 0);
/// What a fork kept of so many tokens: the first a person began, then two runs.
app::KeptTokens sampleKept(int count);

/// A conversation with a question and an answer of one ended run: ids first, first + 1, ...
app::StoreChanges wholeChat(int64_t firstId, const QString& title, const QString& asked,
    const std::string& answered, engine::StopReason reason = engine::StopReason::EndToken);

/// What went wrong, or "" for a success.
template <typename T> QString errorText(const engine::Result<T>& result)
{
    return result ? QString() : QString::fromStdString(result.error().message);
}

} // namespace tests

/// Fails the test, with the error's message, unless the result is a success.
#define VERIFY_OK(expression)                                                                      \
    do {                                                                                           \
        const auto& verified = (expression);                                                       \
        QVERIFY2(verified.has_value(), qPrintable(tests::errorText(verified)));                    \
    } while (false)
