#include "app/inspection/prompt_view.h"

#include "app/inspection/prompt_place.h"

#include <algorithm>

namespace app {

namespace {
    bool isInsideCharacter(char byte) { return (uint8_t(byte) & 0xC0) == 0x80; }

    int sourceAt(const std::vector<RecordedSource>& sources, size_t promptByte)
    {
        for (size_t i = 0; i < sources.size(); ++i)
            if (sources[i].promptStart && sources[i].promptEnd
                && *sources[i].promptStart <= promptByte && promptByte < *sources[i].promptEnd)
                return int(i);
        return -1;
    }

    /// The next byte of the prompt at which a source text or a stretch of another origin begins or
    /// ends, or else limit.
    size_t nextBorder(const DraftOrigin& origin, size_t promptByte, size_t limit)
    {
        for (const RecordedSource& source : origin.sources)
            for (const auto& border : { source.promptStart, source.promptEnd })
                if (border && *border > promptByte)
                    limit = std::min(limit, *border);
        const RecordedSpan* span = spanAt(origin.promptSpans, promptByte);
        return span ? std::min(limit, span->promptEnd) : limit;
    }

    /// Takes over what is known of a byte of the prompt.
    template <typename Shown> void describe(Shown& shown, const DraftOrigin& origin, size_t promptByte)
    {
        shown.source = sourceAt(origin.sources, promptByte);
        const RecordedSpan* span = spanAt(origin.promptSpans, promptByte);
        shown.origin = span ? span->origin : PromptOrigin::Unknown;
        shown.message = span ? span->message : -1;
    }

    void append(PromptView& view, PromptSpan span)
    {
        if (span.bytes.start == span.bytes.end)
            return;
        if (!view.spans.empty()) {
            PromptSpan& last = view.spans.back();
            if (last.kind == span.kind && last.cache == span.cache && last.source == span.source
                && last.origin == span.origin && last.message == span.message) {
                last.bytes.end = span.bytes.end;
                return;
            }
        }
        view.spans.push_back(span);
    }

    /// Adds text[start ..), which stands at promptByte of the formatted prompt where that is known.
    void appendSpans(PromptView& view, const DraftOrigin& origin, PromptSpan span,
        std::optional<size_t> promptByte)
    {
        const size_t end = view.text.size();
        while (span.bytes.start < end) {
            span.bytes.end = end;
            span.source = -1;
            if (promptByte) {
                const size_t limit = *promptByte + (end - span.bytes.start);
                const size_t border = nextBorder(origin, *promptByte, limit);
                describe(span, origin, *promptByte);
                span.bytes.end = span.bytes.start + (border - *promptByte);
                promptByte = border;
            }
            append(view, span);
            span.bytes.start = span.bytes.end;
        }
    }

    /// A character that several spans share is shown with the first.
    void keepCharactersWhole(PromptView& view)
    {
        size_t start = 0;
        for (PromptSpan& span : view.spans) {
            size_t end = std::max(start, span.bytes.end);
            while (end < view.text.size() && isInsideCharacter(view.text[end]))
                ++end;
            span.bytes = { start, end };
            start = end;
        }
        std::erase_if(
            view.spans, [](const PromptSpan& span) { return span.bytes.start == span.bytes.end; });
    }
}

std::optional<PromptCacheUse> promptCacheUse(const Draft& draft)
{
    PromptCacheUse use { .tokenCount = int(draft.origin().request.promptIds.size()) };
    const auto& ending = draft.ending();
    if (ending && ending->cache.reusedTokens + ending->cache.computedTokens > 0) {
        use.reused = ending->cache.reusedTokens;
        use.computed = ending->cache.computedTokens;
        use.tokenCount = use.reused + use.computed;
        use.firstMissPosition = ending->cache.firstMissPosition;
        use.missCause = ending->cache.missCause;
        use.room = ending->cache.room;
        return use;
    }
    if (!draft.prefill())
        return std::nullopt;
    use.tokenCount = draft.prefill()->total;
    use.reused = draft.prefill()->reused;
    use.computed = std::max(0, draft.prefill()->done - use.reused);
    use.isUnderWay = !ending;
    return use;
}

PromptView promptView(const Draft& draft, const engine::ModelText* fallback)
{
    const DraftOrigin& origin = draft.origin();
    const engine::TokenIds& ids = origin.request.promptIds;
    const engine::ModelText* model = origin.modelText ? origin.modelText.get() : fallback;
    const engine::Tokenizer* tokenizer = model ? model->tokenizer.get() : nullptr;
    const auto isKnown
        = [&](engine::TokenId id) { return tokenizer && tokenizer->vocabulary().contains(id); };
    const auto use = promptCacheUse(draft);
    // What is being read is told apart from the start: it will be computed, if it is read at all.
    const int computedEnd = !use ? 0
        : use->isUnderWay        ? int(ids.size())
                                 : use->reused + use->computed;
    const size_t begun
        = ids.size() - std::min(ids.size(), size_t(std::max(0, origin.request.draftTokenCount)));

    PromptView view;
    view.isByTokens = !ids.empty() && std::ranges::all_of(ids, isKnown);
    PromptPlace place(origin);
    for (size_t i = 0; i < ids.size(); ++i) {
        PromptToken token { .id = ids[i] };
        if (use && int(i) < computedEnd)
            token.cache = int(i) < use->reused ? PromptCache::Reused : PromptCache::Computed;
        if (i >= begun)
            token.kind = PromptKind::Begun;
        if (view.isByTokens) {
            const std::string piece = tokenizer->pieceText(token.id);
            if (tokenizer->pieceBytes(token.id).empty())
                token.kind = PromptKind::Control;
            // The token that some vocabularies ask for in front of every prompt is in no template.
            const bool mayBeAdded = i == 0 && token.kind == PromptKind::Control;
            std::optional<size_t> promptByte;
            if (i < begun)
                promptByte = place.take(piece, mayBeAdded);
            if (promptByte)
                describe(token, origin, promptByte.value());
            PromptSpan span { token.kind, token.cache };
            span.bytes = { view.text.size(), view.text.size() + piece.size() };
            view.text += piece;
            appendSpans(view, origin, span, promptByte);
        }
        view.tokens.push_back(token);
    }
    if (!view.isByTokens) {
        view.text = origin.promptText;
        appendSpans(view, origin, {}, 0);
    }
    view.isAsSent = !place.isLost();
    keepCharactersWhole(view);
    return view;
}

} // namespace app
