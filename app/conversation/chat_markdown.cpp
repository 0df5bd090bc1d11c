#include "app/conversation/chat_markdown.h"

#include "app/conversation/verdict_line.h"

#include <QCoreApplication>

namespace app {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("app::ChatMarkdown", text); }

    QString quoted(QString text)
    {
        text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
        text.replace(QLatin1Char('\r'), QLatin1Char('\n'));
        QString lines;
        for (const QString& line : text.split(QLatin1Char('\n')))
            lines += line.isEmpty() ? QStringLiteral(">\n") : QStringLiteral("> %1\n").arg(line);
        return lines;
    }

    // For words of the program's own lines: letters that Markdown would read as marks.
    QString escaped(const QString& text)
    {
        QString result;
        for (const QChar sign : text.simplified()) {
            if (QStringLiteral("\\`*_[]<>#|&~").contains(sign))
                result += QLatin1Char('\\');
            result += sign;
        }
        return result;
    }

    QString speaker(const Turn& turn)
    {
        if (!turn.answer)
            return tr("You");
        const Draft* draft = turn.draft();
        const QString model = draft ? QString::fromStdString(draft->origin().modelName) : QString();
        return model.isEmpty() ? tr("Model") : model;
    }
    /// Its tokens as the last answer that was given it counted them.
    QString sourceLine(const Conversation& conversation, const SourceText& source)
    {
        QString tokens;
        for (const Turn* turn : conversation.turns()) {
            const Draft* draft = turn->answer ? turn->draft() : nullptr;
            if (!draft)
                continue;
            for (const RecordedSource& given : draft->origin().sources)
                if (given.sha256 == source.sha256 && given.tokenCount)
                    tokens = tr("%1 tokens of %2, ")
                                 .arg(*given.tokenCount)
                                 .arg(escaped(speaker(*turn)));
        }
        return QStringLiteral("- %1: %2SHA-256 `%3`\n")
            .arg(escaped(source.name), tokens, QString::fromStdString(source.sha256));
    }
}

std::string chatMarkdown(const Conversation& conversation)
{
    QString text;
    if (!conversation.title().isEmpty())
        text += QStringLiteral("# %1\n\n").arg(escaped(conversation.title()));
    if (conversation.kind() == ConversationKind::PlainText)
        text += quoted(conversation.document()) + QLatin1Char('\n');
    if (!conversation.sources().empty()) {
        text += QStringLiteral("## %1\n\n").arg(tr("Source texts"));
        for (const SourceText& source : conversation.sources())
            text += sourceLine(conversation, source);
        text += QLatin1Char('\n');
    }
    for (const Turn* turn : conversation.turns()) {
        if (conversation.kind() == ConversationKind::Chat)
            text += QStringLiteral("## %1\n\n%2\n")
                        .arg(escaped(speaker(*turn)), quoted(turn->said()));
        if (turn->answer)
            text += QStringLiteral("*%1*\n\n").arg(escaped(verdictWords(*turn->answer)));
    }
    return text.toStdString();
}

} // namespace app
