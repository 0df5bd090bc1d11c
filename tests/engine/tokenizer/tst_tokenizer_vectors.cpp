#include "tests/support/token_cases.h"

#include <QtTest>

using namespace engine;
using namespace tests;

namespace {
/// The rendered text in spans: each message's content, in order, is a person's.
std::vector<TextSpan> spansOf(const std::string& rendered, const nlohmann::json& messages)
{
    std::vector<TextSpan> spans;
    size_t done = 0;
    for (const auto& message : messages) {
        const std::string content = message.at("content");
        const std::string opening = "<|im_start|>" + message.at("role").get<std::string>() + "\n";
        const size_t at = rendered.find(opening + content, done) + opening.size();
        spans.push_back({ rendered.substr(done, at - done), TextOrigin::Template });
        spans.push_back({ content, TextOrigin::Person });
        done = at + content.size();
    }
    spans.push_back({ rendered.substr(done), TextOrigin::Template });
    return spans;
}

TokenIds withPairInsteadOf(
    const TokenIds& ids, const TokenIds& one, const TokenIds& first, const TokenIds& second)
{
    TokenIds result;
    for (const TokenId id : ids) {
        if (id != one.at(0)) {
            result.push_back(id);
            continue;
        }
        result.push_back(first.at(0));
        result.push_back(second.at(0));
    }
    return result;
}
}

/// reference/tokenizer: ids by llama.cpp and the sentencepiece and tokenizers libraries.
class TestTokenizerVectors : public QObject {
    Q_OBJECT
private slots:
    void everySupportedVocabularyGivesTheReferenceIds_data();
    void everySupportedVocabularyGivesTheReferenceIds();
    void otherVocabulariesAreRefusedByName_data();
    void otherVocabulariesAreRefusedByName();
    void oddStringsGiveTheReferenceIds();
    void renderedChatsGiveTheReferenceIds();
    void contentsOfChatsStayText();
};

void TestTokenizerVectors::everySupportedVocabularyGivesTheReferenceIds_data()
{
    QTest::addColumn<QString>("vocabulary");
    for (const char* name : { "gpt-2", "llama-bpe", "llama-spm", "phi-3", "qwen2", "refact",
             "starcoder", "smollm2", "gemma3", "arch-llama", "arch-llama-spm" })
        QTest::newRow(name) << name;
}

void TestTokenizerVectors::everySupportedVocabularyGivesTheReferenceIds()
{
    if (const char* reason = missingTokenData())
        QSKIP(reason);
    QFETCH(QString, vocabulary);
    const std::string name = vocabulary.toStdString();
    const auto vectors = readJson(*referenceFolder() / "tokenizer/vectors.json");
    const auto tokenizer = loadTokenizer(*vocabularyFile(name));
    const auto& texts = vectors.at("texts");
    const auto& idLists = vectors.at("ids").at(name + ".gguf");
    QCOMPARE(idLists.size(), texts.size());
    int comparedCount = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
        if (idLists[i].is_null()) // no authority decides
            continue;
        const auto text = texts[i].get<std::string>();
        const auto ids = tokenizer->encodeText(text);
        QVERIFY2(ids == idLists[i].get<TokenIds>(),
            (texts[i].dump() + " gave " + writtenIds(ids)).c_str());
        ++comparedCount;
    }
    QVERIFY(comparedCount >= 200);
}

void TestTokenizerVectors::otherVocabulariesAreRefusedByName_data()
{
    QTest::addColumn<QString>("vocabulary");
    QTest::addColumn<QString>("words");
    QTest::newRow("command-r") << "command-r"
                               << "\"command-r\"";
    QTest::newRow("deepseek-coder") << "deepseek-coder"
                                    << "\"deepseek-coder\"";
    QTest::newRow("deepseek-llm") << "deepseek-llm"
                                  << "\"deepseek-llm\"";
    QTest::newRow("falcon") << "falcon"
                            << "\"falcon\"";
    QTest::newRow("gemma-4") << "gemma-4"
                             << "\"gemma4\"";
    QTest::newRow("qwen35") << "qwen35"
                            << "\"qwen35\"";
}

