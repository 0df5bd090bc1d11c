#include "engine/session/pace.h"
#include "engine/session/inference_thread.h"
#include "tests/engine/session/recorded_events.h"
#include "tests/engine/session/word_model.h"
#include "tests/support/scripted_model.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace engine;
using namespace tests;

namespace {
const WordFile kWords { { "One", ",", " two", ",", " thr", "ee", "." } };

Script counting()
{
    TokenIds ids;
    for (size_t i = 0; i < kWords.words.size(); ++i)
        ids.push_back(kWords.word(i));
    ids.push_back(WordFile::kEnd);
    return Script::ofTokens(ids, kWords.vocabularySize());
}

GenerationRequest requestOf(RunId runId, Pace pace = {})
{
    GenerationRequest request;
    request.runId = runId;
    request.promptIds = { WordFile::kBos, WordFile::kStart };
    request.lengthCap = 100;
    request.sampling.temperature = 0;
    request.pace = std::move(pace);
    return request;
}

Pace steps(int count) { return { .tokens = count, .forcedIds = {}, .breakpoints = {} }; }

/// What a run said until it paused; none when it ended instead.
struct Pause {
    PauseCause cause = PauseCause::Asked;
    std::string text;
    TokenIds ids;
};
std::optional<Pause> waitForPause(RecordedEvents& events, RunId runId)
{
    Pause pause;
    while (const std::optional<GenerationEvent> event = events.nextOfRun()) {
        if (runIdOf(*event) != runId)
            continue;
        if (const auto* token = std::get_if<TokenDecoded>(&*event)) {
            pause.text += token->text;
            pause.ids.push_back(token->record.id);
        }
        if (std::holds_alternative<RunEnded>(*event))
            return std::nullopt;
        if (const auto* paused = std::get_if<RunPaused>(&*event)) {
            pause.cause = paused->cause;
            return pause;
        }
    }
    return std::nullopt;
}

TokenRecord recordOf(const std::string& bytes)
{
    TokenRecord record;
    record.bytes = bytes;
    return record;
}
}

