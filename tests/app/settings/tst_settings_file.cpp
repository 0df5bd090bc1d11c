#include "app/settings/settings_file.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace {

using nlohmann::ordered_json;

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

app::ChatSettings brief()
{
    app::ChatSettings settings;
    settings.systemText = "Be brief.";
    settings.lengthCap = 64;
    settings.sampling.temperature = 0.3f;
    return settings;
}

}

class TestSettingsFile : public QObject {
    Q_OBJECT
private slots:
    void init();
    void whatIsWrittenIsRead();
    void itIsWrittenAMomentAfterTheLastChange();
    void withoutAFileThereAreDefaultsAndNoNotes();
    void theOldFileIsImportedOnce();
    void badOldValuesAreNoted();
    void aFileThatIsNoJsonIsSetAside_data();
    void aFileThatIsNoJsonIsSetAside();
    void aNewerFileIsReadAndLeftAlone();
    void everyBadValueFallsBackWithANote_data();
    void everyBadValueFallsBackWithANote();
    void whatIsNotKnownIsKept();
    void whereNothingCanBeWrittenNothingIsLostInMemory();
    void aFileThatCannotBeReadIsLeftAlone();
    void presetsAndModelsComeAndGo();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    QString m_oldPath;
};

void TestSettingsFile::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath("deep/settings.json");
    m_oldPath = m_folder->filePath("settings.ini");
    QVERIFY(QDir(m_folder->path()).mkpath("deep"));
}

void TestSettingsFile::whatIsWrittenIsRead()
{
    QVERIFY(QDir(m_folder->path()).rmdir("deep")); // it makes its folder
    {
        app::SettingsFile file(m_path);
        file.setValue("window/geometry", QByteArray("\x01\x00\xff", 3));
        file.setValue("window/list", false);
        file.setValue("window/textScale", 1.25);
        file.setValue("window/appearance", 2);
        file.setValue("model/path", QString::fromUtf8("/models/größe.gguf"));
        file.setChatDefaults(brief());
        file.setModelSettings("tiny.gguf", brief());
        file.setPreset(QString::fromUtf8("Kurz – 1/2"), brief());
    }
    const app::SettingsFile file(m_path);
    QCOMPARE(file.notes(), QStringList());
    QCOMPARE(file.value("window/geometry").toByteArray(), QByteArray("\x01\x00\xff", 3));
    QCOMPARE(file.value("window/list", true), QVariant(false));
    QCOMPARE(file.value("window/textScale").toDouble(), 1.25);
    QCOMPARE(file.value("window/appearance").toInt(), 2);
    QCOMPARE(file.value("model/path").toString(), QString::fromUtf8("/models/größe.gguf"));
    QCOMPARE(file.chatDefaults(), brief());
    QCOMPARE(file.modelSettings("tiny.gguf"), brief());
    QVERIFY(!file.modelSettings("other.gguf"));
    QCOMPARE(file.presetNames(), QStringList(QString::fromUtf8("Kurz – 1/2")));
    QCOMPARE(file.preset(file.presetNames()[0]), brief());
    QVERIFY(ordered_json::parse(read(m_path).toStdString())["version"] == 1);
}

void TestSettingsFile::itIsWrittenAMomentAfterTheLastChange()
{
    app::SettingsFile file(m_path);
    file.setValue("window/list", false);
    QVERIFY(!QFile::exists(m_path));
    QTRY_VERIFY(QFile::exists(m_path));
    QVERIFY(QFile::remove(m_path));
    file.setValue("window/list", false);
    QVERIFY(file.writeNow());
    QVERIFY(!QFile::exists(m_path)); // nothing had changed
}

void TestSettingsFile::withoutAFileThereAreDefaultsAndNoNotes()
{
    const app::SettingsFile file(m_path, m_oldPath);
    QCOMPARE(file.notes(), QStringList());
    QCOMPARE(file.chatDefaults(), app::ChatSettings());
    QCOMPARE(file.value("window/list", true), QVariant(true));
}

void TestSettingsFile::theOldFileIsImportedOnce()
{
    const QByteArray old = "[chat]\nfrequencyPenalty=0\nignoreEndTokens=true\nlengthCap=77\n"
                           "repetitionGuard=false\nseed=42\nstopStrings=\"5, 6\", end\n"
                           "system=Be brief.\ntemperature=0.30000001192092896\ntimeCapMs=0\n"
                           "topP=40\n\n[model]\npath=/models/tiny.gguf\n\n"
                           "[window]\ngeometry=@ByteArray(\\x1\\xd9)\nlist=false\ntextScale=1.1\n"
                           "appearance=1\n";
    write(m_oldPath, old);
    {
        const app::SettingsFile file(m_path, m_oldPath);
        app::ChatSettings expected;
        expected.ignoreEndTokens = true;
        expected.lengthCap = 77;
        expected.fixedSeed = 42;
        expected.stopStrings = { "5, 6", "end" };
        expected.systemText = "Be brief.";
        expected.sampling.temperature = 0.3f;
        QCOMPARE(file.chatDefaults(), expected);
        QCOMPARE(file.value("model/path").toString(), QString("/models/tiny.gguf"));
        QCOMPARE(file.value("window/geometry").toByteArray(), QByteArray("\x01\xd9", 2));
        QCOMPARE(file.value("window/list", true), QVariant(false));
        QCOMPARE(file.value("window/textScale").toDouble(), 1.1);
        QCOMPARE(file.value("window/appearance").toInt(), 1);
    }
    QVERIFY(QFile::exists(m_path));
    QVERIFY(!QFile::exists(m_oldPath));
    QCOMPARE(read(m_oldPath + ".imported"), old);
    QVERIFY(QFile::remove(m_path));
    QCOMPARE(app::SettingsFile(m_path, m_oldPath).chatDefaults(), app::ChatSettings());
}

