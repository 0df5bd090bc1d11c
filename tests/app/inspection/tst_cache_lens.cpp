#include "app/conversation/prompt.h"
#include "app/inspection/cache_lens.h"
#include "engine/tokenizer/byte_letters.h"
#include "tests/support/fake_engine.h"
#include "tests/support/tiny_vocabulary.h"

#include <QTest>

using app::Draft;
using app::MissReason;
using app::TurnRole;
using engine::CacheMiss;
using tests::FakeEngine;

namespace {
app::PromptParts parts()
{
    app::PromptParts parts;
    parts.systemText = "Be brief.";
    parts.turns = { { TurnRole::Person, "Hi Ann" }, { TurnRole::Model, "Hello." },
        { TurnRole::Person, "Go on" } };
    return parts;
}

/// A run that was given what the fake model's template makes of these parts.
app::DraftOrigin originOf(const app::PromptParts& parts, engine::RunId run)
{
    app::DraftOrigin origin;
    origin.modelText = FakeEngine().modelText();
    auto prompt = app::formatChat(*origin.modelText, parts, 0, {});
    if (!prompt)
        QTest::qFail(prompt.error().message.c_str(), __FILE__, __LINE__);
    origin.request.runId = run;
    origin.request.promptIds = prompt->ids;
    origin.promptText = prompt->text;
    origin.promptSpans = prompt->spans;
    origin.templateName = prompt->templateName;
    origin.templateFamily = prompt->templateFamily.value_or(std::string());
    origin.checkpointFile = "tiny.gguf";
    origin.kvType = "f16";
    return origin;
}

void say(Draft& draft, const engine::TokenIds& ids)
{
    for (const engine::TokenId id : ids) {
        engine::TokenDecoded token { .runId = draft.runId() };
        token.record.id = id;
        draft.apply(token);
    }
}

engine::TokenIds idsOf(const std::string& text) { return { text.begin(), text.end() }; }

void end(Draft& draft, engine::CacheUse use)
{
    engine::RunEnded ended { .runId = draft.runId() };
    ended.ledger.reason = engine::StopReason::EndToken;
    ended.cache = std::move(use);
    draft.apply(ended);
}

/// Ends the second run as a cache would that holds just the first one's tokens.
void endAfter(const Draft& before, Draft& run)
{
    engine::TokenIds had = before.origin().request.promptIds;
    for (const engine::TokenRecord& record : before.records())
        had.push_back(record.id);
    had.pop_back(); // needed no pass of its own
    const engine::TokenIds& ids = run.origin().request.promptIds;
    const auto [mine, held] = std::ranges::mismatch(ids, had);
    engine::CacheUse use { .firstMissPosition = int(mine - ids.begin()) };
    use.reusedTokens = *use.firstMissPosition;
    use.computedTokens = int(ids.size()) - use.reusedTokens;
    use.miss = held == had.end() ? CacheMiss::EndOfCache : CacheMiss::OtherToken;
    if (held != had.end())
        use.heldToken = *held;
    end(run, use);
}

struct Pair {
    Draft before;
    Draft run;

    Pair(app::DraftOrigin first, const engine::TokenIds& said, app::DraftOrigin second)
        : before(std::move(first))
        , run(std::move(second))
    {
        say(before, said);
        end(before, {});
        endAfter(before, run);
    }
    MissReason reason() const { return app::cacheLens(run, &before, nullptr)->reason; }
};

/// Before: the first message was answered. Then: these parts.
MissReason reasonOf(const app::PromptParts& now, const std::string& said = "Hello.",
    const app::PromptParts& start = parts())
{
    app::PromptParts first = start;
    first.turns.resize(1);
    engine::TokenIds ids = idsOf(said);
    ids.push_back(FakeEngine::kEnd);
    return Pair(originOf(first, 1), ids, originOf(now, 2)).reason();
}
}

/// Each cause is derived from what two runs were given and what the engine observed.
class TestCacheLens : public QObject {
    Q_OBJECT
private slots:
    void aChatThatOnlyGoesOnDiffersNowhere() { QCOMPARE(reasonOf(parts()), MissReason::GoesOn); }

