#include "tests/app/cli/command_run.h"

#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <fstream>
#include <thread>

using namespace engine;
using namespace tests;
using nlohmann::json;

namespace {
constexpr const char* kChatTemplate
    = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content "
      "}}<|im_end|>\n"
      "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

const WordFile kWords { { "Hello", "!", " How", " can", " I", " assist", " you", " today", "?" },
    kChatTemplate };

/// The answer of G-07 and G-08: nine words and an end token.
ScriptedModelOptions greeting()
{
    TokenIds ids;
    for (size_t i = 0; i < kWords.words.size(); ++i)
        ids.push_back(kWords.word(i));
    ids.push_back(WordFile::kEnd);
    return { .script = Script::ofTokens(ids, kWords.vocabularySize()) };
}

void writeFile(const std::string& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}

json readFile(const std::string& path)
{
    std::ifstream file(path);
    return json::parse(file, nullptr, false);
}

/// The text of the prompt's ids, single-byte pieces and control tokens.
std::string promptText(const json& ended)
{
    std::string text;
    for (int id : ended["prompt_token_ids"]) {
        if (id == WordFile::kStart)
            text += "{start}";
        else if (id == WordFile::kEnd)
            text += "{end}";
        else
            text += char(id - WordFile::kFirstByte);
    }
    return text;
}
}

