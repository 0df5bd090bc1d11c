#include "app/cli/command_table.h"
#include "tests/support/run_program.h"
#include "tests/support/template_cases.h"

#include <QtTest>

using Json = nlohmann::ordered_json;

namespace {
std::vector<Json> answersTo(const std::vector<Json>& requests)
{
    QByteArray input;
    for (const Json& request : requests)
        input += QByteArray::fromStdString(request.dump()) + "\n";
    const tests::ProgramRun run = tests::runProgram({ "render" }, input);
    std::vector<Json> answers;
    for (const QByteArray& line : run.output.split('\n'))
        if (!line.isEmpty())
            answers.push_back(Json::parse(line.toStdString()));
    return answers;
}

std::string kindOf(const QByteArray& line)
{
    const tests::ProgramRun run = tests::runProgram({ "render" }, line + "\n");
    const Json answer = Json::parse(run.output.toStdString());
    return answer.contains("error") ? answer["error"]["kind"].get<std::string>() : "text";
}
}

class TestRenderCommand : public QObject {
    Q_OBJECT
private slots:
    void everyLineGetsOneAnswer()
    {
        const auto answers = answersTo({ { { "template", "{{ x is none }} {{ y is defined }}" },
                                             { "variables", { { "x", nullptr } } } },
            { { "template",
                  "{{ bos_token }}{{ messages[0].content }}{{ strftime_now('%d %b %Y') }}" },
                { "bos_token", "<s>" },
                { "messages", { { { "role", "user" }, { "content", "é😀\n" } } } },
                { "now", "2026-11-29T12:00:00" } } });
        QCOMPARE(answers.size(), size_t(2));
        QCOMPARE(answers[0]["text"].get<std::string>(), std::string("True False"));
        QCOMPARE(answers[1]["text"].get<std::string>(), std::string("<s>é😀\n29 Nov 2026"));
    }
    void everyFailureHasItsKind()
    {
        QCOMPARE(kindOf("garbage"), std::string("bad_request"));
        QCOMPARE(kindOf("[1]"), std::string("bad_request"));
        QCOMPARE(kindOf("{\"template\": \"x\", \"now\": \"soon\"}"), std::string("bad_request"));
        QCOMPARE(kindOf("{\"template\": \"x\", \"messages\": 5}"), std::string("bad_request"));
        QCOMPARE(kindOf("{\"template\": \"{{ 1\"}"), std::string("template_syntax"));
        QCOMPARE(kindOf("{\"template\": \"{{ 1 / 0 }}\"}"), std::string("template_runtime"));
        QCOMPARE(kindOf("{\"template\": \"{{ raise_exception('no') }}\"}"),
            std::string("raise_exception"));
        QCOMPARE(
            kindOf("{\"template\": \"x\", \"messages\": [], \"continue_final_message\": true}"),
            std::string("continue_refused"));
    }
    void deepJsonIsRefusedBeforeItIsParsed()
    {
        const QByteArray deep = "{\"template\": \"x\", \"messages\": " + QByteArray(200'000, '[')
            + QByteArray(200'000, ']') + "}";
        QCOMPARE(kindOf(deep), std::string("bad_request"));
    }
    void aBadLineDoesNotEndTheOthers()
    {
        const tests::ProgramRun run
            = tests::runProgram({ "render" }, "garbage\n\n{\"template\": \"x\"}\n");
        QCOMPARE(run.exitCode, int(app::kExitOk));
        QCOMPARE(run.output.count('\n'), 2);
        QVERIFY(run.output.endsWith("{\"text\":\"x\"}\n"));
    }
    void everyReferenceCaseComesOutTheSame()
    {
        const auto files = tests::templateFiles();
        if (files.empty())
            QSKIP(tests::kNoReference);
        std::vector<Json> requests;
        std::vector<Json> cases;
        for (const tests::TemplateFile& file : files)
            for (const Json& testCase : file.json["cases"]) {
                Json variables = file.json["always_defined"];
                variables.update(testCase["variables"]);
                requests.push_back({ { "template", file.json["template"] },
                    { "messages", testCase["messages"] },
                    { "add_generation_prompt", testCase["add_generation_prompt"] },
                    { "continue_final_message", testCase["continue_final_message"] },
                    { "variables", variables }, { "bos_token", file.json["bos_token"] },
                    { "eos_token", file.json["eos_token"] }, { "now", "2026-11-29T12:00:00" } });
                cases.push_back(testCase);
            }
        const auto answers = answersTo(requests);
        QCOMPARE(answers.size(), size_t(946));
        for (size_t i = 0; i < answers.size(); ++i) {
            if (!cases[i]["expected"].is_null()) {
                QCOMPARE(answers[i]["text"], cases[i]["expected"]);
                continue;
            }
            QCOMPARE(answers[i]["error"]["kind"], cases[i]["error"]["kind"]);
            QCOMPARE(answers[i]["error"]["message"], cases[i]["error"]["message"]);
        }
    }
    void argumentsAreAUsageError()
    {
        QCOMPARE(tests::runProgram({ "render", "--what" }).exitCode, int(app::kExitUsage));
    }
};

QTEST_GUILESS_MAIN(TestRenderCommand)
#include "tst_render_command.moc"
