#include "app/inspection/prompt_difference.h"

#include "app/inspection/prompt_place.h"

#include <algorithm>
#include <cctype>

namespace app {

namespace {
    std::string pieceText(const Draft& run, engine::TokenId id) { return run.origin().tokenText(id); }

    /// What a run has read and written, and whose words it is.
    struct Told {
        const Draft& run;
        std::string text; ///< the formatted prompt, then the answer with control tokens written out
        std::string answer; ///< without control tokens
        size_t promptSize = 0;

        explicit Told(const Draft& told)
            : run(told)
            , text(told.origin().promptText)
            , promptSize(text.size())
        {
            const engine::GenerationRequest& request = run.origin().request;
            const size_t begun = request.promptIds.size()
                - std::min(request.promptIds.size(), size_t(std::max(0, request.draftTokenCount)));
            for (size_t i = begun; i < request.promptIds.size(); ++i)
                say(request.promptIds[i]);
            for (const engine::TokenRecord& record : run.records())
                say(record.id);
        }
        void say(engine::TokenId id)
        {
            const std::string piece = pieceText(run, id);
            text += piece;
            const engine::ModelText* model = run.origin().modelText.get();
            if (model && model->tokenizer && !model->tokenizer->pieceBytes(id).empty())
                answer += piece;
        }
        /// Where this token's piece ends; none where the tokens are not the text.
        std::optional<size_t> endOf(size_t token) const
        {
            PromptPlace place(run.origin());
            const engine::TokenIds& ids = run.origin().request.promptIds;
            const size_t begun = ids.size() - size_t(std::max(0, run.origin().request.draftTokenCount));
            size_t end = 0;
            for (size_t i = 0; i < std::min(token + 1, begun); ++i) {
                const std::string piece = pieceText(run, ids[i]);
                const auto start = place.take(piece, i == 0);
                end = start ? *start + piece.size() : end;
            }
            if (place.isLost())
                return std::nullopt;
            for (size_t i = begun; i <= token; ++i)
                end += pieceText(run, i < ids.size() ? ids[i] : run.records()[i - ids.size()].id).size();
            return end;
        }
    };

    /// A stretch of what a run read or wrote.
    struct Part {
        PromptOrigin origin = PromptOrigin::Unknown;
        std::string text; ///< all of the message
    };

    std::string messageText(const Told& told, const RecordedSpan& span)
    {
        std::string text;
        for (const RecordedSpan& other : *told.run.origin().promptSpans)
            if (other.message == span.message && other.origin == span.origin)
                text += told.text.substr(other.promptStart, other.promptEnd - other.promptStart);
        return text;
    }

    Part partAt(const Told& told, size_t byte)
    {
        if (byte >= told.promptSize)
            return { PromptOrigin::Answer, told.answer };
        const RecordedSpans& spans = told.run.origin().promptSpans;
        const RecordedSpan* span = spanAt(spans, byte);
        if (!span)
            return {};
        // Where the template's words follow at once, a text has ended early.
        const bool isBehindText = span->origin == PromptOrigin::Template && span->promptStart == byte
            && span != &spans->front();
        if (isBehindText)
            --span;
        if (span->origin == PromptOrigin::Template)
            return { PromptOrigin::Template, {} };
        return { span->origin, messageText(told, *span) };
    }

    /// All texts of one origin, as they follow each other.
    std::string textsOf(const Told& told, PromptOrigin origin)
    {
        std::string texts;
        for (const RecordedSpan& span : told.run.origin().promptSpans.value_or(std::vector<RecordedSpan>()))
            if (span.origin == origin)
                texts += told.text.substr(span.promptStart, span.promptEnd - span.promptStart);
        return texts;
    }

    std::string withoutBlanks(const std::string& text)
    {
        std::string kept;
        std::ranges::copy_if(text, std::back_inserter(kept), [](unsigned char c) { return !std::isspace(c); });
        return kept;
    }

    /// As templates remove it from earlier answers: all up to the end of it.
    std::string withoutThinking(const std::string& text)
    {
        constexpr std::string_view kEnd = "</think>";
        const size_t end = text.rfind(kEnd);
        return end == std::string::npos ? text : text.substr(end + kEnd.size());
    }

    MissReason answerReason(const std::string& now, const std::string& before)
    {
        if (now == before)
            return MissReason::OtherTokens;
        if (withoutBlanks(now) == withoutBlanks(before))
            return MissReason::AnswerBlanks;
        const bool hasLessThinking = withoutThinking(before) != before && withoutThinking(now) == now;
        if (hasLessThinking && withoutBlanks(now) == withoutBlanks(withoutThinking(before)))
            return MissReason::ThinkingRemoved;
        return MissReason::EarlierAnswer;
    }
}

MissReason differenceOf(const Draft& run, const Draft& before, size_t position)
{
    const Told now(run);
    const Told then(before);
    if (!run.origin().promptSpans || !before.origin().promptSpans)
        return MissReason::NotKnown;
    const auto byte = size_t(std::ranges::mismatch(now.text, then.text).in1 - now.text.begin());
    const auto nowEnd = now.endOf(position);
    const auto thenEnd = then.endOf(position);
    if (nowEnd && thenEnd && byte >= std::max(*nowEnd, *thenEnd))
        return MissReason::OtherTokens;
    const Part a = partAt(now, byte);
    const Part b = partAt(then, byte);
    const auto isOf = [&](PromptOrigin origin) { return a.origin == origin || b.origin == origin; };
    if (isOf(PromptOrigin::Unknown))
        return MissReason::NotKnown;
    if (isOf(PromptOrigin::System))
        return MissReason::SystemText;
    if (isOf(PromptOrigin::Source))
        return MissReason::SourceText;
    if (a.origin == PromptOrigin::Answer && b.origin == PromptOrigin::Answer)
        return answerReason(a.text, b.text);
    if (isOf(PromptOrigin::Answer))
        return MissReason::EarlierAnswer;
    if (isOf(PromptOrigin::Typed))
        return MissReason::Message;
    // Both are the template's words: around a text that only one of them has, or its own.
    if (textsOf(now, PromptOrigin::System) != textsOf(then, PromptOrigin::System))
        return MissReason::SystemText;
    return MissReason::TemplateText;
}

} // namespace app