class TestRunCommand : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_model = path("words.gguf");
        kWords.save(m_model);
    }
    void everyLineIsOneJsonObjectAndTheLastOneEndsTheRun()
    {
        const CommandOutcome run = runRun(
            { "--model", m_model, "--prompt", "Hi", "--json", "--temperature", "0" }, greeting());
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(run.err, std::string());
        const std::vector<json> lines = run.lines();
        int tokenCount = 0;
        for (const json& line : lines) {
            QVERIFY(line.is_object());
            if (line["event"] == "prefill") {
                QVERIFY(line["done"].is_number_integer() && line["total"].is_number_integer());
                continue;
            }
            if (line["event"] != "token")
                continue;
            QCOMPARE(line["index"].get<int>(), tokenCount++);
            QCOMPARE(line["partial"], json(true));
            QVERIFY(line["logprob"].get<double>() <= 0);
            QCOMPARE(line["top"].size(), size_t(20));
            QCOMPARE(line["top"][0][0], line["id"]);
            QCOMPARE(line["top"][0][1], line["logprob"]);
        }
        QCOMPARE(tokenCount, 10);
        QCOMPARE(lines[lines.size() - 2]["text"], json("")); // the end token
        const json& ended = lines.back();
        QCOMPARE(ended["event"], json("ended"));
        QCOMPARE(ended["stop_reason"], json("end_token"));
        QCOMPARE(ended["verdict"], json("complete"));
        QCOMPARE(ended["text"], json("Hello! How can I assist you today?"));
        QCOMPARE(ended["text"], json(run.streamedText()));
        QCOMPARE(ended["token_ids"].size(), size_t(10));
        QCOMPARE(ended["reused_tokens"], json(0));
        QCOMPARE(promptText(ended), std::string("{start}user\nHi{end}\n{start}assistant\n"));
        QVERIFY(ended["timing"]["ended_ms"].get<double>()
            >= ended["timing"]["first_token_ms"].get<double>());
    }
    void g08_capsAndExitCodesTellADraftFromAnAnswer_data()
    {
        QTest::addColumn<int>("cap");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("0") << 0 << "length_cap" << 3;
        QTest::newRow("1") << 1 << "length_cap" << 3;
        QTest::newRow("9") << 9 << "length_cap" << 3;
        QTest::newRow("10") << 10 << "end_token" << 0;
    }
    void g08_capsAndExitCodesTellADraftFromAnAnswer()
    {
        QFETCH(int, cap);
        QFETCH(QString, reason);
        QFETCH(int, exitCode);
        const CommandOutcome run
            = runRun({ "--model", m_model, "--prompt", "Hi", "--json", "--temperature=0",
                         "--max-tokens", std::to_string(cap) },
                greeting());
        QCOMPARE(run.exitCode, exitCode);
        QCOMPARE(run.lastLine()["stop_reason"], json(reason.toStdString()));
        QCOMPARE(run.lastLine()["token_ids"].size(), size_t(cap));
    }
    void peopleGetTheAnswerOnStandardOutputAndTheVerdictBesideIt()
    {
        const CommandOutcome run = runRun(
            { "--model", m_model, "--prompt", "Hi", "--temperature", "0", "--max-tokens", "8" },
            greeting());
        QCOMPARE(run.exitCode, 3);
        QCOMPARE(run.out, std::string("Hello! How can I assist you today\n"));
        QVERIFY2(run.err.starts_with(
                     "capped: length cap reached: not known to be complete (length_cap); 8 tokens"),
            run.err.c_str());
        QCOMPARE(std::count(run.err.begin(), run.err.end(), '\n'), ptrdiff_t(1));
    }
    void aStopStringIsAnExitOfItsOwnKind()
    {
        const CommandOutcome run
            = runRun({ "--model", m_model, "--prompt", "Hi", "--json", "--temperature", "0",
                         "--stop", "never", "--stop", "can I" },
                greeting());
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(run.lastLine()["stop_reason"], json("stop_string"));
        QCOMPARE(run.lastLine()["verdict"], json("stopped"));
        QCOMPARE(run.lastLine()["text"], json("Hello! How "));
        QCOMPARE(run.streamedText(), std::string("Hello! How "));
    }
    void g11_heldTextComesAsATextEvent()
    {
        const CommandOutcome run
            = runRun({ "--model", m_model, "--prompt", "Hi", "--json", "--temperature", "0",
                         "--max-tokens", "9", "--stop", "?!" },
                greeting());
        const std::vector<json> lines = run.lines();
        QCOMPARE(lines[lines.size() - 2], json({ { "event", "text" }, { "text", "?" } }));
        QCOMPARE(run.streamedText(), std::string("Hello! How can I assist you today?"));
    }
    void g24_aPromptLongerThanTheContextFailsWithBothNumbers()
    {
        const CommandOutcome run = runRun(
            { "--model", m_model, "--prompt", std::string(500, 'x'), "--json", "--context", "128" },
            greeting());
        QCOMPARE(run.exitCode, 1);
        const json ended = run.lastLine();
        QCOMPARE(ended["stop_reason"], json("failed"));
        QCOMPARE(ended["verdict"], json("partial"));
        QCOMPARE(ended["token_ids"], json::array());
        QCOMPARE(ended["error"]["code"], json("context_full"));
        const std::string message = ended["error"]["message"];
        QVERIFY(
            message.find(std::to_string(ended["prompt_token_ids"].size())) != std::string::npos);
        QVERIFY(message.find("128") != std::string::npos);
    }
    void aMissingModelFailsWithATerminalEvent()
    {
        const CommandOutcome run
            = runRun({ "--model", path("absent.gguf"), "--prompt", "Hi", "--json" }, greeting());
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(run.lastLine()["stop_reason"], json("failed"));
        QVERIFY(run.lastLine()["error"]["message"].get<std::string>().find("absent.gguf")
            != std::string::npos);
        const CommandOutcome forPeople
            = runRun({ "--model", path("absent.gguf"), "--prompt", "Hi" }, greeting());
        QVERIFY(forPeople.err.starts_with("partial: failed: "));
        QCOMPARE(forPeople.out, std::string());
    }
    void anInterruptCancelsAndIsPartial()
    {
        std::atomic<int> tokens { 0 };
        ScriptedModelOptions options = greeting();
        options.beforeAppend = [&tokens] {
            ++tokens;
            std::this_thread::sleep_for(std::chrono::milliseconds(60));
        };
        const CommandOutcome run
            = runRun({ "--model", m_model, "--prompt", "Hi", "--json", "--temperature", "0" },
                options, [&tokens] { return tokens >= 2; });
        QCOMPARE(run.exitCode, 4);
        QCOMPARE(run.lastLine()["stop_reason"], json("cancelled"));
        QCOMPARE(run.lastLine()["verdict"], json("partial"));
        QCOMPARE(run.lastLine()["text"], json(run.streamedText()));
        QVERIFY(run.lastLine()["token_ids"].size() < 6);
    }
    void anInterruptWhileTheModelIsOpenedIsPartialToo()
    {
        ScriptedModelOptions options = greeting();
        options.whileLoading = [](const ModelLoadControl& control) -> Result<void> {
            while (!control.cancelled())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return Error::cancelled("cancelled");
        };
        const CommandOutcome run = runRun(
            { "--model", m_model, "--prompt", "Hi", "--json" }, options, [] { return true; });
        QCOMPARE(run.exitCode, 4);
        QCOMPARE(run.lastLine()["stop_reason"], json("cancelled"));
    }
    void messagesComeFromAFile()
    {
        writeFile(path("list.json"),
            R"([{"role":"user","content":"A"},{"role":"assistant","content":"B"},{"role":"user","content":"C"}])");
        const CommandOutcome list = runRun(
            { "--model", m_model, "--messages", path("list.json"), "--system", "S", "--json" },
            greeting());
        QCOMPARE(promptText(list.lastLine()),
            std::string("{start}system\nS{end}\n{start}user\nA{end}\n"
                        "{start}assistant\nB{end}\n{start}user\nC{end}\n{start}assistant\n"));
        writeFile(path("object.json"),
            R"({"messages":[{"role":"user","content":"A"}],"tools":[],"variables":{"x":null}})");
        const CommandOutcome object = runRun(
            { "--model", m_model, "--messages", path("object.json"), "--system", "", "--json" },
            greeting());
        QCOMPARE(
            promptText(object.lastLine()), std::string("{start}user\nA{end}\n{start}assistant\n"));
    }
    void controlTokensTypedByAPersonStayText()
    {
        const CommandOutcome run
            = runRun({ "--model", m_model, "--prompt", "<|im_end|>", "--json" }, greeting());
        const json ids = run.lastLine()["prompt_token_ids"];
        QCOMPARE(std::count(ids.begin(), ids.end(), json(WordFile::kEnd)), ptrdiff_t(1));
    }
    void rawTextIsWrittenOnWithoutATemplate()
    {
        const CommandOutcome run
            = runRun({ "--model", m_model, "--raw", "a<|im_end|>", "--json" }, greeting());
        QCOMPARE(promptText(run.lastLine()), std::string("a<|im_end|>"));
        WordFile withBos = kWords;
        withBos.addsBos = true;
        withBos.save(path("bos.gguf"));
        const CommandOutcome bos
            = runRun({ "--model", path("bos.gguf"), "--raw", "a", "--json" }, greeting());
        QCOMPARE(bos.lastLine()["prompt_token_ids"],
            json({ WordFile::kBos, WordFile::kFirstByte + 'a' }));
    }
    void aFileWithoutATemplateSaysWhatToDo()
    {
        WordFile plain = kWords;
        plain.chatTemplate.clear();
        plain.save(path("plain.gguf"));
        const CommandOutcome run
            = runRun({ "--model", path("plain.gguf"), "--prompt", "Hi", "--json" }, greeting());
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(run.lastLine()["error"]["code"], json("bad_template"));
        QVERIFY(run.lastLine()["error"]["message"].get<std::string>().find("--raw")
            != std::string::npos);
    }
    void g02_aTemplateThatRefusesIsQuotedAndNothingIsGenerated()
    {
        WordFile strict = kWords;
        strict.chatTemplate
            = std::string("{% if messages[0].role == 'system' %}"
                          "{{ raise_exception('System role not supported') }}{% endif %}")
            + kChatTemplate;
        strict.save(path("strict.gguf"));
        const CommandOutcome run = runRun(
            { "--model", path("strict.gguf"), "--prompt", "Hi", "--system", "S", "--json" },
            greeting());
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(run.lines().size(), size_t(1));
        QVERIFY(
            run.lastLine()["error"]["message"].get<std::string>().find("System role not supported")
            != std::string::npos);
    }
    void usageErrorsAreNamedAndExitWithTwo_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("message");
        QTest::newRow("no prompt") << QStringList {} << "--prompt, --messages and --raw";
        QTest::newRow("two prompts")
            << QStringList { "--prompt", "a", "--raw", "b" } << "exactly one";
        QTest::newRow("unknown") << QStringList { "--prompt", "a", "--max-token", "3" }
                                 << "--max-token";
        QTest::newRow("cap") << QStringList { "--prompt", "a", "--max-tokens", "-1" }
                             << "--max-tokens -1";
        QTest::newRow("temperature")
            << QStringList { "--prompt", "a", "--temperature", "-1" } << "temperature is -1";
        QTest::newRow("top-p") << QStringList { "--prompt", "a", "--top-p", "x" } << "--top-p x";
        QTest::newRow("seed") << QStringList { "--prompt", "a", "--seed", "1.5" } << "--seed 1.5";
        QTest::newRow("empty stop") << QStringList { "--prompt", "a", "--stop", "" } << "--stop";
        QTest::newRow("system and raw")
            << QStringList { "--raw", "a", "--system", "b" } << "--system";
        QTest::newRow("stray word") << QStringList { "--prompt", "a", "b" } << "\"b\"";
        QTest::newRow("messages file")
            << QStringList { "--messages", "/nowhere.json" } << "/nowhere.json";
    }
    void usageErrorsAreNamedAndExitWithTwo()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, message);
        std::vector<std::string> all { "--model", m_model, "--json" };
        for (const QString& word : words)
            all.push_back(word.toStdString());
        const CommandOutcome run = runRun(all, greeting());
        QCOMPARE(run.exitCode, 2);
        QCOMPARE(run.out, std::string());
        QVERIFY2(QString::fromStdString(run.err).contains(message), run.err.c_str());
    }
    void damagedMessagesAreUsageErrors_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("no JSON") << "[";
        QTest::newRow("no list") << "7";
        QTest::newRow("empty list") << "[]";
        QTest::newRow("no role") << R"([{"content":"x"}])";
        QTest::newRow("unknown key") << R"({"messages":[{"role":"user","content":"x"}],"tool":[]})";
        QTest::newRow("variables")
            << R"({"messages":[{"role":"user","content":"x"}],"variables":[]})";
        QTest::newRow("a second system message")
            << R"([{"role":"system","content":"x"},{"role":"user","content":"x"}])";
    }
    void damagedMessagesAreUsageErrors()
    {
        QFETCH(QString, text);
        writeFile(path("bad.json"), text.toStdString());
        const CommandOutcome run = runRun(
            { "--model", m_model, "--messages", path("bad.json"), "--system", "S" }, greeting());
        QCOMPARE(run.exitCode, 2);
        QVERIFY(!run.err.empty());
    }
    void helpIsPrintedAndExitsWithZero()
    {
        const CommandOutcome run = runRun({ "--help" }, greeting());
        QCOMPARE(run.exitCode, 0);
        QVERIFY(run.out.find("--max-tokens N") != std::string::npos);
    }
    void g27_aRandomSeedIsRecordedAndReproducesTheRun()
    {
        ScriptedModelOptions options;
        options.script.steps.emplace_back();
        for (size_t i = 0; i < kWords.words.size(); ++i)
            options.script.steps[0].push_back({ kWords.word(i), 0 });
        const std::vector<std::string> words { "--model", m_model, "--prompt", "Hi", "--json",
            "--max-tokens", "40", "--record", path("seed.json") };
        const CommandOutcome first = runRun(words, options);
        const json seed = readFile(path("seed.json"))["sampling"]["seed"];
        const CommandOutcome second = runRun(words, options);
        QVERIFY(seed != readFile(path("seed.json"))["sampling"]["seed"]);
        QVERIFY(first.lastLine()["token_ids"] != second.lastLine()["token_ids"]);
        std::vector<std::string> again = words;
        again.insert(again.end(), { "--seed", seed.dump() });
        QCOMPARE(runRun(again, options).lastLine()["token_ids"], first.lastLine()["token_ids"]);
    }
    void theRecordTellsTheWholeRun()
    {
        const CommandOutcome run = runRun({ "--model", m_model, "--prompt", "Hi", "--json",
                                              "--temperature", "0", "--record", path("run.json") },
            greeting());
        const json record = readFile(path("run.json"));
        QCOMPARE(record["schema"], json(1));
        QCOMPARE(record["started_by"], json("command_line"));
        QCOMPARE(record["checkpoint"]["file_name"], json("words.gguf"));
        QCOMPARE(record["checkpoint"]["sha256"].get<std::string>().size(), size_t(64));
        QCOMPARE(record["messages"], json::parse(R"([{"role":"user","content":"Hi"}])"));
        QCOMPARE(record["prompt"]["text"],
            json("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"));
        QCOMPARE(record["prompt"]["token_ids"], run.lastLine()["prompt_token_ids"]);
        QCOMPARE(record["tokens"].size(), size_t(10));
        QCOMPARE(record["tokens"][9]["id"], json(WordFile::kEnd));
        QCOMPARE(record["text"], run.lastLine()["text"]);
        QCOMPARE(record["passes"]["prefill"], json(1));
        QCOMPARE(record["passes"]["decode"], json(9));
        QCOMPARE(record["passes"]["discarded"], json(0));
        QCOMPARE(record["passes"]["list"].size(), size_t(2 + 9)); // the prompt took two chunks
        QCOMPARE(record["overlap"], json(false));
        QCOMPARE(record["overlap_obstacle"], json("the scores are not made on a device"));
        QCOMPARE(record["stop"]["reason"], json("end_token"));
        QCOMPARE(record["template"]["family"], json("own"));
    }
    void withoutOverlapTheRecordSaysThatItWasSwitchedOff()
    {
        runRun({ "--model", m_model, "--prompt", "Hi", "--no-overlap", "--record",
                   path("alone.json") },
            greeting());
        const json record = readFile(path("alone.json"));
        QCOMPARE(record["overlap"], json(false));
        QCOMPARE(record["overlap_obstacle"], json("switched off for this run"));
    }
    void theRepetitionGuardAndTheTimeCapAreInTheRecord()
    {
        ScriptedModelOptions options;
        options.script = Script::ofTokens(TokenIds(50, kWords.word(0)), kWords.vocabularySize());
        const CommandOutcome run = runRun(
            { "--model", m_model, "--prompt", "Hi", "--json", "--temperature", "0",
                "--repetition-guard", "4,6", "--time-cap", "60000", "--record", path("r.json") },
            options);
        QCOMPARE(run.lastLine()["stop_reason"], json("repetition"));
        QCOMPARE(run.lastLine()["verdict"], json("capped"));
        QCOMPARE(run.lastLine()["token_ids"].size(), size_t(6));
        const json record = readFile(path("r.json"));
        QCOMPARE(
            record["caps"]["repetition"], json({ { "longest_period", 4 }, { "repeat_count", 6 } }));
        QCOMPARE(record["caps"]["time_ms"], json(60000));
        QCOMPARE(record["ledger"]["repetition"], json({ { "period", 1 }, { "count", 6 } }));

        runRun({ "--model", m_model, "--prompt", "Hi", "--record", path("off.json") }, greeting());
        const json off = readFile(path("off.json"));
        QVERIFY(off["caps"].contains("repetition") && off["caps"]["repetition"].is_null());
        QVERIFY(off["caps"]["time_ms"].is_null());
        QVERIFY(off["ledger"].contains("repetition") && off["ledger"]["repetition"].is_null());
    }
    void aTimeCapOfNothingEndsTheRunBeforeItsFirstToken()
    {
        const CommandOutcome run = runRun(
            { "--model", m_model, "--prompt", "Hi", "--json", "--time-cap", "0" }, greeting());
        QCOMPARE(run.lastLine()["stop_reason"], json("time_cap"));
        QCOMPARE(run.lastLine()["token_ids"].size(), size_t(0));
    }
    void aRepetitionGuardNeedsTwoNumbers_data()
    {
        QTest::addColumn<QString>("value");
        for (const char* value :
            { "", "4", "4,", ",6", "4,6,", "4 6", "x,6", "0,6", "4,1", "-4,6" })
            QTest::newRow(value) << value;
    }
    void aRepetitionGuardNeedsTwoNumbers()
    {
        QFETCH(QString, value);
        const CommandOutcome run = runRun(
            { "--model", m_model, "--prompt", "Hi", "--repetition-guard", value.toStdString() },
            greeting());
        QCOMPARE(run.exitCode, 2);
        QVERIFY(run.err.find("repetition guard") != std::string::npos
            || run.err.find("--repetition-guard") != std::string::npos);
    }
    void theTableOfTokensIsWrittenBesideTheRecord()
    {
        for (const char* name : { "tokens.json", "tokens.csv" }) {
            const CommandOutcome run = runRun({ "--model", m_model, "--prompt", "Hi", "--json",
                                                  "--temperature", "0", "--tokens", path(name) },
                greeting());
            QCOMPARE(run.exitCode, 0);
        }
        const json tokens = readFile(path("tokens.json"))["tokens"];
        const CommandOutcome run = runRun(
            { "--model", m_model, "--prompt", "Hi", "--json", "--temperature", "0" }, greeting());
        const json ended = run.lastLine();
        json ids = ended["prompt_token_ids"];
        const size_t promptCount = ids.size();
        for (const json& id : ended["token_ids"])
            ids.push_back(id);
        QCOMPARE(tokens.size(), ids.size());
        std::string text;
        for (size_t i = 0; i < tokens.size(); ++i) {
            QCOMPARE(tokens[i]["id"], ids[i]);
            QCOMPARE(tokens[i]["position"], json(i));
            QCOMPARE(tokens[i]["place"], json(i < promptCount ? "prompt" : "answer"));
            QCOMPARE(tokens[i]["rank"], i < promptCount ? json() : json(1));
            if (i >= promptCount && !tokens[i]["bytes"].get<std::string>().empty())
                text += tokens[i]["text"].get<std::string>();
        }
        QCOMPARE(json(text), ended["text"]);
        std::ifstream csv(path("tokens.csv"));
        size_t lineCount = 0;
        for (std::string line; std::getline(csv, line); ++lineCount)
            if (lineCount == 0)
                QVERIFY(line.starts_with("index,place,id,text,bytes,source,position,"));
        QCOMPARE(lineCount, tokens.size() + 1);
    }
    void aTableOfTokensNeedsANameThatSaysItsFormat()
    {
        const CommandOutcome run = runRun(
            { "--model", m_model, "--prompt", "Hi", "--tokens", path("tokens.xls") }, greeting());
        QCOMPARE(run.exitCode, 2);
        QVERIFY(run.err.find(".csv or .json") != std::string::npos);
        const CommandOutcome nowhere = runRun(
            { "--model", m_model, "--prompt", "Hi", "--json", "--tokens", "/nowhere/tokens.csv" },
            greeting());
        QCOMPARE(nowhere.exitCode, 1);
        QCOMPARE(nowhere.lines().size(), size_t(1));
        QCOMPARE(nowhere.lastLine()["error"]["code"], json("io"));
    }
    void aRecordThatCannotBeWrittenFailsBeforeAnythingIsGenerated()
    {
        const CommandOutcome run = runRun(
            { "--model", m_model, "--prompt", "Hi", "--json", "--record", "/nowhere/run.json" },
            greeting());
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(run.lines().size(), size_t(1));
        QCOMPARE(run.lastLine()["error"]["code"], json("io"));
    }

    void aCompleteAnswerThatLacksWhatWasAskedExitsWith5()
    {
        writeFile(path("asked.json"), "{\"requirement_set\": 1, \"name\": \"Greeting\", \"requirements\": ["
            "{\"kind\": \"field\", \"name\": \"greeting\", \"pattern\": \"hello\"},"
            "{\"kind\": \"field\", \"name\": \"name\", \"pattern\": \"Ada\"},"
            "{\"kind\": \"evidence\", \"name\": \"day\", \"pattern\": \"today\", \"source\": \"notice.txt\"}]}");
        std::vector<std::string> words { "--model", m_model, "--prompt", "Hi", "--json", "--temperature", "0",
            "--require", path("asked.json") };
        const CommandOutcome noSource = runRun(words, greeting());
        QCOMPARE(noSource.exitCode, 2);
        QVERIFY2(noSource.err.find("notice.txt") != std::string::npos, noSource.err.c_str());
        writeFile(path("notice.txt"), "Open today.");
        words.insert(words.end(), { "--source", path("notice.txt"), "--record", path("checked.json") });
        const CommandOutcome lacking = runRun(words, greeting());
        QCOMPARE(lacking.exitCode, 5);
        QCOMPARE(lacking.lastLine()["verdict"], json("complete"));
        QCOMPARE(lacking.lastLine()["requirement_check"]["met"], json(2));
        QCOMPARE(readFile(path("checked.json"))["requirement_check"], lacking.lastLine()["requirement_check"]);
        words.insert(words.end(), { "--max-tokens", "3" });
        const CommandOutcome capped = runRun(words, greeting());
        QCOMPARE(capped.exitCode, 3); // why it stopped comes first
        QCOMPARE(capped.lastLine()["requirement_check"]["met"], json(1));
        QCOMPARE(capped.lastLine()["requirement_check"]["results"][1]["state"], json("open"));
        const CommandOutcome stopped = runRun({ "--model", m_model, "--prompt", "Hi", "--json", "--temperature", "0",
            "--require", path("asked.json"), "--source", path("notice.txt"), "--stop", "today" }, greeting());
        QCOMPARE(stopped.lastLine()["verdict"], json("stopped"));
        QCOMPARE(stopped.exitCode, 5); // nothing more will come
        const CommandOutcome told = runRun({ "--model", m_model, "--prompt", "Hi", "--temperature", "0", "--require",
            path("asked.json"), "--source", path("notice.txt") }, greeting());
        QVERIFY2(told.err.find("Greeting: 2 of 3 · checks failed\n  name: missing\n") != std::string::npos, told.err.c_str());
    }

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
    std::string m_model;
};

QTEST_APPLESS_MAIN(TestRunCommand)
#include "tst_run_command.moc"
