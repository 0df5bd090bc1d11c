#include "tests/support/reference_data.h"
#include "tests/support/run_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <map>
#include <set>

using nlohmann::json;

namespace {
constexpr int kHost = 1;
constexpr int kDevice = 2;
constexpr double kClockToleranceUs = 500; ///< the two clocks are joined at one moment only

double endOf(const json& event) { return event["ts"].get<double>() + event["dur"].get<double>(); }
}

/// `bench --probe` and `bench --profile` as processes, on the device at hand.
class TestBenchProfile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// The complete events of a track, in the order of the file.
    static std::vector<json> trackOf(const json& trace, int thread)
    {
        std::vector<json> events;
        for (const json& event : trace["traceEvents"])
            if (event["ph"] == "X" && event["tid"] == thread)
                events.push_back(event);
        return events;
    }

    json tracedRun()
    {
        const auto model = tests::tinyModel("arch-llama");
        if (!model)
            return {};
        const QString path = m_folder.filePath("trace.json");
        const tests::ProgramRun run
            = tests::runProgram({ "bench", "--model", QString::fromStdString(model->string()),
                "--prompt-tokens", "70", "--decode-tokens", "6", "--profile", path });
        if (run.exitCode != 0)
            qFatal("%s", run.errors.constData());
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            qFatal("no trace was written");
        return json::parse(file.readAll().toStdString());
    }

private slots:
    void theProbeSaysWhatTheDeviceCanDo()
    {
        QElapsedTimer timer;
        timer.start();
        const tests::ProgramRun run = tests::runProgram({ "bench", "--probe", "--json" });
        QCOMPARE(run.exitCode, 0);
        QVERIFY(timer.elapsed() < 20'000);
        const json result = json::parse(run.output.toStdString());
        QVERIFY(!result["device"].get<std::string>().empty());
        for (const char* figure : { "texel_gb_per_s", "storage_gb_per_s", "dispatch_us",
                 "submit_and_wait_us", "gmac_per_s" })
            QVERIFY2(result["probe"][figure].get<double>() > 0, figure);
        const tests::ProgramRun named = tests::runProgram(
            { "bench", "--probe", "--json", "--device", QString::fromStdString(result["uuid"]) });
        QCOMPARE(json::parse(named.output.toStdString())["device"], result["device"]);
        QCOMPARE(
            tests::runProgram({ "bench", "--probe", "--device", "no such device" }).exitCode, 1);
    }

    void theTraceHasTheSpansItPromises()
    {
        const json trace = tracedRun();
        if (trace.is_null())
            QSKIP(tests::kNoReference);
        std::map<std::string, int> counts;
        for (int track : { kHost, kDevice })
            for (const json& event : trackOf(trace, track))
                ++counts[event["name"]];
        QCOMPARE(counts["prefill chunk"], 2);
        QCOMPARE(counts["decode step"], 5);
        QCOMPARE(counts["choose"], 6);
        QVERIFY(counts["record"] >= 2);
        QVERIFY(counts["submit"] >= 7);
        QCOMPARE(counts["submit"], counts["wait"]);
        int delivered = 0;
        std::set<int> open;
        for (const json& event : trace["traceEvents"]) {
            if (event["ph"] == "b")
                QVERIFY(open.insert(event["id"].get<int>()).second);
            if (event["ph"] == "e") {
                QCOMPARE(open.erase(event["id"].get<int>()), size_t(1));
                delivered += event["name"] == "token to its reader";
            }
        }
        QVERIFY(open.empty());
        QCOMPARE(delivered, 6);
        if (trackOf(trace, kDevice).empty())
            QSKIP("this device has no timestamps");
        for (const char* operation :
            { "embed", "query_key_value", "attention", "gate_up", "down", "output" })
            QVERIFY2(counts[operation] >= 3, operation);
        for (const json& event : trackOf(trace, kDevice)) {
            QVERIFY(event["args"]["bytes"].get<uint64_t>() > 0);
            QVERIFY(event["args"].contains("multiply_adds"));
            QVERIFY(!event["args"]["shape"].get<std::string>().empty());
            if (event["dur"].get<double>() > 0)
                QVERIFY(event["args"]["gb_per_s"].get<double>() > 0);
        }
    }

    void timesOfTheTraceAreOrderedAndNested()
    {
        const json trace = tracedRun();
        if (trace.is_null())
            QSKIP(tests::kNoReference);
        for (int track : { kHost, kDevice }) {
            std::vector<double> ends; // of the spans that hold the present one
            double lastStart = 0;
            for (const json& event : trackOf(trace, track)) {
                const double start = event["ts"];
                QVERIFY(start >= lastStart && event["dur"].get<double>() >= 0);
                lastStart = start;
                while (!ends.empty() && ends.back() <= start + 1e-3)
                    ends.pop_back();
                QVERIFY2(ends.empty() || endOf(event) <= ends.back() + 1e-3, event.dump().c_str());
                ends.push_back(endOf(event));
            }
        }
        const std::vector<json> host = trackOf(trace, kHost);
        for (const json& event : trackOf(trace, kDevice)) {
            const auto pass = std::find_if(host.begin(), host.end(), [&](const json& other) {
                return (other["name"] == "decode step" || other["name"] == "prefill chunk")
                    && other["args"]["pass"] == event["args"]["pass"];
            });
            QVERIFY(pass != host.end());
            QVERIFY(event["ts"].get<double>() >= (*pass)["ts"].get<double>() - kClockToleranceUs);
            QVERIFY(endOf(event) <= endOf(*pass) + kClockToleranceUs);
        }
    }

    void theTableNamesEveryOperationOnce()
    {
        const auto model = tests::tinyModel("arch-llama");
        if (!model)
            QSKIP(tests::kNoReference);
        const tests::ProgramRun run
            = tests::runProgram({ "bench", "--model", QString::fromStdString(model->string()),
                "--prompt-tokens", "70", "--decode-tokens", "6", "--operations", "--json" });
        QCOMPARE(run.exitCode, 0);
        const json passes = json::parse(run.output.toStdString())["profile"]["passes"];
        QCOMPARE(passes.size(), size_t(2));
        QCOMPARE(passes[0]["rows"], json(1));
        QCOMPARE(passes[1]["rows"], json(64));
        for (const json& pass : passes) {
            std::set<std::string> names;
            double ms = 0;
            for (const json& row : pass["operations"]) {
                QVERIFY(names.insert(row["operation"]).second);
                ms += row["ms"].get<double>();
            }
            QVERIFY(names.contains("gate_up") || names.contains("whole_layer") || names.empty());
            QVERIFY(ms >= 0);
            QVERIFY(pass["host"]["wait_ms"].get<double>() > 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestBenchProfile)
#include "tst_bench_profile.moc"
