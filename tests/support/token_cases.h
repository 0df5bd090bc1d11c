#pragma once

#include "tests/support/tokenizer_files.h"

#include <map>

namespace tests {

/// One list of ids of reference/tokenizer/cases.json.
struct TokenCase {
    std::string vocabulary;
    std::string text;
    bool fromTemplate = false; ///< control tokens are recognised
    engine::TokenIds ids;
};

/// Why the token cases cannot be checked here; nullptr when they can.
inline const char* missingTokenData()
{
    if (!referenceFolder())
        return kNoReference;
    return realModel(kSmolLM2) && realModel(kGemma3) ? nullptr : kNoModel;
}

/// The one row that contradicts vectors.json: its ids of "e" + U+0301 for qwen2 were made without
/// the normalisation (NFC) that this vocabulary's own tokenizer.json prescribes.
inline bool isMadeWithoutNfc(const TokenCase& one)
{
    return one.vocabulary == "qwen2" && one.text == "e\xCC\x81";
}

/// The cases whose text the predicate wants, for all vocabularies but the unigram one, whose
/// tokenizer model is not supported.
template <typename Predicate> std::vector<TokenCase> tokenCases(Predicate wants)
{
    std::vector<TokenCase> cases;
    const nlohmann::json file = readJson(*referenceFolder() / "tokenizer/cases.json");
    for (const auto& row : file.at("rows")) {
        const std::string text = row.at("text");
        if (!wants(text))
            continue;
        for (const auto& [vocabulary, lists] : row.items()) {
            if (vocabulary == "text" || vocabulary == "nomic-bert-moe")
                continue;
            for (const auto& [origin, ids] : lists.items()) {
                const TokenCase one { vocabulary, text, origin == "as_template",
                    ids.template get<engine::TokenIds>() };
                if (!isMadeWithoutNfc(one))
                    cases.push_back(one);
            }
        }
    }
    return cases;
}

inline std::string writtenIds(const engine::TokenIds& ids) { return nlohmann::json(ids).dump(); }

/// Every case that comes out unequal, in words; "" when all are right.
inline std::string tokenCaseFaults(const std::vector<TokenCase>& cases)
{
    std::map<std::string, std::unique_ptr<engine::Tokenizer>> tokenizers;
    std::string faults;
    for (const TokenCase& one : cases) {
        auto& tokenizer = tokenizers[one.vocabulary];
        if (!tokenizer)
            tokenizer = loadTokenizer(*vocabularyFile(one.vocabulary));
        const auto ids = one.fromTemplate ? tokenizer->encodeWithControl(one.text)
                                          : tokenizer->encodeText(one.text);
        if (ids != one.ids)
            faults += one.vocabulary + ", " + nlohmann::json(one.text).dump() + ": "
                + writtenIds(ids) + ", not " + writtenIds(one.ids) + "\n";
    }
    return faults;
}

} // namespace tests
