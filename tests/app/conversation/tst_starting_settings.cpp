#include "app/conversation/starting_settings.h"

#include "app/conversation/workspace.h"
#include "tests/support/fake_engine.h"

#include <QTemporaryDir>
#include <QTest>

namespace {

app::ChatSettings withCap(int lengthCap)
{
    app::ChatSettings settings;
    settings.lengthCap = lengthCap;
    return settings;
}

struct Fixture {
    QTemporaryDir folder;
    app::SettingsFile file { folder.filePath(QStringLiteral("settings.json")) };
    tests::FakeEngine engine;
    app::Workspace workspace { engine.factory() };
    app::StartingSettings starting { workspace, file };

    void load(const char* path)
    {
        engine::ModelLoadRequest request;
        request.path = path;
        workspace.loadModel(request);
    }
    int capOfNewChat()
    {
        return workspace.addConversation(app::ConversationKind::Chat).settings().lengthCap;
    }
};

}

class TestStartingSettings : public QObject {
    Q_OBJECT
private slots:
    void newChatsTakeTheModelsSettingsElseTheDefaults();
    void anUntouchedChatFollowsTheModelAndOthersDoNot();
};

void TestStartingSettings::newChatsTakeTheModelsSettingsElseTheDefaults()
{
    Fixture fixture;
    QCOMPARE(fixture.capOfNewChat(), app::ChatSettings().lengthCap);
    fixture.file.setChatDefaults(withCap(10));
    fixture.file.setModelSettings("a.gguf", withCap(20));
    QCOMPARE(fixture.capOfNewChat(), 10);
    fixture.load("/models/a.gguf");
    QCOMPARE(fixture.capOfNewChat(), 20);
    fixture.load("/elsewhere/b.gguf");
    QCOMPARE(fixture.capOfNewChat(), 10);
    fixture.load("/elsewhere/a.gguf"); // the file's name counts, not its folder
    QCOMPARE(fixture.capOfNewChat(), 20);
    fixture.file.setModelSettings("a.gguf", std::nullopt);
    QCOMPARE(fixture.capOfNewChat(), 10);
}

void TestStartingSettings::anUntouchedChatFollowsTheModelAndOthersDoNot()
{
    Fixture fixture;
    fixture.file.setModelSettings("a.gguf", withCap(20));
    app::Conversation& untouched = fixture.workspace.addConversation(app::ConversationKind::Chat);
    app::Conversation& changed = fixture.workspace.addConversation(app::ConversationKind::Chat);
    changed.setSettings(withCap(7));
    fixture.load("/models/a.gguf");
    QCOMPARE(untouched.settings().lengthCap, 20);
    QCOMPARE(changed.settings().lengthCap, 7);
    // What is kept for a model is for new chats: this one keeps what it has.
    fixture.file.setModelSettings("a.gguf", std::nullopt);
    QCOMPARE(untouched.settings().lengthCap, 20);
}

QTEST_GUILESS_MAIN(TestStartingSettings)
#include "tst_starting_settings.moc"
