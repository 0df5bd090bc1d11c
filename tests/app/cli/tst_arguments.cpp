#include "app/cli/arguments.h"

#include <QtTest>

#include <array>

using namespace app;

namespace {
constexpr std::array kOptions {
    OptionSpec { "model", "FILE", "a file" },
    OptionSpec { "stop", "TEXT", "a stop string", true },
    OptionSpec { "json", nullptr, "a switch" },
    OptionSpec { "number", "X", "a number" },
};

std::string errorOf(const std::vector<std::string>& words)
{
    const auto arguments = Arguments::parse(kOptions, words);
    return arguments ? "" : arguments.error().message;
}

Arguments parsed(const std::vector<std::string>& words)
{
    const auto arguments = Arguments::parse(kOptions, words);
    return arguments ? *arguments : Arguments {};
}
}

class TestArguments : public QObject {
    Q_OBJECT
private slots:
    void valuesStandBehindTheirOptionOrItsEqualsSign()
    {
        const Arguments arguments
            = parsed({ "--model", "a b", "--json", "--stop=x=y", "--stop", "", "rest" });
        QCOMPARE(arguments.text("model"), std::optional<std::string>("a b"));
        QVERIFY(arguments.has("json"));
        QCOMPARE(arguments.texts("stop"), (std::vector<std::string> { "x=y", "" }));
        QCOMPARE(arguments.positionals(), std::vector<std::string> { "rest" });
        QVERIFY(!arguments.text("number"));
    }
    void aValueMayLookLikeAnOption()
    {
        QCOMPARE(
            parsed({ "--model", "--json" }).text("model"), std::optional<std::string>("--json"));
        QVERIFY(!parsed({ "--model", "--json" }).has("json"));
        QCOMPARE(parsed({ "--", "--json" }).positionals(), std::vector<std::string> { "--json" });
    }
    void valuesAreKeptByteForByte()
    {
        const std::string text = "\xEF\xBB\xBF"
                                 "BOM\r\n\xE2\x80\x8B";
        QCOMPARE(parsed({ "--model", text }).text("model"), std::optional(text));
    }
    void whatIsWrongIsNamed()
    {
        QCOMPARE(errorOf({ "--modle", "x" }), std::string("unknown option --modle"));
        QCOMPARE(errorOf({ "-x" }), std::string("unknown option -x"));
        QCOMPARE(errorOf({ "--model" }), std::string("--model needs a value (FILE)"));
        QCOMPARE(errorOf({ "--json=1" }), std::string("--json takes no value"));
        QCOMPARE(errorOf({ "--json", "--json" }), std::string("--json is given twice"));
        QCOMPARE(errorOf({ "--model", "a\xFF" }),
            std::string("the value of --model is not valid UTF-8"));
        QCOMPARE(errorOf({ "a\xC3" }), std::string("argument 1 is not valid UTF-8"));
    }
    void helpIsAnOptionOfEveryCommand()
    {
        QVERIFY(parsed({ "--help" }).has("help"));
        QVERIFY(parsed({ "-h" }).has("help"));
    }
    void numbersAreReadWholeAndWithinTheirRange_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isInteger");
        QTest::addColumn<bool>("isNumber");
        QTest::newRow("integer") << "7" << true << true;
        QTest::newRow("negative, in range") << "-3" << true << true;
        QTest::newRow("too small") << "-11" << false << false;
        QTest::newRow("too large") << "11" << false << false;
        QTest::newRow("past 64 bits") << "99999999999999999999" << false << false;
        QTest::newRow("fraction") << "0.5" << false << true;
        QTest::newRow("exponent") << "1e-2" << false << true;
        QTest::newRow("comma") << "0,5" << false << false;
        QTest::newRow("letters behind") << "7x" << false << false;
        QTest::newRow("blank in front") << " 7" << false << false;
        QTest::newRow("empty") << "" << false << false;
        QTest::newRow("nan") << "nan" << false << false;
        QTest::newRow("inf") << "inf" << false << false;
    }
    void numbersAreReadWholeAndWithinTheirRange()
    {
        QFETCH(QString, text);
        QFETCH(bool, isInteger);
        QFETCH(bool, isNumber);
        const Arguments arguments = parsed({ "--number", text.toStdString() });
        const auto integer = arguments.integer("number", -10, 10);
        QCOMPARE(bool(integer), isInteger);
        if (!integer)
            QVERIFY(integer.error().message.starts_with("--number"));
        QCOMPARE(bool(arguments.number("number", -10, 10)), isNumber);
    }
    void seedsTakeAll64Bits()
    {
        QCOMPARE(**parsed({ "--number", "18446744073709551615" }).unsignedInteger("number"),
            ~uint64_t(0));
        QVERIFY(!parsed({ "--number", "18446744073709551616" }).unsignedInteger("number"));
        QVERIFY(!parsed({ "--number", "-1" }).unsignedInteger("number"));
    }
    void helpListsEveryOption()
    {
        const std::string help = helpText("run", "--model FILE", kOptions);
        QVERIFY(help.starts_with("usage: tokenglass run --model FILE\n"));
        for (const OptionSpec& option : kOptions)
            QVERIFY(help.find(std::string("--") + option.name) != std::string::npos);
        QVERIFY(help.find("--help") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestArguments)
#include "tst_arguments.moc"
