#include "tests/support/template_cases.h"

#include <QtTest>
#include <set>

using namespace engine;
using namespace tests;

/// G-03: two user messages in a row, as a cancelled first answer leaves them.
class TestG03TwoUsers : public QObject {
    Q_OBJECT
private slots:
    void strictTemplatesNameTheRuleAndTheOthersRender()
    {
        const auto files = templateFiles();
        if (files.empty())
            QSKIP(kNoReference);
        const std::set<std::string> strict { "command-r-v01", "gemma-2-2b-it", "gemma-3-it",
            "gemma-7b-it", "mistral-7b-v0.2-old", "mistral-7b-v1", "mistral-nemo-2407",
            "mistral-small-3.2" };
        for (const TemplateFile& file : files) {
            const auto& testCase = file.findCase("two-users");
            const auto prompt = file.parse()->render(file.request(testCase));
            const std::string why = difference(prompt, testCase);
            QVERIFY2(why.empty(), (file.name + ": " + why).c_str());
            QVERIFY2(prompt.has_value() != (strict.count(file.name) > 0), file.name.c_str());
            if (!prompt)
                QVERIFY2(prompt.error().message.find("must alternate") != std::string::npos,
                    prompt.error().message.c_str());
        }
    }
    void withoutTheSecondMessageTheChatGoesOn()
    {
        const auto files = templateFiles();
        if (files.empty())
            QSKIP(kNoReference);
        for (const TemplateFile& file : files) {
            RenderRequest request = file.request(file.findCase("two-users"));
            while (request.messages.size() > 1)
                request.messages.erase(request.messages.size() - 1);
            QVERIFY2(bool(file.parse()->render(request)), file.name.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestG03TwoUsers)
#include "tst_g03_two_users.moc"
