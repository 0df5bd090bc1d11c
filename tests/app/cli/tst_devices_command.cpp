#include "app/cli/command_table.h"
#include "tests/support/run_program.h"

#include <QtTest>

class TestDevicesCommand : public QObject {
    Q_OBJECT
private slots:
    void cleanup()
    {
        qunsetenv("VK_DRIVER_FILES");
        qunsetenv("VK_ICD_FILENAMES");
    }

    void devicesAreListedBestFirstAndTheUsedOneIsNamed()
    {
        const tests::ProgramRun run = tests::runProgram({ "devices", "--json" });
        QCOMPARE(run.exitCode, int(app::kExitOk));
        const auto answer = nlohmann::json::parse(run.output.toStdString());
        QVERIFY(!answer["devices"].empty());
        QCOMPARE(answer["used"], answer["devices"][0]["uuid"]);
        QCOMPARE(answer["devices"][0]["uuid"].get<std::string>().size(), size_t(32));
        QVERIFY(answer["devices"][0]["heap_bytes"].get<uint64_t>() > 0);
    }
    void theTextSaysThatTheSoftwareDeviceIsSlow()
    {
        const tests::ProgramRun run = tests::runProgram({ "devices" });
        QCOMPARE(run.exitCode, int(app::kExitOk));
        QVERIFY(run.output.startsWith("used  "));
        QCOMPARE(run.output.contains("software"), run.output.contains("slow"));
    }
    void aDeviceMayBeAskedForByAPartOfItsName()
    {
        const auto all = nlohmann::json::parse(
            tests::runProgram({ "devices", "--json" }).output.toStdString());
        const auto last = all["devices"].back();
        const tests::ProgramRun run = tests::runProgram(
            { "devices", "--json", "--device", QString::fromStdString(last["uuid"]) });
        QCOMPARE(nlohmann::json::parse(run.output.toStdString())["used"], last["uuid"]);
        const tests::ProgramRun missing
            = tests::runProgram({ "devices", "--device", "no such device" });
        QCOMPARE(missing.exitCode, int(app::kExitFailed));
        QVERIFY(missing.errors.contains("no such device"));
    }
    void withoutADriverItSaysSoAndFails()
    {
        qputenv("VK_DRIVER_FILES", "/nowhere.json");
        qputenv("VK_ICD_FILENAMES", "/nowhere.json");
        const tests::ProgramRun run = tests::runProgram({ "devices", "--json" });
        QCOMPARE(run.exitCode, int(app::kExitFailed));
        QVERIFY2(run.errors.contains("driver"), run.errors.constData());
        const auto answer = nlohmann::json::parse(run.output.toStdString());
        QVERIFY(answer["devices"].empty());
        QVERIFY(answer["used"].is_null());
    }
    void anUnknownArgumentIsAUsageError()
    {
        QCOMPARE(tests::runProgram({ "devices", "--what" }).exitCode, int(app::kExitUsage));
    }
};

QTEST_GUILESS_MAIN(TestDevicesCommand)
#include "tst_devices_command.moc"
