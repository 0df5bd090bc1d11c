#include "app/cli/bench_sequences.h"

#include "tests/support/reference_data.h"

#include <QtTest>

/// On the device, with a tiny model: what the numbers are is not tested, that they are is.
class TestBenchSequences : public QObject {
    Q_OBJECT
private slots:
    void severalAndOneAloneAreMeasured()
    {
        const auto path = tests::tinyModel("arch-llama");
        if (!path)
            QSKIP(tests::kNoReference);
        const auto report = app::measureSequences({ .modelPath = path->string(),
                                                      .deviceWish = "llvmpipe",
                                                      .sequenceCount = 3,
                                                      .decodeTokenCount = 5,
                                                      .roundCount = 1 },
            [] { return false; });
        QVERIFY2(report.has_value(), report ? "" : report.error().message.c_str());
        QCOMPARE(report->sequenceCount, 3);
        QVERIFY(report->tokensPerSecond > 0);
        QVERIFY(report->aloneTokensPerSecond > 0);
        QVERIFY(report->device.find("llvmpipe") != std::string::npos);
    }
    void itStopsWhenAsked()
    {
        const auto path = tests::tinyModel("arch-llama");
        if (!path)
            QSKIP(tests::kNoReference);
        const auto report = app::measureSequences(
            { .modelPath = path->string(), .sequenceCount = 2 }, [] { return true; });
        QVERIFY(!report.has_value());
        QCOMPARE(report.error().code, engine::ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestBenchSequences)
#include "tst_bench_sequences.moc"
