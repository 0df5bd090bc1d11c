#include "app/paint_trace.h"

#include "app/conversation/token_place.h"

#include <QDateTime>

namespace app {

PaintTrace::PaintTrace(Workspace& workspace, const QString& path)
    : m_file(path)
{
    // Unbuffered: a line that was written outlives the program.
    if (!m_file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
        return;
    for (const auto& conversation : workspace.conversations())
        watch(*conversation);
    connect(&workspace, &Workspace::conversationAdded, this,
        [this](Conversation* conversation) { watch(*conversation); });
}

void PaintTrace::watch(Conversation& conversation)
{
    connect(&conversation, &Conversation::painted, this, &PaintTrace::write);
}

void PaintTrace::write(const Turn& turn, size_t textBytes)
{
    const Answer& answer = *turn.answer;
    const Draft& draft = *answer.draft();
    if (!draft.hasDetails())
        return; // it was written before this start
    const size_t before = answer.text().size() - draft.text().size();
    const QByteArray time = QByteArray::number(QDateTime::currentMSecsSinceEpoch());
    QByteArray lines;
    for (int& index = m_writtenCounts[draft.runId()]; index < draft.tokenCount(); ++index) {
        if (before + textOfToken(draft, index).end > textBytes)
            break;
        lines += QByteArray::number(qulonglong(draft.runId())) + ' ' + QByteArray::number(index)
            + ' ' + time + '\n';
    }
    if (!lines.isEmpty())
        m_file.write(lines);
}

} // namespace app
