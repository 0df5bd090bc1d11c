#include "app/cli/worksheet_command.h"
#include "app/runs/run_json.h"
#include "app/runs/run_record.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sstream>

namespace {
struct Outcome {
    int exitCode = 0;
    std::string out;
    std::string err;
};
Outcome worksheet(const std::vector<std::string>& words)
{
    std::ostringstream out;
    std::ostringstream err;
    const int exitCode = app::runWorksheetCommand(words, out, err);
    return { exitCode, out.str(), err.str() };
}
}

/// Records in files as pages.
class TestWorksheetCommand : public QObject {
    Q_OBJECT
private slots:
    void recordsAndResponsesBecomeOnePage()
    {
        app::RunOpening opening;
        opening.model.path = "m.gguf";
        opening.promptText = "Hello";
        opening.startedBy = "command_line";
        write("run.json", app::dumped(app::RunRecord(opening).json()));
        write("response.json", "{\"choices\": [{\"text\": \"Hi\", \"finish_reason\": \"length\"}], \"model\": \"theirs\"}");
        const Outcome page = worksheet({ path("run.json"), path("response.json") });
        QVERIFY2(page.exitCode == 0, page.err.c_str());
        QVERIFY(page.out.find("| File | m.gguf |  |") != std::string::npos);
        QVERIFY(page.out.find("| Reason |  | length\\_cap |") != std::string::npos);
        QVERIFY(worksheet({ path("run.json"), "--format", "html" }).out.starts_with("<!DOCTYPE html>"));
        QVERIFY(worksheet({ path("run.json"), "--format", "tsv" }).out.starts_with("section\tfield\trun\n"));
    }
    void whatIsWrongIsSaid()
    {
        QCOMPARE(worksheet({}).exitCode, 2);
        QCOMPARE(worksheet({ path("absent.json") }).exitCode, 1);
        write("other.json", "{\"a\": 1}");
        const Outcome other = worksheet({ path("other.json") });
        QCOMPARE(other.exitCode, 1);
        QVERIFY2(other.err.find("no run record") != std::string::npos, other.err.c_str());
        write("run.json", "{\"schema\": 1, \"prompt\": {}, \"tokens\": []}");
        QCOMPARE(worksheet({ path("run.json"), "--format", "pdf" }).exitCode, 2);
        QCOMPARE(worksheet({ path("run.json") }).exitCode, 0); // almost nothing in it: blanks
    }

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    void write(const char* name, const std::string& text) const { std::ofstream(path(name)) << text; }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestWorksheetCommand)
#include "tst_worksheet_command.moc"
