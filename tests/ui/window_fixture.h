#pragma once

#include "tests/support/fake_engine.h"
#include "ui/chat/answer_view.h"
#include "ui/chat/chat_page.h"
#include "ui/main_window.h"

#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

namespace tests {

/// The whole window on a fake engine, shown offscreen and driven by real events.
struct WindowFixture {
    QTemporaryDir folder;
    app::SettingsFile store { folder.filePath(QStringLiteral("settings.json")) };
    FakeEngine engine;
    app::Workspace workspace { engine.factory() };
    app::ModelFinder models;
    app::DeviceFinder devices;
    ui::MainWindow window { { workspace, models, devices, store } };

    WindowFixture()
    {
        window.show();
        window.activateWindow();
        QTest::qWait(20);
    }

    void loadModel()
    {
        window.openModel(QStringLiteral("/models/tiny.gguf"));
        engine.finishLoad();
        settle();
    }
    /// Until what the engine told has arrived and is painted.
    void settle(int ms = 40) { QTest::qWait(ms); }

    ui::MessageEdit* edit() { return window.chatPage().input().edit(); }
    QPushButton* button() { return window.findChild<QPushButton*>(QStringLiteral("sendButton")); }
    void type(const QString& text) { QTest::keyClicks(edit(), text); }
    void send(const QString& text)
    {
        type(text);
        QTest::keyClick(edit(), Qt::Key_Return);
        settle();
    }

    ui::ChatView& view() { return window.chatPage().view(); }
    app::Conversation& chat() { return *window.conversation(); }
    ui::AnswerView* lastAnswer() { return view().answerAt(chat().turnCount() - 1); }
    QLabel* stateLabel()
    {
        return lastAnswer()->footer().findChild<QLabel*>(QStringLiteral("draftState"));
    }
    QAbstractButton* chip()
    {
        return lastAnswer()->footer().findChild<QAbstractButton*>(QStringLiteral("stopReason"));
    }
    /// The second line of the footer as it reads on screen.
    QString figures()
    {
        QString text = lastAnswer()->footer().findChild<QLabel*>(QStringLiteral("figures"))->text();
        return text.replace(QChar::Nbsp, QLatin1Char(' '));
    }
    /// All that the footer says on screen.
    QString footerText()
    {
        QStringList texts;
        for (const QLabel* label : lastAnswer()->footer().findChildren<QLabel*>())
            if (label->isVisible())
                texts.append(label->text().replace(QChar::Nbsp, QLatin1Char(' ')));
        return texts.join(QStringLiteral(" · "));
    }
    /// The card under the messages; null when none is shown.
    QWidget* problemCard()
    {
        auto* card = view().findChild<QWidget*>(QStringLiteral("problemCard"));
        return card && card->isVisible() ? card : nullptr;
    }
    QString problemText()
    {
        return problemCard()
            ? problemCard()->findChild<QLabel*>(QStringLiteral("errorMessage"))->text()
            : QString();
    }
};

} // namespace tests
