#include "engine/kv/block_table.h"

#include <QtTest>
#include <numeric>
#include <random>
#include <set>

using namespace engine;

namespace {
TokenIds count(TokenId first, size_t length)
{
    TokenIds tokens(length);
    std::iota(tokens.begin(), tokens.end(), first);
    return tokens;
}

/// Stands for the device's buffers: each slot holds the very beginning it was computed from.
struct FakeDevice {
    explicit FakeDevice(uint32_t pageCount)
        : slotContents(size_t(pageCount) * kKvPageTokens)
    {
    }
    void record(const std::vector<PageCopy>& copies)
    {
        for (const PageCopy& copy : copies)
            for (uint32_t i = 0; i < copy.tokenCount; ++i)
                slotContents[copy.to * kKvPageTokens + i]
                    = slotContents[copy.from * kKvPageTokens + i];
    }
    TokenIds& slotOf(const BlockTable& table, size_t position)
    {
        return slotContents[table.pages()[position / kKvPageTokens] * kKvPageTokens
            + position % kKvPageTokens];
    }

    std::vector<TokenIds> slotContents;
};

TokenIds beginningOf(int configuration, const TokenIds& tokens, size_t position)
{
    TokenIds beginning { configuration };
    beginning.insert(
        beginning.end(), tokens.begin(), tokens.begin() + std::ptrdiff_t(position) + 1);
    return beginning;
}

/// Reads all tokens, as a session would. False when the pool is full.
bool compute(BlockTable& table, const TokenIds& tokens)
{
    const auto rest = std::span(tokens).subspan(table.tokenCount());
    if (!table.reserve(uint32_t(rest.size())))
        return false;
    table.commit(rest);
    return true;
}
}

