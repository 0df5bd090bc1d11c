#include "app/compare/cache_question.h"

#include <QTest>

using app::CacheCondition;
using app::CachedPrompt;
using app::CacheQuestion;

namespace {
constexpr int kPage = 16;

/// "Travel from Ghent to Bruges on Monday" and "Travel from Antwerp to Bruges on Monday": the last word is the same.
const CachedPrompt kGhent { { 10, 11, 12, 40, 14, 15, 16, 17 }, 0, "file a", "A", "Q4_1", "10000", "f16" };
const CachedPrompt kAntwerp { { 10, 11, 12, 41, 14, 15, 16, 17 }, 0, "file a", "A", "Q4_1", "10000", "f16" };

std::optional<bool> holds(const CacheQuestion& question, CacheCondition condition)
{
    return question.answers[size_t(condition)].holds;
}
}

/// How far one prompt's cache could serve another.
class TestCacheQuestion : public QObject {
    Q_OBJECT
private slots:
    void theSameLastWordSharesNothingPastTheFirstDifference()
    {
        const CacheQuestion question = app::cacheQuestion(kGhent, kAntwerp, kPage);
        QVERIFY(question.endsAlike);
        QCOMPARE(question.commonCount, size_t(3));
        QCOMPARE(question.firstDifference, std::optional<size_t>(3));
        QCOMPARE(question.shareableTokens, size_t(3));
        QCOMPARE(question.shareablePages, size_t(0));
    }
    void equalPromptsShareWholePages()
    {
        CachedPrompt longer = kGhent;
        longer.ids.resize(40, 5);
        const CacheQuestion same = app::cacheQuestion(longer, longer, kPage);
        QVERIFY(!same.firstDifference);
        QCOMPARE(same.commonCount, size_t(40));
        QCOMPARE(same.shareableTokens, size_t(39)); // the last is computed for its scores
        QCOMPARE(same.shareablePages, size_t(2));
        CachedPrompt longest = longer;
        longest.ids.push_back(9);
        QCOMPARE(app::cacheQuestion(longer, longest, kPage).firstDifference, std::optional<size_t>(40));
    }
    void eachConditionAloneForbidsSharing_data()
    {
        QTest::addColumn<int>("condition");
        QTest::newRow("positions") << int(CacheCondition::Positions);
        QTest::newRow("model") << int(CacheCondition::Model);
        QTest::newRow("tensor types") << int(CacheCondition::TensorTypes);
        QTest::newRow("rope") << int(CacheCondition::Rope);
        QTest::newRow("kv type") << int(CacheCondition::KvType);
    }
    void eachConditionAloneForbidsSharing()
    {
        QFETCH(int, condition);
        CachedPrompt asked = kGhent;
        switch (CacheCondition(condition)) {
        case CacheCondition::Positions: asked.firstPosition = 4; break;
        case CacheCondition::Model: asked.model = "file b"; break;
        case CacheCondition::TensorTypes: asked.tensorTypes = "Q8_0"; break;
        case CacheCondition::Rope: asked.rope = "1000000"; break;
        case CacheCondition::KvType: asked.kvType = "q8_0"; break;
        case CacheCondition::Ids: break;
        }
        const CacheQuestion question = app::cacheQuestion(kGhent, asked, kPage);
        for (const app::CacheAnswer& answer : question.answers)
            QCOMPARE(answer.holds, std::optional(int(answer.condition) != condition));
        QCOMPARE(question.commonCount, kGhent.ids.size());
        QCOMPARE(question.shareableTokens, size_t(0));
        QCOMPARE(question.shareablePages, size_t(0));
        QCOMPARE(question.obstacle, std::optional(CacheCondition(condition)));
    }
    void theFirstPartCountsWhateverFollows()
    {
        // Where one prompt begins the other, all of the shorter is common.
        CachedPrompt longer = kGhent;
        longer.ids.push_back(9);
        const CacheQuestion question = app::cacheQuestion(longer, kGhent, 4);
        QCOMPARE(question.commonCount, size_t(8));
        QCOMPARE(question.firstDifference, std::optional<size_t>(8));
        QCOMPARE(question.shareableTokens, size_t(7)); // the last that is asked is computed for its scores
        QCOMPARE(question.shareablePages, size_t(1));
        QVERIFY(!question.obstacle && !question.endsAlike);
        // Pages past the first difference are not shared, however long both are.
        CachedPrompt held = kGhent;
        held.ids.resize(64, 5);
        CachedPrompt asked = held;
        asked.ids[20] = 6;
        QCOMPARE(app::cacheQuestion(held, asked, kPage).shareableTokens, size_t(20));
        QCOMPARE(app::cacheQuestion(held, asked, kPage).shareablePages, size_t(1));
        CachedPrompt other = kGhent;
        other.ids[0] = 99;
        const CacheQuestion none = app::cacheQuestion(kGhent, other, 4);
        QCOMPARE(holds(none, CacheCondition::Ids), std::optional(false));
        QCOMPARE(none.shareableTokens, size_t(0));
        QVERIFY(none.endsAlike); // all the words but the first are the same, and nothing is shared
    }
    void theLastThatIsAskedIsNeverShared()
    {
        const auto shared = [](size_t heldCount, size_t askedCount) {
            CachedPrompt held = kGhent;
            CachedPrompt asked = kGhent;
            held.ids.assign(heldCount, 5);
            asked.ids.assign(askedCount, 5);
            const CacheQuestion question = app::cacheQuestion(held, asked, kPage);
            return std::pair(question.shareableTokens, question.shareablePages);
        };
        QCOMPARE(shared(34, 32), std::pair(size_t(31), size_t(1)));
        QCOMPARE(shared(32, 32), std::pair(size_t(31), size_t(1)));
        QCOMPARE(shared(32, 33), std::pair(size_t(32), size_t(2))); // all that is held
        QCOMPARE(shared(1, 1), std::pair(size_t(0), size_t(0)));
        QCOMPARE(shared(3, 0), std::pair(size_t(0), size_t(0)));
    }
    void whatIsNotKnownIsNotTrue()
    {
        CachedPrompt asked = kGhent;
        asked.rope.clear();
        const CacheQuestion question = app::cacheQuestion(kGhent, asked, kPage);
        QCOMPARE(holds(question, CacheCondition::Rope), std::optional<bool>());
        QCOMPARE(question.shareableTokens, size_t(0));
        const CacheQuestion nothing = app::cacheQuestion(kGhent, CachedPrompt(), kPage);
        QCOMPARE(holds(nothing, CacheCondition::Ids), std::optional(false));
        QVERIFY(!nothing.endsAlike);
    }
};

QTEST_APPLESS_MAIN(TestCacheQuestion)
#include "tst_cache_question.moc"
