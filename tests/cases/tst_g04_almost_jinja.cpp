#include "tests/support/template_cases.h"

#include <QtTest>

using namespace engine;
using namespace tests;

namespace {
std::string rendered(const std::string& source)
{
    RenderRequest request;
    request.messages
        = nlohmann::ordered_json::array({ { { "role", "user" }, { "content", "Hi" } } });
    const auto chatTemplate = ChatTemplate::parse(source);
    if (!chatTemplate)
        return "error: " + chatTemplate.error().message;
    const auto prompt = chatTemplate->render(request);
    return prompt ? prompt->text() : "error: " + prompt.error().message;
}
}

/// G-04: constructs of real templates that interpreters of "almost Jinja" trip over.
class TestG04AlmostJinja : public QObject {
    Q_OBJECT
private slots:
    void aNewlineInsideAQuotedString()
    {
        QCOMPARE(rendered("{{ 'a\nb' }}{{ \"c\n\" }}"), std::string("a\nbc\n"));
    }
    void isNotNoneAndNotWithParentheses()
    {
        QCOMPARE(rendered("{% if messages is not none and not (messages is none) %}yes{% endif %}"),
            std::string("yes"));
    }
    void raiseExceptionWithANumber()
    {
        QCOMPARE(rendered("{{ raise_exception(42) }}"), std::string("error: 42"));
    }
    void aVariableSetToNone()
    {
        QCOMPARE(rendered("{% set x = none %}{{ x is none }}{{ x }}"), std::string("TrueNone"));
    }
    void everyReferenceTemplateParses()
    {
        const auto files = templateFiles();
        if (files.empty())
            QSKIP(kNoReference);
        for (const TemplateFile& file : files) {
            const auto chatTemplate = file.parse();
            QVERIFY2(bool(chatTemplate), chatTemplate ? "" : chatTemplate.error().message.c_str());
        }
        QCOMPARE(files.size(), size_t(35));
    }
    void whatCannotBeParsedIsRefusedWithLineAndConstruct()
    {
        QCOMPARE(rendered("a\n{% frobnicate %}"),
            std::string("error: line 2: unknown tag 'frobnicate'"));
        QCOMPARE(rendered("{{ x|frobnicate }}"),
            std::string("error: line 1: unknown filter 'frobnicate'"));
        QCOMPARE(rendered("\n\n{% if x is frobnicated %}{% endif %}"),
            std::string("error: line 3: unknown test 'frobnicated'"));
        QCOMPARE(rendered("{% for x in y %}"),
            std::string("error: line 1: the template ends where 'endfor' is expected"));
    }
};

QTEST_APPLESS_MAIN(TestG04AlmostJinja)
#include "tst_g04_almost_jinja.moc"
