#include "engine/gguf/metadata.h"

#include <QtTest>

using namespace engine;

class TestMetadata : public QObject {
    Q_OBJECT
private slots:
    void aGetterTakesOnlyTheExactType()
    {
        Metadata metadata("model.gguf");
        QVERIFY(metadata.insert("types", std::vector<uint8_t> { 1, 2 }));
        QVERIFY(metadata.insert("count", uint32_t(7)));
        const auto types = metadata.getInt32s("types");
        QVERIFY(!types);
        QCOMPARE(types.error().message,
            std::string("model.gguf: metadata key \"types\" is of type array of UINT8; array of "
                        "INT32 expected"));
        QVERIFY(!metadata.getFloat("count"));
        QVERIFY(!metadata.getFloatOr("count", 1.0f));
        QCOMPARE(metadata.getUint32("count").value(), 7u);
    }
    void aMissingKeyIsAnErrorOrTheFallback()
    {
        const Metadata metadata;
        QVERIFY(!metadata.getString("general.architecture"));
        QCOMPARE(metadata.getStringOr("general.architecture", "none").value(), std::string("none"));
        QCOMPARE(metadata.getBoolOr("flag", true).value(), true);
    }
    void theSameKeyIsTakenOnce()
    {
        Metadata metadata;
        QVERIFY(metadata.insert("key", uint32_t(1)));
        QVERIFY(!metadata.insert("key", uint32_t(2)));
        QCOMPARE(metadata.getUint32("key").value(), 1u);
    }
    void descriptionsStayOnOneShortLine()
    {
        QCOMPARE(describeMetadataValue(uint8_t(65)), std::string("65"));
        QCOMPARE(describeMetadataValue(true), std::string("true"));
        QCOMPARE(describeMetadataValue(std::string("a\nb")), std::string("a\\nb"));
        QCOMPARE(
            describeMetadataValue(std::vector<std::string> { "x", "y" }), std::string("[2] x, y"));
        const std::string shown = describeMetadataValue(std::vector<int32_t>(100'000, 3));
        QVERIFY(shown.starts_with("[100000] 3, 3, "));
        QVERIFY(shown.ends_with(", ..."));
        QVERIFY(shown.size() < 200);
    }
    void aLongTextIsCutBetweenCharacters()
    {
        std::string text;
        for (int i = 0; i < 200; ++i)
            text += "é";
        const std::string shown = describeMetadataValue(text);
        QVERIFY(shown.size() < 200);
        QVERIFY(shown.ends_with("é..."));
    }
};

QTEST_APPLESS_MAIN(TestMetadata)
#include "tst_metadata.moc"
