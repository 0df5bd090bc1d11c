#include "app/compare/compared_run.h"
#include "app/runs/opened_record.h"
#include "app/runs/response_import.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using app::ResponseForm;
using engine::StopReason;
using nlohmann::ordered_json;

namespace {
const ordered_json kChat {
    { "id", "chatcmpl-1" }, { "object", "chat.completion" }, { "created", 1700000000 }, { "model", "some-model" },
    { "choices",
        { { { "index", 0 }, { "message", { { "role", "assistant" }, { "content", "It is Pa\xC3\xA9" } } },
            { "finish_reason", "length" },
            { "logprobs",
                { { "content",
                    { { { "token", "It" }, { "logprob", -0.5 }, { "bytes", { 73, 116 } },
                          { "top_logprobs",
                              { { { "token", "It" }, { "logprob", -0.5 }, { "bytes", { 73, 116 } } },
                                  { { "token", "He" }, { "logprob", -2.5 }, { "bytes", nullptr } } } } },
                        { { "token", "\\xc3" }, { "logprob", -0.1 }, { "bytes", { 195 } },
                            { "top_logprobs", ordered_json::array() } } } } } } } } },
    { "usage", { { "prompt_tokens", 9 }, { "completion_tokens", 2 } } }
};
const ordered_json kLlama {
    { "content", "It is" }, { "id_slot", 0 }, { "stop", true }, { "stop_type", "word" }, { "stopping_word", "\n" },
    { "tokens_predicted", 3 }, { "tokens_evaluated", 12 }, { "prompt", "Q:" }, { "model", "m.gguf" },
    { "completion_probabilities",
        { { { "id", 357 }, { "token", "It" }, { "bytes", { 73, 116 } }, { "logprob", -0.25 },
            { "top_logprobs", { { { "id", 357 }, { "token", "It" }, { "bytes", { 73, 116 } }, { "logprob", -0.25 } } } } } } },
    { "timings", { { "prompt_ms", 30.5 }, { "predicted_ms", 80 } } }
};

ordered_json imported(const ordered_json& response)
{
    const auto record = app::recordFromResponse(response.dump());
    if (!record)
        qFatal("%s", record.error().message.c_str());
    return *record;
}
}

/// Answers of other programs as run records, with nothing made up.
class TestResponseImport : public QObject {
    Q_OBJECT
private slots:
    void anOpenAiAnswerKeepsTextReasonAndLogprobs()
    {
        const ordered_json record = imported(kChat);
        QCOMPARE(record["started_by"].get<std::string>(), std::string("import"));
        QCOMPARE(record["text"].get<std::string>(), std::string("It is Pa\xC3\xA9"));
        QCOMPARE(record["stop"]["reason"].get<std::string>(), std::string("length_cap"));
        QCOMPARE(record["stop"]["reported"].get<std::string>(), std::string("length"));
        QCOMPARE(record["checkpoint"]["name"].get<std::string>(), std::string("some-model"));
        QCOMPARE(record["imported"]["completion_tokens"].get<int>(), 2);
        QCOMPARE(record["opened_at"].get<std::string>(), std::string("2023-11-14T22:13:20.000Z"));
        QCOMPARE(record["tokens"].size(), size_t(2));
        QCOMPARE(record["tokens"][0]["bytes"].get<std::string>(), std::string("4974"));
        QCOMPARE(record["tokens"][1]["bytes"].get<std::string>(), std::string("c3")); // half a character
        QCOMPARE(record["tokens"][0]["top"][1][1].get<double>(), -2.5);
    }

    void whatIsNotReportedIsNull()
    {
        const ordered_json record = imported(kChat);
        for (const char* key : { "engine_version", "tokenizer", "template", "messages", "sampling", "stop_strings",
                 "ignore_end_tokens", "device", "cache", "passes", "times", "ledger", "kv_type" })
            QVERIFY2(record[key].is_null(), key);
        QVERIFY(record["tokens"][0]["id"].is_null());
        QVERIFY(record["tokens"][0]["entropy"].is_null());
        QVERIFY(record["prompt"]["token_ids"].is_null());
    }

