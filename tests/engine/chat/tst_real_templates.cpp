#include "engine/chat/template_choice.h"
#include "tests/support/template_cases.h"
#include "tests/support/tokenizer_files.h"

#include <QtTest>

using namespace engine;
using namespace tests;

namespace {
TemplateOffer offerOf(const std::filesystem::path& path)
{
    const auto file = GgufFile::open(path);
    const auto tokenizer = Tokenizer::create(*file);
    return offeredTemplate(*file, **tokenizer);
}
}

/// The templates of the real files, and reference templates on their real vocabularies.
class TestRealTemplates : public QObject {
    Q_OBJECT
private slots:
    void smolLm2OffersItsTemplateAndItsDefaultSystemText()
    {
        const auto path = realModel(kSmolLM2);
        if (!path)
            QSKIP(kNoModel);
        const TemplateOffer offer = offerOf(*path);
        QCOMPARE(offer.problem, std::string());
        QVERIFY(offer.usable());
        QCOMPARE(offer.defaultSystemText,
            std::string("You are a helpful AI assistant named SmolLM, trained by Hugging Face"));
    }
    void theGemmaBaseModelOffersNone()
    {
        const auto path = realModel(kGemma3);
        if (!path)
            QSKIP(kNoModel);
        const TemplateOffer offer = offerOf(*path);
        QVERIFY(!offer.usable());
        QVERIFY(!offer.problem.empty());
    }
    void templatesFitTheVocabulariesTheyWereMadeFor_data()
    {
        QTest::addColumn<QString>("templateName");
        QTest::addColumn<QString>("vocabulary");
        QTest::addColumn<bool>("fits");
        QTest::newRow("llama 3") << "llama-3"
                                 << "llama-bpe" << true;
        QTest::newRow("llama 3.1") << "llama-3.1-8b-instruct"
                                   << "llama-bpe" << true;
        QTest::newRow("qwen 2.5") << "qwen2.5-7b-instruct"
                                  << "qwen2" << true;
        QTest::newRow("phi 3") << "phi-3-mini"
                               << "phi-3" << true;
        QTest::newRow("gemma 3") << "gemma-3-it"
                                 << "gemma3" << true;
        QTest::newRow("smollm2") << "smollm2"
                                 << "smollm2" << true;
        QTest::newRow("mistral on llama's vocabulary") << "mistral-7b-v1"
                                                       << "llama-spm" << true;
        QTest::newRow("qwen 2.5 on llama's vocabulary") << "qwen2.5-7b-instruct"
                                                        << "llama-spm" << false;
        QTest::newRow("llama 3 on qwen's vocabulary") << "llama-3"
                                                      << "qwen2" << false;
    }
    void templatesFitTheVocabulariesTheyWereMadeFor()
    {
        QFETCH(QString, templateName);
        QFETCH(QString, vocabulary);
        QFETCH(bool, fits);
        const auto path = vocabularyFile(vocabulary.toStdString());
        const auto folder = referenceFolder();
        if (!folder)
            QSKIP(kNoReference);
        if (!path)
            QSKIP(kNoModel);
        const TemplateFile file
            = readTemplateFile(*folder / "templates" / (templateName.toStdString() + ".json"));
        const auto model = GgufFile::open(*path);
        Metadata metadata;
        for (const auto& [key, value] : model->metadata().entries())
            if (key != "tokenizer.chat_template")
                QVERIFY(metadata.insert(key, value));
        QVERIFY(
            metadata.insert("tokenizer.chat_template", file.json["template"].get<std::string>()));
        const auto tokenizer = Tokenizer::create(metadata);
        QVERIFY2(bool(tokenizer), tokenizer ? "" : tokenizer.error().message.c_str());
        const TemplateOffer offer = offeredTemplate(metadata, **tokenizer);
        QVERIFY2(offer.usable() == fits, offer.problem.c_str());
    }
};

QTEST_APPLESS_MAIN(TestRealTemplates)
#include "tst_real_templates.moc"
