#include "app/storage/instance_lock.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using app::InstanceLock;
using app::InstanceStart;

class TestInstanceLock : public QObject {
    Q_OBJECT
private slots:
    void theFirstStartHoldsTheFolder();
    void aSecondStartRaisesTheFirst();
    void aKilledHolderDoesNotBlock();
    void aHolderThatDoesNotAnswerIsNamed();
    void otherFoldersAreFree();
    void aFolderThatCannotBeMadeIsToldInWords();
    void socketPathsAreShortAndOfTheFolder();
};

namespace {

// tests/app/storage/lock_holder.cpp in a process of its own.
class Holder {
public:
    explicit Holder(const QString& folder)
    {
        m_process.start(TOKENGLASS_LOCK_HOLDER, { folder });
        m_process.waitForStarted();
    }
    ~Holder() { kill(); }

    QByteArray nextLine()
    {
        QElapsedTimer timer;
        timer.start();
        while (!m_process.canReadLine() && timer.elapsed() < 20'000)
            m_process.waitForReadyRead(200);
        return m_process.readLine().trimmed();
    }
    void kill()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

private:
    QProcess m_process;
};

}

void TestInstanceLock::theFirstStartHoldsTheFolder()
{
    const QTemporaryDir folder;
    const QString inside = folder.filePath("new/folder");
    const InstanceStart start = InstanceLock::take(inside);
    QVERIFY(start.lock);
    QVERIFY(start.message.isEmpty());
    QVERIFY(QDir(inside).exists("tokenglass.lock"));
}

void TestInstanceLock::aSecondStartRaisesTheFirst()
{
    const QTemporaryDir folder;
    Holder first(folder.path());
    QCOMPARE(first.nextLine(), QByteArray("held"));
    const InstanceStart second = InstanceLock::take(folder.path());
    QVERIFY(!second.lock);
    QVERIFY(second.wasOtherRaised);
    QVERIFY(second.message.contains("running already"));
    QVERIFY(second.message.contains(folder.path()));
    QCOMPARE(first.nextLine(), QByteArray("raise"));

    // The other way round: this process is the first.
    const QTemporaryDir ours;
    const InstanceStart start = InstanceLock::take(ours.path());
    QVERIFY(start.lock);
    QSignalSpy raises(start.lock.get(), &InstanceLock::raiseRequested);
    Holder other(ours.path());
    QTRY_COMPARE_WITH_TIMEOUT(raises.count(), 1, 20'000);
    QCOMPARE(other.nextLine(), QByteArray("refused, raised"));
}

void TestInstanceLock::aKilledHolderDoesNotBlock()
{
    const QTemporaryDir folder;
    for (int round = 0; round < 2; ++round) {
        Holder first(folder.path());
        QCOMPARE(first.nextLine(), QByteArray("held"));
        Holder second(folder.path());
        QCOMPARE(first.nextLine(), QByteArray("raise"));
        QCOMPARE(second.nextLine(), QByteArray("refused, raised"));
        first.kill();
        QVERIFY(QDir(folder.path()).exists("tokenglass.lock")); // left behind
    }
    const InstanceStart start = InstanceLock::take(folder.path());
    QVERIFY(start.lock);
    // And the socket that was left is in use again.
    QSignalSpy raises(start.lock.get(), &InstanceLock::raiseRequested);
    Holder other(folder.path());
    QTRY_COMPARE_WITH_TIMEOUT(raises.count(), 1, 20'000);
}

void TestInstanceLock::aHolderThatDoesNotAnswerIsNamed()
{
    const QTemporaryDir folder;
    const InstanceStart first = InstanceLock::take(folder.path());
    QVERIFY(first.lock);
    // Nobody runs the first one's event loop while this one waits.
    const InstanceStart second = InstanceLock::take(folder.path());
    QVERIFY(!second.lock);
    QVERIFY(!second.wasOtherRaised);
    QVERIFY(second.message.contains("does not answer"));
    QVERIFY(second.message.contains(QString::number(QCoreApplication::applicationPid())));
}

void TestInstanceLock::otherFoldersAreFree()
{
    const QTemporaryDir one;
    const QTemporaryDir two;
    const InstanceStart first = InstanceLock::take(one.path());
    const InstanceStart second = InstanceLock::take(two.path());
    QVERIFY(first.lock && second.lock);
}

void TestInstanceLock::aFolderThatCannotBeMadeIsToldInWords()
{
    const QTemporaryDir folder;
    QFile inTheWay(folder.filePath("file"));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    const InstanceStart start = InstanceLock::take(folder.filePath("file/inside"));
    QVERIFY(!start.lock);
    QVERIFY(!start.wasOtherRaised);
    QVERIFY(start.message.contains("could not be made"));
}

void TestInstanceLock::socketPathsAreShortAndOfTheFolder()
{
    const QTemporaryDir folder;
    const QString deep = folder.filePath(QString(200, u'a') + "/" + QString(200, u'b'));
    QVERIFY(QDir().mkpath(deep));
    QVERIFY(app::instanceSocketPath(deep).toUtf8().size() < 100);
    QVERIFY(app::instanceSocketPath(deep) != app::instanceSocketPath(folder.path()));
    // However the path is written.
    QCOMPARE(
        app::instanceSocketPath(folder.path() + "/x/.."), app::instanceSocketPath(folder.path()));
    const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
    qputenv("XDG_RUNTIME_DIR", deep.toUtf8());
    QVERIFY(app::instanceSocketPath(deep).toUtf8().size() < 100);
    qputenv("XDG_RUNTIME_DIR", before);
    const InstanceStart start = InstanceLock::take(deep);
    QVERIFY(start.lock);
}

QTEST_GUILESS_MAIN(TestInstanceLock)
#include "tst_instance_lock.moc"
