#include "tests/ui/inspector_screenshots.h"

#include "ui/guide/cache_window.h"
#include "ui/guide/capped_answer_window.h"
#include "ui/guide/guide_actions.h"
#include "ui/guide/guide_window.h"
#include "ui/inspect/candidate_list.h"
#include "ui/inspect/inspector_actions.h"
#include "ui/inspect/step_bar.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/vocabulary_control.h"
#include "ui/inspect/vocabulary_search.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QToolButton>

namespace tests {

namespace {
    void saveTabs(RealProgram& program, const QString& folder, const QString& suffix)
    {
        QTabWidget& tabs = program.window->inspectorPane().tabs();
        for (int i = 0; i < tabs.count(); ++i) {
            tabs.setCurrentIndex(i);
            const QString title = tabs.tabText(i).remove(QLatin1Char('&')).toLower();
            program.save(folder, QStringLiteral("inspector-") + title + suffix);
        }
        tabs.setCurrentIndex(0);
    }

    /// What matches in the whole vocabulary, and the buttons that fork to it or ban it.
    void saveSearch(RealProgram& program, const QString& folder, const QString& suffix)
    {
        ui::TokensTab& tab = program.window->inspectorPane().tokens();
        ui::VocabularySearch& search = tab.details().search();
        auto* field = search.findChild<QLineEdit*>(QStringLiteral("vocabularyField"));
        field->setText(QStringLiteral("Lon"));
        const app::ScoreSearch& scores = program.window->vocabulary().scores();
        until([&] { return scores.state() == app::ScoreState::Ready; }, "the scores are read");
        QTest::qWait(50);
        QTest::keyClick(field, Qt::Key_Down);
        auto* area = tab.findChild<QScrollArea*>(QStringLiteral("tokenDetails"));
        auto* ban = tab.details().findChild<QToolButton*>(QStringLiteral("banEverywhere"));
        area->ensureWidgetVisible(ban);
        program.save(folder, QStringLiteral("inspector-search") + suffix);
        field->clear();
    }

    void savePrompt(RealProgram& program, const QString& folder, const QString& suffix)
    {
        QTabWidget& tabs = program.window->inspectorPane().tabs();
        tabs.setCurrentIndex(2);
        auto* messages = tabs.findChild<QToolButton*>(QStringLiteral("promptAsMessages"));
        messages->click();
        program.save(folder, QStringLiteral("inspector-messages") + suffix);
        tabs.findChild<QToolButton*>(QStringLiteral("promptAsText"))->click();
        tabs.setCurrentIndex(0);
    }

    void saveGuide(RealProgram& program, const QString& folder, const QString& suffix)
    {
        ui::GuideWindow& guide = *program.window->guide().showGuide();
        for (int pass = 0; pass < 2; ++pass) {
            guide.findChild<QPushButton*>(QStringLiteral("step"))->click();
            auto* answer = guide.findChild<QLineEdit*>(QStringLiteral("yourAnswer"));
            while (answer->isVisible()) {
                answer->setText(QStringLiteral("each word needs the one before it"));
                guide.findChild<QPushButton*>(QStringLiteral("give"))->click();
                if (pass == 1)
                    break;
                guide.findChild<QPushButton*>(QStringLiteral("nextQuestion"))->click();
            }
        }
        RealProgram::save(guide, folder, QStringLiteral("guide") + suffix);
        auto* choice = guide.findChild<QComboBox*>(QStringLiteral("script"));
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_End);
        guide.findChild<QPushButton*>(QStringLiteral("run"))->click();
        until(
            [&] {
                return guide.findChild<QLabel*>(QStringLiteral("count"))->text().contains(QLatin1String(" = "))
                    && guide.findChild<QLabel*>(QStringLiteral("state"))->text().startsWith(QLatin1String("Complete"));
            },
            "the guide's run has ended");
        RealProgram::save(guide, folder, QStringLiteral("guide-model") + suffix);
        guide.close();
        ui::CacheWindow& cache = *program.window->guide().showCacheQuestion();
        cache.findChild<QPushButton*>(QStringLiteral("prove"))->click();
        auto* proof = cache.findChild<QLabel*>(QStringLiteral("proof"));
        until(
            [&] {
                return !proof->text().isEmpty() && !proof->text().contains(QStringLiteral("…"));
            },
            "reuse is proved");
        RealProgram::save(cache, folder, QStringLiteral("cache-question") + suffix);
        cache.close();
        program.window->guide().showCappedAnswer();
        auto* capped = program.window->findChild<ui::CappedAnswerWindow*>();
        RealProgram::save(*capped, folder, QStringLiteral("capped-answer") + suffix);
        capped->close();
    }
}

void saveInspector(RealProgram& program, const QString& folder, const QString& suffix)
{
    QTest::keyClick(
        program.window.get(), Qt::Key_Comma, Qt::ControlModifier); // room for the inspector
    program.ask("What is the capital of France?", 256);
    program.ends();
    QTest::keyClick(program.window.get(), Qt::Key_I, Qt::ControlModifier);
    program.press(Qt::Key_End);
    program.press(Qt::Key_Left, 2); // " Paris"
    saveTabs(program, folder, suffix);
    saveSearch(program, folder, suffix);
    ui::CandidateList& candidates = program.window->inspectorPane().tokens().details().candidates();
    QTest::keyClick(&candidates, Qt::Key_Down);
    QTest::keyClick(&candidates, Qt::Key_F);
    until([&] { return program.chat().tree().turns().size() == 3; }, "the answer is forked");
    program.ends();
    program.press(Qt::Key_Home);
    program.save(folder, QStringLiteral("inspector-fork") + suffix);
    savePrompt(program, folder, suffix);
    program.ask("Name the planets of the solar system.", 256);
    program.writes(12);
    program.press(Qt::Key_Space);
    until([&] { return program.chat().lastDraft()->state() == app::DraftState::Paused; },
        "it pauses");
    const int count = program.chat().lastDraft()->tokenCount();
    program.press(Qt::Key_Period);
    program.writes(count + 1);
    program.press(Qt::Key_End);
    auto* next = program.window->inspectorActions().steps().findChild<QLineEdit*>(
        QStringLiteral("nextTokens"));
    next->setFocus();
    QTest::keyClicks(next, QStringLiteral(" and Pluto"));
    program.save(folder, QStringLiteral("inspector-paused") + suffix);
    program.workspace.stop(program.chat());
    program.ends();
    saveGuide(program, folder, suffix);
}

} // namespace tests
