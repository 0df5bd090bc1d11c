#include "app/runs/opened_record.h"
#include "app/runs/pass_list.h"
#include "app/runs/run_json.h"
#include "app/runs/run_record.h"
#include "app/storage/schema.h"
#include "app/storage/storage.h"
#include "tests/app/storage/store_samples.h"

#include <ctime>

using namespace app;
using engine::StopReason;
using engine::Verdict;

namespace {

std::string recordAt(const QString& openedAt, const char* file, const char* family, int cap)
{
    nlohmann::ordered_json record { { "schema", 1 }, { "opened_at", openedAt.toStdString() },
        { "started_by", "person" },
        { "checkpoint", { { "file_name", file }, { "name", "Tiny" } } },
        { "template", nullptr }, { "caps", { { "length", cap } } }, { "stop", nullptr } };
    if (family)
        record["template"] = { { "family", family } };
    return record.dump();
}

/// Three conversations, five runs; the numbers say nothing of their order.
StoreChanges fiveRuns()
{
    StoreChanges changes;
    const auto add = [&changes](int64_t chat, const QString& title, int64_t run,
                         const std::string& record, std::optional<StopReason> reason) {
        changes.push_back(PutConversation { tests::conversation(chat, title) });
        changes.push_back(PutMessage { tests::question(run + 1, chat, 0, "Hi") });
        changes.push_back(PutMessage { tests::answer(run + 2, chat, run + 1) });
        OpenRun opened = tests::openedRun(run, run + 2);
        opened.run.record = record;
        changes.push_back(opened);
        if (!reason)
            return;
        EndRun ended = tests::endedRun(run, *reason, "Hello");
        ended.tokens = tests::sampleTokens(3);
        ended.record = record;
        changes.push_back(ended);
    };
    const std::string may = recordAt("2026-05-01T12:00:00.000Z", "a.gguf", "ChatML", 64);
    const std::string june = recordAt("2026-06-01T12:00:00.000Z", "b.gguf", "Llama 3", 128);
    const std::string july = recordAt("2026-07-01T12:00:00.000Z", "a.gguf", nullptr, 64);
    add(1, "Opening hours", 100, june, StopReason::EndToken);
    add(1, "Opening hours", 200, may, StopReason::LengthCap);
    add(2, "Haiku", 300, july, StopReason::EndToken);
    add(2, "Haiku", 400, may, std::nullopt);
    add(3, "Rail journey", 500, may, StopReason::LengthCap);
    return changes;
}

std::vector<StoredRunId> idsOf(const engine::Result<RunList>& list)
{
    std::vector<StoredRunId> ids;
    if (list)
        for (const RunRow& row : list->rows)
            ids.push_back(row.id);
    return ids;
}

using Ids = std::vector<StoredRunId>;

}

class TestRunList : public QObject {
    Q_OBJECT
private slots:
    void init();
    void theNewestRunComesFirst();
    void aRowTellsWhatTheRecordTells();
    void everyFilterLeavesOutTheOthers();
    void reasonsModelsAndTemplatesAreCounted();
    void deletedAndPurgedChatsAreNotListed();
    void anInterruptedRunIsListedAsSuch();
    void aFileOfVersion4GetsItsFacts();
    void aWholeRecordComesBackFromItsRows();
    void aRecordThatCannotBeReadIsStillListed();
    void theStorageThreadAnswersWithValues();
    void tenThousandRunsAreListedInATenthOfASecond();

private:
    std::unique_ptr<tests::StoreFolder> m_folder;
    std::unique_ptr<ChatStore> m_store;
};

void TestRunList::init()
{
    m_store.reset();
    m_folder = std::make_unique<tests::StoreFolder>();
    m_store = tests::openedStore(m_folder->databasePath());
    VERIFY_OK(m_store->write(fiveRuns()));
}

void TestRunList::theNewestRunComesFirst()
{
    const auto list = m_store->listRuns({});
    VERIFY_OK(list);
    QCOMPARE(idsOf(list), (Ids { 300, 100, 500, 400, 200 }));
    QCOMPARE(list->storedCount, 5);
    QCOMPARE(list->checkpointFiles, QStringList({ "a.gguf", "b.gguf" }));
}

void TestRunList::aRowTellsWhatTheRecordTells()
{
    const auto list = m_store->listRuns({});
    VERIFY_OK(list);
    RunRow expected;
    expected.id = 100;
    expected.message = 102;
    expected.conversation = 1;
    expected.title = "Opening hours";
    expected.openedAt = QDateTime::fromString(QStringLiteral("2026-06-01T12:00:00Z"), Qt::ISODate);
    expected.modelName = "Tiny";
    expected.checkpointFile = "b.gguf";
    expected.templateFamily = "Llama 3";
    expected.reason = StopReason::EndToken;
    expected.tokenCount = 3;
    expected.lengthCap = 128;
    expected.startedBy = "person";
    QVERIFY(list->rows[1] == expected);
    const RunRow& underWay = list->rows[3];
    QVERIFY(!underWay.reason && !underWay.tokenCount);
    QCOMPARE(underWay.verdict(), Verdict::Partial);
    QCOMPARE(list->rows[0].templateFamily, QString());
}

