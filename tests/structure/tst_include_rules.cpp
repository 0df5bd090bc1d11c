#include "tests/structure/include_rules.h"

#include <QTest>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

class TestIncludeRules : public QObject {
    Q_OBJECT

private slots:
    void everyIncludeOfTheTreeFollowsTheTable();
    void noSourceStandsOutsideTheFolders();
    void tableNamesOnlyFoldersThatExist();
    void headersNamedInTheTableExist();
    void tableHasNoCircle();
    void engineMayNotIncludeTheApp();
    void engineMayNotIncludeQt();
    void roomsMayNotIncludeUpwards();
    void edgesAreTransitiveInsideTheEngine();
    void aListOfHeadersIsNotAWholeFolder();
    void uiSeesPlainValuesAndNothingElseOfTheEngine();
    void quotedIncludesStartAtTheRoot();
};

namespace {
const fs::path kRoot = TOKENGLASS_SOURCE_DIR;

int faultCount(const char* path, const char* text)
{
    return static_cast<int>(tests::includeFaults(path, text).size());
}
}

void TestIncludeRules::everyIncludeOfTheTreeFollowsTheTable()
{
    int fileCount = 0;
    std::string faults;
    for (const char* folder : { "engine", "app", "ui" }) {
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            const fs::path extension = entry.path().extension();
            if (extension != ".h" && extension != ".cpp" && extension != ".c")
                continue;
            std::ifstream stream(entry.path());
            std::stringstream text;
            text << stream.rdbuf();
            const std::string path = fs::relative(entry.path(), kRoot).generic_string();
            for (const std::string& fault : tests::includeFaults(path, text.str()))
                faults += fault + "\n";
            ++fileCount;
        }
    }
    QVERIFY(fileCount > 20);
    QVERIFY2(faults.empty(), faults.c_str());
}

void TestIncludeRules::noSourceStandsOutsideTheFolders()
{
    for (const auto& entry : fs::directory_iterator(kRoot)) {
        const fs::path extension = entry.path().extension();
        QVERIFY2(extension != ".h" && extension != ".cpp" && extension != ".comp", entry.path().filename().c_str());
    }
}

void TestIncludeRules::tableNamesOnlyFoldersThatExist()
{
    for (const tests::IncludeEdge& edge : tests::includeEdges()) {
        QVERIFY2(fs::exists(kRoot / edge.from), edge.from.data());
        // Not a folder of sources: the build writes what the edge to shaders is about.
        if (edge.to != "shaders")
            QVERIFY2(fs::exists(kRoot / edge.to), edge.to.data());
    }
}

void TestIncludeRules::headersNamedInTheTableExist()
{
    for (const tests::IncludeEdge& edge : tests::includeEdges())
        for (std::string_view header : edge.onlyHeaders)
            QVERIFY2(fs::exists(kRoot / header), header.data());
}

void TestIncludeRules::tableHasNoCircle()
{
    for (const tests::IncludeEdge& edge : tests::includeEdges()) {
        // An edge against the direction of another one: would a file of `to` be let into `from`?
        const std::string inTo = std::string(edge.to) + "/x.h";
        const std::string line = "#include \"" + std::string(edge.from) + "/x.h\"\n";
        if (edge.from != "app/main.cpp")
            QCOMPARE(faultCount(inTo.c_str(), line.c_str()), 1);
    }
}

void TestIncludeRules::engineMayNotIncludeTheApp()
{
    QCOMPARE(faultCount("engine/session/x.cpp", "#include \"app/cli/command_table.h\"\n"), 1);
    QCOMPARE(faultCount("app/x.cpp", "#include \"ui/main_window.h\"\n"), 1);
}

void TestIncludeRules::engineMayNotIncludeQt()
{
    QCOMPARE(faultCount("engine/base/x.h", "#pragma once\n  #  include <QString>\n"), 1);
    QCOMPARE(faultCount("app/x.h", "#include <QString>\n"), 0);
}

void TestIncludeRules::roomsMayNotIncludeUpwards()
{
    QCOMPARE(faultCount("engine/gguf/x.cpp", "#include \"engine/tokenizer/tokenizer.h\"\n"), 1);
    QCOMPARE(faultCount("engine/vulkan/x.cpp", "#include \"engine/gguf/gguf_file.h\"\n"), 1);
    QCOMPARE(faultCount("engine/model/x.cpp", "#include \"engine/session/event_sink.h\"\n"), 1);
}

void TestIncludeRules::edgesAreTransitiveInsideTheEngine()
{
    QCOMPARE(faultCount("engine/chat/x.cpp", "#include \"engine/gguf/gguf_file.h\"\n"), 0);
    QCOMPARE(faultCount("engine/session/x.cpp", "#include \"engine/vulkan/device.h\"\n"), 0);
    QCOMPARE(faultCount("app/x.cpp", "#include \"engine/gguf/gguf_file.h\"\n"), 0);
}

void TestIncludeRules::aListOfHeadersIsNotAWholeFolder()
{
    QCOMPARE(faultCount("engine/kernels/x.cpp", "#include \"engine/gguf/tensor_type.h\"\n"), 0);
    QCOMPARE(faultCount("engine/kernels/x.cpp", "#include \"engine/gguf/gguf_file.h\"\n"), 1);
}

void TestIncludeRules::uiSeesPlainValuesAndNothingElseOfTheEngine()
{
    QCOMPARE(faultCount("ui/chat/x.cpp", "#include \"engine/session/stop_reason.h\"\n"), 0);
    QCOMPARE(faultCount("ui/chat/x.cpp", "#include \"engine/session/inference_thread.h\"\n"), 1);
    QCOMPARE(faultCount("ui/chat/x.cpp", "#include \"engine/vulkan/device.h\"\n"), 1);
}

void TestIncludeRules::quotedIncludesStartAtTheRoot()
{
    QCOMPARE(faultCount("ui/chat/x.cpp", "#include \"draft_view.h\"\n"), 1);
    QCOMPARE(faultCount("ui/chat/x.cpp", "#include \"x.moc\"\n"), 0);
    QCOMPARE(faultCount("engine/kernels/x.cpp", "#include \"shaders/rms_norm.h\"\n"), 0);
    QCOMPARE(faultCount("engine/gguf/x.cpp", "#include \"shaders/rms_norm.h\"\n"), 1);
}

QTEST_APPLESS_MAIN(TestIncludeRules)
#include "tst_include_rules.moc"
