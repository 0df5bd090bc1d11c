#include "app/storage/run_facts.h"
#include "tests/app/storage/store_samples.h"

#include <QElapsedTimer>

#include <algorithm>
#include <iostream>

namespace {

/// So many ended runs in one conversation, with records and texts as long as those of a hundred
/// tokens.
engine::Result<void> fill(app::Database& database, int runCount)
{
    nlohmann::ordered_json record { { "schema", 1 }, { "opened_at", "2026-05-01T12:00:00.000Z" },
        { "started_by", "person" }, { "checkpoint", { { "file_name", "a.gguf" } } },
        { "template", { { "family", "ChatML" } } }, { "caps", { { "length", 64 } } },
        { "passes", { { "packed", std::string(3000, 'p') } } } };
    return database.inTransaction(false, [&]() -> engine::Result<void> {
        for (int i = 0; i < runCount; ++i)
            TRY(database.run("INSERT INTO runs VALUES (?, 3, 0, 'length_cap', ?, 100, ?, 'a.gguf')",
                { 1000 + i, QByteArray(400, 't'), app::sqlBytes(record.dump()) }));
        return app::noteAllRunFacts(database);
    });
}

}

/// What it costs to list all runs of a store: bench_run_list [RUNS]
int main(int argc, char** argv)
{
    const int runCount = argc > 1 ? std::atoi(argv[1]) : 10'000;
    const tests::StoreFolder folder;
    if (!tests::openedStore(folder.databasePath())->write(tests::wholeChat(1, "A chat", "q", "a")))
        return 1;
    {
        const auto database = app::Database::open(folder.databasePath());
        QElapsedTimer elapsed;
        elapsed.start();
        if (!database || !fill(**database, runCount))
            return 1;
        std::cout << runCount << " runs written with their facts in " << elapsed.elapsed() << " ms\n";
    }
    const auto store = tests::openedStore(folder.databasePath());
    std::vector<double> costsMs;
    for (int i = 0; i < 11; ++i) {
        QElapsedTimer elapsed;
        elapsed.start();
        const auto list = store->listRuns({});
        if (!list || int(list->rows.size()) != runCount + 1)
            return 1;
        costsMs.push_back(double(elapsed.nsecsElapsed()) / 1e6);
    }
    std::cout << "listed the first time in " << costsMs[0] << " ms\n";
    std::sort(costsMs.begin() + 1, costsMs.end());
    std::cout << "listed again: median " << costsMs[6] << " ms, least " << costsMs[1] << " ms\n";
    return 0;
}