void TestSettingsFile::badOldValuesAreNoted()
{
    write(m_oldPath, "[window]\ntextScale=huge\nappearance=7\n");
    const app::SettingsFile file(m_path, m_oldPath);
    QCOMPARE(file.notes().size(), 2);
    QCOMPARE(file.value("window/textScale", 1.0).toDouble(), 1.0);
}

void TestSettingsFile::aFileThatIsNoJsonIsSetAside_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("cut off") << QByteArray(R"({"version": 1, "chat": {"length_)");
    QTest::newRow("a list") << QByteArray("[1, 2]");
    QTest::newRow("no text at all") << QByteArray("\x00\xff\xfe{}", 5);
}

void TestSettingsFile::aFileThatIsNoJsonIsSetAside()
{
    QFETCH(QByteArray, text);
    write(m_path, text);
    app::SettingsFile file(m_path, m_oldPath);
    QCOMPARE(file.notes().size(), 1);
    QVERIFY(!QFile::exists(m_path));
    const QStringList aside
        = QFileInfo(m_path).dir().entryList({ "settings-damaged-*.json" }, QDir::Files);
    QCOMPARE(aside.size(), 1);
    QVERIFY2(file.notes()[0].contains(aside[0]), qPrintable(file.notes()[0]));
    QCOMPARE(read(QFileInfo(m_path).dir().filePath(aside[0])), text);
    file.setChatDefaults(brief());
    QVERIFY(file.writeNow());
    QCOMPARE(app::SettingsFile(m_path).chatDefaults(), brief());
}

void TestSettingsFile::aNewerFileIsReadAndLeftAlone()
{
    const QByteArray text
        = R"({"version": 3, "chat": {"length_cap": 64, "mood": "calm"}, "window": {"list": false}})";
    write(m_path, text);
    {
        app::SettingsFile file(m_path);
        QCOMPARE(file.notes().size(), 1);
        QVERIFY2(file.notes()[0].contains("version 3"), qPrintable(file.notes()[0]));
        QCOMPARE(file.chatDefaults().lengthCap, 64);
        QCOMPARE(file.value("window/list", true), QVariant(false));
        file.setChatDefaults(brief());
        QCOMPARE(file.chatDefaults(), brief()); // until the program ends
        file.writeNow();
    }
    QCOMPARE(read(m_path), text);
}

void TestSettingsFile::everyBadValueFallsBackWithANote_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("note");
    const auto row = [](const char* json, const char* note) {
        QTest::newRow(json) << QString(json) << QString(note);
    };
    row(R"("version": "one")", R"(version is "one"; it must be a whole number from 1.)");
    row(R"("version": 0)", "version is 0; it must be a whole number from 1.");
    row(R"("window": 5)", "window is 5; it must be a group of settings in braces.");
    row(R"("window": {"list": "yes"})", R"(window/list is "yes"; it must be true or false.)");
    row(R"("window": {"settings": 1})", "window/settings is 1; it must be true or false.");
    row(R"("window": {"textScale": 9})",
        "window/textScale is 9; it must be a number from 0.5 to 3.");
    row(R"("window": {"appearance": 1.5})",
        "window/appearance is 1.5; it must be a whole number from 0 to 2.");
    row(R"("window": {"geometry": "%%"})",
        R"(window/geometry is "%%"; it must be text that this program wrote.)");
    row(R"("window": {"panes": []})",
        "window/panes is []; it must be text that this program wrote.");
    row(R"("model": [])", "model is []; it must be a group of settings in braces.");
    row(R"("model": {"path": 3})", "model/path is 3; it must be text.");
    row(R"("model": {"device": {}})", "model/device is {}; it must be text.");
    row(R"("chat": "calm")", R"(chat is "calm"; it must be a group of settings in braces.)");
    row(R"("chat": {"length_cap": 0})",
        "chat/length_cap is 0; it must be a whole number from 1 to 1000000.");
    row(R"("models": 7)", "models is 7; it must be a group of settings in braces.");
    row(R"("models": {"a.gguf": {"top_p": 40}})",
        "models/a.gguf/top_p is 40; it must be a number from 0 to 1.");
    row(R"("presets": {"Short": 1})",
        "presets/Short is 1; it must be a group of settings in braces.");
    row(R"("presets": {"Short": {"seed": "x"}})",
        R"(presets/Short/seed is "x"; it must be a whole number, or null for a random one.)");
}