    void stopOfAnOpenAiAnswerIsNoReason()
    {
        ordered_json response = kChat;
        response["choices"][0]["finish_reason"] = "stop";
        QVERIFY(imported(response)["stop"]["reason"].is_null());
        QCOMPARE(imported(response)["stop"]["reported"].get<std::string>(), std::string("stop"));
        response["choices"][0]["stop_reason"] = "###"; // a server that says more
        QCOMPARE(imported(response)["stop"]["reason"].get<std::string>(), std::string("stop_string"));
        QCOMPARE(imported(response)["ledger"]["stop_string"].get<std::string>(), std::string("###"));
        response["choices"][0]["stop_reason"] = 2;
        QCOMPARE(imported(response)["stop"]["reason"].get<std::string>(), std::string("end_token"));
    }

    void llamaServerTellsMore()
    {
        const ordered_json record = imported(kLlama);
        QCOMPARE(record["stop"]["reason"].get<std::string>(), std::string("stop_string"));
        QCOMPARE(record["stop"]["verdict"].get<std::string>(), std::string("stopped"));
        QCOMPARE(record["ledger"]["stop_string"].get<std::string>(), std::string("\n"));
        QCOMPARE(record["tokens"][0]["id"].get<int>(), 357);
        QCOMPARE(record["prompt"]["text"].get<std::string>(), std::string("Q:"));
        QCOMPARE(record["times"]["prompt_ms"].get<double>(), 30.5);
    }

    void anOlderLlamaServerTellsItsReasonByFlags()
    {
        ordered_json response = kLlama;
        response.erase("stop_type");
        response["stopping_word"] = "";
        response["stopped_eos"] = false;
        response["stopped_word"] = false;
        response["stopped_limit"] = true;
        response["completion_probabilities"]
            = { { { "content", "It" }, { "probs", { { { "tok_str", "It" }, { "prob", 0.5 } } } } } };
        const ordered_json record = imported(response);
        QCOMPARE(record["stop"]["reason"].get<std::string>(), std::string("length_cap"));
        QCOMPARE(record["stop"]["reported"].get<std::string>(), std::string("stopped_limit"));
        QCOMPARE(record["tokens"][0]["bytes"].get<std::string>(), std::string("4974"));
        QVERIFY(record["tokens"][0]["logprob"].is_null()); // of what was left after sampling, no raw one
        QVERIFY(record["ledger"].is_null());
    }

    void llamaServerTellsItsSettings()
    {
        ordered_json response = kLlama;
        response["generation_settings"]
            = { { "n_predict", 64 }, { "n_ctx", 4096 }, { "stop", { "\n", "END" } } };
        ordered_json record = imported(response);
        QCOMPARE(record["caps"]["length"].get<int>(), 64);
        QCOMPARE(record["caps"]["context_length"].get<int>(), 4096);
        QCOMPARE(record["stop_strings"].size(), size_t(2));
        response["generation_settings"] = { { "n_predict", -1 }, { "stop", { 7 } } };
        record = imported(response);
        QVERIFY(record["caps"]["length"].is_null() && record["stop_strings"].is_null());
    }

    void theLimitOfLlamaServerIsACapOnlyWhereItWasReached_data()
    {
        QTest::addColumn<QString>("settings"); // "": not reported
        QTest::addColumn<QString>("truncated");
        QTest::addColumn<QString>("reason"); // "": not known
        QTest::newRow("nothing is reported") << "" << "" << "length_cap";
        QTest::newRow("reached") << "{\"n_predict\": 900}" << "false" << "length_cap";
        QTest::newRow("reached, and truncated") << "{\"n_predict\": 900}" << "true" << "length_cap";
        QTest::newRow("no cap, and truncated") << "{\"n_predict\": -1, \"n_ctx\": 1024}" << "true" << "context_full";
        QTest::newRow("not reached, and truncated") << "{\"n_predict\": 1000}" << "true" << "context_full";
        QTest::newRow("truncated is all that is told") << "" << "true" << "context_full";
        QTest::newRow("not reached") << "{\"n_predict\": 1000}" << "false" << "";
        QTest::newRow("no cap") << "{\"n_predict\": -1}" << "" << "";
    }
    void theLimitOfLlamaServerIsACapOnlyWhereItWasReached()
    {
        QFETCH(QString, settings);
        QFETCH(QString, truncated);
        QFETCH(QString, reason);
        ordered_json response = kLlama;
        response["stopping_word"] = "";
        response["tokens_predicted"] = 900;
        if (!settings.isEmpty())
            response["generation_settings"] = ordered_json::parse(settings.toStdString());
        if (!truncated.isEmpty())
            response["truncated"] = truncated == "true";
        const ordered_json known = reason.isEmpty() ? ordered_json() : ordered_json(reason.toStdString());
        response["stop_type"] = "limit";
        const ordered_json record = imported(response);
        QCOMPARE(record["stop"]["reason"], known);
        QCOMPARE(record["stop"]["verdict"].is_null(), reason.isEmpty());
        QCOMPARE(record["stop"]["reported"], ordered_json("limit"));
        response["stopped_limit"] = true; // of an older one
        QCOMPARE(imported(response)["stop"]["reason"], known);
    }

