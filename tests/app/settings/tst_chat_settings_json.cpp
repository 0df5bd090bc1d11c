#include "app/runs/run_record.h"
#include "app/settings/chat_settings_json.h"

#include <QTest>

class TestChatSettingsJson : public QObject {
    Q_OBJECT
private slots:
    void whatIsWrittenIsRead();
    void everyBadValueFallsBackWithANote_data();
    void everyBadValueFallsBackWithANote();
};

void TestChatSettingsJson::whatIsWrittenIsRead()
{
    app::ChatSettings settings;
    settings.preset = "Short";
    settings.systemText = "Be brief.\nBe kind.";
    settings.family = engine::templateFamilyTable()[0].family;
    settings.lengthCap = 7;
    settings.stopStrings = { "5, 6", "\n\n" };
    settings.ignoreEndTokens = true;
    settings.timeCapMs = 2500;
    settings.guardsAgainstRepetition = true;
    settings.fixedSeed = 18446744073709551615ULL;
    settings.sampling.temperature = 0;
    settings.sampling.topK = 3;
    settings.bannedTokens = { { 7, "5e3f", " Paris" }, { 0, "aa", "⟨F0⟩" } };
    for (const bool isShipped : { true, false }) {
        const std::string set = R"({"requirement_set": 1, "name": "Hours", "requirements": [)"
                                R"({"kind": "field", "name": "day", "pattern": "monday"}]})";
        settings.requirements = app::ChosenRequirements { isShipped, "hours", app::sha256Hex(set), set };
        QCOMPARE(app::chatSettingsFromJson(app::chatSettingsToJson(settings)), settings);
    }
}

void TestChatSettingsJson::everyBadValueFallsBackWithANote_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("wanted");
    const QString number = "a number from ";
    const QString whole = "a whole number from ";
    QTest::newRow("preset") << "preset"
                            << "7"
                            << "the name of a preset";
    QTest::newRow("system text") << "system_text"
                                 << "[1]"
                                 << "text";
    QTest::newRow("format") << "template_family"
                            << "\"gpt9\""
                            << "the name of a chat format";
    QTest::newRow("cap") << "length_cap"
                         << "0" << whole + "1 to 1000000";
    QTest::newRow("cap as text") << "length_cap"
                                 << "\"7\"" << whole + "1 to 1000000";
    QTest::newRow("cap with a fraction") << "length_cap"
                                         << "7.5" << whole + "1 to 1000000";
    const QString tokens = "a list of tokens, each with id, vocabulary_sha256 and text";
    QTest::newRow("bans") << "banned_tokens"
                          << "\"x\"" << tokens;
    QTest::newRow("a ban of no vocabulary") << "banned_tokens"
                                            << "[{\"id\": 5}]" << tokens;
    QTest::newRow("a ban of no token") << "banned_tokens"
                                       << "[{\"id\": -5, \"vocabulary_sha256\": \"a\"}]" << tokens;
    QTest::newRow("stops") << "stop_strings"
                           << "\"x\""
                           << "a list of texts";
    QTest::newRow("one stop") << "stop_strings"
                              << "[5]"
                              << "a list of texts";
    QTest::newRow("temperature") << "temperature"
                                 << "-0.5" << number + "0 to 10";
    QTest::newRow("temperature as text") << "temperature"
                                         << "\"hot\"" << number + "0 to 10";
    QTest::newRow("top_p") << "top_p"
                           << "40" << number + "0 to 1";
    QTest::newRow("min_p") << "min_p"
                           << "true" << number + "0 to 1";
    QTest::newRow("repeat") << "repeat_penalty"
                            << "0" << number + "0.1 to 10";
    QTest::newRow("presence") << "presence_penalty"
                              << "11" << number + "-10 to 10";
    QTest::newRow("frequency") << "frequency_penalty"
                               << "-11" << number + "-10 to 10";
    QTest::newRow("top_k") << "top_k"
                           << "-1" << whole + "0 to 1000000";
    QTest::newRow("window") << "repeat_window"
                            << "1e300" << whole + "0 to 1000000";
    QTest::newRow("end tokens") << "ignore_end_tokens"
                                << "1"
                                << "true or false";
    QTest::newRow("guard") << "repetition_guard"
                           << "\"yes\""
                           << "true or false";
    QTest::newRow("time") << "time_cap_ms"
                          << "-1" << whole + "1 to 86400000";
    QTest::newRow("requirements") << "requirements"
                                  << "{\"shipped\": \"x\", \"content\": \"{}\"}"
                                  << "a requirement set with its content and where it comes from";
    QTest::newRow("seed") << "seed"
                          << "-4"
                          << "a whole number, or null for a random one";
}

void TestChatSettingsJson::everyBadValueFallsBackWithANote()
{
    QFETCH(QString, name);
    QFETCH(QString, value);
    QFETCH(QString, wanted);
    const auto json
        = nlohmann::ordered_json::parse(QString("{\"%1\": %2}").arg(name, value).toStdString());
    QStringList notes;
    QCOMPARE(app::chatSettingsOf(json, &notes), app::ChatSettings());
    QCOMPARE(notes.size(), 1);
    QVERIFY2(notes[0].startsWith(name + " is "), qPrintable(notes[0]));
    QVERIFY2(notes[0].contains("must be " + wanted + "."), qPrintable(notes[0]));
}

QTEST_GUILESS_MAIN(TestChatSettingsJson)
#include "tst_chat_settings_json.moc"
