#include "engine/chat/chat_template.h"
#include "tests/support/reference_data.h"

#include <QtTest>
#include <fstream>

using namespace engine;

namespace {
using Json = nlohmann::ordered_json;

Json readOrdered(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return Json::parse(file);
}

RenderRequest requestOf(const Json& file, const Json& testCase)
{
    RenderRequest request;
    request.messages = testCase["messages"];
    request.addGenerationPrompt = testCase["add_generation_prompt"].get<bool>();
    request.continueFinalMessage = testCase["continue_final_message"].get<bool>();
    request.variables = file["always_defined"];
    request.variables.update(testCase["variables"]);
    request.bosToken = file["bos_token"].get<std::string>();
    request.eosToken = file["eos_token"].get<std::string>();
    const auto noon = std::chrono::sys_days(std::chrono::year(2026) / 11 / 29) + std::chrono::hours(12);
    request.now = noon;
    return request;
}

ErrorCode expectedCode(const std::string& kind)
{
    if (kind == "raise_exception")
        return ErrorCode::TemplateRefused;
    return kind == "continue_refused" ? ErrorCode::BadRequest : ErrorCode::BadTemplate;
}
}

class TestTemplateRenderings : public QObject {
    Q_OBJECT
private slots:
    void everyReferenceRenderingIsEqualToTheByte()
    {
        const auto folder = tests::referenceFolder();
        if (!folder)
            QSKIP(tests::kNoReference);
        int equal = 0;
        int total = 0;
        for (const auto& entry : std::filesystem::directory_iterator(*folder / "templates")) {
            if (entry.path().extension() != ".json" || entry.path().filename() == "index.json")
                continue;
            const Json file = readOrdered(entry.path());
            const auto chatTemplate = ChatTemplate::parse(file["template"].get<std::string>());
            total += int(file["cases"].size());
            if (!chatTemplate) {
                qWarning("%s: %s", entry.path().filename().c_str(), chatTemplate.error().message.c_str());
                continue;
            }
            for (const Json& testCase : file["cases"])
                equal += isAsExpected(*chatTemplate, file, testCase, entry.path().filename());
        }
        QCOMPARE(total, 946);
        QCOMPARE(equal, 946);
    }

private:
    static bool isAsExpected(
        const ChatTemplate& chatTemplate, const Json& file, const Json& testCase, const std::string& fileName)
    {
        const auto prompt = chatTemplate.render(requestOf(file, testCase));
        const std::string name = fileName + " " + testCase["id"].get<std::string>();
        if (testCase["expected"].is_null()) {
            const Json& error = testCase["error"];
            const bool refused = !prompt && prompt.error().code == expectedCode(error["kind"]);
            const bool sameWords = !prompt && prompt.error().message == error["message"].get<std::string>();
            if (refused && (sameWords || error["kind"] != "raise_exception"))
                return true;
            qWarning("%s: should fail, but: %s", name.c_str(),
                prompt ? prompt->text().c_str() : prompt.error().message.c_str());
            return false;
        }
        if (!prompt) {
            qWarning("%s: %s", name.c_str(), prompt.error().message.c_str());
            return false;
        }
        if (prompt->text() == testCase["expected"].get<std::string>())
            return true;
        qWarning("%s:\nexpected %s\nfound    %s", name.c_str(), testCase["expected"].dump().c_str(),
            Json(prompt->text()).dump().c_str());
        return false;
    }
};

QTEST_APPLESS_MAIN(TestTemplateRenderings)
#include "tst_template_renderings.moc"
