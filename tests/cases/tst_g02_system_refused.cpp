#include "tests/support/template_cases.h"

#include <QtTest>

using namespace engine;
using namespace tests;

/// G-02: a template that refuses a system message says so in its own words, and nothing is dropped.
class TestG02SystemRefused : public QObject {
    Q_OBJECT
private slots:
    void theTemplatesWordsComeOutUnchanged()
    {
        const auto folder = referenceFolder();
        if (!folder)
            QSKIP(kNoReference);
        const TemplateFile file = readTemplateFile(*folder / "templates/gemma-2-2b-it.json");
        const auto prompt = file.parse()->render(file.request(file.findCase("system")));
        QVERIFY(!prompt);
        QCOMPARE(prompt.error(), Error::templateRefused("System role not supported"));
    }
    void whereASystemMessageIsTakenItsTextIsInThePrompt()
    {
        const auto files = templateFiles();
        if (files.empty())
            QSKIP(kNoReference);
        int refused = 0;
        for (const TemplateFile& file : files) {
            const auto& testCase = file.findCase("system");
            const auto prompt = file.parse()->render(file.request(testCase));
            refused += !prompt;
            if (!prompt || testCase["expected"].is_null())
                continue;
            QCOMPARE(prompt->text(), testCase["expected"].get<std::string>());
        }
        QVERIFY(refused > 0);
    }
};

QTEST_APPLESS_MAIN(TestG02SystemRefused)
#include "tst_g02_system_refused.moc"