/// engine/session/pace.h, and how the inference thread keeps to it.
class TestPace : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath("words.gguf").toStdString();
        kWords.save(m_path);
    }

    void aTextIsFoundOverTokenBordersAndOnlyOnce()
    {
        const Breakpoints breakpoints { .text = "three", .probabilityBelow = {}, .entropyAbove = {}, .endProbabilityAbove = {} };
        QVERIFY(!breakpointAt(breakpoints, recordOf(" thr"), "One, thr"));
        QCOMPARE(breakpointAt(breakpoints, recordOf("ee"), "One, three"), std::optional(PauseCause::Text));
        QVERIFY(!breakpointAt(breakpoints, recordOf("."), "One, three."));
        QVERIFY(!breakpointAt({}, recordOf("ee"), "One, three"));
    }

    void numbersCompareWithWhatWasObserved()
    {
        TokenRecord record = recordOf("x");
        Breakpoints breakpoints;
        breakpoints.probabilityBelow = 0.5f;
        breakpoints.entropyAbove = 1.0f;
        breakpoints.endProbabilityAbove = 0.2f;
        QVERIFY(!breakpointAt(breakpoints, record, "x")); // nothing was observed
        record.endProbability = 0.3f;
        QCOMPARE(breakpointAt(breakpoints, record, "x"), std::optional(PauseCause::EndProbability));
        record.entropy = 1.5f;
        QCOMPARE(breakpointAt(breakpoints, record, "x"), std::optional(PauseCause::Entropy));
        record.logprob = -0.1f;
        QCOMPARE(breakpointAt(breakpoints, record, "x"), std::optional(PauseCause::Entropy));
        record.logprob = -1.0f;
        QCOMPARE(breakpointAt(breakpoints, record, "x"), std::optional(PauseCause::Probability));
    }

    void stepByStepTheAnswerIsTheSame()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = counting() }));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1, steps(0)));
        std::optional<Pause> pause = waitForPause(events, 1);
        QVERIFY(pause);
        QVERIFY(pause->ids.empty());
        QCOMPARE(pause->cause, PauseCause::StepsDone);
        std::string text;
        int pauses = 0;
        for (; pause; pause = waitForPause(events, 1), ++pauses) {
            QVERIFY(pause->ids.size() <= 1);
            text += pause->text;
            thread.resume(1, steps(1));
        }
        QCOMPARE(pauses, int(kWords.words.size()) + 1);
        QCOMPARE(text, std::string("One, two, three."));
    }

    void theEndSaysWhatARunWithoutPausesSays()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = counting() }));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1));
        const std::optional<RunEnded> plain = events.waitForEnd(1);
        thread.generate(requestOf(2, steps(2)));
        QVERIFY(waitForPause(events, 2));
        thread.resume(2, {});
        std::vector<GenerationEvent> rest;
        while (rest.empty() || !std::holds_alternative<RunEnded>(rest.back())) {
            std::optional<GenerationEvent> event = events.nextOfRun();
            QVERIFY(event);
            rest.push_back(std::move(*event));
        }
        const std::optional<RunEnded> ended = std::get<RunEnded>(rest.back());
        QVERIFY(plain && ended);
        // Of the two tokens before the pause the second took a pass; the one after it comes first.
        QCOMPARE(int(tests::passesOf(rest, PassKind::Decode).size()), ended->decodePassCount - 1);
        QCOMPARE(ended->tokenIds, plain->tokenIds);
        QCOMPARE(ended->text, plain->text);
        QCOMPARE(ended->ledger.reason, StopReason::EndToken);
        QCOMPARE(ended->decodePassCount, plain->decodePassCount);
    }

    void aTextBreakpointPausesAfterItsLastToken()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = counting() }));
        thread.load({ .path = m_path });
        Pace pace;
        pace.breakpoints.text = "three";
        thread.generate(requestOf(1, pace));
        const std::optional<Pause> pause = waitForPause(events, 1);
        QVERIFY(pause);
        QCOMPARE(pause->cause, PauseCause::Text);
        QCOMPARE(pause->text, std::string("One, two, three"));
    }

    void aForcedTokenIsTakenAndSaysSo()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = counting() }));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1, steps(1)));
        QVERIFY(waitForPause(events, 1));
        Pace pace = steps(1);
        pace.forcedIds = { kWords.word(6) };
        thread.resume(1, pace);
        bool isForced = false;
        while (const std::optional<GenerationEvent> event = events.nextOfRun()) {
            if (const auto* token = std::get_if<TokenDecoded>(&*event)) {
                QCOMPARE(token->record.id, kWords.word(6));
                isForced = token->record.source == TokenSource::Forced;
            }
            if (std::holds_alternative<RunPaused>(*event))
                break;
        }
        QVERIFY(isForced);
    }

    void severalForcedTokensAreTakenOneByOneAndThenNoMore()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = counting() }));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1, steps(1)));
        QVERIFY(waitForPause(events, 1));
        Pace pace = steps(3);
        pace.forcedIds = { kWords.word(6), kWords.word(5) };
        thread.resume(1, pace);
        std::vector<TokenRecord> records;
        while (const std::optional<GenerationEvent> event = events.nextOfRun()) {
            if (const auto* token = std::get_if<TokenDecoded>(&*event))
                records.push_back(token->record);
            if (std::holds_alternative<RunPaused>(*event))
                break;
        }
        QCOMPARE(records.size(), size_t(3));
        QCOMPARE(records[0].id, kWords.word(6));
        QCOMPARE(records[1].id, kWords.word(5));
        QCOMPARE(records[1].source, TokenSource::Forced);
        QCOMPARE(records[2].source, TokenSource::Sampled);
        thread.resume(1, {}); // the pace before is over
        while (const std::optional<GenerationEvent> event = events.nextOfRun()) {
            if (const auto* token = std::get_if<TokenDecoded>(&*event))
                QCOMPARE(token->record.source, TokenSource::Sampled);
            if (std::holds_alternative<RunEnded>(*event))
                break;
        }
    }

    void othersAreServedWhileARunPauses()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = counting() }));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1, steps(3)));
        QVERIFY(waitForPause(events, 1));
        thread.generate(requestOf(2));
        const std::optional<RunEnded> other = events.waitForEnd(2);
        QVERIFY(other);
        QCOMPARE(other->text, std::string("One, two, three."));
        thread.resume(1, {});
        const std::optional<RunEnded> ended = events.waitForEnd(1);
        QVERIFY(ended);
        QCOMPARE(ended->text, std::string("One, two, three."));
    }

    void aPausedRunCanBeEnded_data()
    {
        QTest::addColumn<bool>("byClosing");
        QTest::newRow("stopped") << false;
        QTest::newRow("closing") << true;
    }
    void aPausedRunCanBeEnded()
    {
        QFETCH(bool, byClosing);
        RecordedEvents events;
        auto thread = std::make_unique<InferenceThread>(events, scriptedFactory({ .script = counting() }));
        thread->load({ .path = m_path });
        thread->generate(requestOf(1, steps(3)));
        QVERIFY(waitForPause(events, 1));
        if (byClosing)
            thread.reset();
        else
            thread->cancel(1);
        const std::optional<RunEnded> ended = events.waitForEnd(1);
        QVERIFY(ended);
        QCOMPARE(ended->ledger.reason, StopReason::Cancelled);
        QCOMPARE(ended->ledger.cancelledBy, std::optional(byClosing ? CancelledBy::Closing : CancelledBy::User));
        QCOMPARE(ended->text, std::string("One, two"));
        thread.reset();
        QCOMPARE(endCount(events.takeAll(), 1), 0); // and by nothing else
    }

    void anotherModelEndsAPausedRun()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = counting() }));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1, steps(3)));
        QVERIFY(waitForPause(events, 1));
        thread.unload();
        const std::optional<RunEnded> ended = events.waitForEnd(1);
        QVERIFY(ended);
        QCOMPARE(ended->ledger.cancelledBy, std::optional(CancelledBy::ModelUnloaded));
        thread.resume(1, {}); // too late, and no harm
        thread.load({ .path = m_path });
        thread.generate(requestOf(2));
        QVERIFY(events.waitForEnd(2));
    }

    void aWaitingRunPausesBeforeItsFirstToken()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = counting(),
                                           .beforeAppend = [] { QTest::qSleep(5); } }));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1));
        thread.generate(requestOf(2));
        thread.pause(2);
        QVERIFY(events.waitForEnd(1));
        const std::optional<Pause> pause = waitForPause(events, 2);
        QVERIFY(pause);
        QVERIFY(pause->ids.empty());
    }

private:
    QTemporaryDir m_folder;
    std::string m_path;
};

QTEST_GUILESS_MAIN(TestPace)
#include "tst_pace.moc"
