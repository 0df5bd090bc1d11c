#include "app/cli/engine_factory.h"
#include "tests/support/reference_data.h"
#include "ui/guide/cache_window.h"
#include "ui/guide/guide_actions.h"
#include "ui/guide/guide_window.h"
#include "ui/guide/mask_triangle.h"
#include "ui/guide/pass_table.h"
#include "ui/main_window.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

namespace {
constexpr int kLoadLimitMs = 120'000; // compiling kernels on a shared software device
constexpr int kRunLimitMs = 120'000;

QString textOf(QWidget& window, const char* name)
{
    return window.findChild<QLabel*>(QLatin1String(name))->text();
}

void press(QWidget& window, const char* name)
{
    QTest::mouseClick(window.findChild<QPushButton*>(QLatin1String(name)), Qt::LeftButton);
}
}

/// The guided trace and the cache question with the real engine and a real model.
class TestRealGuide : public QObject {
    Q_OBJECT
private slots:
    void thePassesAreMeasuredAndReuseIsProved();
};

void TestRealGuide::thePassesAreMeasuredAndReuseIsProved()
{
    const auto path = tests::realModel(tests::kSmolLM2);
    if (!path)
        QSKIP(tests::kNoModel);
    QTemporaryDir folder;
    app::SettingsFile store(folder.filePath(QStringLiteral("settings.json")));
    app::Workspace workspace(app::threadBackend(app::engineFactory()));
    app::ModelFinder models;
    app::DeviceFinder devices;
    ui::MainWindow window({ workspace, models, devices, store });
    window.show();
    window.openModel(QString::fromStdString(path->string()));
    QTRY_VERIFY_WITH_TIMEOUT(workspace.modelState() == app::ModelState::Ready, kLoadLimitMs);

    ui::GuideWindow& guide = *window.guide().showGuide();
    auto* choice = guide.findChild<QComboBox*>(QStringLiteral("script"));
    choice->setFocus();
    QTest::keyClick(choice, Qt::Key_End);
    press(guide, "run");
    const auto newest = [&]() -> const app::Draft* {
        for (const auto& chat : workspace.conversations())
            if (chat->lastDraft())
                return chat->lastDraft();
        return nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(newest() && newest()->ending(), kRunLimitMs);
    QTest::qWait(50);
    const app::Draft& run = *newest();
    const int tokens = run.tokenCount();
    QVERIFY(tokens > 3);
    QVERIFY(QString::fromStdString(run.text()).contains(QStringLiteral("Paris")));
    QCOMPARE(textOf(guide, "count"),
        QStringLiteral("%1 new tokens = 1 prefill + %2 decode passes").arg(tokens).arg(tokens - 1));
    QCOMPARE(run.ending()->decodePassCount, tokens - 1); // the engine's own count
    auto& passes = *guide.findChild<ui::PassTable*>();
    QCOMPARE(passes.rowCount(), run.ending()->prefillChunkCount + tokens - 1);
    QVERIFY(!passes.isColumnHidden(5));
    const int promptCount = int(run.origin().request.promptIds.size());
    int computed = 0;
    int withoutCache = 0;
    for (int row = 0; row < passes.rowCount(); ++row) {
        computed += passes.item(row, 2)->text().toInt();
        const int cache = passes.item(row, 3)->text().toInt();
        QCOMPARE(cache, computed); // a new chat: nothing was there before
        if (row >= run.ending()->prefillChunkCount) {
            QCOMPARE(passes.item(row, 2)->text(), QStringLiteral("1"));
            QVERIFY(passes.item(row, 1)->text().size() >= passes.item(row - 1, 1)->text().size());
        }
        if (row >= run.ending()->prefillChunkCount - 1)
            withoutCache += cache;
        QVERIFY(passes.item(row, 5)->text().endsWith(QStringLiteral(" ms"))); // measured
    }
    QCOMPARE(computed, promptCount + tokens - 1);
    QCOMPARE(textOf(guide, "positions"),
        QStringLiteral("Computed so far: %1 positions with a cache, %2 without.")
            .arg(computed)
            .arg(withoutCache));
    QVERIFY(passes.item(passes.rowCount() - 1, 4)->text().endsWith(QStringLiteral("(ends it)")));
    const auto& mask = *guide.findChild<ui::MaskTriangle*>();
    QCOMPARE(int(mask.rows().size()) + mask.hiddenCount(), computed);
    QVERIFY(mask.rows().back().isComputed && !mask.rows()[mask.rows().size() - 2].isComputed);
    // Once more: what the cache holds of the prompt is told apart from what was computed.
    press(guide, "run");
    const QString again = QStringLiteral(
        "Computed so far: %1 positions with a cache, %2 without. The cache held %3 of the prompt "
        "from an earlier run.")
                              .arg(tokens)
                              .arg(withoutCache)
                              .arg(promptCount - 1);
    QTRY_COMPARE_WITH_TIMEOUT(textOf(guide, "positions"), again, kRunLimitMs);
    QCOMPARE(textOf(guide, "count"),
        QStringLiteral("%1 new tokens = 1 prefill + %2 decode passes").arg(tokens).arg(tokens - 1));
    guide.close();

    ui::CacheWindow& cache = *window.guide().showCacheQuestion();
    QVERIFY(cache.question());
    const app::CacheQuestion question = *cache.question();
    QCOMPARE(question.obstacle, std::optional<app::CacheCondition>());
    QVERIFY(question.endsAlike); // "way"
    QVERIFY(question.commonCount >= 3 && question.commonCount < 8); // "Find a train from"
    QVERIFY(
        textOf(cache, "sum")
            .startsWith(QStringLiteral("Not shareable past token %1:").arg(question.commonCount)));
    press(cache, "prove");
    QTRY_VERIFY_WITH_TIMEOUT(
        textOf(cache, "proof").contains(QStringLiteral("The same tokens")), kRunLimitMs);
    const QString proof = textOf(cache, "proof");
    QVERIFY2(
        proof.contains(QStringLiteral("With reuse: %1 tokens reused,").arg(question.commonCount)),
        qPrintable(proof));
    QVERIFY2(proof.contains(QStringLiteral("Without: 0 tokens reused,")), qPrintable(proof));
    cache.close();
}

QTEST_MAIN(TestRealGuide)
#include "tst_real_guide.moc"