class TestBlockTable : public QObject {
    Q_OBJECT
private slots:
    void theSamePromptAgainComputesOnlyItsLastToken()
    {
        PagePool pool(8);
        BlockTable table(pool, "m");
        QCOMPARE(table.sync(count(0, 70)).reusedTokens, 0u);
        QVERIFY(compute(table, count(0, 70)));
        const SyncPlan plan = table.sync(count(0, 70));
        QCOMPARE(plan.reusedTokens, 69u);
        QVERIFY(!plan.firstMissPosition);
        QCOMPARE(plan.missCause, std::string());
    }
    void anAppendedTokenReusesEverythingInPlace()
    {
        PagePool pool(8);
        BlockTable table(pool, "m");
        table.sync(count(0, 40));
        QVERIFY(compute(table, count(0, 40)));
        const std::vector<PageIndex> before(table.pages().begin(), table.pages().end());
        const SyncPlan plan = table.sync(count(0, 50));
        QCOMPARE(plan.reusedTokens, 40u);
        QCOMPARE(plan.firstMissPosition, std::optional<uint32_t>(40));
        QCOMPARE(plan.missCause, std::string("the cache ends here"));
        QVERIFY(plan.miss == CacheMiss::EndOfCache);
        QVERIFY(plan.copies.empty());
        QVERIFY(
            std::equal(before.begin(), before.end(), table.pages().begin(), table.pages().end()));
    }
    void g22AnEditReusesTheCommonPrefixAndTheOldBranchStays()
    {
        PagePool pool(16);
        BlockTable table(pool, "m");
        const TokenIds ana = count(0, 59);
        TokenIds bob = ana;
        bob[40] = 999;
        table.sync(ana);
        QVERIFY(compute(table, ana));
        const SyncPlan edited = table.sync(bob);
        QCOMPARE(edited.reusedTokens, 40u);
        QCOMPARE(edited.firstMissPosition, std::optional<uint32_t>(40));
        QCOMPARE(edited.missCause, std::string("token 999 stands where the cache has 40"));
        QCOMPARE(edited.heldToken, std::optional<TokenId>(40));
        QCOMPARE(edited.copies.size(), size_t(1));
        QCOMPARE(edited.copies[0].tokenCount, 40u % kKvPageTokens);
        QVERIFY(compute(table, bob));
        QCOMPARE(table.sync(ana).reusedTokens, 58u); // back again: nothing was lost
    }
    void twoSessionsShareFullPagesAndCopyTheLast()
    {
        PagePool pool(16);
        BlockTable first(pool, "m");
        first.sync(count(0, kKvPageTokens + 18));
        QVERIFY(compute(first, count(0, kKvPageTokens + 18)));
        BlockTable second(pool, "m");
        const SyncPlan plan = second.sync(count(0, kKvPageTokens + 28));
        QCOMPARE(plan.reusedTokens, kKvPageTokens + 18);
        QCOMPARE(second.pages()[0], first.pages()[0]);
        QVERIFY(second.pages()[1] != first.pages()[1]);
        const std::vector<PageCopy> expected {
            { .from = first.pages()[1], .to = second.pages()[1], .tokenCount = 18 }
        };
        QVERIFY(plan.copies == expected);
        BlockTable other(pool, "m with another KV type");
        QCOMPARE(other.sync(count(0, kKvPageTokens + 18)).reusedTokens, 0u);
    }
    void whatWasNotComputedIsNotFound()
    {
        PagePool pool(8);
        {
            BlockTable cancelled(pool, "m");
            cancelled.sync(count(0, 100));
            QVERIFY(cancelled.reserve(100));
            cancelled.commit(count(0, 43)); // then cancelled
        }
        BlockTable next(pool, "m");
        QCOMPARE(next.sync(count(0, 100)).reusedTokens, 43u); // G-23
    }
    void droppedPositionsAreFoundByNobody()
    {
        PagePool pool(8);
        BlockTable table(pool, "m");
        table.sync(count(0, 100));
        QVERIFY(compute(table, count(0, 100)));
        table.dropFrom(70);
        QCOMPARE(table.tokenCount(), 70u);
        BlockTable other(pool, "m");
        QCOMPARE(other.sync(count(0, 100)).reusedTokens, 70u);
        table.dropFrom(10); // on a page that both hold
        QCOMPARE(table.tokenCount(), 0u);
        BlockTable third(pool, "m");
        QCOMPARE(third.sync(count(0, 100)).reusedTokens, 0u);
        QVERIFY(compute(table, count(0, 40)));
        QCOMPARE(third.sync(count(0, 100)).reusedTokens, 40u);
    }
    void aFullPoolIsAnErrorAndLeavesTheTable()
    {
        PagePool pool(3);
        BlockTable first(pool, "m");
        first.sync(count(0, kKvPageTokens + 28));
        QVERIFY(compute(first, count(0, kKvPageTokens + 28)));
        BlockTable second(pool, "m");
        second.sync(count(500, kKvPageTokens + 8));
        const auto reserved = second.reserve(kKvPageTokens + 8);
        QVERIFY(!reserved);
        QCOMPARE(reserved.error().code, ErrorCode::OutOfMemory);
        QCOMPARE(second.pages().size(), size_t(0));
        QVERIFY(second.reserve(kKvPageTokens));
        const SyncPlan plan
            = second.sync(count(0, kKvPageTokens + 18)); // its page is free again: room for the copy
        QCOMPARE(plan.reusedTokens, kKvPageTokens + 17);
        BlockTable third(pool, "m");
        const SyncPlan poor = third.sync(count(0, kKvPageTokens + 18));
        QCOMPARE(poor.reusedTokens, kKvPageTokens);
        QCOMPARE(poor.firstMissPosition, std::optional<uint32_t>(kKvPageTokens));
        QCOMPARE(poor.missCause, std::string("no page was left to copy the rest into"));
        QVERIFY(poor.miss == CacheMiss::NoRoom && !poor.heldToken);
    }
    void aFullPoolCutsItsOwnBranchInPlace()
    {
        PagePool pool(1);
        BlockTable table(pool, "m");
        table.sync(count(0, 30));
        QVERIFY(compute(table, count(0, 30)));
        TokenIds edited = count(0, 30);
        edited[12] = 77;
        const SyncPlan plan = table.sync(edited);
        QCOMPARE(plan.reusedTokens, 12u);
        QVERIFY(plan.copies.empty());
        QVERIFY(compute(table, edited));
        QCOMPARE(table.sync(count(0, 30)).reusedTokens, 12u);
    }
    void aMovedTableReleasesOnce()
    {
        PagePool pool(4);
        {
            BlockTable table(pool, "m");
            table.sync(count(0, kKvPageTokens + 8));
            QVERIFY(compute(table, count(0, kKvPageTokens + 8)));
            BlockTable moved = std::move(table);
            QCOMPARE(moved.tokenCount(), kKvPageTokens + 8);
            QCOMPARE(pool.availablePageCount(), 2u);
        }
        QCOMPARE(pool.availablePageCount(), 4u);
    }
    void randomSessionsReuseExactlyWhatANaiveSetKnows_data()
    {
        QTest::addColumn<uint>("pageCount");
        QTest::newRow("nothing is ever evicted") << 20'000u;
        QTest::newRow("pages are short") << 40u;
        QTest::newRow("hardly any page") << 6u;
    }
    void randomSessionsReuseExactlyWhatANaiveSetKnows();
};

