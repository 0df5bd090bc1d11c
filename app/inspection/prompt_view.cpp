#include "app/inspection/prompt_view.h"

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

    /// The next byte of the prompt at which a source text begins or ends, or else limit.
    size_t nextBorder(const std::vector<RecordedSource>& sources, size_t promptByte, size_t limit)
    {
        for (const RecordedSource& source : sources)
            for (const auto& border : { source.promptStart, source.promptEnd })
                if (border && *border > promptByte)
                    limit = std::min(limit, *border);
        return limit;
    }

    void append(PromptView& view, PromptSpan span)
    {
        if (span.bytes.start == span.bytes.end)
            return;
        if (!view.spans.empty()) {
            PromptSpan& last = view.spans.back();
            if (last.kind == span.kind && last.cache == span.cache && last.source == span.source) {
                last.bytes.end = span.bytes.end;
                return;
            }
        }
        view.spans.push_back(span);
    }

    /// Adds text[start ..), which stands at promptByte of the formatted prompt where that is known.
    void appendSpans(PromptView& view, const std::vector<RecordedSource>& sources, PromptSpan span,
        std::optional<size_t> promptByte)
    {
        const size_t end = view.text.size();
        while (span.bytes.start < end) {
            span.bytes.end = end;
            span.source = -1;
            if (promptByte) {
                const size_t limit = *promptByte + (end - span.bytes.start);
                const size_t border = nextBorder(sources, *promptByte, limit);
                span.source = sourceAt(sources, *promptByte);
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

    /// Follows the formatted prompt while its tokens are added.
    class PromptPlace {
    public:
        explicit PromptPlace(const std::string& prompt)
            : m_prompt(prompt)
        {
        }
        /// Where this piece stands; none where it is no part of the prompt.
        std::optional<size_t> take(std::string_view piece, bool mayBeAdded)
        {
            if (m_isLost)
                return std::nullopt;
            if (m_prompt.compare(m_offset, piece.size(), piece) == 0) {
                m_offset += piece.size();
                return m_offset - piece.size();
            }
            // SentencePiece puts a blank in front of text: the rest of the piece is the prompt's.
            const bool hasBlank = piece.starts_with(' ')
                && m_prompt.compare(m_offset, piece.size() - 1, piece.substr(1)) == 0;
            if (hasBlank)
                m_offset += piece.size() - 1;
            m_isLost = !mayBeAdded && !hasBlank;
            return std::nullopt;
        }
        bool isLost() const { return m_isLost; }

    private:
        const std::string& m_prompt;
        size_t m_offset = 0;
        bool m_isLost = false;
    };
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
    PromptPlace place(origin.promptText);
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
            const auto promptByte = i < begun ? place.take(piece, mayBeAdded) : std::nullopt;
            token.source = promptByte ? sourceAt(origin.sources, *promptByte) : -1;
            const PromptSpan span { token.kind, token.cache, -1,
                { view.text.size(), view.text.size() + piece.size() } };
            view.text += piece;
            appendSpans(view, origin.sources, span, promptByte);
        }
        view.tokens.push_back(token);
    }
    if (!view.isByTokens) {
        view.text = origin.promptText;
        appendSpans(view, origin.sources, {}, 0);
    }
    view.isAsSent = !place.isLost();
    keepCharactersWhole(view);
    return view;
}

} // namespace app
