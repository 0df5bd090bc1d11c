#include "app/compare/requirement_check.h"

#include <QElapsedTimer>
#include <QTest>

using app::RequirementCheck;
using app::RequirementSet;
using app::RequirementState;
using engine::Verdict;

namespace {
RequirementSet setOf(const std::string& requirements)
{
    const auto set = app::requirementSetFrom(
        "{\"requirement_set\": 1, \"name\": \"A set\", \"requirements\": [" + requirements + "]}");
    if (!set)
        qFatal("%s", set.error().message.c_str());
    return *set;
}
const char* kDay = "{\"kind\": \"field\", \"name\": \"day\", \"pattern\": \"\\\\b(mon|tues)day\\\\b\"}";
const char* kTime = "{\"kind\": \"field\", \"name\": \"time\", \"pattern\": \"\\\\b\\\\d{1,2}(?::\\\\d\\\\d)?\"}";
const char* kNoGuess = "{\"kind\": \"absence\", \"name\": \"no guess\", \"pattern\": \"probably\"}";
const char* kEvidence
    = "{\"kind\": \"evidence\", \"name\": \"time in notice\", \"pattern\": \"\\\\d{1,2}(?::\\\\d\\\\d)?\", \"source\": \"notice.txt\"}";
const char* kSaturday
    = "{\"kind\": \"exception\", \"name\": \"Saturday\", \"pattern\": \"saturday\", \"none_pattern\": \"no exceptions\"}";
const char* kJson
    = "{\"kind\": \"json\", \"name\": \"hours\", \"schema\": {\"type\": \"object\", \"required\": [\"open\", \"close\"],"
          "\"properties\": {\"open\": {\"type\": \"string\"}, \"close\": {\"type\": \"string\", \"pattern\": \"^[0-9:]+$\"}}}}";

RequirementCheck checked(const std::string& requirements, const std::string& text,
    Verdict verdict = Verdict::Complete, const std::map<std::string, std::string>& sources = {})
{
    return app::checkRequirements(setOf(requirements), text, verdict, sources);
}
}

/// What is asked of an answer, on complete, capped and partial text.
class TestRequirementCheck : public QObject {
    Q_OBJECT
private slots:
    void aCompleteAnswerIsReadyOrFails()
    {
        const std::string all = std::string(kDay) + "," + kTime;
        const RequirementCheck good = checked(all, "It opens on Monday at 9:30.");
        QCOMPARE(good.results[0].value, std::string("Mon"));
        QCOMPARE(good.results[0].offset, std::optional<size_t>(12));
        QCOMPARE(good.results[1].value, std::string("9:30"));
        QVERIFY(good.isReady());
        QCOMPARE(good.words(), std::string("2 of 2 · ready"));
        const RequirementCheck bad = checked(all, "It opens on Monday.");
        QCOMPARE(bad.results[1].state, RequirementState::Failed);
        QCOMPARE(bad.results[1].why, std::string("missing"));
        QCOMPARE(bad.words(), std::string("1 of 2 · checks failed"));
        QVERIFY(!bad.isReady());
    }

    void anAnswerThatWasCutIsNeverReady_data()
    {
        QTest::addColumn<Verdict>("verdict");
        QTest::newRow("partial") << Verdict::Partial;
        QTest::newRow("capped") << Verdict::Capped;
        QTest::newRow("stopped") << Verdict::Stopped;
    }
    void anAnswerThatWasCutIsNeverReady()
    {
        QFETCH(Verdict, verdict);
        const std::string all = std::string(kDay) + "," + kTime + "," + kNoGuess;
        const RequirementCheck check = checked(all, "It opens on Monday at 9:30 sharp", verdict);
        QCOMPARE(check.metCount(), 2);
        QCOMPARE(check.results[2].state, RequirementState::Open); // absence is known at the end
        QCOMPARE(check.words(), std::string("present so far 2 of 3 · not ready"));
        const RequirementCheck early = checked(all, "It opens on ", verdict);
        QCOMPARE(early.results[0].state, RequirementState::Open); // not failed: it may still come
        QVERIFY(!early.hasFailed());
    }