void TestBlockTable::randomSessionsReuseExactlyWhatANaiveSetKnows()
{
    QFETCH(uint, pageCount);
    const bool ample = pageCount > 10'000;
    std::mt19937 random(pageCount);
    const auto below = [&random](size_t bound) { return random() % bound; };
    PagePool pool(pageCount);
    FakeDevice device(pageCount);
    std::set<TokenIds> known; // every beginning ever computed, its configuration in front
    std::vector<TokenIds> history { count(0, 100) };
    std::vector<std::pair<int, BlockTable>> tables;
    for (int i = 0; i < 4; ++i)
        tables.emplace_back(i % 2, BlockTable(pool, std::to_string(i % 2)));

    for (int step = 0; step < 3000; ++step) {
        // A new text: an old one, cut anywhere, with a random tail of few different ids.
        TokenIds tokens = history[below(history.size())];
        tokens.resize(1 + below(tokens.size()));
        for (size_t i = below(60); i > 0; --i)
            tokens.push_back(TokenId(below(2)));
        auto& [configuration, table] = tables[below(tables.size())];
        const SyncPlan plan = table.sync(tokens);
        device.record(plan.copies);

        size_t naive = 0;
        while (
            naive + 1 < tokens.size() && known.contains(beginningOf(configuration, tokens, naive)))
            ++naive;
        if (ample)
            QCOMPARE(size_t(plan.reusedTokens), naive);
        QVERIFY(plan.reusedTokens <= naive);
        QCOMPARE(plan.firstMissPosition.has_value(), plan.reusedTokens + 1 < tokens.size());
        QCOMPARE(plan.missCause.empty(), !plan.firstMissPosition.has_value());
        for (size_t position = 0; position < plan.reusedTokens; ++position)
            QVERIFY(device.slotOf(table, position) == beginningOf(configuration, tokens, position));

        if (!table.reserve(uint32_t(tokens.size() - plan.reusedTokens)))
            continue;
        const size_t computed = below(10) == 0
            ? plan.reusedTokens + below(tokens.size() - plan.reusedTokens)
            : tokens.size(); // sometimes cancelled
        for (size_t position = plan.reusedTokens; position < computed; ++position) {
            device.slotOf(table, position) = beginningOf(configuration, tokens, position);
            known.insert(beginningOf(configuration, tokens, position));
        }
        table.commit(std::span(tokens).subspan(plan.reusedTokens, computed - plan.reusedTokens));
        for (auto& [otherConfiguration, other] : tables)
            QVERIFY(other.tokenCount() <= other.pages().size() * kKvPageTokens);
        if (!ample && below(20) == 0)
            table.dropFrom(uint32_t(below(computed + 1)));
        history.push_back(tokens);
        if (history.size() > 50)
            history.erase(history.begin() + std::ptrdiff_t(below(history.size())));
    }
    tables.clear();
    QCOMPARE(pool.availablePageCount(), pageCount);
}

QTEST_APPLESS_MAIN(TestBlockTable)
#include "tst_block_table.moc"