    void aChangedSystemText()
    {
        app::PromptParts now = parts();
        now.systemText = "Be long.";
        QCOMPARE(reasonOf(now), MissReason::SystemText);
        now.systemText.clear(); // it differs in the template's words around it
        QCOMPARE(reasonOf(now), MissReason::SystemText);
        now.systemText = "Be brief. And kind.";
        QCOMPARE(reasonOf(now), MissReason::SystemText);
    }

    void aChangedMessage()
    {
        app::PromptParts now = parts();
        now.turns[0].text = "Hi Bob";
        QCOMPARE(reasonOf(now), MissReason::Message);
        now.turns[0].text = "Hi";
        QCOMPARE(reasonOf(now), MissReason::Message);
    }

    void anotherEarlierAnswer()
    {
        app::PromptParts now = parts();
        now.turns[1].text = "Help yourself.";
        QCOMPARE(reasonOf(now), MissReason::EarlierAnswer);
    }

    void blanksThatTheTemplateTookFromAnAnswer()
    {
        QCOMPARE(reasonOf(parts(), "Hello.\n\n"), MissReason::AnswerBlanks);
        app::PromptParts now = parts();
        now.turns[1].text = "Hello.";
        QCOMPARE(reasonOf(now, " Hello."), MissReason::AnswerBlanks);
    }

    void thinkingThatTheTemplateLeftOut()
    {
        QCOMPARE(reasonOf(parts(), "<think>A name.</think>\n\nHello."), MissReason::ThinkingRemoved);
    }

    void otherSourceTexts()
    {
        app::PromptParts start = parts();
        start.sources.push_back(app::sourceTextOf("a.txt", "one").value());
        start.sourceTokens.resize(1);
        app::PromptParts now = start;
        now.sources[0] = app::sourceTextOf("a.txt", "ones").value();
        QCOMPARE(reasonOf(now, "Hello.", start), MissReason::SourceText);
        QCOMPARE(reasonOf(parts(), "Hello.", start), MissReason::SourceText);
    }

    void turnsThatWereLeftOut()
    {
        app::DraftOrigin second = originOf(parts(), 2);
        second.droppedTurnCount = 2;
        second.request.promptIds[20] = 'X';
        QCOMPARE(Pair(originOf(parts(), 1), idsOf("Yes"), second).reason(), MissReason::TurnsLeftOut);
    }

    void anotherTemplateAndItsOwnWords()
    {
        app::DraftOrigin second = originOf(parts(), 2);
        second.promptText.insert(12, "a");
        second.request.promptIds.insert(second.request.promptIds.begin() + 1, 'a');
        for (size_t i = 0; i < second.promptSpans->size(); ++i) {
            (*second.promptSpans)[i].promptStart += i > 0 ? 1 : 0;
            (*second.promptSpans)[i].promptEnd += 1;
        }
        QCOMPARE(Pair(originOf(parts(), 1), idsOf("Yes"), second).reason(), MissReason::TemplateText);
        second.templateName = "own"; // the same one, as it is called after a restart
        QCOMPARE(Pair(originOf(parts(), 1), idsOf("Yes"), second).reason(), MissReason::TemplateText);
        second.templateName = "ChatML (chosen)";
        second.templateFamily = "ChatML";
        QCOMPARE(Pair(originOf(parts(), 1), idsOf("Yes"), second).reason(), MissReason::OtherTemplate);
    }

    void theSameTextDividedOtherwise()
    {
        tests::TinyVocabulary vocabulary = tests::TinyVocabulary::bpe("gpt-2");
        vocabulary.add(engine::lettersFromBytes("lo"));
        auto text = std::make_shared<engine::ModelText>();
        text->tokenizer = std::move(*vocabulary.tokenizer());
        app::DraftOrigin first;
        first.request.runId = 1;
        first.request.promptIds = idsOf("A: ");
        first.promptText = "A: ";
        first.promptSpans = { { app::PromptOrigin::Template, 0, 3 } };
        first.modelText = text;
        app::DraftOrigin second = first;
        second.request.runId = 2;
        second.promptText = "A: lo!";
        second.promptSpans->push_back({ app::PromptOrigin::Answer, 3, 5, 0 });
        second.promptSpans->push_back({ app::PromptOrigin::Template, 5, 6 });
        second.request.promptIds.insert(second.request.promptIds.end(), { 256, '!' });
        const Pair pair(first, idsOf("lo!?"), second);
        QCOMPARE(pair.reason(), MissReason::OtherTokens);
        const app::CacheLens lens = *app::cacheLens(pair.run, &pair.before, nullptr);
        QCOMPARE(lens.position, 3);
        QCOMPARE(lens.wanted, std::string("lo"));
        QCOMPARE(lens.held, std::string("l"));
    }

