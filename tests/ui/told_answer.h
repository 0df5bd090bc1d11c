#pragma once

#include "app/inspection/token_track.h"
#include "tests/support/fake_engine.h"

#include <cmath>

namespace tests {

/// An answer of one run that a test tells token by token, with the fake engine's vocabulary.
struct ToldAnswer {
    app::Answer answer;
    FakeEngine engine;
    engine::RunId run = 1;
    double decidedMs = 100; ///< of the newest token

    explicit ToldAnswer(engine::TokenIds promptIds = { FakeEngine::kStart, 'H', 'i' },
        app::AnswerOpening opening = {})
        : answer(opening)
    {
        app::DraftOrigin origin;
        origin.request.runId = run;
        origin.request.draftTokenCount = int(opening.ids.size());
        origin.request.promptIds = std::move(promptIds);
        for (const engine::TokenId id : opening.ids)
            origin.request.promptIds.push_back(id);
        origin.modelText = engine.modelText();
        answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
    }

    void token(engine::TokenRecord record)
    {
        engine::TokenDecoded event;
        event.runId = run;
        event.text = record.bytes;
        event.record = std::move(record);
        answer.apply(event);
    }
    void token(const std::string& bytes, double probability = 0.5, int rank = 1)
    {
        engine::TokenRecord record;
        record.id = 'x';
        record.bytes = bytes;
        record.logprob = float(std::log(probability));
        record.rank = rank;
        record.entropy = 1.5F;
        record.endProbability = 0.03F;
        record.decidedMs = decidedMs += 20;
        token(std::move(record));
    }
    void end(engine::StopReason reason = engine::StopReason::LengthCap, int reused = 0)
    {
        engine::RunEnded event;
        event.runId = run;
        event.ledger.reason = reason;
        event.text = answer.draft()->text();
        event.cache.reusedTokens = reused;
        answer.apply(event);
    }
};

} // namespace tests
