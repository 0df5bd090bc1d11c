#pragma once

#include "tests/ui/window_fixture.h"
#include "ui/compare/compare_actions.h"
#include "ui/compare/compare_head.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/compare_text.h"
#include "ui/compare/variants_dialog.h"
#include "ui/notice_bar.h"

namespace tests {

/// The window with a capped answer and what is compared with it.
struct CompareFixture : WindowFixture {
    /// cap: of the answer, which has one token.
    explicit CompareFixture(int cap = 1024)
    {
        loadModel();
        app::ChatSettings settings = chat().settings();
        settings.lengthCap = cap;
        chat().setSettings(settings);
        send(QStringLiteral("Count"));
        engine.token("1, 2, 3");
        engine.end(engine::StopReason::LengthCap);
        settle();
    }
    ui::ComparePage* page() { return window.compare().page(); }
    void pressInWindow(Qt::Key key)
    {
        window.activateWindow(); // shortcuts are those of the active one
        settle();
        QTest::keyClick(&window, key, Qt::ControlModifier | Qt::ShiftModifier);
        settle();
    }
    /// Three runs beside the answer, with these caps.
    void compareCaps(const QString& caps = QStringLiteral("8 16 32"))
    {
        auto* dialog = window.compare().askForSettings(chat(), *chat().lastAnswerTurn());
        dialog->setThing(app::VariedThing::LengthCap);
        dialog->setValues(caps);
        dialog->accept();
        settle();
    }
    engine::RunId run(size_t index) { return engine.together.back()[index]; }
    void tell(size_t index, const std::string& text)
    {
        engine.tellOf(run(index));
        engine.token(text);
    }
    void endRun(size_t index, engine::StopReason reason)
    {
        engine.tellOf(run(index));
        engine.end(reason);
    }
    QString label(const char* name)
    {
        return page()->findChild<QLabel*>(QLatin1String(name))->text();
    }
    /// What is said besides of a column.
    QString remark(size_t column) { return columnText(column, "columnRemark"); }
    QString checks(size_t column) { return columnText(column, "columnChecks"); }
    QString columnText(size_t column, const char* name)
    {
        const auto* label = page()->head(column).findChild<QLabel*>(QLatin1String(name));
        return label->isVisible() ? label->text() : QString();
    }
    QString notice()
    {
        QStringList texts;
        for (const QLabel* label : window.findChild<ui::NoticeBar*>()->findChildren<QLabel*>())
            texts.append(label->text());
        return texts.join(QLatin1Char(' '));
    }
};

} // namespace tests