    void settingsOfLlamaServerThatMeanTheSameAreTaken()
    {
        ordered_json response = kLlama;
        response["generation_settings"] = { { "seed", 7 }, { "temperature", 0.2 }, { "top_k", 40 }, { "top_p", 0.9 },
            { "repeat_last_n", -1 }, { "repeat_penalty", 1.5 }, { "typical_p", 0.5 }, { "frequency_penalty", -0.5 },
            { "min_p", "low" } };
        const ordered_json sampling = imported(response)["sampling"];
        QCOMPARE(sampling["seed"].get<int>(), 7);
        QCOMPARE(sampling["temperature"].get<double>(), 0.2);
        QCOMPARE(sampling["top_k"].get<int>(), 40);
        QCOMPARE(sampling["top_p"].get<double>(), 0.9);
        QCOMPARE(sampling["repeat_penalty"].get<double>(), 1.5);
        QCOMPARE(sampling["frequency_penalty"].get<double>(), -0.5);
        for (const char* key : { "stages", "repeat_window", "min_p", "presence_penalty", "logit_bias", "banned_token_ids" })
            QVERIFY2(sampling[key].is_null(), key);
        QVERIFY(!sampling.contains("typical_p"));
        response["generation_settings"] = { { "seed", 4294967295 }, { "top_k", -1 } }; // a random one; off
        QVERIFY(imported(response)["sampling"].is_null());
    }

    void aToolCallIsAnAnswerWithoutText()
    {
        ordered_json response = kChat;
        response["choices"][0]["message"]["content"] = nullptr;
        response["choices"][0]["finish_reason"] = "tool_calls";
        const ordered_json record = imported(response);
        QVERIFY(record["text"].is_null());
        QVERIFY(record["stop"]["reason"].is_null());
        QCOMPARE(record["stop"]["reported"].get<std::string>(), std::string("tool_calls"));
        QVERIFY(app::recordFrom(record.dump()));
    }

    void howManyAnswersThereWereIsKept()
    {
        ordered_json response = kChat;
        QCOMPARE(imported(response)["imported"]["choice_count"].get<int>(), 1);
        response["choices"].push_back(response["choices"][0]);
        response["choices"].push_back(response["choices"][0]);
        QCOMPARE(imported(response)["imported"]["choice_count"].get<int>(), 3);
        QVERIFY(imported(kLlama)["imported"]["choice_count"].is_null());
    }

