#include "app/conversation/model_rounds.h"
#include "app/conversation/run_variants.h"
#include "tests/cases/program_without_window.h"
#include "tests/cases/smollm2_run.h"

using app::Conversation;
using engine::StopReason;
using tests::Program;

/// "Why here?", templates and models, with the real models.
class TestComparedModels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void whatIsToldToBeTheSameIsTheSameWhenItIsRun();
    void anotherTemplateReadsAnotherPrompt();
    void twoModelsAnswerOneAfterTheOther();

private:
    Conversation& asked(int cap);

    QTemporaryDir m_folder;
    QString m_gemma;
    std::unique_ptr<Program> m_program;
};

void TestComparedModels::initTestCase()
{
    const QString smollm2 = tests::smollm2Path();
    const auto gemma = tests::realModel(tests::kGemma3);
    if (smollm2.isEmpty() || !gemma)
        QSKIP(tests::kNoModel);
    m_gemma = QString::fromStdString(gemma->string());
    m_program = std::make_unique<Program>(m_folder, smollm2);
    VERIFY_READY(*m_program);
}

Conversation& TestComparedModels::asked(int cap)
{
    Conversation& chat = m_program->newChat(cap);
    if (!m_program->workspace.send(chat, tests::kCountingPrompt) || !m_program->ends(chat))
        qWarning("no answer");
    return chat;
}

void TestComparedModels::whatIsToldToBeTheSameIsTheSameWhenItIsRun()
{
    Conversation& chat = asked(8);
    const app::Answer& answer = *chat.lastAnswer();
    QCOMPARE(answer.draft()->ending()->ledger.reason, StopReason::LengthCap);
    std::vector<app::RunVariant> variants;
    for (const app::WhyColumn& column : app::whyHere(*answer.draft())) {
        QCOMPARE(column.same.isEmpty(), variants.empty()); // all but the cap
        variants.push_back(column.variant);
    }
    app::StartedGrid grid;
    QVERIFY(m_program->workspace.startTogether(chat, *chat.lastAnswerTurn(), variants,
        [&grid](const app::StartedGrid& started) { grid = started; }));
    QVERIFY(m_program->ends(chat));
    QCOMPARE(grid.cells.size(), size_t(3));
    for (size_t i = 0; i < 3; ++i) {
        const app::Draft& run = *chat.findTurn(grid.cells[i].answer)->draft();
        QCOMPARE(run.ending()->tokenIds == answer.draft()->ending()->tokenIds, i > 0);
        QCOMPARE(run.text() == answer.text(), i > 0);
    }
}

void TestComparedModels::anotherTemplateReadsAnotherPrompt()
{
    Conversation& chat = asked(4);
    app::StartedGrid grid;
    QVERIFY(m_program->workspace.startTogether(chat, *chat.lastAnswerTurn(),
        *app::templateVariants(chat.settings(), { { app::PromptFormatKind::Own }, { app::PromptFormatKind::None } }),
        [&grid](const app::StartedGrid& started) { grid = started; }));
    QVERIFY(m_program->ends(chat));
    const app::Draft& own = *chat.findTurn(grid.cells[0].answer)->draft();
    const app::Draft& none = *chat.findTurn(grid.cells[1].answer)->draft();
    QCOMPARE(own.ending()->tokenIds, chat.lastDraft()->ending()->tokenIds);
    QCOMPARE(none.origin().promptText, std::string(tests::kCountingPrompt));
    QVERIFY(none.origin().request.promptIds.size() < own.origin().request.promptIds.size());
    QCOMPARE(none.tokenCount(), 4);
}

void TestComparedModels::twoModelsAnswerOneAfterTheOther()
{
    Conversation& chat = asked(4);
    app::ChatSettings settings = chat.settings();
    settings.family = engine::TemplateFamily::Gemma; // where the file has none of its own
    const QString smollm2 = QString::fromStdString(m_program->workspace.loadRequest().path);
    app::ModelRounds rounds(m_program->workspace);
    QVERIFY(rounds.begin(chat, *chat.lastAnswerTurn(), *app::modelVariants(settings, { m_gemma, smollm2 })));
    QVERIFY(QTest::qWaitFor([&] { return !rounds.isUnderWay(); }, tests::kLimitMs));
    for (const app::GridCell& cell : rounds.cells())
        QVERIFY2(cell.answer != 0, cell.problem ? qPrintable(cell.problem->message) : "not begun");
    const app::Draft& other = *chat.findTurn(rounds.cells()[0].answer)->draft();
    const app::Draft& again = *chat.findTurn(rounds.cells()[1].answer)->draft();
    QCOMPARE(other.origin().checkpointFile, std::string(tests::kGemma3));
    QVERIFY(other.ending() && other.tokenCount() > 0);
    QVERIFY(other.origin().promptText.find("<start_of_turn>") != std::string::npos);
    QCOMPARE(again.ending()->tokenIds, chat.lastDraft()->ending()->tokenIds);
    QVERIFY(QTest::qWaitFor(
        [&] { return m_program->workspace.modelState() == app::ModelState::Ready; }, tests::kLimitMs));
    QCOMPARE(QString::fromStdString(m_program->workspace.model()->description.path), smollm2);
}

QTEST_MAIN(TestComparedModels)
#include "tst_compared_models.moc"
