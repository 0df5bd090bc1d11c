#include "engine/tokenizer/stream_decoder.h"

#include <QtTest>

using namespace engine;

namespace {
struct Row {
    const char* name;
    const char* bytes;
    const char* text; ///< with one U+FFFD per maximal invalid part
};
// The invalid ones: Unicode 15, section 3.9, tables 3-8 to 3-11, and their like.
const Row kRows[] = {
    { "ascii", "plain", "plain" },
    { "two to four bytes", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x99\x82", "\u00E9\u20AC\U0001F642" },
    { "overlong",
        "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82"
        "A",
        "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA" },
    { "surrogate",
        "\xED\xA0\x80"
        "A",
        "\uFFFD\uFFFD\uFFFDA" },
    { "past the last plane",
        "\xF4\x91\x92\x93\xFF"
        "A",
        "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA" },
    { "truncated",
        "\xE1\x80\xE2\xF0\x91\x92\xF1\xBF"
        "A",
        "\uFFFD\uFFFD\uFFFD\uFFFDA" },
    { "cut off at the end", "ab\xF0\x9F\x99", "ab\uFFFD" },
    { "two cut off", "\xE2\x82\xE2\x82", "\uFFFD\uFFFD" },
    { "lone continuation",
        "a\x80"
        "b",
        "a\uFFFDb" },
};
}

class TestStreamDecoder : public QObject {
    Q_OBJECT
private slots:
    void anySplitGivesTheSameText_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("text");
        for (const Row& row : kRows)
            QTest::newRow(row.name) << QByteArray(row.bytes) << QByteArray(row.text);
    }
    void anySplitGivesTheSameText()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, text);
        for (int first = 0; first <= bytes.size(); ++first)
            for (int second = first; second <= bytes.size(); ++second) {
                StreamDecoder decoder;
                QByteArray joined;
                for (const QByteArray& part :
                    { bytes.left(first), bytes.mid(first, second - first), bytes.mid(second) }) {
                    const auto delta = QByteArray::fromStdString(
                        decoder.push({ part.data(), size_t(part.size()) }));
                    QCOMPARE(
                        QString::fromUtf8(delta).toUtf8(), delta); // each delta is valid by itself
                    joined += delta;
                }
                joined += QByteArray::fromStdString(decoder.finish());
                QCOMPARE(joined, text);
                QCOMPARE(decoder.waitingBytes(), size_t(0));
            }
    }
    void anIncompleteCharacterWaitsAndIsCounted()
    {
        StreamDecoder decoder;
        QCOMPARE(decoder.push("a\xF0"), std::string("a"));
        QCOMPARE(decoder.waitingBytes(), size_t(1));
        QCOMPARE(decoder.push("\x9F"), std::string());
        QCOMPARE(decoder.push("\x99"), std::string());
        QCOMPARE(decoder.waitingBytes(), size_t(3));
        QCOMPARE(decoder.waiting(), std::string("\xF0\x9F\x99"));
        QCOMPARE(decoder.push("\x82"), std::string("\xF0\x9F\x99\x82"));
        QCOMPARE(decoder.waitingBytes(), size_t(0));
        QCOMPARE(decoder.finish(), std::string());
    }
    void afterFinishingItStartsAnew()
    {
        StreamDecoder decoder;
        QCOMPARE(decoder.push("\xE2\x82"), std::string());
        QCOMPARE(decoder.finish(), std::string("\xEF\xBF\xBD"));
        QCOMPARE(decoder.push("\xAC"), std::string("\xEF\xBF\xBD"));
    }
};

QTEST_APPLESS_MAIN(TestStreamDecoder)
#include "tst_stream_decoder.moc"
