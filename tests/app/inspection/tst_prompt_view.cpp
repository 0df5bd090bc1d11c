#include "app/inspection/prompt_view.h"
#include "tests/support/fake_engine.h"

#include <QTest>

using app::PromptCache;
using app::PromptCacheUse;
using app::PromptKind;
using app::PromptSpan;
using app::PromptView;
using tests::FakeEngine;

namespace {
constexpr int kSourceStart = 15; // bytes of "<|im_start|>Hi "
constexpr int kSourceEnd = 18;

/// A prompt of the fake model: "<|im_start|>Hi " + a source text "abc" + "<|im_end|>".
struct PromptFixture {
    app::DraftOrigin origin;

    PromptFixture()
    {
        origin.request.runId = 1;
        origin.request.promptIds
            = { FakeEngine::kStart, 'H', 'i', ' ', 'a', 'b', 'c', FakeEngine::kEnd };
        origin.promptText = "<|im_start|>Hi abc<|im_end|>";
        origin.sources = { { "notes.txt", "", 3, kSourceStart, kSourceEnd } };
        origin.modelText = FakeEngine().modelText();
    }
    app::Draft draft() const { return app::Draft(origin); }
    app::Draft ended(engine::CacheUse cache) const
    {
        app::Draft made = draft();
        engine::RunEnded end;
        end.runId = 1;
        end.ledger.reason = engine::StopReason::LengthCap;
        end.cache = std::move(cache);
        made.apply(end);
        return made;
    }
    PromptView view() const { return app::promptView(draft(), nullptr); }
};

std::string textOf(const PromptView& view, size_t span)
{
    const app::TextBytes& bytes = view.spans.at(span).bytes;
    return view.text.substr(bytes.start, bytes.end - bytes.start);
}
}

class TestPromptView : public QObject {
    Q_OBJECT
private slots:
    void partsOfDifferentKindsStandApart()
    {
        const PromptView view = PromptFixture().view();
        QCOMPARE(view.text, std::string("<|im_start|>Hi abc<|im_end|>"));
        QVERIFY(view.isByTokens && view.isAsSent);
        QCOMPARE(view.spans.size(), size_t(4));
        QCOMPARE(view.spans[0].kind, PromptKind::Control);
        QCOMPARE(textOf(view, 1), std::string("Hi "));
        QCOMPARE(view.spans[1].source, -1);
        QCOMPARE(textOf(view, 2), std::string("abc"));
        QCOMPARE(view.spans[2].source, 0);
        QCOMPARE(view.spans[3].kind, PromptKind::Control);
        QCOMPARE(view.tokens[4].source, 0);
        QCOMPARE(view.tokens[3].source, -1);
    }

    void everyStretchHasTheOriginThatWasRecorded()
    {
        PromptFixture fixture;
        using app::PromptOrigin;
        fixture.origin.promptSpans = { { PromptOrigin::Template, 0, 12 }, { PromptOrigin::Typed, 12, 15, 0 },
            { PromptOrigin::Source, 15, 18, 0 }, { PromptOrigin::Template, 18, 28 } };
        const PromptView view = fixture.view();
        QCOMPARE(view.spans.size(), size_t(4));
        QCOMPARE(view.spans[0].origin, PromptOrigin::Template);
        QCOMPARE(view.spans[1].origin, PromptOrigin::Typed);
        QCOMPARE(view.spans[1].message, 0);
        QCOMPARE(view.spans[2].origin, PromptOrigin::Source);
        QCOMPARE(view.tokens[4].origin, PromptOrigin::Source);
        QCOMPARE(view.tokens[7].message, -1);
        fixture.origin.promptSpans.reset();
        for (const PromptSpan& span : fixture.view().spans)
            QCOMPARE(span.origin, PromptOrigin::Unknown);
    }

    void aControlTokenWrittenInASourceStaysText()
    {
        PromptFixture fixture;
        const std::string typed = "<|im_end|>";
        fixture.origin.promptText = typed;
        fixture.origin.sources = { { "trap.txt", "", 10, 0, typed.size() } };
        fixture.origin.request.promptIds.assign(typed.begin(), typed.end());
        const PromptView view = fixture.view();
        QCOMPARE(view.spans.size(), size_t(1));
        QCOMPARE(view.spans[0].kind, PromptKind::Text);
        QCOMPARE(view.spans[0].source, 0);
    }

    void whatTheCacheHadIsToldFromWhatWasComputed()
    {
        const PromptFixture fixture;
        const app::Draft draft = fixture.ended({ 2, 6, 2, "the cache ends here" });
        const PromptView view = app::promptView(draft, nullptr);
        QCOMPARE(view.tokens[1].cache, PromptCache::Reused);
        QCOMPARE(view.tokens[2].cache, PromptCache::Computed);
        QCOMPARE(textOf(view, 1), std::string("H"));
        QCOMPARE(view.spans[1].cache, PromptCache::Reused);
        QCOMPARE(textOf(view, 2), std::string("i "));
        QCOMPARE(view.spans[2].cache, PromptCache::Computed);
        const PromptCacheUse use { 8, 2, 6, false, 2, "the cache ends here" };
        QCOMPARE(app::promptCacheUse(draft), std::optional(use));
    }

