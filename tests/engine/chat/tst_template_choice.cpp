#include "engine/chat/template_choice.h"
#include "tests/support/tiny_vocabulary.h"

#include <QtTest>

using namespace engine;
using tests::TinyVocabulary;

namespace {
constexpr const char* kChatMl
    = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}";

TinyVocabulary chatMlVocabulary()
{
    TinyVocabulary vocabulary = TinyVocabulary::bpe("gpt-2");
    vocabulary.add("<|im_start|>", TokenKind::Control);
    vocabulary.add("<|im_end|>", TokenKind::UserDefined);
    return vocabulary;
}

TemplateOffer offer(TinyVocabulary vocabulary, const MetadataValue& chatTemplate)
{
    vocabulary.keys["tokenizer.chat_template"] = chatTemplate;
    return offeredTemplate(vocabulary.metadata(), **vocabulary.tokenizer());
}
}

class TestTemplateChoice : public QObject {
    Q_OBJECT
private slots:
    void aTemplateWhoseMarkersAreControlTokensIsUsable()
    {
        const TemplateOffer found = offer(chatMlVocabulary(), std::string(kChatMl));
        QCOMPARE(found.problem, std::string());
        QCOMPARE(*found.ownSource, std::string(kChatMl));
        QVERIFY(found.usable());
    }
    void aFileWithoutTemplateSaysSo()
    {
        const TinyVocabulary vocabulary = chatMlVocabulary();
        const TemplateOffer found
            = offeredTemplate(vocabulary.metadata(), **vocabulary.tokenizer());
        QCOMPARE(found.problem, std::string("The file has no chat template."));
        QVERIFY(!found.usable() && !found.ownSource);
    }
    void markersThatAreNoControlTokensAreNamed()
    {
        TinyVocabulary vocabulary = TinyVocabulary::bpe("gpt-2");
        vocabulary.add("<|im_start|>", TokenKind::Normal);
        const TemplateOffer found = offer(vocabulary, std::string(kChatMl));
        QCOMPARE(found.problem,
            std::string("The chat template writes <|im_start|>, <|im_end|>, but the vocabulary has "
                        "no control token of that text."));
        QVERIFY(!found.usable() && found.ownSource);
    }
    void bracketMarkersMayBeTextUnlessTheVocabularyHasSome()
    {
        const std::string source
            = "{% for m in messages %}[INST] {{ m.content }} [/INST]{% endfor %}";
        QVERIFY(offer(chatMlVocabulary(), source).usable());
        TinyVocabulary vocabulary = chatMlVocabulary();
        vocabulary.add("[INST]", TokenKind::Control);
        QVERIFY(offer(vocabulary, source).problem.find("writes [/INST],") != std::string::npos);
    }
    void aTemplateThatDoesNotParseIsRefusedWithItsLine()
    {
        const TemplateOffer found = offer(chatMlVocabulary(), std::string("a\n{{ x|frobnicate }}"));
        QCOMPARE(found.problem,
            std::string("The chat template of the file cannot be used: line 2: unknown filter "
                        "'frobnicate'"));
        QVERIFY(!found.ownSource);
    }
    void aTemplateThatFailsOnAShortChatIsAProblem()
    {
        const TemplateOffer found
            = offer(chatMlVocabulary(), std::string("{{ messages[0].content.x.y }}"));
        QVERIFY2(found.problem.find("fails on a short chat: line 1: ") != std::string::npos,
            found.problem.c_str());
    }
    void aTemplateThatIsNoTextIsAProblem()
    {
        const TemplateOffer found = offer(chatMlVocabulary(), uint32_t(5));
        QVERIFY2(found.problem.find("tokenizer.chat_template") != std::string::npos,
            found.problem.c_str());
    }
    void theDefaultSystemTextIsFound()
    {
        const TemplateOffer found = offer(chatMlVocabulary(),
            "{% if messages[0].role != 'system' %}<|im_start|>system\nBe kind.<|im_end|>\n{% endif "
            "%}" + std::string(kChatMl));
        QCOMPARE(found.defaultSystemText, std::string("Be kind."));
    }
    void builtInFamiliesRenderTheirFormats_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("expected");
        QTest::newRow("ChatML") << "ChatML"
                                << "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n Hi "
                                   "<|im_end|>\n<|im_start|>assistant\n";
        QTest::newRow("Llama 3")
            << "Llama 3"
            << "<s><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
               "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
               "<|start_header_id|>assistant<|end_header_id|>\n\n";
        QTest::newRow("Gemma")
            << "Gemma"
            << "<s><start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n<start_of_turn>model\n";
    }
    void builtInFamiliesRenderTheirFormats()
    {
        QFETCH(QString, family);
        QFETCH(QString, expected);
        RenderRequest request;
        request.bosToken = "<s>";
        request.messages
            = nlohmann::ordered_json::array({ { { "role", "system" }, { "content", "Be brief." } },
                { { "role", "user" }, { "content", " Hi " } } });
        QCOMPARE(templateFamilyTable().size(), size_t(3));
        for (const TemplateFamilyInfo& info : templateFamilyTable())
            if (info.name == family.toStdString())
                QCOMPARE(ChatTemplate::parse(info.source)->render(request)->text(),
                    expected.toStdString());
    }
};

QTEST_APPLESS_MAIN(TestTemplateChoice)
#include "tst_template_choice.moc"
