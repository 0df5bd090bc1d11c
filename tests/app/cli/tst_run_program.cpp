#include "tests/support/reference_data.h"
#include "tests/support/run_program.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QtTest>

#include <csignal>

using nlohmann::json;

/// `run` and `bench` as processes, with a real model on the device at hand.
class TestRunProgram : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        const auto model = tests::realModel(tests::kSmolLM2);
        if (!model)
            QSKIP(tests::kNoModel);
        m_model = QString::fromStdString(model->string());
    }
    void benchGeneratesTheIdsOfRun()
    {
        const tests::ProgramRun bench = tests::runProgram({ "bench", "--model", m_model,
            "--prompt-tokens", "40", "--decode-tokens", "8", "--json" });
        QCOMPARE(bench.exitCode, 0);
        const json result = json::parse(bench.output.toStdString());
        const tests::GenerationRun run = tests::generate(
            { "--model", m_model, "--raw", QString::fromStdString(result["prompt_text"]),
                "--max-tokens", "8", "--temperature", "0", "--ignore-end" });
        QCOMPARE(run.contractFaults(), std::string());
        QCOMPARE(json(run.promptTokenIds()), result["prompt_token_ids"]);
        QCOMPARE(json(run.tokenIds()), result["token_ids"]);
    }
    void aDeviceThatIsNotThereIsNoReasonToTakeAnother()
    {
        const tests::GenerationRun run = tests::generate(
            { "--model", m_model, "--prompt", "Hi", "--device", "no such device" });
        QCOMPARE(run.program.exitCode, 1);
        QCOMPARE(run.stopReason(), std::string("failed"));
        QVERIFY(run.ended["error"]["message"].get<std::string>().find("no such device")
            != std::string::npos);
    }
    void anInterruptEndsARunAsPartial()
    {
        QProcess process;
        process.start(TOKENGLASS_PROGRAM,
            { "run", "--model", m_model, "--prompt", "Write a long story.", "--json" });
        QByteArray output;
        while (!output.contains("\"token\"") && process.waitForReadyRead(120'000))
            output += process.readAllStandardOutput();
        QVERIFY(output.contains("\"token\""));
        QElapsedTimer sinceSignal;
        sinceSignal.start();
        QCOMPARE(::kill(pid_t(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(60'000));
        qInfo("ended %lld ms after the signal", sinceSignal.elapsed());
        output += process.readAllStandardOutput();
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 4);
        const json ended = json::parse(output.trimmed().split('\n').last().toStdString());
        QCOMPARE(ended["event"], json("ended"));
        QCOMPARE(ended["stop_reason"], json("cancelled"));
        QCOMPARE(ended["verdict"], json("partial"));
    }

private:
    QString m_model;
};

QTEST_GUILESS_MAIN(TestRunProgram)
#include "tst_run_program.moc"
