#include "app/conversation/prompt.h"
#include "tests/support/fake_engine.h"

#include <QTest>

using app::PromptOrigin;
using app::RecordedSpan;
using app::TurnRole;
using tests::FakeEngine;

namespace {
app::PromptParts parts()
{
    app::PromptParts parts;
    parts.systemText = "Be brief.";
    parts.turns = { { TurnRole::Person, " Hi " }, { TurnRole::Model, "Hello." },
        { TurnRole::Person, "Hi" } };
    return parts;
}

app::FormattedPrompt formatted(const app::PromptParts& parts, const std::string& source = {})
{
    FakeEngine engine;
    if (!source.empty())
        engine.offer = { source, {}, {} };
    auto prompt = app::formatChat(*engine.modelText(), parts, 0, {});
    if (prompt)
        return std::move(*prompt);
    QTest::qFail(prompt.error().message.c_str(), __FILE__, __LINE__);
    return {};
}

/// "typed 1: Hi" for each stretch of this prompt that is not the template's.
QStringList told(const app::FormattedPrompt& prompt)
{
    QStringList words;
    size_t end = 0;
    for (const RecordedSpan& span : *prompt.spans) {
        if (span.promptStart != end || span.promptEnd <= span.promptStart)
            return { "a gap, or nothing" };
        end = span.promptEnd;
        const std::string text = prompt.text.substr(span.promptStart, span.promptEnd - span.promptStart);
        if (span.origin != PromptOrigin::Template)
            words.append(QString("%1 %2: %3").arg(app::promptOriginName(span.origin)).arg(span.message)
                             .arg(QString::fromStdString(text)));
    }
    return end == prompt.text.size() ? words : QStringList { "it does not go to the end" };
}
}

/// Whose words a formatted prompt is: the renderer knows, nothing is looked for.
class TestPromptSpans : public QObject {
    Q_OBJECT
private slots:
    void everyMessageIsToldApart()
    {
        QCOMPARE(told(formatted(parts())),
            (QStringList { "system 0: Be brief.", "typed 1:  Hi ", "answer 2: Hello.", "typed 3: Hi" }));
    }

    void whatATemplateTrimsIsStillTold()
    {
        const char* source = "{% for m in messages %}[{{ m.role }}]{{ m.content | trim }}{% endfor %}";
        QCOMPARE(told(formatted(parts(), source)),
            (QStringList { "system 0: Be brief.", "typed 1: Hi", "answer 2: Hello.", "typed 3: Hi" }));
    }

    void aSystemTextThatATemplatePutsElsewhereIsTold()
    {
        const char* source = "{% for m in messages %}{% if m.role == 'user' %}<{{ messages[0].content }}|"
                             "{{ m.content }}>{% endif %}{% endfor %}";
        QCOMPARE(told(formatted(parts(), source)),
            (QStringList { "system 0: Be brief.", "typed 1:  Hi ", "system 0: Be brief.", "typed 3: Hi" }));
    }

    void aTextThatATemplateChangesIsUnknownNeverGuessed()
    {
        const char* source = "{% for m in messages %}[{{ m.content | upper }}]{% endfor %}";
        for (const QString& words : told(formatted(parts(), source)))
            QVERIFY2(words.startsWith("unknown "), qPrintable(words));
    }

    void sourceTextsStandApartFromWhatWasTyped()
    {
        app::PromptParts held = parts();
        held.sources.push_back(app::sourceTextOf("a.txt", "one").value());
        held.sourceTokens.resize(1);
        QCOMPARE(told(formatted(held)),
            (QStringList { "system 0: Be brief.", "source 1: Source \"a.txt\":\n```\none\n```\n\n",
                "typed 1:  Hi ", "answer 2: Hello.", "typed 3: Hi" }));
    }

    void aPageOfPlainTextIsTyped()
    {
        const auto prompt = app::formatPlainText(*FakeEngine().modelText(), "Once");
        QCOMPARE(told(prompt), QStringList { "typed -1: Once" });
        QVERIFY(app::formatPlainText(*FakeEngine().modelText(), "").spans->empty());
    }
};

QTEST_GUILESS_MAIN(TestPromptSpans)
#include "tst_prompt_spans.moc"
