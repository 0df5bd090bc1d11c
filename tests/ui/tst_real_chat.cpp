#include "app/cli/engine_factory.h"
#include "tests/support/reference_data.h"
#include "ui/chat/answer_view.h"
#include "ui/chat/chat_page.h"
#include "ui/main_window.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

using engine::StopReason;

/// The window with the real engine and a real model, from keys to the terminal event.
/// With TOKENGLASS_PICTURES=FOLDER it leaves pictures there.
class TestRealChat : public QObject {
    Q_OBJECT
private slots:
    void aQuestionIsAnsweredAndStoppedAnswersStayPartial();
};

namespace {

constexpr int kLoadLimitMs = 120'000; // compiling kernels on a shared software device
constexpr int kAnswerLimitMs = 120'000;

void picture(QWidget& window, const char* name)
{
    const QString folder = qEnvironmentVariable("TOKENGLASS_PICTURES");
    if (!folder.isEmpty())
        window.grab().save(
            folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
}

}

void TestRealChat::aQuestionIsAnsweredAndStoppedAnswersStayPartial()
{
    const auto path = tests::realModel(tests::kSmolLM2);
    if (!path)
        QSKIP(tests::kNoModel);
    QApplication::setPalette(ui::paletteFor(ui::Appearance::Light, QApplication::palette()));
    QTemporaryDir folder;
    app::SettingsFile store(folder.filePath(QStringLiteral("settings.json")));
    app::Workspace workspace(app::threadBackend(app::engineFactory()));
    app::ModelFinder models;
    app::DeviceFinder devices;
    ui::MainWindow window({ workspace, models, devices, store });
    window.show();
    models.search(app::modelFolders());
    window.openModel(QString::fromStdString(path->string()));
    QTRY_VERIFY_WITH_TIMEOUT(workspace.modelState() != app::ModelState::Loading, kLoadLimitMs);
    QVERIFY2(workspace.modelState() == app::ModelState::Ready,
        workspace.modelProblem() ? qPrintable(workspace.modelProblem()->message) : "");

    app::Conversation& chat = *window.conversation();
    app::ChatSettings settings = chat.settings();
    settings.sampling.temperature = 0;
    settings.lengthCap = 64;
    chat.setSettings(settings);
    ui::MessageEdit* edit = window.chatPage().input().edit();
    QTest::keyClicks(edit, QStringLiteral("What is the capital of France?"));
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY(chat.lastDraft());
    QTRY_VERIFY_WITH_TIMEOUT(chat.lastDraft()->ending(), kAnswerLimitMs);
    QTest::qWait(50);
    picture(window, "real-answer");
    QCOMPARE(chat.lastDraft()->ending()->ledger.reason, StopReason::EndToken);
    QVERIFY(QString::fromStdString(chat.lastDraft()->text()).contains(QStringLiteral("Paris")));
    QVERIFY(chat.lastDraft()->firstOutputMs());
    QVERIFY(*chat.lastDraft()->firstOutputMs() <= *chat.lastDraft()->completionMs() + 50);
    ui::AnswerView* answer = window.chatPage().view().answerAt(1);
    QCOMPARE(answer->words().chip, QStringLiteral("end token <|im_end|>"));

    settings.lengthCap = 1000;
    chat.setSettings(settings);
    QTest::keyClicks(edit, QStringLiteral("Count from 1 to 500."));
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(chat.lastDraft()->tokenCount() >= 5, kAnswerLimitMs);
    QTest::keyClick(edit, Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(chat.lastDraft()->ending(), 5000);
    QTest::qWait(50);
    picture(window, "real-stopped");
    QCOMPARE(chat.lastDraft()->ending()->ledger.reason, StopReason::Cancelled);
    QVERIFY(chat.lastDraft()->isPartial());
    // The second prompt begins with the first chat, word for word.
    QVERIFY(chat.lastDraft()->ending()->cache.reusedTokens > 0);
}

QTEST_MAIN(TestRealChat)
#include "tst_real_chat.moc"
