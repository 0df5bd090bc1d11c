#include "engine/chat/jinja/text.h"

#include <QtTest>

using namespace engine::jinja;

namespace {
Text mixed()
{
    TextBuilder builder;
    builder.append("ab", Origin::Template);
    builder.append("cd", Origin::Person);
    builder.append("ef", Origin::Template);
    return builder.take();
}
}

class TestText : public QObject {
    Q_OBJECT
private slots:
    void neighboursOfOneOriginBecomeOneRun()
    {
        TextBuilder builder;
        builder.append("a", Origin::Person);
        builder.append("b", Origin::Person);
        const Text text = builder.take();
        QCOMPARE(text.bytes(), std::string("ab"));
        QCOMPARE(text.runs().size(), size_t(1));
        QVERIFY(text.originAt(1) == Origin::Person);
    }
    void everyByteKeepsItsOrigin()
    {
        const Text text = mixed();
        QCOMPARE(text.runs().size(), size_t(3));
        QVERIFY(text.originAt(1) == Origin::Template);
        QVERIFY(text.originAt(2) == Origin::Person);
        QVERIFY(text.originAt(3) == Origin::Person);
        QVERIFY(text.originAt(4) == Origin::Template);
    }
    void aPartKeepsTheOriginsOfItsBytes()
    {
        TextBuilder builder;
        builder.append(mixed(), 1, 3);
        const Text text = builder.take();
        QCOMPARE(text.bytes(), std::string("bc"));
        QVERIFY(text.originAt(0) == Origin::Template);
        QVERIFY(text.originAt(1) == Origin::Person);
    }
    void pastItsLimitABuilderTakesNothingMore()
    {
        TextBuilder builder(3);
        builder.append("abc", Origin::Person);
        QVERIFY(!builder.overflowed());
        builder.append("d", Origin::Person);
        QVERIFY(builder.overflowed());
        QCOMPARE(builder.size(), size_t(3));
    }
    void anEmptyTextHasOneRunAndNoBytes()
    {
        QVERIFY(Text().empty());
        QCOMPARE(TextBuilder().take().runs().size(), size_t(1));
    }
};

QTEST_APPLESS_MAIN(TestText)
#include "tst_text.moc"