    void whatIsReadIsToldWhileItIsRead()
    {
        app::Draft draft = PromptFixture().draft();
        QVERIFY(!app::promptCacheUse(draft));
        QCOMPARE(app::promptView(draft, nullptr).tokens[0].cache, PromptCache::Unknown);
        draft.apply(engine::PrefillProgress { 1, 5, 8, 3 });
        QCOMPARE(
            app::promptCacheUse(draft), std::optional(PromptCacheUse { 8, 3, 2, true, {}, "" }));
        const PromptView view = app::promptView(draft, nullptr);
        QCOMPARE(view.tokens[2].cache, PromptCache::Reused);
        QCOMPARE(view.tokens[7].cache, PromptCache::Computed);
    }

    void aRunThatReadNothingTellsNothingOfTheCache()
    {
        QVERIFY(!app::promptCacheUse(PromptFixture().ended({})));
    }

    void aRunThatEndedWhileItReadTellsWhatItHadRead()
    {
        app::Draft draft = PromptFixture().draft();
        draft.apply(engine::PrefillProgress { 1, 5, 8, 3 });
        engine::RunEnded end;
        end.runId = 1;
        end.ledger.reason = engine::StopReason::LengthCap;
        draft.apply(end);
        const PromptView view = app::promptView(draft, nullptr);
        QCOMPARE(view.tokens[4].cache, PromptCache::Computed);
        QCOMPARE(view.tokens[5].cache, PromptCache::Unknown);
    }

    void aCharacterOfSeveralTokensIsNotDivided()
    {
        PromptFixture fixture;
        fixture.origin.promptText = "\xC3\xA9!";
        fixture.origin.sources.clear();
        fixture.origin.request.promptIds = { 0xC3, 0xA9, '!' };
        const PromptView view = app::promptView(fixture.ended({ 1, 2, 1, "" }), nullptr);
        QCOMPARE(view.spans.size(), size_t(2));
        QCOMPARE(textOf(view, 0), std::string("\xC3\xA9"));
        QCOMPARE(textOf(view, 1), std::string("!"));
    }

    void whatWasBegunOfTheAnswerStandsBehindThePrompt()
    {
        PromptFixture fixture;
        fixture.origin.request.promptIds.push_back('Y');
        fixture.origin.request.draftTokenCount = 1;
        const PromptView view = fixture.view();
        QCOMPARE(view.tokens.back().kind, PromptKind::Begun);
        QCOMPARE(textOf(view, view.spans.size() - 1), std::string("Y"));
        QVERIFY(view.isAsSent);
    }

    void aTokenInFrontOfThePromptDoesNotMoveTheSources()
    {
        PromptFixture fixture;
        auto& ids = fixture.origin.request.promptIds;
        ids.insert(ids.begin(), FakeEngine::kEnd); // in the place of a BOS
        const PromptView view = fixture.view();
        QVERIFY(view.isAsSent);
        QCOMPARE(view.tokens[5].source, 0);
        QCOMPARE(textOf(view, 2), std::string("abc"));
    }

    void aBlankInFrontOfTextDoesNotMoveTheSources()
    {
        PromptFixture fixture; // SentencePiece puts one there
        auto& ids = fixture.origin.request.promptIds;
        ids.insert(ids.begin() + 1, ' ');
        const PromptView view = fixture.view();
        QVERIFY(view.isAsSent);
        QCOMPARE(view.tokens[5].source, 0);
        QCOMPARE(view.tokens[4].source, -1);
    }

    void tokensThatSpellSomethingElseShowNoSource()
    {
        PromptFixture fixture;
        fixture.origin.request.promptIds[1] = 'J';
        const PromptView view = fixture.view();
        QVERIFY(!view.isAsSent);
        QCOMPARE(view.text, std::string("<|im_start|>Ji abc<|im_end|>"));
        for (const PromptSpan& span : view.spans)
            QCOMPARE(span.source, -1);
    }

    void withoutAVocabularyTheSentTextIsShown()
    {
        PromptFixture fixture;
        const auto vocabulary = std::exchange(fixture.origin.modelText, nullptr);
        const PromptView view = fixture.view();
        QVERIFY(!view.isByTokens);
        QCOMPARE(view.text, fixture.origin.promptText);
        QCOMPARE(view.tokens.size(), size_t(8));
        QCOMPARE(textOf(view, 1), std::string("abc"));
        QCOMPARE(view.spans[1].source, 0);
        QVERIFY(app::promptView(fixture.draft(), vocabulary.get()).isByTokens);
    }
};

QTEST_GUILESS_MAIN(TestPromptView)
#include "tst_prompt_view.moc"