void TestRunList::everyFilterLeavesOutTheOthers()
{
    const auto ids = [this](const RunFilter& filter) { return idsOf(m_store->listRuns(filter)); };
    QCOMPARE(ids({ .checkpointFile = "b.gguf" }), (Ids { 100 }));
    QCOMPARE(ids({ .reason = StopReason::LengthCap }), (Ids { 500, 200 }));
    QCOMPARE(ids({ .verdict = Verdict::Complete }), (Ids { 300, 100 }));
    QCOMPARE(ids({ .verdict = Verdict::Partial }), (Ids { 400 }));
    QCOMPARE(ids({ .from = QDate(2026, 6, 1) }), (Ids { 300, 100 }));
    QCOMPARE(ids({ .to = QDate(2026, 6, 1) }), (Ids { 100, 500, 400, 200 }));
    QCOMPARE(ids({ .title = "HAIKU" }), (Ids { 300, 400 }));
    QCOMPARE(ids({ .reason = StopReason::EndToken, .title = "hours" }), (Ids { 100 }));
    QCOMPARE(ids({ .title = "no such title" }), Ids());
    QCOMPARE(m_store->listRuns({ .title = "no such title" })->storedCount, 5);
}

void TestRunList::reasonsModelsAndTemplatesAreCounted()
{
    const auto list = m_store->listRuns({});
    VERIFY_OK(list);
    const std::vector<RunCount> expected { { StopReason::LengthCap, "a.gguf", "ChatML", 2 },
        { StopReason::EndToken, "a.gguf", "", 1 }, { {}, "a.gguf", "ChatML", 1 },
        { StopReason::EndToken, "b.gguf", "Llama 3", 1 } };
    QCOMPARE(list->counts.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(list->counts[i] == expected[i], qPrintable(QString::number(i)));
    // Of the listed ones only.
    QCOMPARE(m_store->listRuns({ .title = "haiku" })->counts.size(), size_t(2));
}

void TestRunList::deletedAndPurgedChatsAreNotListed()
{
    VERIFY_OK(m_store->write({ MarkConversationDeleted { 1, tests::moment(0) } }));
    QCOMPARE(idsOf(m_store->listRuns({})), (Ids { 300, 500, 400 }));
    // An answer goes with the message it stands below.
    VERIFY_OK(m_store->write({ MarkMessageDeleted { 301, tests::moment(0) } }));
    QCOMPARE(idsOf(m_store->listRuns({})), (Ids { 500, 400 }));
    VERIFY_OK(m_store->write({ MarkConversationDeleted { 1, {} }, MarkMessageDeleted { 301, {} } }));
    QCOMPARE(idsOf(m_store->listRuns({})).size(), size_t(5));
    VERIFY_OK(m_store->write(
        { MarkConversationDeleted { 1, tests::moment(0) }, Purge { tests::moment(1) } }));
    const auto list = m_store->listRuns({});
    QCOMPARE(idsOf(list), (Ids { 300, 500, 400 }));
    QCOMPARE(list->checkpointFiles, QStringList("a.gguf"));
}

void TestRunList::anInterruptedRunIsListedAsSuch()
{
    AppendToRun more { 400, 0, "Hel", tests::sampleTokens(2) };
    VERIFY_OK(m_store->write({ more }));
    m_store.reset();
    m_store = tests::openedStore(m_folder->databasePath());
    const auto list = m_store->listRuns({ .reason = StopReason::Interrupted });
    QCOMPARE(idsOf(list), (Ids { 400 }));
    QCOMPARE(list->rows[0].tokenCount, std::optional(2));
    QCOMPARE(list->rows[0].checkpointFile, QString("a.gguf"));
}

void TestRunList::aFileOfVersion4GetsItsFacts()
{
    const auto before = m_store->listRuns({});
    VERIFY_OK(before);
    VERIFY_OK(m_store->write({ EndRun { 400, StopReason::Cancelled, "", 0, {}, "{}" } }));
    const auto ended = m_store->listRuns({});
    m_store.reset();
    {
        const auto database = Database::open(m_folder->databasePath());
        VERIFY_OK(database);
        VERIFY_OK((*database)->run("DROP TABLE run_facts"));
        VERIFY_OK((*database)->run("PRAGMA user_version = 4"));
    }
    m_store = tests::openedStore(m_folder->databasePath());
    const auto migrated = m_store->listRuns({});
    VERIFY_OK(migrated);
    QVERIFY(*migrated == *ended);
    QCOMPARE(migrated->rows.size(), size_t(5));
}

void TestRunList::aWholeRecordComesBackFromItsRows()
{
    RunOpening opening;
    opening.model.path = "/models/a.gguf";
    opening.request.promptIds = { 1, 4093, 198, 49151 };
    opening.promptText = "<|im_start|>user\nHi<|im_end|>\n";
    opening.startedBy = "person";
    RunRecord record(opening);
    std::string text;
    const std::vector<engine::TokenRecord> tokens = tests::sampleTokens(5);
    for (const engine::TokenRecord& token : tokens) {
        engine::TokenDecoded decoded;
        decoded.record = token;
        record.apply(decoded);
    }
    engine::RunEnded end;
    end.text = "Hello";
    end.timing.prefillEndMs = 3;
    engine::RunPass pass;
    pass.positionCount = 4;
    end.passes = { pass };
    record.apply(end);
    RunRecord packed = record;
    packed.packPasses(end.passes);
    OpenRun opened = tests::openedRun(900, 102, 1);
    opened.run.record = packed.withoutPromptAndTokens();
    EndRun ended = tests::endedRun(900, end.ledger.reason, end.text);
    ended.tokens = tokens;
    ended.record = opened.run.record;
    VERIFY_OK(m_store->write({ opened, ended }));
    const auto whole = m_store->readRecord(900);
    VERIFY_OK(whole);
    QCOMPARE(dumped(*whole, 1), dumped(record.json(), 1));
    const auto read = recordFrom(dumped(*whole));
    VERIFY_OK(read);
    QCOMPARE(read->tokens.size(), size_t(5));
    const auto missing = m_store->readRecord(901);
    QVERIFY(!missing && tests::errorText(missing).contains("901"));
}

void TestRunList::aRecordThatCannotBeReadIsStillListed()
{
    VERIFY_OK(m_store->write({ PutRecord { 100, "not JSON" }, PutRecord { 200, "[1]" } }));
    const auto list = m_store->listRuns({});
    VERIFY_OK(list);
    QCOMPARE(list->rows.size(), size_t(5));
    for (const RunRow& row : list->rows)
        if (row.id == 100) {
            QCOMPARE(row.checkpointFile, QString());
            QCOMPARE(row.openedAt, tests::moment(102)); // its message's
        }
    VERIFY_OK(m_store->readRecord(100));
}

void TestRunList::theStorageThreadAnswersWithValues()
{
    m_store.reset();
    Storage storage(m_folder->databasePath());
    std::optional<engine::Result<RunList>> list;
    std::optional<engine::Result<nlohmann::ordered_json>> record;
    storage.listRuns({ .title = "rail" }, [&](auto answer) { list = std::move(answer); });
    storage.readRecord(500, [&](auto answer) { record = std::move(answer); });
    QVERIFY(storage.flush(30'000));
    QVERIFY(QTest::qWaitFor([&] { return list && record; }, 10'000));
    QCOMPARE(idsOf(*list), (Ids { 500 }));
    VERIFY_OK(*record);
    QCOMPARE((*record)->at("text").get<std::string>(), std::string("Hello"));
}

void TestRunList::tenThousandRunsAreListedInATenthOfASecond()
{
    constexpr int kRunCount = 10'000;
    m_store.reset();
    {
        const auto database = Database::open(m_folder->databasePath());
        VERIFY_OK(database);
        // Records and texts as long as those of a hundred tokens.
        nlohmann::ordered_json record = nlohmann::ordered_json::parse(
            recordAt("2026-05-01T12:00:00.000Z", "a.gguf", "ChatML", 64));
        record["passes"] = { { "packed", std::string(3000, 'p') } };
        const auto written = (*database)->inTransaction(false, [&]() -> engine::Result<void> {
            for (int i = 0; i < kRunCount; ++i)
                TRY((*database)->run("INSERT INTO runs VALUES (?, 102, 0, 'length_cap', ?, 100, ?,"
                                     " 'a.gguf')",
                    { 1000 + i, QByteArray(400, 't'), sqlBytes(record.dump()) }));
            TRY((*database)->run("DROP TABLE run_facts"));
            return (*database)->run("PRAGMA user_version = 4");
        });
        VERIFY_OK(written);
    }
    m_store = tests::openedStore(m_folder->databasePath());
    VERIFY_OK(m_store->listRuns({})); // the first reading of the file
    const std::clock_t begin = std::clock();
    const auto list = m_store->listRuns({});
    const double cpuMs = 1000.0 * double(std::clock() - begin) / CLOCKS_PER_SEC;
    QCOMPARE(list->rows.size(), size_t(kRunCount + 5));
    qInfo("%.1f ms of CPU", cpuMs);
    QVERIFY2(cpuMs < 400, qPrintable(QString::number(cpuMs))); // 4 times the aim: busy machines
}

QTEST_GUILESS_MAIN(TestRunList)
#include "tst_run_list.moc"
