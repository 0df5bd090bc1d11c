// How fast a grid of runs is written on one model: bench_side_runs MODEL.gguf [RUNS] [TOKENS] [ROUNDS].
// Everything but the window takes part: queue, prompts, selection with inspection, events.
#include "engine/session/engine.h"
#include "engine/session/inference_thread.h"
#include "tests/engine/session/recorded_events.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

using namespace engine;

namespace {
/// New tokens a second of all runs together, from the first pass that all take part in.
double measure(InferenceThread& thread, tests::RecordedEvents& events, int runCount, int tokenCount, RunId firstId)
{
    std::vector<GenerationRequest> requests;
    for (int i = 0; i < runCount; ++i) {
        GenerationRequest request;
        request.runId = firstId + RunId(i);
        request.sampling.temperature = 0.8f;
        request.sampling.seed = uint64_t(i);
        request.lengthCap = tokenCount;
        request.ignoreEndTokens = true;
        for (TokenId id = 0; id < 16; ++id)
            request.promptIds.push_back(100 + id * 37);
        requests.push_back(std::move(request));
    }
    thread.generateTogether(std::move(requests));
    double start = 0;
    double end = 0;
    for (int left = runCount; left > 0;) {
        const auto event = events.nextOfRun();
        if (!event)
            return 0;
        if (const auto* ended = std::get_if<RunEnded>(&*event)) {
            --left;
            start = std::max(start, ended->timing.firstTokenMs.value_or(0));
            end = std::max(end, ended->timing.endedMs.value_or(0));
        }
    }
    return end > start ? runCount * (tokenCount - 1) * 1000.0 / (end - start) : 0;
}
}

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_side_runs MODEL.gguf [RUNS] [TOKENS] [ROUNDS]\n");
        return 2;
    }
    const int runCount = argc > 2 ? std::atoi(argv[2]) : 4;
    const int tokenCount = argc > 3 ? std::atoi(argv[3]) : 48;
    const int roundCount = argc > 4 ? std::atoi(argv[4]) : 5;
    tests::RecordedEvents events;
    InferenceThread thread(events, vulkanEngineFactory());
    thread.load({ .path = argv[1], .contextLength = 2048 });
    if (!events.waitForModel())
        return 1;
    std::vector<double> rates;
    for (int round = 0; round <= roundCount; ++round) {
        const double rate = measure(thread, events, runCount, tokenCount, RunId(1 + round * 100));
        if (round > 0) // the first compiles kernels
            rates.push_back(rate);
    }
    std::ranges::sort(rates);
    std::printf("%d runs side by side: %.1f tokens/s together (median of %d)\n", runCount, rates[rates.size() / 2],
        roundCount);
}