    void whatTheEngineSaysByItself()
    {
        const auto reason = [](CacheMiss miss, auto change) {
            app::DraftOrigin second = originOf(parts(), 2);
            change(second);
            Draft before(originOf(parts(), 1));
            Draft run(second);
            end(run, { .firstMissPosition = 0, .miss = miss });
            return app::cacheLens(run, &before, nullptr)->reason;
        };
        const auto asItWas = [](app::DraftOrigin&) { };
        QCOMPARE(reason(CacheMiss::NothingHeld, asItWas), MissReason::NothingHeld);
        QCOMPARE(reason(CacheMiss::GaveWay, asItWas), MissReason::GaveWay);
        QCOMPARE(reason(CacheMiss::NoRoom, asItWas), MissReason::NoRoom);
        QCOMPARE(reason(CacheMiss::NothingHeld, [](app::DraftOrigin& o) { o.checkpointFile = "b.gguf"; }),
            MissReason::OtherModel);
        QCOMPARE(reason(CacheMiss::NothingHeld, [](app::DraftOrigin& o) { o.kvType = "q8"; }),
            MissReason::OtherKvType);
        // What the run before had read is missing: something took its room.
        QCOMPARE(reason(CacheMiss::EndOfCache, asItWas), MissReason::GaveWay);
    }

    void whatIsNotKnownIsNotGuessed()
    {
        app::DraftOrigin second = originOf(parts(), 2);
        second.request.promptIds[20] = 'X';
        Draft before(originOf(parts(), 1));
        Draft run(second);
        end(run, { .firstMissPosition = 20, .miss = CacheMiss::OtherToken, .heldToken = 'Z' });
        const app::CacheLens lens = *app::cacheLens(run, &before, nullptr);
        QCOMPARE(lens.reason, MissReason::NotKnown); // the cache held another chat there
        QCOMPARE(lens.wanted + lens.held, std::string("XZ"));
        app::DraftOrigin old = originOf(parts(), 2);
        old.promptSpans.reset();
        old.request.promptIds[20] = 'X';
        QCOMPARE(Pair(originOf(parts(), 1), idsOf("Yes"), old).reason(), MissReason::NotKnown);
        QVERIFY(!app::cacheLens(before, nullptr, nullptr)); // it has not ended
        Draft whole(originOf(parts(), 3));
        end(whole, { .reusedTokens = 5, .computedTokens = 1 });
        QVERIFY(!app::cacheLens(whole, &before, nullptr));
    }

    void theRunThatBeginsLikeThePromptForLongestIsCompared()
    {
        app::TurnTree tree;
        const auto add = [&tree](app::MessageId id, app::DraftOrigin origin) {
            auto turn = std::make_unique<app::Turn>();
            turn->id = id;
            turn->role = TurnRole::Model;
            turn->answer = std::make_unique<app::Answer>();
            turn->answer->addPart(std::make_unique<Draft>(std::move(origin)));
            return tree.add(std::move(turn), nullptr).answer->draft();
        };
        const Draft* alike = add(1, originOf(parts(), 1));
        app::PromptParts other = parts();
        other.systemText = "Be long.";
        const Draft* later = add(2, originOf(other, 2));
        const Draft* run = add(3, originOf(parts(), 3));
        QCOMPARE(app::runToCompare(tree, *run), alike);
        QCOMPARE(app::runToCompare(tree, *later), alike);
        QVERIFY(!app::runToCompare(tree, *alike));
    }
};

QTEST_GUILESS_MAIN(TestCacheLens)
#include "tst_cache_lens.moc"
