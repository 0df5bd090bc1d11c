#include "engine/tokenizer/pre_tokenizer.h"

#include "engine/tokenizer/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <string>

namespace engine {

namespace {
    struct FreeCode {
        void operator()(pcre2_code* code) const { pcre2_code_free(code); }
    };
    struct FreeMatchData {
        void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
    };
    struct FreeMatchContext {
        void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
    };

    // The patterns back up over a run at most once, so no sound match comes near this.
    constexpr uint32_t kMatchLimit = 1u << 30;
}

/// One compiled regular expression.
class PreTokenizer::Pattern {
public:
    static Result<std::unique_ptr<Pattern>> create(const char* source)
    {
        int errorNumber = 0;
        size_t errorOffset = 0;
        std::unique_ptr<pcre2_code, FreeCode> code(
            pcre2_compile(reinterpret_cast<PCRE2_SPTR>(source), PCRE2_ZERO_TERMINATED, PCRE2_UTF,
                &errorNumber, &errorOffset, nullptr));
        std::unique_ptr<pcre2_match_context, FreeMatchContext> context(
            pcre2_match_context_create(nullptr));
        if (!code || !context)
            return Error::unsupported("pre-tokenizer pattern refused by PCRE2, error "
                + std::to_string(errorNumber) + " at byte " + std::to_string(errorOffset));
        // Where the processor has no JIT the interpreter takes over: slower, same result, heap
        // frames.
        (void)pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
        pcre2_set_match_limit(context.get(), kMatchLimit);
        return std::unique_ptr<Pattern>(new Pattern(std::move(code), std::move(context)));
    }

    /// Appends the matches in valid UTF-8 text and the stretches between them.
    void cut(std::string_view text, std::vector<std::string_view>& parts) const
    {
        const std::unique_ptr<pcre2_match_data, FreeMatchData> match(
            pcre2_match_data_create_from_pattern(m_code.get(), nullptr));
        const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
        size_t done = 0;
        while (match && done < text.size()) {
            int count = pcre2_match(m_code.get(), subject, text.size(), done, PCRE2_NO_UTF_CHECK,
                match.get(), m_context.get());
            if (count == PCRE2_ERROR_JIT_STACKLIMIT)
                count = pcre2_match(m_code.get(), subject, text.size(), done,
                    PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, match.get(), m_context.get());
            if (count < 0)
                break;
            const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer(match.get());
            if (bounds[1] <= done)
                break;
            if (bounds[0] > done)
                parts.push_back(text.substr(done, bounds[0] - done));
            parts.push_back(text.substr(bounds[0], bounds[1] - bounds[0]));
            done = bounds[1];
        }
        if (done < text.size())
            parts.push_back(text.substr(done));
    }

private:
    Pattern(std::unique_ptr<pcre2_code, FreeCode> code,
        std::unique_ptr<pcre2_match_context, FreeMatchContext> context)
        : m_code(std::move(code))
        , m_context(std::move(context))
    {
    }

    std::unique_ptr<pcre2_code, FreeCode> m_code;
    std::unique_ptr<pcre2_match_context, FreeMatchContext> m_context; ///< read only after create
};

PreTokenizer::PreTokenizer() = default;
PreTokenizer::PreTokenizer(PreTokenizer&&) noexcept = default;
PreTokenizer& PreTokenizer::operator=(PreTokenizer&&) noexcept = default;
PreTokenizer::~PreTokenizer() = default;

Result<PreTokenizer> PreTokenizer::create(const PreTokenizerInfo& info)
{
    PreTokenizer preTokenizer;
    for (const char* source : info.patterns) {
        if (!source)
            continue;
        TRY_ASSIGN(std::unique_ptr<Pattern> pattern, Pattern::create(source));
        preTokenizer.m_patterns.push_back(std::move(pattern));
    }
    return preTokenizer;
}

std::vector<std::string_view> PreTokenizer::words(std::string_view text) const
{
    std::vector<std::string_view> words;
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const size_t valid = validUtf8Prefix(text);
        parts.clear();
        if (valid > 0)
            parts.push_back(text.substr(0, valid));
        for (const auto& pattern : m_patterns) {
            std::vector<std::string_view> finer;
            for (const std::string_view part : parts)
                pattern->cut(part, finer);
            parts = std::move(finer);
        }
        words.insert(words.end(), parts.begin(), parts.end());
        text.remove_prefix(valid);
        if (text.empty())
            break;
        const size_t invalid = firstUtf8Part(text).byteCount;
        words.push_back(text.substr(0, invalid));
        text.remove_prefix(invalid);
    }
    return words;
}

} // namespace engine
