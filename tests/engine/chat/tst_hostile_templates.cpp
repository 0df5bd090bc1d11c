#include "engine/chat/chat_template.h"

#include <QtTest>
#include <ctime>
#include <fstream>
#include <random>
#include <sys/resource.h>

using namespace engine;

namespace {
std::string times(int count, const std::string& text)
{
    std::string repeated;
    for (int i = 0; i < count; ++i)
        repeated += text;
    return repeated;
}

double cpuSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// The most memory the program has held so far.
double peakMegabytes()
{
    rusage usage {};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_maxrss) / 1024.0;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kSlowdown = 20; // sanitizers: only that it ends counts
#else
constexpr double kSlowdown = 1;
#endif
constexpr double kMaxSeconds
    = 0.5 * kSlowdown; // processor time, so that other programs do not count
constexpr double kMaxMegabytes = 64 * kSlowdown;
}

class TestHostileTemplates : public QObject {
    Q_OBJECT
private slots:
    void everyHostileTemplateEndsWithANamedError_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& source, const char* words) {
            QTest::newRow(name) << QString::fromStdString(source) << QString(words);
        };
        row("a source of 300 KiB", std::string(300 * 1024, 'x'), "longer than 256 KiB");
        row("deep parentheses", "{{ " + times(10000, "(") + "1" + times(10000, ")") + " }}",
            "nested deeper than 64");
        row("deep lists", "{{ " + times(10000, "[") + times(10000, "]") + " }}",
            "nested deeper than 64");
        row("deep not", "{{ " + times(20000, "not ") + "1 }}", "nested deeper than 64");
        row("deep minus", "{{ " + times(20000, "-") + "1 }}", "nested deeper than 64");
        row("long chain of attributes", "{{ a" + times(50000, ".b") + " }}",
            "nested deeper than 64");
        row("long chain of filters", "{{ a" + times(30000, "|list") + " }}",
            "nested deeper than 64");
        row("deep inline ifs", "{{ 1" + times(10000, " if 1 else 1") + " }}",
            "nested deeper than 64");
        row("deep tags", times(5000, "{% if 1 %}") + times(5000, "{% endif %}"),
            "nested deeper than 64");
        row("an unterminated tag", "{% for x in [1] %}" + times(1000, "a"),
            "the template ends where 'endfor' is expected");
        row("an unterminated string", "{{ 'abc", "without its closing quote");
        row("a range of a billion", "{% for i in range(10**9) %}x{% endfor %}",
            "range() of more than 100000");
        row("a string of 100 million", "{{ 'a' * 10**8 }}", "a string longer than 4 MiB");
        row("a list of a billion", "{{ ([0] * 10**9)|length }}", "steps");
        row("endless recursion of a macro", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
            "calls nested deeper than 64");
        row("recursion in expressions",
            "{% macro f() %}{{ [[[[[[[[f() ~ f()]]]]]]]] }}{% endmacro %}{{ f() }}",
            "nested deeper");
        row("recursion of a loop", "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
            "calls nested deeper than 64");
        row("exponential recursion",
            "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ "
            "f(50) }}",
            "steps");
        row("division by zero", "{{ 1 / 0 }}", "division by zero");
        row("remainder of the smallest integer", "{{ (-9223372036854775807 - 1) // -1 }}",
            "does not fit 64 bits");
        row("billions of iterations",
            "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}",
            "steps");
        row("output without end",
            "{% for i in range(100000) %}" + times(1000, "x") + "{% endfor %}",
            "output is longer than 4 MiB");
        row("a string that doubles",
            "{% set n = namespace(s='xxxxxxxx') %}{% for i in range(1000) %}{% set n.s = n.s + n.s "
            "%}{% endfor %}",
            "a string longer than 4 MiB");
        row("a list that doubles",
            "{% set n = namespace(l=[1]) %}{% for i in range(1000) %}{% set n.l = n.l + n.l %}{% "
            "endfor %}",
            "steps");
        row("a list that deepens",
            "{% set n = namespace(l=[]) %}{% for i in range(100000) %}{% set n.l = [n.l] %}{% "
            "endfor %}",
            "nested deeper than 100");
        row("a list that branches",
            "{% set n = namespace(l=[1]) %}{% for i in range(60) %}{% set n.l = [n.l, n.l] %}{% "
            "endfor %}{{ n.l }}",
            "steps");
        row("branches compared",
            "{% set n = namespace(a=[1], b=[1]) %}{% for i in range(60) %}{% set n.a = [n.a, n.a] "
            "%}{% set n.b = [n.b, n.b] %}"
            "{% endfor %}{{ n.a == n.b }}",
            "steps");
        row("branches as JSON",
            "{% set n = namespace(l=[1]) %}{% for i in range(60) %}{% set n.l = [n.l, n.l] %}{% "
            "endfor %}{{ n.l|tojson }}",
            "steps");
        row("replacements that grow", "{{ ('a' * 4000000)|replace('a', 'b' * 4000000) }}",
            "a string longer than 4 MiB");
        row("a width of billions", "{{ 'a'.center(10**12) }}", "a string longer than 4 MiB");
        row("a format of billions", "{{ '%1000000000d' % 1 }}", "a format wider");
        row("an indent of megabytes", "{{ ('a\n' * 100000)|indent(100000) }}",
            "a string longer than 4 MiB");
        row("macros that pile up",
            "{% set n = namespace(m=none) %}{% for i in range(100000) %}{% set p = n.m %}{% macro "
            "m() %}{{ p }}{% endmacro %}"
            "{% set n.m = m %}{% endfor %}",
            "MiB of memory");
        row("loops that pile up",
            "{% set n = namespace(l=none) %}{% for i in range(100000) %}{% set p = n.l %}{% for j "
            "in [1] recursive %}"
            "{% set n.l = loop %}{% endfor %}{% endfor %}{{ n.l(1) }}",
            "can be called only inside");
        row("strings kept in a list",
            "{% set n = namespace(l=[]) %}{% for i in range(1000) %}{% set n.l = n.l + ['x' * "
            "1000000] %}{% endfor %}",
            "MiB of memory");
        row("characters of a long string", "{% for c in 'ab' * 2000000 %}{% endfor %}",
            "MiB of memory");
        row("nested captures",
            "{% macro f(n) %}" + times(1000, "xxxxxxxxxx")
                + "{{ 'x' * 1000000 }}{{ f(n) }}{% endmacro %}{{ f(1) }}",
            "MiB of memory");
        row("undefined values kept",
            "{{ (range(100000)|map(attribute='nothing')|list + "
            "range(100000)|map(attribute='more')|list) * 9 }}",
            "steps");
        row("reaching for the host", "{{ ''.__class__.__mro__[1].__subclasses__() }}",
            "has no attribute '__class__'");
        row("reading a file", "{% include '/etc/passwd' %}", "the tag 'include' is not allowed");
        row("changing what it was given", "{{ messages.append(1) }}", "may not");
    }
    void everyHostileTemplateEndsWithANamedError()
    {
        QFETCH(QString, source);
        QFETCH(QString, words);
        const double startSeconds = cpuSeconds();
        const double startMegabytes = peakMegabytes();
        std::string message = "no error";
        const auto chatTemplate = ChatTemplate::parse(source.toStdString());
        if (chatTemplate) {
            const auto prompt = chatTemplate->render({});
            if (!prompt)
                message = prompt.error().message;
            QVERIFY(prompt || prompt.error().code == ErrorCode::BadTemplate);
        } else {
            message = chatTemplate.error().message;
            QCOMPARE(chatTemplate.error().code, ErrorCode::BadTemplate);
        }
        const double seconds = cpuSeconds() - startSeconds;
        const double megabytes = peakMegabytes() - startMegabytes;
        // On a busy machine the time is up before the steps are.
        const bool isLate = words == QStringLiteral("steps") && message.find("took longer than 500 ms") != std::string::npos;
        QVERIFY2(isLate || message.find(words.toStdString()) != std::string::npos, message.c_str());
        QVERIFY2(seconds < kMaxSeconds, qPrintable(QString("%1 s").arg(seconds)));
        QVERIFY2(megabytes < kMaxMegabytes, qPrintable(QString("%1 MB").arg(megabytes)));
    }
    void noMutationOfATemplateCrashes()
    {
        std::ifstream stream(TOKENGLASS_GOLDEN "/jinja/renderings.json");
        const auto file = nlohmann::ordered_json::parse(stream);
        RenderRequest request;
        request.variables = file["variables"];
        std::mt19937 random(20261129);
        const auto below = [&random](size_t bound) { return size_t(random() % bound); };
        const auto& cases = file["cases"];
        const auto sourceAt = [&](size_t i) { return cases[i]["template"].get<std::string>(); };
        int failed = 0;
        for (int i = 0; i < 6000; ++i) {
            std::string source = sourceAt(below(cases.size()));
            const std::string other = sourceAt(below(cases.size()));
            for (size_t edit = 0; edit <= below(3); ++edit) {
                const size_t at = below(source.size() + 1);
                const size_t from = below(other.size() + 1);
                source.replace(at, below(4), other.substr(from, below(6)));
            }
            const auto chatTemplate = ChatTemplate::parse(source);
            failed += !chatTemplate || !chatTemplate->render(request);
        }
        QVERIFY(failed > 1000 && failed < 5900); // most mutations break a template, not all
    }
    void aStackOfOneMegabyteIsEnough()
    {
        // Other systems give their threads less stack than Linux does.
        const std::string source = "{% macro f(n) %}{% if 1 %}{% for i in [1] %}{{ [[[[f(n ~ (1 + "
                                   "(2 * (3 - n|length))))]]]] }}"
                                   "{% endfor %}{% endif %}{% endmacro %}{{ f('x') }}";
        std::string message;
        std::unique_ptr<QThread> thread(QThread::create([&] {
            const auto chatTemplate = ChatTemplate::parse(source);
            const auto prompt = chatTemplate->render({});
            message = prompt ? "no error" : prompt.error().message;
        }));
        thread->setStackSize(uint(1024 * 1024 * kSlowdown));
        thread->start();
        QVERIFY(thread->wait());
        QVERIFY2(message.find("nested deeper") != std::string::npos, message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestHostileTemplates)
#include "tst_hostile_templates.moc"