void TestTokenizerVectors::otherVocabulariesAreRefusedByName()
{
    if (const char* reason = missingTokenData())
        QSKIP(reason);
    QFETCH(QString, vocabulary);
    QFETCH(QString, words);
    const auto tokenizer = openTokenizer(*vocabularyFile(vocabulary.toStdString()));
    QVERIFY(!tokenizer);
    QCOMPARE(tokenizer.error().code, ErrorCode::Unsupported);
    QVERIFY2(QString::fromStdString(tokenizer.error().message).contains(words),
        tokenizer.error().message.c_str());
}

void TestTokenizerVectors::oddStringsGiveTheReferenceIds()
{
    if (const char* reason = missingTokenData())
        QSKIP(reason);
    const auto cases = tokenCases([](const std::string&) { return true; });
    QCOMPARE(cases.size(),
        size_t(37 * 8 - 1)); // two lists each for two models, one for four vocabularies
    const std::string faults = tokenCaseFaults(cases);
    QVERIFY2(faults.empty(), faults.c_str());
}

void TestTokenizerVectors::renderedChatsGiveTheReferenceIds()
{
    if (const char* reason = missingTokenData())
        QSKIP(reason);
    const auto smollm2 = loadTokenizer(*vocabularyFile("smollm2"));
    const auto llama3 = loadTokenizer(*vocabularyFile("llama-bpe"));
    const auto chats = readJson(*referenceFolder() / "tokenizer/cases.json").at("rendered_chats");
    QCOMPARE(chats.size(), size_t(44));
    for (const auto& chat : chats) {
        const std::string family = chat.at("template");
        const auto templates = readJson(*referenceFolder() / "templates" / (family + ".json"));
        for (const auto& one : templates.at("cases")) {
            if (one.at("id") != chat.at("case"))
                continue;
            const auto& tokenizer = family == "smollm2" ? smollm2 : llama3;
            const auto ids = tokenizer->encodeWithControl(one.at("expected").get<std::string>());
            QVERIFY2(ids == chat.at("ids_all_specials_parsed").get<TokenIds>(),
                (family + " " + one.at("id").dump() + " gave " + writtenIds(ids)).c_str());
        }
    }
}

void TestTokenizerVectors::contentsOfChatsStayText()
{
    if (const char* reason = missingTokenData())
        QSKIP(reason);
    const auto tokenizer = loadTokenizer(*vocabularyFile("smollm2"));
    const auto templates = readJson(*referenceFolder() / "templates/smollm2.json");
    const auto chats = readJson(*referenceFolder() / "tokenizer/cases.json").at("rendered_chats");
    int comparedCount = 0;
    for (const auto& chat : chats) {
        if (!chat.contains("ids_content_as_text"))
            continue;
        const bool isSame = chat.at("ids_content_as_text") == "same";
        const auto wanted
            = chat.at(isSame ? "ids_all_specials_parsed" : "ids_content_as_text").get<TokenIds>();
        for (const auto& one : templates.at("cases")) {
            if (one.at("id") != chat.at("case"))
                continue;
            const std::string rendered = one.at("expected");
            auto ids = tokenizer->encodeSpans(spansOf(rendered, one.at("messages")));
            // The list was made with look-alikes cut out of the text around them; here " <" stays
            // one word, as in text without look-alikes. Its two tokens there spell the same bytes.
            if (!isSame)
                ids = withPairInsteadOf(ids, tokenizer->encodeText(" <"),
                    tokenizer->encodeText(" "), tokenizer->encodeText("<"));
            QVERIFY2(ids == wanted, (one.at("id").dump() + " gave " + writtenIds(ids)).c_str());
            ++comparedCount;
        }
    }
    QCOMPARE(comparedCount, 19);
}

QTEST_APPLESS_MAIN(TestTokenizerVectors)
#include "tst_tokenizer_vectors.moc"
