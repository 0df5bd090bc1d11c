#include "engine/chat/chat_template.h"

#include <QtTest>
#include <fstream>

using namespace engine;

class TestJinjaRenderings : public QObject {
    Q_OBJECT
private slots:
    void everyConstructRendersAsJinjaDoes()
    {
        using Json = nlohmann::ordered_json;
        std::ifstream stream(TOKENGLASS_GOLDEN "/jinja/renderings.json");
        const Json file = Json::parse(stream);
        RenderRequest request;
        request.addGenerationPrompt = false;
        request.variables = file["variables"];
        request.bosToken = file["bos_token"].get<std::string>();
        request.eosToken = file["eos_token"].get<std::string>();
        request.now
            = std::chrono::sys_days(std::chrono::year(2026) / 11 / 29) + std::chrono::hours(12);
        int different = 0;
        for (const Json& testCase : file["cases"]) {
            const std::string source = testCase["template"].get<std::string>();
            const auto text = textOf(source, request);
            const bool equal = testCase["expected"].is_null()
                ? !text
                : text && *text == testCase["expected"].get<std::string>();
            if (equal)
                continue;
            ++different;
            qWarning("%s\nexpected %s\nfound    %s", source.c_str(),
                testCase["expected"].dump().c_str(),
                text ? Json(*text).dump().c_str() : text.error().message.c_str());
        }
        QVERIFY(file["cases"].size() > 700);
        QCOMPARE(different, 0);
    }

private:
    static Result<std::string> textOf(const std::string& source, const RenderRequest& request)
    {
        TRY_ASSIGN(const ChatTemplate chatTemplate, ChatTemplate::parse(source));
        TRY_ASSIGN(const RenderedPrompt prompt, chatTemplate.render(request));
        return prompt.text();
    }
};

QTEST_APPLESS_MAIN(TestJinjaRenderings)
#include "tst_jinja_renderings.moc"
