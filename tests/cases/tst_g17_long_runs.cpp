#include "tests/support/token_cases.h"

#include <QThread>
#include <QtTest>
#include <time.h>

using namespace engine;
using namespace tests;

namespace {
constexpr uint kSmallStackBytes = 512 * 1024;
constexpr double kLongestSeconds = 5; // the case's own bound; 20 times what is measured

double threadCpuSeconds()
{
    timespec time {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

std::string repeated(std::string_view part, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += part;
    return text;
}

/// One line of about a MiB of many scripts, signs and numbers.
std::string mixedLine()
{
    constexpr std::string_view kPart
        = "It's 9:30 \u2014 caf\u00E9s, \u6F22\u5B57\u3002 \U0001F642 (a+b)=c; "
          "\u041F\u0440\u0438\u0432\u0435\u0442 \u0645\u0631\u062D\u0628\u0627 "
          "MixedCase_words ";
    return repeated(kPart, (1 << 20) / int(kPart.size()) + 1);
}

struct Encoding {
    TokenIds ids;
    double cpuSeconds = 0;
};

/// Encodes in a thread with a small stack and takes the time the thread itself used.
class SmallStackThread : public QThread {
public:
    SmallStackThread(const Tokenizer& tokenizer, const std::string& text)
        : m_tokenizer(tokenizer)
        , m_text(text)
    {
        setStackSize(kSmallStackBytes);
    }
    Encoding encoding;

protected:
    void run() override
    {
        const double start = threadCpuSeconds();
        encoding.ids = m_tokenizer.encodeText(m_text);
        encoding.cpuSeconds = threadCpuSeconds() - start;
    }

private:
    const Tokenizer& m_tokenizer;
    const std::string& m_text;
};

Encoding encodeOnSmallStack(const Tokenizer& tokenizer, const std::string& text)
{
    SmallStackThread thread(tokenizer, text);
    thread.start();
    thread.wait();
    return thread.encoding;
}
}

/// G-17: very long runs need little stack and linear time.
class TestG17LongRuns : public QObject {
    Q_OBJECT
private slots:
    void longRunsComeBackWholeFromASmallStack_data()
    {
        QTest::addColumn<QString>("vocabulary");
        QTest::addColumn<QByteArray>("text");
        for (const char* name : { "smollm2", "gemma3", "llama-bpe", "qwen2" }) {
            const auto addRow = [name](const char* what, const std::string& text) {
                QTest::addRow("%s, %s", name, what)
                    << QString(name) << QByteArray::fromStdString(text);
            };
            addRow("200,000 A", repeated("A", 200'000));
            addRow("60,000 us", repeated("us", 60'000));
            addRow("100,000 newlines", repeated("\n", 100'000));
            addRow("26,000 kan", repeated("\u6F22", 26'000));
            addRow("1 MiB mixed", mixedLine());
            addRow("200,000 blanks and a letter", repeated(" ", 200'000) + "x");
            addRow("100,000 CR LF", repeated("\r\n", 100'000));
            addRow("200,000 digits", repeated("7", 200'000));
            addRow("200,000 apostrophes", repeated("'", 200'000));
            addRow("60,000 half control tokens", repeated("<|im_", 60'000));
        }
    }
    void longRunsComeBackWholeFromASmallStack()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        QFETCH(QString, vocabulary);
        QFETCH(QByteArray, text);
        const Tokenizer& tokenizer = opened(vocabulary);
        const std::string bytes = text.toStdString();
        const Encoding encoding = encodeOnSmallStack(tokenizer, bytes);
        QVERIFY(tokenizer.decode(encoding.ids) == bytes);
        QVERIFY2(encoding.cpuSeconds < kLongestSeconds,
            qPrintable(QString::number(encoding.cpuSeconds)));
    }
    void twiceTheTextTakesMuchLessThanFourTimesTheTime()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        // Long enough that the work has outgrown the processor's caches at either length.
        const std::vector<std::string> texts { repeated("A", 400'000), repeated("us", 200'000),
            mixedLine() };
        for (const char* name : { "smollm2", "gemma3" }) {
            const Tokenizer& tokenizer = opened(name);
            for (const std::string& text : texts) {
                double single = 1e9;
                double twice = 4e9;
                // The machine may be busy: the least disturbed of up to five rounds counts.
                for (int round = 0; round < 5 && twice >= 3.5 * single; ++round) {
                    single = std::min(single, encodeOnSmallStack(tokenizer, text).cpuSeconds);
                    twice = std::min(twice, encodeOnSmallStack(tokenizer, text + text).cpuSeconds);
                }
                QVERIFY2(twice < 3.5 * single,
                    qPrintable(QString("%1 s, then %2 s").arg(single).arg(twice)));
            }
        }
    }
    void aHundredLettersGiveTheReferenceIds()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        QCOMPARE(opened("smollm2").encodeText(repeated("a", 100)), TokenIds(25, 46880));
        // The same pieces go on however long the run is.
        QCOMPARE(opened("smollm2").encodeText(repeated("a", 400'000)), TokenIds(100'000, 46880));
    }

private:
    const Tokenizer& opened(const QString& vocabulary)
    {
        auto& tokenizer = m_tokenizers[vocabulary.toStdString()];
        if (!tokenizer)
            tokenizer = loadTokenizer(*vocabularyFile(vocabulary.toStdString()));
        return *tokenizer;
    }
    std::map<std::string, std::unique_ptr<Tokenizer>> m_tokenizers;
};

QTEST_APPLESS_MAIN(TestG17LongRuns)
#include "tst_g17_long_runs.moc"
