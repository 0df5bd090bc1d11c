#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

constexpr int kLimitMs = 60'000;

}

/// cases.md G-38 Two windows of the program: start, start, kill -9, start on one data folder.
class TestG38TwoWindows : public QObject {
    Q_OBJECT
private slots:
    void g38_aSecondStartRaisesTheFirstAndAKilledOneDoesNotBlock();

private:
    void start(QProcess& program);
    bool ends(QProcess& program) { return program.waitForFinished(kLimitMs); }

    QTemporaryDir m_home;
};

void TestG38TwoWindows::start(QProcess& program)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    for (const char* name :
        { "HOME", "TOKENGLASS_DATA", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME" })
        environment.insert(name, m_home.path());
    program.setProcessEnvironment(environment);
    program.start(TOKENGLASS_PROGRAM, {});
}

void TestG38TwoWindows::g38_aSecondStartRaisesTheFirstAndAKilledOneDoesNotBlock()
{
    const QString database = m_home.filePath("tokenglass.sqlite");
    QProcess first;
    start(first);
    QVERIFY(QTest::qWaitFor([&] { return QFile::exists(database); }, kLimitMs));
    QProcess second;
    start(second);
    QVERIFY(ends(second));
    QCOMPARE(second.exitCode(), 0); // it raised the first, and says so
    QVERIFY(!second.readAllStandardError().isEmpty());
    QCOMPARE(first.state(), QProcess::Running);

    first.kill();
    QVERIFY(ends(first));
    QProcess third;
    start(third);
    QVERIFY2(!third.waitForFinished(5000), third.readAllStandardError());
    QProcess fourth;
    start(fourth);
    QVERIFY(ends(fourth));
    QCOMPARE(fourth.exitCode(), 0); // the third has the folder
    QCOMPARE(third.state(), QProcess::Running);
    third.kill();
    QVERIFY(ends(third));
}

QTEST_GUILESS_MAIN(TestG38TwoWindows)
#include "tst_g38_two_windows.moc"
