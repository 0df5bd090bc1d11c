#include "tests/support/fake_engine.h"
#include "ui/main_window.h"
#include "ui/notice_bar.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

class TestNoticeBar : public QObject {
    Q_OBJECT
private slots:
    void whatLiesBeneathIsShownAgainUntilItIsClosed();
    void badSettingsAreToldOnceByTheWindow();
};

void TestNoticeBar::whatLiesBeneathIsShownAgainUntilItIsClosed()
{
    ui::NoticeBar bar;
    auto* close = bar.findChild<QToolButton*>();
    bar.show(ui::NoticeBar::Kind::Note, "Deleted.", {}, "Undo", 60);
    bar.showBeneath(ui::NoticeBar::Kind::Warning, "Bad value.", {});
    QCOMPARE(bar.text(), QString("Deleted."));
    QTRY_COMPARE(bar.text(), QString("Bad value."));
    bar.show(ui::NoticeBar::Kind::Note, "Deleted again.");
    QTest::mouseClick(close, Qt::LeftButton);
    QCOMPARE(bar.text(), QString("Bad value."));
    QTest::mouseClick(close, Qt::LeftButton);
    QVERIFY(!bar.isVisible());
    bar.show(ui::NoticeBar::Kind::Note, "Deleted.");
    QTest::mouseClick(close, Qt::LeftButton);
    QVERIFY(!bar.isVisible());
}

void TestNoticeBar::badSettingsAreToldOnceByTheWindow()
{
    QTemporaryDir folder;
    QFile file(folder.filePath("settings.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"version": 1, "window": {"textScale": 9}, "chat": {"top_p": 40}})");
    file.close();
    app::SettingsFile store(file.fileName());
    tests::FakeEngine engine;
    app::Workspace workspace(engine.factory());
    app::ModelFinder models;
    app::DeviceFinder devices;
    ui::MainWindow window({ workspace, models, devices, store });
    window.show();
    auto* bar = window.findChild<ui::NoticeBar*>();
    QCOMPARE(bar->text(),
        QString("window/textScale is 9; it must be a number from 0.5 to 3. The default is used.\n"
                "chat/top_p is 40; it must be a number from 0 to 1. The default is used."));
    QTest::mouseClick(bar->findChild<QToolButton*>(), Qt::LeftButton);
    QVERIFY(!bar->isVisible());
    QTest::qWait(50);
    QVERIFY(!bar->isVisible());
}

QTEST_MAIN(TestNoticeBar)
#include "tst_notice_bar.moc"