void TestSettingsFile::everyBadValueFallsBackWithANote()
{
    QFETCH(QString, json);
    QFETCH(QString, note);
    write(m_path, "{" + json.toUtf8() + "}");
    app::SettingsFile file(m_path);
    QCOMPARE(file.notes(), QStringList(note + " The default is used."));
    QCOMPARE(file.chatDefaults(), app::ChatSettings());
    for (const char* key : { "window/list", "window/settings", "window/textScale",
             "window/appearance", "window/geometry", "window/panes", "model/path" })
        QCOMPARE(file.value(key, "fallback"), QVariant("fallback"));
    for (const QString& name : file.presetNames())
        QCOMPARE(file.preset(name), app::ChatSettings());
    // All can be set again.
    file.setValue("window/list", false);
    file.setValue("model/path", "x");
    file.setChatDefaults(brief());
    file.setPreset("Short", brief());
    file.setModelSettings("a.gguf", brief());
    QVERIFY(file.writeNow());
    const app::SettingsFile again(m_path);
    QCOMPARE(again.chatDefaults(), brief());
    QCOMPARE(again.preset("Short"), brief());
    QCOMPARE(again.modelSettings("a.gguf"), brief());
    QCOMPARE(again.value("window/list", true), QVariant(false));
}

void TestSettingsFile::whatIsNotKnownIsKept()
{
    write(m_path, R"({"plugins": [1, {"a": null}], "version": 1, "window": {"mood": "calm"},
        "chat": {"length_cap": 9, "colour": "red"}, "presets": {"Short": {"note": "mine"}}})");
    app::SettingsFile file(m_path);
    QCOMPARE(file.notes(), QStringList());
    file.setValue("window/list", false);
    file.setChatDefaults(brief());
    file.setPreset("Short", brief());
    QVERIFY(file.writeNow());
    const ordered_json json = ordered_json::parse(read(m_path).toStdString());
    QVERIFY(json["plugins"] == ordered_json::parse(R"([1, {"a": null}])"));
    QVERIFY(json["window"]["mood"] == "calm");
    QVERIFY(json["chat"]["colour"] == "red");
    QVERIFY(json["chat"]["length_cap"] == 64);
    QVERIFY(json["presets"]["Short"]["note"] == "mine");
}

void TestSettingsFile::whereNothingCanBeWrittenNothingIsLostInMemory()
{
    // A file where the folder should be stops root too, whom permissions do not.
    write(m_folder->filePath("taken"), "x");
    app::SettingsFile file(m_folder->filePath("taken/settings.json"));
    const QSignalSpy failures(&file, &app::SettingsFile::writeFailed);
    file.setChatDefaults(brief());
    file.setPreset("Short", brief());
    QTRY_COMPARE(failures.count(), 1);
    QVERIFY(failures[0][0].toString().contains("cannot be saved"));
    file.setValue("window/list", false);
    QVERIFY(!file.writeNow());
    QCOMPARE(failures.count(), 1); // told once
    QCOMPARE(file.chatDefaults(), brief());
    QCOMPARE(file.preset("Short"), brief());
    QVERIFY(QFile::remove(m_folder->filePath("taken")));
    QVERIFY(file.writeNow());
    QCOMPARE(app::SettingsFile(m_folder->filePath("taken/settings.json")).preset("Short"), brief());
}

void TestSettingsFile::aFileThatCannotBeReadIsLeftAlone()
{
    QVERIFY(QDir().mkpath(m_path)); // a folder of that name cannot be read by anyone
    app::SettingsFile file(m_path);
    QCOMPARE(file.notes().size(), 1);
    file.setChatDefaults(brief());
    file.writeNow();
    QVERIFY(QFileInfo(m_path).isDir());
    QCOMPARE(file.chatDefaults(), brief());
}

void TestSettingsFile::presetsAndModelsComeAndGo()
{
    app::SettingsFile file(m_path);
    const QSignalSpy changes(&file, &app::SettingsFile::chatSettingsChanged);
    file.setPreset("b", brief());
    file.setPreset("A", app::ChatSettings());
    file.setModelSettings("tiny.gguf", brief());
    QCOMPARE(changes.count(), 3);
    QCOMPARE(file.presetNames(), QStringList({ "A", "b" }));
    file.setPreset("b", std::nullopt);
    file.setModelSettings("tiny.gguf", std::nullopt);
    QVERIFY(file.writeNow());
    const app::SettingsFile again(m_path);
    QCOMPARE(again.presetNames(), QStringList("A"));
    QVERIFY(!again.modelSettings("tiny.gguf"));
}

QTEST_GUILESS_MAIN(TestSettingsFile)
#include "tst_settings_file.moc"
