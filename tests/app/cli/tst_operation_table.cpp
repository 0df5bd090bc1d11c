#include "app/cli/operation_table.h"

#include <QtTest>
#include <sstream>

using namespace engine;
using app::OperationRow;
using app::PassTable;

namespace {
const DeviceProbe kProbe { .texelGigabytesPerS = 20, .gigaMultiplyAddsPerS = 80 };

/// A log in which a test says itself how long things took.
struct MadeUpLog {
    TraceLog log;

    void host(const char* name, double ms)
    {
        log.add({ .track = TraceTrack::Host, .name = name, .durationMs = ms });
    }
    void device(
        const char* name, const char* shape, double ms, uint64_t bytes, uint64_t multiplyAdds)
    {
        log.add({ .track = TraceTrack::Device,
            .name = name,
            .durationMs = ms,
            .work = OperationWork { shape, bytes, multiplyAdds } });
    }
    /// Two layers; gate_up takes gateUpMs in each.
    void step(double gateUpMs)
    {
        log.beginPass(1);
        for (int layer = 0; layer < 2; ++layer) {
            device("query_key_value", "64 x 64 F32", 0.5, 1'000'000, 250'000);
            device("gate_up", "128 x 64 F32", gateUpMs, 2'000'000, 160'000'000);
        }
        host("wait", 1 + 2 * gateUpMs);
    }
    void plainStep(double waitMs)
    {
        log.beginPass(1);
        host("wait", waitMs);
        host("choose", 0.25);
    }
};
}

class TestOperationTable : public QObject {
    Q_OBJECT
private slots:
    void layersAreAddedUpAndTheMiddlePassCounts()
    {
        MadeUpLog made;
        for (double ms : { 4.0, 1.0, 90.0 })
            made.step(ms);
        const std::vector<PassTable> tables = app::passTables(made.log.spans(), kProbe);
        QCOMPARE(tables.size(), size_t(1));
        QCOMPARE(tables[0].passCount, 3);
        QCOMPARE(tables[0].operations.size(), size_t(2));
        const OperationRow& first = tables[0].operations[0];
        QCOMPARE(first.name, std::string("query_key_value"));
        QCOMPARE(first.count, 2);
        QCOMPARE(first.ms, 1.0);
        QCOMPARE(first.gigabytesPerS, 2.0); // 2,000,000 bytes in 1 ms
        QCOMPARE(first.share, 0.1); // of 20 GB/s; 0.5 of 80 GMAC/s is less
        const OperationRow& second = tables[0].operations[1];
        QCOMPARE(second.ms, 8.0);
        QCOMPARE(second.gigaMultiplyAddsPerS, 40.0);
        QCOMPARE(second.share, 0.5);
        QCOMPARE(tables[0].device.ms, 9.0);
        QCOMPARE(tables[0].device.count, 4);
    }
    void whatMarksCostIsTakenOff()
    {
        MadeUpLog made;
        made.step(4.0); // waits 9 ms with four marks
        made.plainStep(8.2);
        const PassTable table = app::passTables(made.log.spans(), kProbe).at(0);
        QVERIFY(std::abs(table.timeMarkMs - 0.2) < 1e-12);
        QVERIFY(std::abs(table.operations[0].ms - 0.6) < 1e-12);
        QVERIFY(std::abs(table.device.ms - 8.2) < 1e-12);
        QCOMPARE(table.host.size(), size_t(2));
        QCOMPARE(table.host[0], std::make_pair(std::string("wait"), 8.2));
        QCOMPARE(table.host[1], std::make_pair(std::string("choose"), 0.25));
    }
    void shapesOfOneOperationAreKeptApart()
    {
        MadeUpLog made;
        made.log.beginPass(1);
        made.device("down", "64 x 64 Q4_K", 1, 1, 1);
        made.device("down", "64 x 64 Q6_K", 2, 1, 1);
        made.device("down", "64 x 64 Q4_K", 3, 1, 1);
        const PassTable table = app::passTables(made.log.spans(), kProbe).at(0);
        QCOMPARE(table.operations.size(), size_t(2));
        QCOMPARE(table.operations[0].ms, 4.0);
        QCOMPARE(table.operations[1].shape, std::string("64 x 64 Q6_K"));
    }
    void stepsAndTheLargestChunksAreToldAndOthersNot()
    {
        MadeUpLog made;
        for (uint32_t rowCount : { 64u, 64u, 6u, 1u }) {
            made.log.beginPass(rowCount);
            made.device("down", "64 x 64 F32", 1, 1, 1);
        }
        const std::vector<PassTable> tables = app::passTables(made.log.spans(), kProbe);
        QCOMPARE(tables.size(), size_t(2));
        QCOMPARE(tables[0].rowCount, 1u);
        QCOMPARE(tables[1].rowCount, 64u);
        QCOMPARE(tables[1].passCount, 2);
    }
    void aDeviceWithoutTimestampsHasHostTimesOnly()
    {
        MadeUpLog made;
        made.plainStep(8);
        const std::vector<PassTable> tables = app::passTables(made.log.spans(), kProbe);
        QVERIFY(tables.at(0).operations.empty());
        std::ostringstream out;
        app::print(out, tables[0]);
        QVERIFY2(out.str().find("no timestamps") != std::string::npos, out.str().c_str());
        QVERIFY(out.str().find("8.000") != std::string::npos);
    }
    void nothingComesOfNothing() { QVERIFY(app::passTables({}, kProbe).empty()); }
    void theWordsAndTheJsonSayTheSame()
    {
        MadeUpLog made;
        made.step(4.0);
        const PassTable table = app::passTables(made.log.spans(), kProbe).at(0);
        std::ostringstream out;
        app::print(out, table);
        for (const char* part :
            { "decode step of 1 row", "gate_up", "128 x 64 F32", "8.000", "40.00", "50.0 %" })
            QVERIFY2(out.str().find(part) != std::string::npos, out.str().c_str());
        const nlohmann::ordered_json json = app::toJson(table);
        QCOMPARE(json["operations"][1]["ms"].get<double>(), 8.0);
        QCOMPARE(json["operations"][1]["share"].get<double>(), 0.5);
        QCOMPARE(json["device"]["ms"].get<double>(), 9.0);
        QCOMPARE(json["host"]["wait_ms"].get<double>(), 9.0);
    }
};

QTEST_APPLESS_MAIN(TestOperationTable)
#include "tst_operation_table.moc"
