#include "app/settings/chat_settings.h"
#include "app/window_options.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

class TestChatSettings : public QObject {
    Q_OBJECT
private slots:
    void whatIsWrittenIsRead();
    void badValuesFallBackToTheDefaults();
    void wordsThatAskForTheWindow();
};

void TestChatSettings::whatIsWrittenIsRead()
{
    QTemporaryDir folder;
    QSettings store(folder.filePath("a.ini"), QSettings::IniFormat);
    app::ChatSettings settings;
    settings.systemText = "Be brief.\nBe kind.";
    settings.lengthCap = 7;
    settings.stopStrings = { "5, 6", "\n\n" };
    settings.ignoreEndTokens = true;
    settings.timeCapMs = 2500;
    settings.guardsAgainstRepetition = true;
    settings.contextPolicy = app::ContextPolicy::DropOldestTurns;
    settings.fixedSeed = 18446744073709551615ULL;
    settings.sampling.temperature = 0;
    settings.sampling.topK = 3;
    app::writeChatSettings(store, settings);
    QCOMPARE(app::readChatSettings(store), settings);
}

void TestChatSettings::badValuesFallBackToTheDefaults()
{
    QTemporaryDir folder;
    QSettings store(folder.filePath("a.ini"), QSettings::IniFormat);
    for (const char* key : { "temperature", "topK", "topP", "minP", "repeatPenalty", "lengthCap",
             "timeCapMs", "ignoreEndTokens", "repetitionGuard", "contextPolicy", "seed" })
        store.setValue(QStringLiteral("chat/") + key, "nonsense");
    QCOMPARE(app::readChatSettings(store), app::ChatSettings());
    store.setValue("chat/lengthCap", -5);
    store.setValue("chat/topP", 40);
    store.setValue("chat/timeCapMs", -1);
    QCOMPARE(app::readChatSettings(store), app::ChatSettings());
}

void TestChatSettings::wordsThatAskForTheWindow()
{
    QCOMPARE(app::windowOptions({}), app::WindowOptions {});
    QCOMPARE(app::windowOptions({ "a b.gguf" }), app::WindowOptions { "a b.gguf" });
    QCOMPARE(app::windowOptions({ "--model", "x" }), app::WindowOptions { "x" });
    QVERIFY(!app::windowOptions({ "run" }));
    QVERIFY(!app::windowOptions({ "--help" }));
    QVERIFY(!app::windowOptions({ "--model" }));
}

QTEST_GUILESS_MAIN(TestChatSettings)
#include "tst_chat_settings.moc"