    void whatTouchesTheEndOfAnOpenTextIsNotDecided()
    {
        const RequirementCheck check = checked(kTime, "at 9", Verdict::Partial);
        QCOMPARE(check.results[0].state, RequirementState::Open);
        QCOMPARE(check.results[0].value, std::string("9"));
        QCOMPARE(checked(kTime, "at 9.", Verdict::Partial).results[0].state, RequirementState::Met);
        QCOMPARE(checked(kNoGuess, "probably", Verdict::Partial).results[0].state, RequirementState::Open);
        QCOMPARE(checked(kNoGuess, "probably so", Verdict::Partial).results[0].state, RequirementState::Failed);
    }

    void whatTheEndWasLookedAtForIsNotDecided()
    {
        const std::map<std::string, std::string> notice { { "notice.txt", "open at 9:30" } };
        // The match is "9", for which the pattern had to look at the end.
        const auto early = checked(kEvidence, "It opens at 9:", Verdict::Capped, notice);
        QCOMPARE(early.results[0].state, RequirementState::Open);
        QCOMPARE(checked(kTime, "It opens at 9:", Verdict::Partial).results[0].state, RequirementState::Open);
        const char* notBar = "{\"kind\": \"absence\", \"name\": \"foo\", \"pattern\": \"foo(?! bar)\"}";
        QCOMPARE(checked(notBar, "foo b", Verdict::Partial).results[0].state, RequirementState::Open);
        QCOMPARE(checked(notBar, "foo bar.", Verdict::Complete).results[0].state, RequirementState::Met);
        QCOMPARE(checked(notBar, "foo bat.", Verdict::Partial).results[0].state, RequirementState::Failed);
    }

