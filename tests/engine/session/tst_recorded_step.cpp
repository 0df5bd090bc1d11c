#include "engine/session/recorded_step.h"

#include "engine/sampling/random_draw.h"
#include "engine/sampling/sampler.h"
#include "engine/session/session.h"
#include "engine/vulkan/transfer.h"
#include "tests/engine/session/recorded_events.h"
#include "tests/engine/session/word_model.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>

#include <array>
#include <cmath>
#include <cstring>

using namespace engine;
using tests::endOf;
using tests::eventsOf;

namespace {
template <typename T> T need(Result<T> result)
{
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return std::move(*result);
}

/// A tiny model, and a session that chooses on the device.
struct OpenModel {
    OpenModel(vk::Device& device, const QString& name, uint32_t contextLength = 0)
    {
        const auto path
            = std::filesystem::path(TOKENGLASS_GOLDEN) / "models" / (name.toStdString() + ".gguf");
        const GgufFile file = need(GgufFile::open(path));
        model = need(DeviceModel::create(
            device, file, { .contextLength = contextLength, .sequenceCount = 1, .progress = {} }));
        step = need(RecordedStep::create(*model, kEndIds));
        if (const auto warm = step->warmUp({}); !warm)
            qFatal("%s", warm.error().message.c_str());
        pool.emplace(model->pageCount());
        session = std::make_unique<Session>(*model, *pool, "test", 0, step.get());
    }

    static inline const TokenIds kEndIds { 2, 7 };
    std::unique_ptr<DeviceModel> model;
    std::unique_ptr<RecordedStep> step;
    std::optional<PagePool> pool;
    std::unique_ptr<Session> session;
};

TokenIds promptOf(int count)
{
    TokenIds ids;
    for (int i = 0; i < count; ++i)
        ids.push_back(TokenId((i * 37 + 11) % 300));
    return ids;
}

SamplerSettings greedy()
{
    SamplerSettings settings;
    settings.temperature = 0;
    return settings;
}

SamplerSettings seeded(uint64_t seed, float temperature = 1.3f)
{
    SamplerSettings settings;
    settings.temperature = temperature;
    settings.seed = seed;
    return settings;
}

std::vector<float> deviceLogits(OpenModel& opened)
{
    const auto bytes
        = need(vk::readBuffer(opened.model->device(), opened.model->buffers().logits.buffer(), 0,
            opened.model->config().vocabularySize * sizeof(float)));
    std::vector<float> logits(opened.model->config().vocabularySize);
    std::memcpy(logits.data(), bytes.data(), bytes.size());
    return logits;
}

std::vector<float> hostLogits(OpenModel& opened)
{
    return { opened.session->logits().begin(), opened.session->logits().end() };
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// What the device said of each token.
std::vector<StepResult> chosen(OpenModel& opened, const TokenIds& prompt,
    const SamplerSettings& settings, int count, bool looksAhead)
{
    need(opened.session->sync(prompt, {}));
    const auto begun = opened.session->beginChoosing({ .sampling = settings,
        .firstDrawStep = 3,
        .mostTokens = count,
        .looksAhead = looksAhead });
    if (!begun)
        qFatal("%s", begun.error().message.c_str());
    std::vector<StepResult> results;
    for (int i = 0; i < count; ++i)
        results.push_back(need(opened.session->nextToken()));
    return results;
}

/// The same tokens by one pass after the other and the host's sampler.
std::vector<TokenRecord> chosenByTheHost(
    OpenModel& opened, const TokenIds& prompt, const SamplerSettings& settings, int count)
{
    need(opened.session->sync(prompt, {}));
    Sampler sampler(settings, OpenModel::kEndIds);
    std::vector<TokenRecord> records;
    TokenIds sequence = prompt;
    for (int i = 0; i < count; ++i) {
        if (i > 0 && !opened.session->append(sequence.back()))
            qFatal("append failed");
        records.push_back(need(sampler.choose({ .logits = opened.session->logits(),
            .recentTokens = sequence,
            .step = uint64_t(i) + 3 })));
        sequence.push_back(records.back().id);
    }
    return records;
}

bool near(std::optional<float> a, std::optional<float> b)
{
    return a.has_value() == b.has_value()
        && (!a || std::abs(*a - *b) <= 2e-5f * std::max(1.0f, std::abs(*b)));
}

bool sameRecord(const TokenRecord& a, const TokenRecord& b)
{
    bool same = a.id == b.id && a.rank == b.rank && a.draw == b.draw && near(a.logprob, b.logprob)
        && near(a.entropy, b.entropy) && near(a.endProbability, b.endProbability)
        && a.top.size() == b.top.size();
    for (size_t i = 0; same && i < a.top.size(); ++i)
        same = a.top[i].id == b.top[i].id && a.top[i].droppedBy == b.top[i].droppedBy
            && near(a.top[i].logprob, b.top[i].logprob)
            && near(a.top[i].finalProbability, b.top[i].finalProbability);
    return same;
}

GenerationModel generationOn(OpenModel& opened, TokenIds endIds = {})
{
    return {
        .timeline = *opened.session,
        .pieceBytes = [](TokenId id) { return "<" + std::to_string(id) + ">"; },
        .endTokenIds = std::move(endIds),
        .vocabularySize = int(opened.model->config().vocabularySize),
    };
}

GenerationRequest requestOf(int lengthCap, SamplerSettings sampling = greedy())
{
    GenerationRequest request { .runId = 1, .promptIds = promptOf(20) };
    request.sampling = std::move(sampling);
    request.lengthCap = lengthCap;
    return request;
}
}

/// Decoding by recorded steps, a pass ahead: the same tokens and scores as one pass after the
/// other.
class TestRecordedStep : public QObject {
    Q_OBJECT

