#include "engine/kv/page_pool.h"

#include <QtTest>
#include <numeric>

using namespace engine;

namespace {
TokenIds count(TokenId first, size_t length)
{
    TokenIds tokens(length);
    std::iota(tokens.begin(), tokens.end(), first);
    return tokens;
}
}

class TestPagePool : public QObject {
    Q_OBJECT
private slots:
    void aPageIsFoundOnlyBelowItsOwnBeginning()
    {
        PagePool pool(8);
        const PageIndex root = pool.rootOf("model A");
        const PageIndex first = pool.allocate(root).value();
        pool.commit(first, count(0, kKvPageTokens));
        const PageIndex second = pool.allocate(first).value();
        pool.commit(second, count(1000, 5));

        TokenIds tokens = count(0, kKvPageTokens);
        tokens.insert(tokens.end(), { 1000, 1001, 7 });
        const PrefixMatch match = pool.match(root, tokens);
        QVERIFY(match.fullPages == std::vector<PageIndex> { first });
        QCOMPARE(match.partialPage, std::optional<PageIndex>(second));
        QCOMPARE(match.tokenCount(), kKvPageTokens + 2);
        QCOMPARE(match.missCause, std::string("token 7 stands where the cache has 1002"));
        QVERIFY(match.miss == CacheMiss::OtherToken);
        QCOMPARE(match.heldToken, std::optional<TokenId>(1002));

        QCOMPARE(
            pool.match(root, count(1000, 5)).tokenCount(), 0u); // the same ids at other positions
        tokens[0] = 9;
        QCOMPARE(pool.match(root, tokens).tokenCount(), 0u); // the same ids but the first
    }
    void anotherConfigurationSharesNothing()
    {
        PagePool pool(2);
        const PageIndex page = pool.allocate(pool.rootOf("model A, f16")).value();
        pool.commit(page, count(0, 8));
        const PrefixMatch match = pool.match(pool.rootOf("model A, q8"), count(0, 8));
        QCOMPARE(match.tokenCount(), 0u);
        QCOMPARE(match.missCause,
            std::string("nothing was read yet with this model and these settings"));
        QVERIFY(match.miss == CacheMiss::NothingHeld);
        QVERIFY(!match.heldToken);
        QCOMPARE(pool.match(pool.rootOf("model A, f16"), count(0, 8)).tokenCount(), 8u);
    }
    void anUncommittedPageIsNotFoundAndVanishes()
    {
        PagePool pool(1);
        const PageIndex page = pool.allocate(pool.rootOf("m")).value();
        QCOMPARE(pool.match(pool.rootOf("m"), count(0, 4)).tokenCount(), 0u);
        QCOMPARE(pool.availablePageCount(), 0u);
        pool.release(page);
        QCOMPARE(pool.availablePageCount(), 1u);
    }
    void theLeastRecentlyUsedGivesWayAndHeldPagesStay()
    {
        PagePool pool(3);
        const PageIndex root = pool.rootOf("m");
        const PageIndex old = pool.allocate(root).value();
        pool.commit(old, count(0, 4));
        const PageIndex recent = pool.allocate(root).value();
        pool.commit(recent, count(100, 4));
        const PageIndex held = pool.allocate(root).value();
        pool.commit(held, count(200, 4));
        pool.release(old);
        pool.release(recent);
        QCOMPARE(pool.allocate(root).value(), old);
        QCOMPARE(pool.match(root, count(0, 4)).tokenCount(), 0u);
        QCOMPARE(pool.match(root, count(100, 4)).tokenCount(), 4u);
        QCOMPARE(pool.allocate(root).value(), recent);
        const auto none = pool.allocate(root);
        QVERIFY(!none);
        QCOMPARE(none.error().code, ErrorCode::OutOfMemory);
        QCOMPARE(pool.match(root, count(200, 4)).tokenCount(), 4u);
    }
    void whatIsBelowGoesFirstAndTheCauseIsSaid()
    {
        PagePool pool(2);
        const PageIndex root = pool.rootOf("m");
        const PageIndex first = pool.allocate(root).value();
        pool.commit(first, count(0, kKvPageTokens));
        const PageIndex second = pool.allocate(first).value();
        pool.commit(second, count(kKvPageTokens, kKvPageTokens));
        pool.release(second);
        pool.release(first);
        QCOMPARE(pool.allocate(root).value(), second);
        const PrefixMatch match = pool.match(root, count(0, 2 * kKvPageTokens));
        QCOMPARE(match.tokenCount(), kKvPageTokens);
        QCOMPARE(match.missCause, std::string("what followed here gave way to newer tokens"));
        QVERIFY(match.miss == CacheMiss::GaveWay);
    }
    void ofTwoEqualPagesTheLongerContinuationIsFound()
    {
        PagePool pool(3);
        const PageIndex root = pool.rootOf("m");
        const PageIndex alone = pool.allocate(root).value();
        const PageIndex twin = pool.allocate(root).value();
        pool.commit(alone, count(0, kKvPageTokens));
        pool.commit(twin, count(0, kKvPageTokens));
        const PageIndex below = pool.allocate(twin).value();
        pool.commit(below, count(kKvPageTokens, 10));
        const PrefixMatch match = pool.match(root, count(0, kKvPageTokens + 10));
        QCOMPARE(match.tokenCount(), kKvPageTokens + 10);
        QCOMPARE(match.missCause, std::string());
        QVERIFY(!match.miss);
        QVERIFY(match.fullPages == std::vector<PageIndex> { twin });
    }
    void aForgottenPageIsFoundNoMoreButKeptByItsHolder()
    {
        PagePool pool(2);
        const PageIndex root = pool.rootOf("m");
        const PageIndex page = pool.allocate(root).value();
        pool.commit(page, count(0, kKvPageTokens));
        pool.forget(page);
        QCOMPARE(pool.match(root, count(0, 4)).tokenCount(), 0u);
        QCOMPARE(pool.tokenCount(page), kKvPageTokens);
        const PageIndex below = pool.allocate(page).value();
        pool.commit(below, count(kKvPageTokens, 4)); // its way to the root is gone
        QCOMPARE(pool.match(root, count(0, kKvPageTokens + 4)).tokenCount(), 0u);
        pool.release(below);
        pool.release(page);
        QCOMPARE(pool.availablePageCount(), 2u);
    }
};

QTEST_APPLESS_MAIN(TestPagePool)
#include "tst_page_pool.moc"
