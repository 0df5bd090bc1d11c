#include "tests/cases/smollm2_run.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <random>

using nlohmann::json;

namespace {

constexpr int kLimitMs = 300'000;
constexpr int kLongestWaitMs = 2500;
constexpr int kBehindMs = 500; // what a draft may lose of what a person saw
constexpr int kRoundsPerContinue = 10;

QString folderOf(const QTemporaryDir& home, const char* name)
{
    return home.filePath(QString::fromLatin1(name));
}

}

/// cases.md G-37 Crash loses the chat: the window with a real model, killed at a random moment of a
/// stream and started again, TOKENGLASS_KILLS times (30; tools/killtest asks for more).
class TestKilledProgram : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g37_whatAPersonSawIsThereAfterAKill();

private:
    struct Kill {
        int64_t run = 0;
        qint64 atMs = 0; ///< system clock, just before the signal
    };
    void startWindow(QProcess& window, const QString& question, bool continues);
    json nextLine(QProcess& window);
    void checkFound(const json& found, const QString& question, const Kill& kill);
    void checkDatabase();

    QTemporaryDir m_home;
    std::map<std::string, json> m_known; ///< chats by question, as they were found last
    qint64 m_largestLossMs = 0;
    int m_endedCount = 0;
};

void TestKilledProgram::initTestCase()
{
    const QString model = tests::smollm2Path();
    if (model.isEmpty())
        QSKIP(tests::kNoModel);
    QVERIFY(QDir(m_home.path()).mkpath("tokenglass/models"));
    QVERIFY(
        QFile::link(model, folderOf(m_home, "tokenglass/models/") + QFileInfo(model).fileName()));
}

void TestKilledProgram::startWindow(QProcess& window, const QString& question, bool continues)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("TOKENGLASS_DATA", folderOf(m_home, "tokenglass"));
    environment.insert("TOKENGLASS_TRACE", folderOf(m_home, "trace"));
    environment.insert("XDG_CONFIG_HOME", folderOf(m_home, "config"));
    window.setProcessEnvironment(environment);
    window.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    window.start(TOKENGLASS_KILLED_WINDOW,
        QStringList { question } + (continues ? QStringList { "continue" } : QStringList()));
}

json TestKilledProgram::nextLine(QProcess& window)
{
    while (!window.canReadLine())
        if (!window.waitForReadyRead(kLimitMs))
            return json();
    return json::parse(window.readLine().toStdString(), nullptr, false);
}

/// Against the log: nothing that was on the screen half a second before the kill is lost, and the
/// label says that the answer is partial.
void TestKilledProgram::checkFound(const json& found, const QString& question, const Kill& kill)
{
    const json* chat = nullptr;
    std::map<std::string, json> now;
    for (const json& each : found) {
        now[each["question"].get<std::string>()] = each;
        if (each["run"].get<int64_t>() == kill.run)
            chat = &each;
    }
    QVERIFY2(chat, qPrintable(question + ": the chat is lost"));
    const std::string words = chat->dump();
    QCOMPARE(QString::fromStdString((*chat)["question"].get<std::string>()), question);

    QFile trace(folderOf(m_home, "trace"));
    QVERIFY(trace.open(QIODevice::ReadOnly));
    int paintedCount = 0;
    const int keptCount = (*chat)["tokens"].get<int>();
    for (const QByteArray& line : trace.readAll().split('\n')) {
        const QList<QByteArray> fields = line.split(' ');
        if (fields.size() != 3 || fields[0].toLongLong() != kill.run)
            continue;
        QCOMPARE(fields[1].toInt(), paintedCount++); // one line for each token, in order
        const qint64 seenMs = kill.atMs - fields[2].toLongLong();
        if (paintedCount <= keptCount)
            continue;
        m_largestLossMs = std::max(m_largestLossMs, seenMs);
        QVERIFY2(seenMs <= kBehindMs,
            qPrintable(QString("token %1 was seen %2 ms before the kill and is lost; %3 are kept")
                           .arg(fields[1])
                           .arg(seenMs)
                           .arg(keptCount)));
    }
    if ((*chat)["reason"] != "interrupted") { // it had come to its end
        ++m_endedCount;
        QVERIFY2((*chat)["reason"] == "end_token" || keptCount == 400, words.c_str());
        QVERIFY2(keptCount >= paintedCount, words.c_str());
    } else {
        QVERIFY2((*chat)["verdict"] == "partial", words.c_str());
        QVERIFY2((*chat)["label"] == "Partial · the program ended", words.c_str());
    }
    for (const auto& [known, before] : m_known)
        QVERIFY2(now.count(known) && now.at(known) == before, known.c_str());
    m_known = std::move(now);
}

/// Of a copy, with the log that the killed program left: the program is to find its own.
void TestKilledProgram::checkDatabase()
{
    QTemporaryDir copy;
    for (const char* name : { "tokenglass.sqlite", "tokenglass.sqlite-wal" })
        QFile::copy(folderOf(m_home, "tokenglass/") + name, copy.filePath(name));
    {
        QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", "copy");
        database.setDatabaseName(copy.filePath("tokenglass.sqlite"));
        QVERIFY(database.open());
        for (const char* check : { "PRAGMA quick_check", "PRAGMA integrity_check" }) {
            QSqlQuery query(check, database);
            QVERIFY(query.next());
            QCOMPARE(query.value(0).toString(), QString("ok"));
        }
    }
    QSqlDatabase::removeDatabase("copy");
}

void TestKilledProgram::g37_whatAPersonSawIsThereAfterAKill()
{
    const int asked = qEnvironmentVariableIntValue("TOKENGLASS_KILLS");
    const int roundCount = asked > 0 ? asked : 30;
    std::mt19937 random(37);
    Kill last;
    QString lastQuestion;
    int continuedCount = 0;
    // The start of a round is the restart after the round before.
    for (int round = 0; round <= roundCount; ++round) {
        const QString question = QString("Round %1: tell me a long story.").arg(round);
        const bool continues = round > 0 && round % kRoundsPerContinue == 0;
        QProcess window;
        startWindow(window, question, continues);
        const json found = nextLine(window);
        QVERIFY2(found.contains("found"), found.dump().c_str());
        if (round > 0)
            checkFound(found["found"], lastQuestion, last);
        if (QTest::currentTestFailed())
            return;
        json line = nextLine(window);
        if (continues) {
            QVERIFY2(line.contains("continued"), line.dump().c_str());
            const json& told = line["continued"];
            QVERIFY2(told.value("wrote", false) && told.value("prefix_equal", false)
                    && told.value("text_kept", false),
                line.dump().c_str());
            ++continuedCount;
            m_known.clear(); // one of them has grown
            line = nextLine(window);
        }
        QVERIFY2(line.contains("run"), line.dump().c_str());
        window.waitForFinished(int(random() % kLongestWaitMs));
        QCOMPARE(window.state(), QProcess::Running);
        last = { line["run"].get<int64_t>(), QDateTime::currentMSecsSinceEpoch() };
        lastQuestion = question;
        window.kill();
        QVERIFY(window.waitForFinished(30'000));
        checkDatabase();
        if (QTest::currentTestFailed())
            return;
    }
    qInfo("%d kills, %d continued, %d after the end; at most %lld ms of what was seen were lost",
        roundCount, continuedCount, m_endedCount, qlonglong(m_largestLossMs));
    QVERIFY(continuedCount == roundCount / kRoundsPerContinue);
}

QTEST_GUILESS_MAIN(TestKilledProgram)
#include "tst_killed_program.moc"
