#include "tests/support/template_cases.h"

#include <QtTest>

using namespace engine;
using namespace tests;

namespace {
std::string rendered(const std::string& source)
{
    const auto prompt = ChatTemplate::parse(source)->render({});
    return prompt ? prompt->text() : "error: " + prompt.error().message;
}
}

/// G-05: a single newline changes answers, so every blank is right.
class TestG05Whitespace : public QObject {
    Q_OBJECT
private slots:
    void blanksNewlinesAndCarriageReturnsAreKeptOrTrimmedAsTheTemplateSays()
    {
        const auto files = templateFiles();
        if (files.empty())
            QSKIP(kNoReference);
        for (const TemplateFile& file : files)
            for (const char* id : { "whitespace", "crlf", "empty-system" }) {
                const auto& testCase = file.findCase(id);
                const std::string why
                    = difference(file.parse()->render(file.request(testCase)), testCase);
                QVERIFY2(why.empty(), (file.name + " " + id + ": " + why).c_str());
            }
    }
    void theTemplatesOwnLastNewlineIsDropped()
    {
        QCOMPARE(rendered("a\n"), std::string("a"));
        QCOMPARE(rendered("a\n\n"), std::string("a\n"));
    }
    void aTagTakesTheNewlineBehindItAndTheBlanksBeforeIt()
    {
        QCOMPARE(rendered("a\n  {% if true %}\n  b\n  {% endif %}\nc"), std::string("a\n  b\nc"));
        QCOMPARE(rendered("x  {% if true %}  y{% endif %}"), std::string("x    y"));
        QCOMPARE(rendered("  {{ 1 }}\n"), std::string("  1"));
    }
    void signsTakeOrKeepWhitespace()
    {
        QCOMPARE(rendered("a \n {%- if true -%} \n b {%- endif %} c"), std::string("ab c"));
        QCOMPARE(rendered("  {%+ if true +%}\nb{% endif %}"), std::string("  \nb"));
        QCOMPARE(rendered("a {{- 1 -}}  b {#- c -#} d"), std::string("a1bd"));
    }
};

QTEST_APPLESS_MAIN(TestG05Whitespace)
#include "tst_g05_whitespace.moc"