    void evidenceIsFoundInListsOtherScriptsAndOtherAccents_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("occurs");
        QTest::newRow("times in a table") << "Ghent,10:04,10:31,Bruges" << "10:04" << true;
        QTest::newRow("last time in a table") << "Ghent,10:04,10:31,Bruges" << "10:31" << true;
        QTest::newRow("a list") << "8,9,10" << "9" << true;
        QTest::newRow("decimal comma") << "9,5 km" << "9" << false;
        QTest::newRow("thousands") << "10,000,000" << "000" << false;
        QTest::newRow("minutes") << "9:30" << "30" << false;
        QTest::newRow("a script without spaces") << QString::fromUtf8("営業は月曜日から") << QString::fromUtf8("月曜日") << true;
        QTest::newRow("a number before such") << QString::fromUtf8("10時から") << "10" << true;
        QTest::newRow("accents apart in the source") << QStringLiteral("Cafe\u0301 Central") << QStringLiteral("Caf\u00e9") << true;
        QTest::newRow("another letter") << QStringLiteral("Cafe\u0301 Central") << "Cafe" << false;
    }
    void evidenceIsFoundInListsOtherScriptsAndOtherAccents()
    {
        QFETCH(QString, source);
        QFETCH(QString, value);
        QFETCH(bool, occurs);
        const auto check = checked(
            "{\"kind\": \"evidence\", \"name\": \"x\", \"pattern\": \".+\", \"source\": \"notice.txt\"}",
            value.toStdString(), Verdict::Complete, { { "notice.txt", source.toStdString() } });
        QCOMPARE(check.isReady(), occurs);
    }

    void moreValuesThanAreCheckedAreNotTakenForMet()
    {
        std::string answer;
        for (int i = 0; i < 1200; ++i)
            answer += "7 ";
        const auto check = checked(kEvidence, answer, Verdict::Complete, { { "notice.txt", "7" } });
        QCOMPARE(check.results[0].state, RequirementState::Open);
        QVERIFY(check.results[0].why.find("more values") != std::string::npos);
    }

    void aPatternOfNothingGoesOnByWholeCharacters()
    {
        const char* both = "{\"kind\": \"field\", \"name\": \"both\", \"pattern\": \"(?=.*price)(?=.*date)\"}";
        QVERIFY(checked(both, "\xf0\x9f\x98\x80 The price and the date").isReady());
    }

    void evidenceMustStandInTheNamedSource()
    {
        const std::map<std::string, std::string> notice { { "notice.txt", "Since 1959 open at\n 9:30 daily." } };
        QVERIFY(checked(kEvidence, "It opens at 9:30.", Verdict::Complete, notice).isReady());
        const auto wrong = checked(kEvidence, "It opens at 9:30, no, 9.", Verdict::Complete, notice);
        QCOMPARE(wrong.results[0].state, RequirementState::Failed);
        QCOMPARE(wrong.results[0].why, std::string("“9” does not occur in “notice.txt”")); // 1959 is another word
        QCOMPARE(wrong.results[0].offset, std::optional<size_t>(22));
        const auto none = checked(kEvidence, "It opens at 9:30.");
        QCOMPARE(none.results[0].state, RequirementState::Open);
        QVERIFY(none.results[0].why.find("not at hand") != std::string::npos);
        // Another value may follow: true so far is not true.
        QCOMPARE(checked(kEvidence, "It opens at 9:30 and", Verdict::Capped, notice).results[0].state, RequirementState::Open);
        QCOMPARE(checked(kEvidence, "It opens at 8:15 and", Verdict::Capped, notice).results[0].state, RequirementState::Failed);
    }

    void anExceptionIsStatedOrMarkedAsNone()
    {
        QVERIFY(checked(kSaturday, "On Saturday it is closed.").isReady());
        QVERIFY(checked(kSaturday, "There are no exceptions.").isReady());
        const auto silent = checked(kSaturday, "It opens on Monday.");
        QCOMPARE(silent.results[0].state, RequirementState::Failed);
        QCOMPARE(silent.results[0].why, std::string("neither stated nor marked as none"));
        QCOMPARE(checked(kSaturday, "It opens on Monday.", Verdict::Capped).results[0].state, RequirementState::Open);
    }

    void jsonIsHeldAgainstItsSchema()
    {
        QVERIFY(checked(kJson, "{\"open\": \"9\", \"close\": \"17:00\"}").isReady());
        QVERIFY(checked(kJson, "Here it is:\n```json\n{\"open\": \"9\", \"close\": \"17\"}\n```\nDone.").isReady());
        const auto missing = checked(kJson, "{\"open\": \"9\"}");
        QCOMPARE(missing.results[0].state, RequirementState::Failed);
        QVERIFY2(missing.results[0].why.find("close") != std::string::npos, missing.results[0].why.c_str());
        QCOMPARE(checked(kJson, "{\"open\": \"9\", \"close\": \"late\"}").results[0].state, RequirementState::Failed);
        QCOMPARE(checked(kJson, "{\"open\": \"9\", \"clo").results[0].why, std::string("the answer is not whole JSON"));
        QCOMPARE(checked(kJson, "{\"open\": \"9\", \"clo", Verdict::Partial).results[0].state, RequirementState::Open);
        QCOMPARE(checked(kJson, std::string(200'000, '[')).results[0].state, RequirementState::Open);
    }

    void numbersOfJsonAreNumbers()
    {
        const char* set = "{\"kind\": \"json\", \"name\": \"n\", \"schema\": {\"properties\": {\"open\": "
                          "{\"type\": \"integer\", \"minimum\": 0}, \"size\": {\"type\": \"number\", \"minimum\": 0}}}}";
        QVERIFY(checked(set, "{\"open\": 9}").isReady());
        QVERIFY(checked(set, "{\"open\": 9.0}").isReady()); // draft 7: an integer
        QVERIFY(!checked(set, "{\"open\": 9.5}").isReady());
        QVERIFY(!checked(set, "{\"open\": -1}").isReady());
        QVERIFY(checked(set, "{\"size\": 18446744073709551615}").isReady());
    }

    void patternsOfASchemaAreTriedWithinLimits()
    {
        const auto setFor = [](const std::string& schema) {
            return "{\"kind\": \"json\", \"name\": \"n\", \"schema\": " + schema + "}";
        };
        const std::string letter = setFor("{\"properties\": {\"x\": {\"pattern\": \"^.$\"}}}");
        QVERIFY(checked(letter, "{\"x\": \"\xc3\xa9\"}").isReady()); // one character, two bytes
        QVERIFY(checked(letter, "{\"x\": 77}").isReady()); // of texts only
        const auto two = checked(letter, "{\"x\": \"ab\"}");
        QCOMPARE(two.results[0].state, RequirementState::Failed);
        QVERIFY2(two.results[0].why.find("does not match its pattern") != std::string::npos, two.results[0].why.c_str());
        QVERIFY(checked(setFor("{\"properties\": {\"x\": {\"pattern\": \"(?i)^AB\"}}}"), "{\"x\": \"ab\"}").isReady());
        QElapsedTimer timer;
        timer.start();
        const auto costly = checked(setFor("{\"properties\": {\"x\": {\"pattern\": \"^(a+)+$\"}}}"),
            "{\"x\": \"" + std::string(60, 'a') + "b\"}");
        QCOMPARE(costly.results[0].state, RequirementState::Open);
        QVERIFY2(costly.results[0].why.find("too costly") != std::string::npos, costly.results[0].why.c_str());
        QVERIFY(timer.elapsed() < 2000);
        const std::string names = setFor("{\"patternProperties\": {\"^[a-z]+ly$\": {\"type\": \"integer\"}}, "
                                         "\"additionalProperties\": false}");
        QVERIFY(checked(names, "{\"daily\": 3}").isReady());
        QVERIFY(!checked(names, "{\"daily\": \"no\"}").isReady());
        QVERIFY(!checked(names, "{\"day\": 3}").isReady());
    }

    void manyPlacesToBeginAtHaveOneLimit()
    {
        std::string answer;
        for (int line = 0; line < 40; ++line) {
            for (int word = 0; word < 120; ++word)
                answer += "word ";
            answer += "\n";
        }
        QElapsedTimer timer;
        timer.start();
        const auto check
            = checked("{\"kind\": \"field\", \"name\": \"x\", \"pattern\": \".+ .+ .+ [\u20ac$]\"}", answer);
        QCOMPARE(check.results[0].state, RequirementState::Open);
        QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    }

    void aPatternThatNeverEndsIsGivenUp()
    {
        QElapsedTimer timer;
        timer.start();
        const auto check = checked("{\"kind\": \"field\", \"name\": \"x\", \"pattern\": \"(a+)+$\"}",
            std::string(20'000, 'a') + "b");
        QCOMPARE(check.results[0].state, RequirementState::Open);
        QVERIFY(check.results[0].why.find("too costly") != std::string::npos);
        QVERIFY(timer.elapsed() < 2000);
    }

    void aSchemaMayReferToItselfFurtherDown()
    {
        const std::string tree = "{\"kind\": \"json\", \"name\": \"t\", \"schema\": {\"type\": \"object\", \"required\": [\"n\"], "
                                 "\"properties\": {\"below\": {\"items\": {\"$ref\": \"#\"}}}}}";
        QVERIFY(checked(tree, "{\"n\": 1, \"below\": [{\"n\": 2, \"below\": []}]}").isReady());
        QVERIFY(!checked(tree, "{\"n\": 1, \"below\": [{\"below\": []}]}").isReady());
    }

    void aBadSetIsRefusedByField_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("message");
        QTest::newRow("no JSON") << "{" << "not whole JSON";
        QTest::newRow("no version") << "{}" << "requirement_set is missing";
        QTest::newRow("later version") << "{\"requirement_set\": 9, \"name\": \"x\", \"requirements\": []}" << "knows version 1";
        QTest::newRow("empty") << "{\"requirement_set\": 1, \"name\": \"x\", \"requirements\": []}" << "has 0 entries";
        const QString one = "{\"requirement_set\": 1, \"name\": \"x\", \"requirements\": [%1]}";
        QTest::newRow("kind") << one.arg("{\"kind\": \"wish\", \"name\": \"a\"}") << "requirements[0].kind is “wish”";
        QTest::newRow("pattern") << one.arg("{\"kind\": \"field\", \"name\": \"a\", \"pattern\": \"(\"}") << "requirements[0].pattern is no pattern";
        QTest::newRow("schema") << one.arg("{\"kind\": \"json\", \"name\": \"a\", \"schema\": {\"$ref\": \"http://x/y\"}}") << "requirements[0].schema cannot be used";
        const QString schema = one.arg("{\"kind\": \"json\", \"name\": \"a\", \"schema\": %1}");
        QTest::newRow("schema pattern") << schema.arg("{\"properties\": {\"m\": {\"pattern\": \"[\"}}}") << "/properties/m/pattern is no pattern";
        QTest::newRow("reference to itself") << schema.arg("{\"$ref\": \"#\"}") << "lead in a circle at #";
        QTest::newRow("a circle through allOf") << schema.arg("{\"allOf\": [{\"$ref\": \"#\"}]}") << "lead in a circle at #";
        QTest::newRow("a circle of two") << schema.arg("{\"properties\": {\"x\": {\"$ref\": \"#/definitions/a\"}}, \"definitions\": "
            "{\"a\": {\"anyOf\": [{\"$ref\": \"#/definitions/b\"}]}, \"b\": {\"not\": {\"$ref\": \"#/definitions/a\"}}}}") << "lead in a circle at #";
        QTest::newRow("a reference to nothing") << schema.arg("{\"$ref\": \"#/definitions/a\"}") << "leads to no schema";
        QString doubling = "\"d0\": {}";
        for (int i = 1; i < 30; ++i)
            doubling += QString(", \"d%1\": {\"allOf\": [{\"$ref\": \"#/definitions/d%2\"}, {\"$ref\": \"#/definitions/d%2\"}]}").arg(i).arg(i - 1);
        QTest::newRow("doubling") << schema.arg("{\"$ref\": \"#/definitions/d29\", \"definitions\": {" + doubling + "}}") << "more than 10,000 schemas";
        QTest::newRow("lifted limit") << one.arg("{\"kind\": \"field\", \"name\": \"a\", \"pattern\": \"(*LIMIT_MATCH=9)a\"}") << "begins with";
        QTest::newRow("source") << one.arg("{\"kind\": \"evidence\", \"name\": \"a\", \"pattern\": \"a\"}") << "requirements[0].source is missing";
    }
    void aBadSetIsRefusedByField()
    {
        QFETCH(QString, json);
        QFETCH(QString, message);
        const auto set = app::requirementSetFrom(json.toStdString());
        QVERIFY(!set);
        QVERIFY2(QString::fromStdString(set.error().message).contains(message), set.error().message.c_str());
    }

    void theShippedSetsCheckTheirAnswers()
    {
        const std::string folder = TOKENGLASS_RESOURCES "/requirements/";
        const auto museum = app::readRequirementSet(folder + "museum-hours.json");
        QVERIFY2(museum, museum ? "" : museum.error().message.c_str());
        const std::map<std::string, std::string> sources { { "notice.txt", "The exhibition opens on Monday at 9:00." },
            { "timetable.txt", "Ghent 10:04 -> Bruges 10:31" } };
        QVERIFY(app::checkRequirements(*museum, "The exhibition opens on Monday at 9:00, without exception.",
            Verdict::Complete, sources).isReady());
        const auto capped = app::checkRequirements(*museum, "The exhibition opens on", Verdict::Capped, sources);
        QCOMPARE(capped.words(), std::string("present so far 0 of 4 · not ready"));
        const auto rail = app::readRequirementSet(folder + "rail-journey.json");
        QVERIFY2(rail, rail ? "" : rail.error().message.c_str());
        const auto journey = app::checkRequirements(*rail,
            "Travel from Ghent to Bruges, 4 May. The train leaves at 10:04 and arrives at 10:31. It is direct.",
            Verdict::Complete, sources);
        QVERIFY2(journey.isReady(), journey.words().c_str());
        QVERIFY(app::checkRequirements(*rail, "Travel from Ghent to Bruges, 4 May. The train leaves at 10:44. It is direct.",
            Verdict::Complete, sources).hasFailed());
    }

    void aRecordKeepsWhatWasFound()
    {
        const auto json = app::toJson(checked(std::string(kDay) + "," + kTime, "Monday"));
        QCOMPARE(json["met"].get<int>(), 1);
        QCOMPARE(json["ready"].get<bool>(), false);
        QVERIFY(json["results"][1]["value"].is_null());
        QCOMPARE(json["results"][1]["state"].get<std::string>(), std::string("failed"));
        QCOMPARE(json["set_sha256"].get<std::string>().size(), size_t(64));
    }
};

QTEST_APPLESS_MAIN(TestRequirementCheck)
#include "tst_requirement_check.moc"