    tests::VulkanFixture m_vulkan;

private slots:
    void initTestCase()
    {
        // Passes are counted here, and one whose workgroups waited in vain runs twice:
        // tst_whole_layer has that.
        qputenv("TOKENGLASS_MEETING", "0");
        QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem()));
    }
    void cleanupTestCase() { QCOMPARE(m_vulkan.close(), QString()); }

    void tokensAndScoresAreThoseOfTheHostPath_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : { "arch-llama", "arch-gemma3", "type-q4_1" })
            QTest::newRow(name) << QString(name);
    }
    void tokensAndScoresAreThoseOfTheHostPath()
    {
        QFETCH(QString, name);
        OpenModel opened(m_vulkan.device(), name);
        const TokenIds prompt = promptOf(100);
        constexpr int kCount = 50; // over a border of pages and of attention's splits
        for (const SamplerSettings& settings : { greedy(), seeded(1), seeded(2, 0.7f) }) {
            const auto expected = chosenByTheHost(opened, prompt, settings, kCount);
            const std::vector<float> lastLogits = hostLogits(opened);
            const auto oneByOne = chosen(opened, prompt, settings, kCount, false);
            QVERIFY(sameBits(deviceLogits(opened), lastLogits));
            const auto ahead = chosen(opened, prompt, settings, kCount, true);
            QVERIFY(sameBits(deviceLogits(opened), lastLogits));
            for (int i = 0; i < kCount; ++i) {
                QVERIFY2(ahead[i] == oneByOne[i], qPrintable(QString::number(i)));
                QVERIFY2(sameRecord(recordOf(ahead[i], settings, uint64_t(i) + 3), expected[i]),
                    qPrintable(QString::number(i)));
            }
            QCOMPARE(opened.session->endChoosing(), 0);
        }
    }

    void aTokenIsOneSubmissionAndNoAllocation()
    {
        OpenModel opened(m_vulkan.device(), "arch-llama");
        constexpr int kTokens = 50; // the first is a choice alone, from the prompt's scores
        need(opened.session->sync(promptOf(100), {}));
        vk::DeviceCalls& calls = m_vulkan.device().calls();
        std::array<uint64_t, size_t(vk::CallKind::Count)> before {};
        for (size_t kind = 0; kind < before.size(); ++kind)
            before[kind] = calls.callCount(vk::CallKind(kind));
        const uint64_t allocations = m_vulkan.device().allocations().count();
        // Counted from the first choice on, for a pass may be on its way before the caller has the token before it.
        QVERIFY(opened.session->beginChoosing({ .sampling = greedy(), .mostTokens = kTokens }).has_value());
        for (int i = 0; i < kTokens; ++i)
            need(opened.session->nextToken());
        for (size_t kind = 0; kind < before.size(); ++kind) {
            const uint64_t made = calls.callCount(vk::CallKind(kind)) - before[kind];
            if (vk::CallKind(kind) == vk::CallKind::QueueSubmit)
                QCOMPARE(made, uint64_t(kTokens));
            else if (vk::CallKind(kind) != vk::CallKind::WaitSemaphores)
                QVERIFY2(made == 0, vk::callKindName(vk::CallKind(kind)));
        }
        QCOMPARE(m_vulkan.device().allocations().count(), allocations);
    }

    void bordersOfADrawAreDecidedAsTheHostDoes()
    {
        OpenModel opened(m_vulkan.device(), "arch-llama");
        const TokenIds prompt = promptOf(30);
        SamplerSettings settings = seeded(0, 1.0f);
        settings.topP = 1;
        settings.minP = 0;
        // Draws of the first token that fall on a border between two candidates, as near as they
        // come.
        const TokenRecord first = chosenByTheHost(opened, prompt, settings, 1).front();
        std::vector<double> borders;
        double sum = 0;
        for (const Candidate& candidate : first.top)
            borders.push_back(sum += double(candidate.finalProbability.value_or(0)));
        int found = 0;
        for (uint64_t seed = 0; found < 12; ++seed) {
            const double uniform = uniformDraw(seed, 3);
            const bool isNear = std::ranges::any_of(
                borders, [&](double border) { return std::abs(uniform - border) < 2e-7; });
            if (!isNear)
                continue;
            ++found;
            settings.seed = seed;
            const auto expected = chosenByTheHost(opened, prompt, settings, 4);
            for (const bool looksAhead : { false, true }) {
                const auto results = chosen(opened, prompt, settings, 4, looksAhead);
                for (size_t i = 0; i < 4; ++i)
                    QVERIFY(sameRecord(recordOf(results[i], settings, i + 3), expected[i]));
                opened.session->endChoosing();
            }
        }
    }

    void aPassThatWasNotWantedLeavesNothing()
    {
        OpenModel opened(m_vulkan.device(), "arch-llama");
        TokenIds sequence = promptOf(60);
        const auto expected = chosenByTheHost(opened, sequence, greedy(), 12);
        need(opened.session->sync(sequence, {}));
        QVERIFY(
            opened.session->beginChoosing({ .sampling = greedy(), .mostTokens = 100 }).has_value());
        for (int i = 0; i < 6; ++i)
            sequence.push_back(need(opened.session->nextToken()).id);
        QCOMPARE(opened.session->endChoosing(), 1);
        QCOMPARE(opened.session->endChoosing(), 0);
        QCOMPARE(opened.session->tokenCount(), 65); // the last one was chosen, not added
        // Another way on: the row that the discarded pass wrote is not taken for this token's.
        const TokenId other = (sequence.back() + 1) % 300;
        QVERIFY(opened.session->append(other).has_value());
        const std::vector<float> scores = hostLogits(opened);
        sequence.back() = other;
        OpenModel fresh(m_vulkan.device(), "arch-llama");
        need(fresh.session->sync(sequence, {}));
        QVERIFY(sameBits(scores, hostLogits(fresh)));
        QCOMPARE(need(opened.session->sync(promptOf(60), {})).reusedTokens, 59);
        QCOMPARE(chosenByTheHost(opened, promptOf(60), greedy(), 12), expected);
    }

    void noPassIsComputedPastTheEnd()
    {
        OpenModel opened(m_vulkan.device(), "arch-llama", 64);
        const RunEnded full = endOf(eventsOf(
            [] {
                GenerationRequest request = requestOf(500);
                request.promptIds = promptOf(50);
                return request;
            }(),
            generationOn(opened)));
        QCOMPARE(full.ledger.reason, StopReason::ContextFull);
        QVERIFY(full.overlap.isUsed);
        QCOMPARE(full.tokenIds.size(), size_t(14));
        QCOMPARE(full.decodePassCount, 13);
        QCOMPARE(full.discardedPassCount, 0);
        for (const int cap : { 1, 2, 9 }) {
            const RunEnded capped = endOf(eventsOf(requestOf(cap), generationOn(opened)));
            QCOMPARE(capped.ledger.reason, StopReason::LengthCap);
            QCOMPARE(capped.decodePassCount, cap - 1);
            QCOMPARE(capped.discardedPassCount, 0);
        }
    }

    void whatEndsARunUnforeseenDiscardsOnePass()
    {
        OpenModel opened(m_vulkan.device(), "arch-llama");
        const RunEnded plain = endOf(eventsOf(requestOf(24), generationOn(opened)));
        QCOMPARE(plain.tokenIds.size(), size_t(24));
        const auto at = [&](size_t index) { // where this token is met first
            return size_t(
                std::ranges::find(plain.tokenIds, plain.tokenIds[index]) - plain.tokenIds.begin());
        };
        const RunEnded ended
            = endOf(eventsOf(requestOf(24), generationOn(opened, { plain.tokenIds[7] })));
        QCOMPARE(ended.ledger.reason, StopReason::EndToken);
        QCOMPARE(ended.tokenIds.size(), at(7) + 1);
        QCOMPARE(ended.decodePassCount, int(at(7)));
        QCOMPARE(ended.discardedPassCount, 1);

        GenerationRequest request = requestOf(24);
        request.stopStrings = { "<" + std::to_string(plain.tokenIds[5]) + ">" };
        const RunEnded stopped = endOf(eventsOf(request, generationOn(opened)));
        QCOMPARE(stopped.ledger.reason, StopReason::StopString);
        QCOMPARE(stopped.decodePassCount, int(at(5)));
        QCOMPARE(stopped.discardedPassCount, 1);

        int asked = 0;
        const RunEnded cancelled = endOf(
            eventsOf(requestOf(24), generationOn(opened), [&]() -> std::optional<CancelledBy> {
                if (++asked < 10)
                    return std::nullopt;
                return CancelledBy::User;
            }));
        QCOMPARE(cancelled.ledger.reason, StopReason::Cancelled);
        QVERIFY(!cancelled.tokenIds.empty());
        QCOMPARE(cancelled.decodePassCount, int(cancelled.tokenIds.size()) - 1);
        QCOMPARE(cancelled.discardedPassCount, 1);

        const RunEnded again = endOf(eventsOf(requestOf(24), generationOn(opened)));
        QCOMPARE(again.tokenIds, plain.tokenIds);
    }

    void passesAreToldWithWhatTheyReadAndHowLongTheyTook()
    {
        OpenModel opened(m_vulkan.device(), "arch-llama");
        const ModelConfig& config = opened.model->config();
        const DeviceWeights& weights = opened.model->weights();
        const uint64_t embeddingRow
            = weights.tokenEmbedding.deviceBytes() / weights.tokenEmbedding.paddedRows();
        // The embedding is read by rows, all other matrices whole.
        const uint64_t stepWeights = weights.matrixBytes() + embeddingRow
            - (weights.separateOutput ? weights.tokenEmbedding.deviceBytes() : 0);
        const uint64_t positionBytes = uint64_t(config.layerCount) * 2 * config.kvLength() * 2;
        const bool isSoftware = m_vulkan.device().capabilities().softwareDevice;
        for (const bool overlaps : { true, false }) {
            GenerationRequest request = requestOf(6);
            request.promptIds = promptOf(20);
            request.overlaps = overlaps;
            opened.session->dropFrom(0);
            const auto events = eventsOf(request, generationOn(opened));
            QCOMPARE(endOf(events).overlap.isUsed, overlaps);
            const auto prefill = tests::passesOf(events, PassKind::Prefill);
            QCOMPARE(prefill.size(), size_t(1));
            QCOMPARE(prefill[0].positionCount, 20);
            QCOMPARE(prefill[0].weightBytes, std::optional(stepWeights + 19 * embeddingRow));
            QCOMPARE(prefill[0].cacheBytes, std::optional(20 * positionBytes));
            const auto decode = tests::passesOf(events, PassKind::Decode);
            QCOMPARE(decode.size(), size_t(5));
            double endMs = prefill[0].startMs + *prefill[0].hostMs;
            for (size_t i = 0; i < decode.size(); ++i) {
                QCOMPARE(decode[i].firstPosition, int(20 + i));
                QCOMPARE(decode[i].positionCount, 1);
                QCOMPARE(decode[i].weightBytes, std::optional(stepWeights));
                QCOMPARE(decode[i].cacheBytes, std::optional((21 + i) * positionBytes));
                QVERIFY(decode[i].startMs >= endMs - 1e-6); // sums of moments
                endMs = decode[i].startMs + *decode[i].hostMs;
                if (overlaps) // marks cost the software device more than they tell
                    QCOMPARE(decode[i].deviceMs.has_value(), !isSoftware);
                if (decode[i].deviceMs) // two clocks
                    QVERIFY(*decode[i].deviceMs > 0 && *decode[i].deviceMs <= *decode[i].hostMs + 1);
            }
            QVERIFY(tests::passesOf(events, PassKind::Discarded).empty());
        }
        const RunEnded plain = endOf(eventsOf(requestOf(8), generationOn(opened)));
        const auto events = eventsOf(requestOf(8), generationOn(opened, { plain.tokenIds[3] }));
        const RunEnded ended = endOf(events);
        const auto discarded = tests::passesOf(events, PassKind::Discarded);
        QCOMPARE(int(discarded.size()), ended.discardedPassCount);
        QCOMPARE(int(tests::passesOf(events, PassKind::Decode).size()), ended.decodePassCount);
        QCOMPARE(discarded.size(), size_t(1));
        QCOMPARE(discarded[0].firstPosition,
            int(requestOf(8).promptIds.size() + ended.tokenIds.size()) - 1);
        QVERIFY(!discarded[0].hostMs && !discarded[0].deviceMs); // nobody waited for it
    }

    void whatNeedsTheHostRunsWithoutOverlapAndSaysSo()
    {
        OpenModel opened(m_vulkan.device(), "arch-llama");
        const auto obstacleOf = [&](const GenerationRequest& request) {
            const RunEnded ended = endOf(eventsOf(request, generationOn(opened)));
            if (ended.overlap.isUsed || ended.tokenIds.size() != size_t(request.lengthCap))
                return std::string("overlapped or cut short");
            return ended.overlap.obstacle;
        };
        GenerationRequest request = requestOf(5);
        request.forcedIds = { 4, 5 };
        QCOMPARE(obstacleOf(request), std::string("tokens are forced by the host"));
        request = requestOf(5);
        request.sampling.repeatPenalty = 1.2f;
        QCOMPARE(obstacleOf(request), std::string("penalties are computed by the host"));
        request = requestOf(5, seeded(3));
        request.sampling.topK = 0;
        QVERIFY(obstacleOf(request).find("top-k is off") == 0);

        request = requestOf(30, seeded(3));
        request.overlaps = false;
        QCOMPARE(obstacleOf(request), std::string("switched off for this run"));
        const TokenIds alone = endOf(eventsOf(request, generationOn(opened))).tokenIds;
        request.overlaps = true;
        const RunEnded overlapped = endOf(eventsOf(request, generationOn(opened)));
        QVERIFY(overlapped.overlap.isUsed);
        QVERIFY(overlapped.overlap.obstacle.empty());
        QCOMPARE(overlapped.tokenIds, alone);
    }

    void aForkEqualsAFreshRunForcedToTheSamePrefix_data()
    {
        QTest::addColumn<bool>("isDrawn");
        QTest::newRow("greedy") << false;
        QTest::newRow("drawn") << true;
    }
    void aForkEqualsAFreshRunForcedToTheSamePrefix()
    {
        QFETCH(bool, isDrawn);
        OpenModel opened(m_vulkan.device(), "arch-llama");
        const SamplerSettings settings = isDrawn ? seeded(3) : greedy();
        const RunEnded old = endOf(eventsOf(requestOf(20, settings), generationOn(opened)));
        const TokenIds kept(old.tokenIds.begin(), old.tokenIds.begin() + 8);
        const TokenId other = old.tokenIds[8] == 40 ? 41 : 40;

        GenerationRequest fork = requestOf(12, settings);
        fork.promptIds.insert(fork.promptIds.end(), kept.begin(), kept.end());
        fork.draftTokenCount = int(kept.size());
        fork.forcedIds = { other };
        const RunEnded forked = endOf(eventsOf(fork, generationOn(opened)));
        QVERIFY(forked.cache.reusedTokens >= int(fork.promptIds.size()) - 1); // the common part was there

        OpenModel cold(m_vulkan.device(), "arch-llama");
        GenerationRequest fresh = requestOf(20, settings);
        fresh.forcedIds = kept;
        fresh.forcedIds.push_back(other);
        const RunEnded forced = endOf(eventsOf(fresh, generationOn(cold)));
        QCOMPARE(forced.cache.reusedTokens, 0);
        QCOMPARE(TokenIds(forced.tokenIds.begin() + 8, forced.tokenIds.end()), forked.tokenIds);
    }

    void givingTheTimelineAwayChangesNoToken_data()
    {
        QTest::addColumn<bool>("overlaps");
        QTest::newRow("ahead") << true;
        QTest::newRow("alone") << false;
    }
    void givingTheTimelineAwayChangesNoToken()
    {
        QFETCH(bool, overlaps);
        OpenModel opened(m_vulkan.device(), "arch-llama");
        GenerationRequest request = requestOf(24, seeded(3));
        request.overlaps = overlaps;
        const RunEnded plain = endOf(eventsOf(request, generationOn(opened)));
        TokenIds prefix = request.promptIds;
        prefix.insert(prefix.end(), plain.tokenIds.begin(), plain.tokenIds.begin() + 2);
        need(opened.session->sync(prefix, {}));
        const std::vector<float> right = hostLogits(opened);

        tests::RecordedEvents events;
        int asked = 0;
        int served = 0;
        Generation run(request, generationOn(opened),
            { .sink = events, .cancelled = [] { return std::optional<CancelledBy>(); },
                .submitted = std::chrono::steady_clock::now(),
                .othersWait = [&] { return ++asked % 5 == 0; },
                .serveOthers =
                    [&] {
                        ++served;
                        const SyncReport report = need(opened.session->sync(prefix, {}));
                        QCOMPARE(report.computedTokens, 1); // what the cache holds is not computed
                        QVERIFY(sameBits(hostLogits(opened), right));
                    } });
        run.run();
        QVERIFY(served >= 3);
        const RunEnded ended = endOf(events.takeAll());
        QCOMPARE(ended.tokenIds, plain.tokenIds);
        QCOMPARE(ended.overlap.isUsed, overlaps);
        QCOMPARE(ended.decodePassCount, plain.decodePassCount);
    }

    void tokensForcedAtAPauseEqualAFreshRunForcedToTheSamePrefix_data()
    {
        QTest::addColumn<bool>("isDrawn");
        QTest::newRow("greedy") << false;
        QTest::newRow("drawn") << true;
    }
    void tokensForcedAtAPauseEqualAFreshRunForcedToTheSamePrefix()
    {
        QFETCH(bool, isDrawn);
        OpenModel opened(m_vulkan.device(), "arch-llama");
        GenerationRequest request = requestOf(24, isDrawn ? seeded(3) : greedy());
        request.pace.tokens = 6;
        tests::RecordedEvents events;
        Generation paused(request, generationOn(opened),
            { .sink = events, .cancelled = [] { return std::optional<CancelledBy>(); },
                .submitted = std::chrono::steady_clock::now() });
        paused.run();
        QVERIFY(paused.isPaused());
        paused.resume({ .tokens = 3, .forcedIds = { 40, 41, 42 }, .breakpoints = {} });
        QVERIFY(paused.isPaused());
        paused.resume({});
        std::vector<TokenSource> sources;
        RunEnded ended;
        for (const GenerationEvent& event : events.takeAll()) {
            if (const auto* token = std::get_if<TokenDecoded>(&event))
                sources.push_back(token->record.source);
            if (const auto* end = std::get_if<RunEnded>(&event))
                ended = *end;
        }
        QCOMPARE(ended.tokenIds.size(), size_t(24));
        for (size_t i = 0; i < sources.size(); ++i)
            QCOMPARE(sources[i] == TokenSource::Forced, i >= 6 && i < 9);
        QCOMPARE(TokenIds(ended.tokenIds.begin() + 6, ended.tokenIds.begin() + 9), (TokenIds { 40, 41, 42 }));

        OpenModel cold(m_vulkan.device(), "arch-llama");
        GenerationRequest fresh = requestOf(24, request.sampling);
        fresh.forcedIds.assign(ended.tokenIds.begin(), ended.tokenIds.begin() + 9);
        QCOMPARE(endOf(eventsOf(fresh, generationOn(cold))).tokenIds, ended.tokenIds);
    }

    void pausesChangeNoToken_data()
    {
        QTest::addColumn<bool>("overlaps");
        QTest::addColumn<bool>("othersMeanwhile");
        for (const bool overlaps : { true, false })
            for (const bool others : { true, false })
                QTest::addRow("%s, %s", overlaps ? "ahead" : "alone", others ? "others meanwhile" : "nobody else")
                    << overlaps << others;
    }
    void pausesChangeNoToken()
    {
        QFETCH(bool, overlaps);
        QFETCH(bool, othersMeanwhile);
        OpenModel opened(m_vulkan.device(), "arch-llama");
        GenerationRequest request = requestOf(24, seeded(3));
        request.overlaps = overlaps;
        const RunEnded plain = endOf(eventsOf(request, generationOn(opened)));
        GenerationRequest other = requestOf(6, seeded(9));
        std::ranges::reverse(other.promptIds);

        tests::RecordedEvents events;
        request.pace.tokens = 0;
        Generation paused(request, generationOn(opened),
            { .sink = events, .cancelled = [] { return std::optional<CancelledBy>(); },
                .submitted = std::chrono::steady_clock::now() });
        paused.run();
        int pauses = 0;
        for (; paused.isPaused(); ++pauses) {
            if (othersMeanwhile)
                endOf(eventsOf(other, generationOn(opened)));
            paused.resume({ .tokens = 5, .forcedIds = {}, .breakpoints = {} });
        }
        QCOMPARE(pauses, 5);
        const RunEnded ended = endOf(events.takeAll());
        QCOMPARE(ended.tokenIds, plain.tokenIds);
        QCOMPARE(ended.overlap.isUsed, overlaps);
        QCOMPARE(ended.decodePassCount, plain.decodePassCount);
    }

    void theRepetitionGuardEndsAtTheSameTokenAheadAndAlone()
    {
        OpenModel opened(m_vulkan.device(), "arch-llama");
        GenerationRequest request = requestOf(400, greedy());
        request.repetitionGuard = { .longestPeriod = 64, .repeatCount = 3 };
        const RunEnded ahead = endOf(eventsOf(request, generationOn(opened)));
        QVERIFY(ahead.overlap.isUsed);
        QCOMPARE(ahead.ledger.reason, StopReason::Repetition);
        QVERIFY(ahead.ledger.repetition && ahead.ledger.repetition->count == 3);
        // The pass that was under way is counted, and its row is not kept.
        QCOMPARE(ahead.discardedPassCount, 1);
        QCOMPARE(opened.session->tokenCount(),
            int(request.promptIds.size() + ahead.tokenIds.size()) - 1);
        request.overlaps = false;
        const RunEnded alone = endOf(eventsOf(request, generationOn(opened)));
        QCOMPARE(alone.tokenIds, ahead.tokenIds);
        QCOMPARE(alone.ledger.reason, ahead.ledger.reason);
        QCOMPARE(alone.ledger.repetition, ahead.ledger.repetition);
    }

    void aContinuedDraftDrawsOn()
    {
        OpenModel opened(m_vulkan.device(), "arch-llama");
        const RunEnded whole = endOf(eventsOf(requestOf(20, seeded(9)), generationOn(opened)));
        GenerationRequest request = requestOf(12, seeded(9));
        request.promptIds.insert(
            request.promptIds.end(), whole.tokenIds.begin(), whole.tokenIds.begin() + 8);
        request.draftTokenCount = 8;
        const RunEnded rest = endOf(eventsOf(request, generationOn(opened)));
        QVERIFY(rest.overlap.isUsed);
        QCOMPARE(rest.tokenIds, TokenIds(whole.tokenIds.begin() + 8, whole.tokenIds.end()));
    }
};

QTEST_GUILESS_MAIN(TestRecordedStep)
#include "tst_recorded_step.moc"
