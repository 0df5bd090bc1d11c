#include "engine/chat/default_system_text.h"
#include "tests/support/template_cases.h"

#include <QtTest>

using namespace engine;

namespace {
std::string defaultOf(const std::string& source)
{
    return defaultSystemText(*ChatTemplate::parse(source), {});
}
}

class TestDefaultSystemText : public QObject {
    Q_OBJECT
private slots:
    void aTextWrittenWhenNoSystemMessageIsGivenIsFound()
    {
        QCOMPARE(defaultOf("{% if messages[0].role != 'system' %}<|im_start|>system\nBe "
                           "kind.<|im_end|>\n{% endif %}"
                           "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content "
                           "}}<|im_end|>\n{% endfor %}"),
            std::string("Be kind."));
    }
    void aTemplateWithoutDefaultGivesNone()
    {
        QCOMPARE(defaultOf("{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content "
                           "}}<|im_end|>\n{% endfor %}"),
            std::string());
        QCOMPARE(defaultOf("{% if messages[0].role == 'system' %}{{ raise_exception('no') }}{% "
                           "endif %}{{ messages[0].content }}"),
            std::string());
    }
    void aSystemTurnThatIsAlwaysWrittenShowsItsFixedText()
    {
        QCOMPARE(
            defaultOf(
                "<|start|>system<|end|>\n\nToday: Sunday\n\n"
                "{% if messages[0].role == 'system' %}{{ messages[0].content }}{% endif %}<|eot|>"
                "{{ messages[-1].content }}"),
            std::string("Today: Sunday"));
        QCOMPARE(defaultOf("<|im_start|>system\n{% if messages[0].role == 'system' %}{{ "
                           "messages[0].content }}{% endif %}<|im_end|>"
                           "{{ messages[-1].content }}"),
            std::string());
    }
    void knownFamiliesShowTheirDefault()
    {
        const auto files = tests::templateFiles();
        if (files.empty())
            QSKIP(tests::kNoReference);
        const std::map<std::string, std::string> expected {
            { "smollm2", "You are a helpful AI assistant named SmolLM, trained by Hugging Face" },
            { "qwen2.5-7b-instruct",
                "You are Qwen, created by Alibaba Cloud. You are a helpful assistant." },
            { "qwen2", "You are a helpful assistant" },
            { "kimi-k2-instruct", "You are Kimi, an AI assistant created by Moonshot AI." },
            { "llama-3.1-8b-instruct",
                "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024" },
            { "llama-3.2-3b-instruct",
                "Cutting Knowledge Date: December 2023\nToday Date: 29 Nov 2026" },
            { "llama-3", "" },
            { "chatml-openhermes", "" },
            { "gemma-2-2b-it", "" },
            { "gemma-3-it", "" },
            { "mistral-7b-v1", "" },
            { "mistral-nemo-2407", "" },
            { "phi-4", "" },
            { "qwen3-0.6b", "" },
            { "deepseek-v2", "" },
            { "vicuna-13b-1.1", "" },
        };
        size_t seen = 0;
        for (const tests::TemplateFile& file : files) {
            const auto found = expected.find(file.name);
            if (found == expected.end())
                continue;
            ++seen;
            const std::string text
                = defaultSystemText(*file.parse(), file.request(file.findCase("single")));
            QVERIFY2(text == found->second, (file.name + ": " + text).c_str());
        }
        QCOMPARE(seen, expected.size());
    }
};

QTEST_APPLESS_MAIN(TestDefaultSystemText)
#include "tst_default_system_text.moc"