    void aResponseThatCannotBeReadSaysWhatItLacks()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("file.json").toStdString();
        const auto errorOf = [&](const std::string& text) {
            std::ofstream(path) << text;
            const auto opened = app::openRecordOrResponse(path);
            return opened ? std::string() : opened.error().message;
        };
        QVERIFY(errorOf("{\"choices\": []}").find("choices holds no answer") != std::string::npos);
        QVERIFY(errorOf("{\"content\": \"Hi\"}").find("no response of a known server") != std::string::npos);
        QVERIFY(errorOf("{\"a\": 1}").find("it is no run record") != std::string::npos);
        QVERIFY(errorOf("{\"schema\": 9, \"prompt\": {}, \"tokens\": [], \"content\": 1}").find("its schema is 9") != std::string::npos);
    }

    void aCompletionsAnswerListsItsTokensSideBySide()
    {
        const ordered_json response { { "object", "text_completion" },
            { "choices",
                { { { "text", "It is" }, { "finish_reason", "length" },
                    { "logprobs",
                        { { "tokens", { "It", " is" } }, { "token_logprobs", { nullptr, -0.25 } },
                            { "top_logprobs", { nullptr, { { " was", -2.5 }, { " is", -0.25 } } } },
                            { "text_offset", { 0, 2 } } } } } } } };
        const ordered_json record = imported(response);
        QCOMPARE(record["tokens"].size(), size_t(2));
        QCOMPARE(record["tokens"][0]["bytes"].get<std::string>(), std::string("4974"));
        QVERIFY(record["tokens"][0]["logprob"].is_null());
        QVERIFY(record["tokens"][0]["top"].empty());
        QCOMPARE(record["tokens"][1]["logprob"].get<double>(), -0.25);
        QCOMPARE(record["tokens"][1]["top"][0][1].get<double>(), -0.25); // the likeliest first
        QCOMPARE(record["tokens"][1]["top"][1][2].get<std::string>(), std::string("20776173"));
        QVERIFY(record["tokens"][1]["id"].is_null());
    }

    void lmStudioTellsItsReasonInStats()
    {
        ordered_json response = kChat;
        response["choices"][0]["finish_reason"] = "stop";
        response["stats"] = { { "stop_reason", "eosFound" }, { "time_to_first_token", 0.25 } };
        const ordered_json record = imported(response);
        QCOMPARE(record["stop"]["reason"].get<std::string>(), std::string("end_token"));
        QCOMPARE(record["imported"]["form"].get<std::string>(), std::string("LM Studio"));
        QCOMPARE(record["times"]["first_token_ms"].get<double>(), 250.0);
    }

    void everyReasonOfTheTableIsFound()
    {
        for (const app::ReportedReason& row : app::reportedReasons())
            QCOMPARE(app::reasonFor(row.form, row.reported), row.reason);
        QVERIFY(!app::reasonFor(ResponseForm::OpenAi, "eos"));
    }

    void anImportedRecordOpensWithoutAModelAndCompares()
    {
        const auto opened = app::recordFrom(imported(kChat).dump());
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        QCOMPARE(opened->tokens.size(), size_t(2));
        QCOMPARE(opened->tokens[0].id, app::kNoTokenId);
        QCOMPARE(opened->tokens[0].logprob, std::optional(-0.5f));
        const app::ComparedRun run = app::comparedRun(opened->reading, opened->tokens);
        QCOMPARE(run.reason, std::optional(StopReason::LengthCap));
        QCOMPARE(run.text, std::string("It is Pa\xC3\xA9"));
    }

    void whatIsNoResponseIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("cut off") << QString::fromStdString(kChat.dump().substr(0, 100)) << "not whole JSON";
        QTest::newRow("another object") << "{\"a\": 1}" << "no response of a known server";
        QTest::newRow("no choices") << "{\"choices\": []}" << "choices holds no answer";
        QTest::newRow("no text") << "{\"choices\": [{\"message\": null}]}" << "neither message.content nor text";
        QTest::newRow("parts") << "{\"choices\": [{\"message\": {\"content\": [7]}}]}" << "neither message.content nor text";
        QTest::newRow("kinds") << "{\"choices\": [7]}" << "choices holds no answer";
        QTest::newRow("deep") << QString(300000, '[') << "not whole JSON";
    }
    void whatIsNoResponseIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const auto record = app::recordFromResponse(text.toStdString());
        QVERIFY(!record);
        QVERIFY2(QString::fromStdString(record.error().message).contains(message), record.error().message.c_str());
    }

    void strangeFieldsAreLeftOut()
    {
        ordered_json response = kChat;
        response["created"] = -5;
        response["model"] = 7;
        response["choices"][0]["logprobs"]["content"] = { 1, "x", { { "logprob", "high" } } };
        response["usage"] = "none";
        const ordered_json record = imported(response);
        QVERIFY(record["opened_at"].is_null());
        QVERIFY(record["checkpoint"]["name"].is_null());
        QCOMPARE(record["tokens"].size(), size_t(1));
        QVERIFY(record["tokens"][0]["logprob"].is_null());
    }
};

QTEST_APPLESS_MAIN(TestResponseImport)
#include "tst_response_import.moc"
