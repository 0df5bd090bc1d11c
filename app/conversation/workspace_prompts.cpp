// What a workspace knows of prompts: source texts, their tokens, and what fits.
#include "app/conversation/workspace.h"

#include <algorithm>

namespace app {

namespace {
    std::chrono::sys_seconds localNow()
    {
        const QDateTime now = QDateTime::currentDateTime();
        return std::chrono::sys_seconds(
            std::chrono::seconds(now.toSecsSinceEpoch() + now.offsetFromUtc()));
    }
}

bool Workspace::addSources(
    Conversation& conversation, const std::vector<engine::Result<SourceText>>& sources)
{
    if (!conversation.isLoaded() || conversation.kind() != ConversationKind::Chat)
        return false;
    QStringList refusals;
    for (const engine::Result<SourceText>& source : sources) {
        if (!source) {
            refusals.append(QString::fromStdString(source.error().message));
            continue;
        }
        SourceText added = *source;
        added.id = m_ids.next();
        conversation.addSource(std::move(added));
    }
    if (refusals.isEmpty())
        conversation.setProblem(std::nullopt);
    else
        conversation.setProblem(Problem { Problem::Kind::NotSent,
            refusals.size() == 1 ? tr("The text was not added")
                                 : tr("%L1 texts were not added").arg(refusals.size()),
            refusals.join(QLatin1Char('\n')), {} });
    return refusals.isEmpty();
}

void Workspace::removeSource(Conversation& conversation, SourceId id)
{
    conversation.setSourceRemoved(id, true);
    m_undoTimer.start();
}

void Workspace::restoreSource(Conversation& conversation, SourceId id)
{
    conversation.setSourceRemoved(id, false);
}

std::optional<int> Workspace::knownTokens(const SourceText& source) const
{
    const auto found = m_sourceTokens.find(source.sha256);
    return found == m_sourceTokens.end() ? std::nullopt : std::optional(found->second);
}

void Workspace::noteSourceTokens(const MeasuredPrompt& measured)
{
    if (!m_model || measured.model != m_model->text)
        return;
    const size_t before = m_sourceTokens.size();
    m_sourceTokens.insert(measured.sourceTokens.begin(), measured.sourceTokens.end());
    if (m_sourceTokens.size() > before)
        emit sourcesCounted();
}

/// Known without formatting, which takes seconds with texts that long.
bool Workspace::sourcesMayFit(Conversation& conversation)
{
    int tokenCount = 0;
    for (const SourceText& source : conversation.sources())
        tokenCount += knownTokens(source).value_or(0);
    const engine::ModelDescription& model = m_model->description;
    if (tokenCount < model.contextLength)
        return true;
    conversation.setProblem(Problem { Problem::Kind::ContextFull, tr("The context is too small"),
        tr("The source texts alone have %L1 tokens and the context holds %L2, so nothing could be "
           "written. They are never cut: remove those that are not needed, or raise the context "
           "length on the right (this model was trained with %L3).")
            .arg(tokenCount)
            .arg(model.contextLength)
            .arg(model.trainedContextLength),
        {} });
    return false;
}

PromptParts Workspace::partsOf(
    const Conversation& conversation, size_t turnCount, const QString& newText) const
{
    PromptParts parts = promptParts(conversation, turnCount, newText);
    for (size_t i = 0; i < parts.sources.size(); ++i)
        parts.sourceTokens[i] = knownTokens(parts.sources[i]);
    return parts;
}

PromptRoom Workspace::roomFor(
    const Conversation& conversation, size_t draftTokenCount, std::optional<int> cap) const
{
    return { .contextLength = size_t(std::max(0, m_model->description.contextLength)),
        .draftTokenCount = draftTokenCount,
        .lengthCap = size_t(cap.value_or(conversation.settings().lengthCap)) };
}

engine::Result<FormattedPrompt> Workspace::formatted(PromptParts parts, const PromptRoom& room)
{
    TRY_ASSIGN(
        FormattedPrompt prompt, formatToFit(*m_model->text, std::move(parts), room, localNow()));
    MeasuredPrompt counted { .measure = {}, .sourceTokens = {}, .model = m_model->text };
    for (const RecordedSource& source : prompt.sources)
        if (source.tokenCount)
            counted.sourceTokens[source.sha256] = *source.tokenCount;
    noteSourceTokens(counted);
    return prompt;
}

std::optional<MeasureRequest> Workspace::measureRequest(
    const Conversation& conversation, const QString& text) const
{
    if (!m_model || conversation.kind() != ConversationKind::Chat || !conversation.isLoaded())
        return std::nullopt;
    // A message of blanks is not sent.
    const QString message = text.trimmed().isEmpty() ? QString() : text;
    return MeasureRequest { .model = m_model->text,
        .message = message.toStdString(),
        .parts = partsOf(conversation, conversation.turnCount(), message),
        .isPromptKnown = !conversation.activeDraft(),
        .room = roomFor(conversation),
        .now = localNow() };
}

std::optional<int> Workspace::countTokens(const QString& text) const
{
    if (!m_model)
        return std::nullopt;
    return int(m_model->text->tokenizer->encodeText(text.toStdString()).size());
}

} // namespace app
