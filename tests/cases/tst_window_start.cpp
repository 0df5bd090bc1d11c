#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

// The program itself as a person starts it: with a display, without one, without a device.
class TestWindowStart : public QObject {
    Q_OBJECT

private slots:
    void windowOpensOnAnXDisplay();
    void windowOpensWithoutAnyVulkanDevice();
    void withoutADisplayItSaysWhatToDo();

private:
    QProcessEnvironment cleanEnvironment() const;
    void checkThatItStays(const QProcessEnvironment& environment);

    QTemporaryDir m_home;
};

// No display, no settings and no models of the person who runs the tests.
QProcessEnvironment TestWindowStart::cleanEnvironment() const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : { "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM" })
        environment.remove(name);
    for (const char* name :
        { "HOME", "TOKENGLASS_DATA", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME" })
        environment.insert(name, m_home.path());
    return environment;
}

void TestWindowStart::checkThatItStays(const QProcessEnvironment& environment)
{
    QProcess program;
    program.setProcessEnvironment(environment);
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(TOKENGLASS_PROGRAM, {});
    // A window that cannot open ends the program well within this time.
    const bool ended = program.waitForFinished(4000);
    program.terminate();
    if (!program.waitForFinished(5000))
        program.kill();
    const QByteArray said = program.readAll();
    QVERIFY2(!ended, said);
    QVERIFY2(!said.contains("qt.qpa.plugin"), said);
}

void TestWindowStart::windowOpensOnAnXDisplay()
{
    const QString server = QStandardPaths::findExecutable("Xvfb");
    if (server.isEmpty())
        QSKIP("Xvfb is not installed (tools/setup test installs it)");
    QProcess xvfb;
    // The server chooses a free number and writes it when it is ready.
    xvfb.start(server, { "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp" });
    QVERIFY(xvfb.waitForReadyRead(20'000));
    const QString number = QString::fromLatin1(xvfb.readLine()).trimmed();
    QProcessEnvironment environment = cleanEnvironment();
    environment.insert("DISPLAY", ":" + number);
    checkThatItStays(environment);
    xvfb.terminate();
    xvfb.waitForFinished();
}

void TestWindowStart::windowOpensWithoutAnyVulkanDevice()
{
    QProcessEnvironment environment = cleanEnvironment();
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    for (const char* name : { "VK_DRIVER_FILES", "VK_ICD_FILENAMES" })
        environment.insert(name, m_home.path() + "/none.json");
    checkThatItStays(environment);
}

void TestWindowStart::withoutADisplayItSaysWhatToDo()
{
    QProcess program;
    program.setProcessEnvironment(cleanEnvironment());
    program.start(TOKENGLASS_PROGRAM, {});
    QVERIFY(program.waitForFinished(20'000));
    QCOMPARE(program.exitCode(), 1);
    QVERIFY(program.readAllStandardError().contains("tokenglass run"));
}

QTEST_GUILESS_MAIN(TestWindowStart)
#include "tst_window_start.moc"
