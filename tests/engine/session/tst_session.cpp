#include "engine/session/session.h"

#include "engine/reference/token_scores.h"
#include "tests/support/reference_data.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>
#include <cmath>
#include <cstring>

using namespace engine;

namespace {
struct Fixture {
    QString name;
    std::filesystem::path gguf;
    nlohmann::json expected;
};

/// A fixture by name: a copy among the golden files, else the reference folder; none when absent.
std::optional<Fixture> findFixture(const std::string& name)
{
    std::filesystem::path folder = std::filesystem::path(TOKENGLASS_GOLDEN) / "models";
    if (!std::filesystem::exists(folder / (name + ".gguf"))) {
        const auto reference = tests::referenceFolder();
        if (!reference)
            return std::nullopt;
        folder = *reference / "models";
    }
    return Fixture { QString::fromStdString(name), folder / (name + ".gguf"),
        tests::readJson(folder / (name + ".json")) };
}

/// A model with its pool and one session.
struct OpenModel {
    std::unique_ptr<DeviceModel> model;
    std::optional<PagePool> pool;
    std::unique_ptr<Session> session;
};

using Logits = std::vector<std::vector<float>>;

bool sameBits(const std::vector<float>& a, const std::vector<float>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}
}

/// The forward pass on the device: right values, and the same bits however it is called.
class TestSession : public QObject {
    Q_OBJECT

    tests::VulkanFixture m_vulkan;

    bool open(const Fixture& fixture, OpenModel& opened, uint32_t sequences = 1)
    {
        auto file = GgufFile::open(fixture.gguf);
        if (!file) {
            qWarning("%s", file.error().message.c_str());
            return false;
        }
        auto model = DeviceModel::create(
            m_vulkan.device(), *file, { .contextLength = 0, .sequenceCount = sequences, .progress = {} });
        if (!model) {
            qWarning("%s", model.error().message.c_str());
            return false;
        }
        opened.model = std::move(*model);
        opened.pool.emplace(opened.model->pageCount());
        opened.session = std::make_unique<Session>(*opened.model, *opened.pool, "test", 0);
        return true;
    }

    static Logits scoresOf(Session& session, const TokenIds& ids, uint32_t chunkRows)
    {
        Logits all;
        const auto result = session.scoreAll(ids, chunkRows,
            [&](size_t, std::span<const float> logits) { all.emplace_back(logits.begin(), logits.end()); });
        if (!result)
            qWarning("%s", result.error().message.c_str());
        return all;
    }

    static void nameRows(const std::vector<const char*>& names)
    {
        QTest::addColumn<QString>("name");
        for (const char* name : names)
            QTest::newRow(name) << QString(name);
    }

private slots:
    void initTestCase() { QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem())); }
    void cleanupTestCase()
    {
        const QString messages = m_vulkan.close();
        QVERIFY2(messages.isEmpty(), qPrintable(messages));
    }

    void logitsAreThoseOfTheReference_data()
    {
        nameRows({ "arch-llama", "arch-llama-linear", "arch-llama-spm", "arch-llama31", "arch-qwen2", "arch-qwen3",
            "arch-gemma3", "type-f32", "type-f16", "type-bf16", "type-q4_0", "type-q4_1", "type-q5_0",
            "type-q4_k", "type-q5_k", "type-q6_k" });
    }
    void logitsAreThoseOfTheReference()
    {
        QFETCH(QString, name);
        const auto fixture = findFixture(name.toStdString());
        if (!fixture)
            QSKIP(tests::kNoReference);
        OpenModel opened;
        QVERIFY(open(*fixture, opened));
        const TokenIds ids = fixture->expected["token_ids"].get<TokenIds>();
        const Logits all = scoresOf(*opened.session, ids, 8);
        QCOMPARE(all.size(), ids.size());

        const auto expected = fixture->expected["last_logits"].get<std::vector<float>>();
        float largest = 0;
        float difference = 0;
        for (size_t i = 0; i < expected.size(); ++i) {
            largest = std::max(largest, std::abs(expected[i]));
            difference = std::max(difference, std::abs(expected[i] - all.back()[i]));
        }
        qInfo("%s: largest difference %.2e of the largest logit", qPrintable(name), double(difference / largest));
        // Reached: 1e-3 or better; keys and values are stored as halves, the reference's as floats.
        QVERIFY2(difference <= 1e-2f * largest, qPrintable(QString::number(double(difference / largest))));
        const auto logprobs = fixture->expected["logprob_of_next"].get<std::vector<double>>();
        for (size_t i = 0; i + 1 < ids.size(); ++i)
            QVERIFY(std::abs(logprobOf(all[i], ids[i + 1]) - logprobs[i]) < 0.02);
    }

    void bitsAreTheSameHoweverThePromptIsRead_data()
    {
        nameRows({ "arch-llama", "arch-qwen3", "arch-gemma3", "type-q4_1", "type-q4_k", "type-q6_k" });
    }
    void bitsAreTheSameHoweverThePromptIsRead()
    {
        QFETCH(QString, name);
        const auto fixture = findFixture(name.toStdString());
        if (!fixture)
            QSKIP(tests::kNoReference);
        OpenModel opened;
        QVERIFY(open(*fixture, opened));
        Session& session = *opened.session;
        const TokenIds ids = fixture->expected["token_ids"].get<TokenIds>();

        const Logits one = scoresOf(session, ids, 1); // every token a decode step
        for (const uint32_t chunk : { 3u, 7u, 8u }) {
            const Logits chunked = scoresOf(session, ids, chunk);
            QCOMPARE(chunked.size(), one.size());
            for (size_t i = 0; i < one.size(); ++i)
                QVERIFY2(sameBits(one[i], chunked[i]), qPrintable(QString("chunk %1, position %2").arg(chunk).arg(i)));
        }

        // In one chunk, and then again, with all but the last position reused.
        session.dropFrom(0);
        for (const int reused : { 0, int(ids.size()) - 1 }) {
            const auto report = session.sync(ids, {});
            QVERIFY(report.has_value());
            QCOMPARE(report->reusedTokens, reused);
            QVERIFY(sameBits(one.back(), { session.logits().begin(), session.logits().end() }));
        }

        // Partly reused: another ending first, then this one again.
        TokenIds other = ids;
        other[ids.size() / 2] = (other[ids.size() / 2] + 1) % 300;
        QVERIFY(session.sync(other, {}).has_value());
        const auto report = session.sync(ids, {});
        QVERIFY(report.has_value());
        QVERIFY(report->reusedTokens >= int(ids.size() / 2));
        QVERIFY(sameBits(one.back(), { session.logits().begin(), session.logits().end() }));
    }

    void scoresOfAPositionDoNotDependOnWhatFollows()
    {
        const auto fixture = findFixture("arch-gemma3");
        if (!fixture)
            QSKIP(tests::kNoReference);
        OpenModel opened;
        QVERIFY(open(*fixture, opened));
        const TokenIds ids = fixture->expected["token_ids"].get<TokenIds>();
        const Logits whole = scoresOf(*opened.session, ids, 8);
        for (const size_t cut : { size_t(1), ids.size() / 3, ids.size() - 1 }) {
            TokenIds other(ids.begin(), ids.begin() + cut);
            for (size_t i = cut; i < ids.size(); ++i)
                other.push_back(TokenId((ids[i] * 7 + 11) % 300));
            const Logits changed = scoresOf(*opened.session, other, 8);
            for (size_t i = 0; i < cut; ++i)
                QVERIFY2(sameBits(whole[i], changed[i]), qPrintable(QString("cut %1, position %2").arg(cut).arg(i)));
        }
    }

    void sequencesSideBySideGiveTheSameBitsAsAlone()
    {
        const auto fixture = findFixture("arch-llama");
        if (!fixture)
            QSKIP(tests::kNoReference);
        OpenModel opened;
        QVERIFY(open(*fixture, opened, 3));
        const TokenIds ids = fixture->expected["token_ids"].get<TokenIds>();
        const Logits alone = scoresOf(*opened.session, ids, 1);

        // Three block tables over disjoint pages; one pass a step decodes a row of each.
        PassBuffers& buffers = opened.model->buffers();
        for (uint32_t table = 0; table < 3; ++table) {
            const std::vector<uint32_t> pages { 3 * table, 3 * table + 1, 3 * table + 2 };
            buffers.rows.setTable(table, pages);
        }
        for (size_t i = 0; i < ids.size(); ++i) {
            Batch batch;
            for (uint32_t table = 0; table < 3; ++table) {
                batch.rows.push_back({ table == 1 ? TokenId(5) : ids[i], uint32_t(i), table });
                batch.scoredRows.push_back(table);
            }
            QVERIFY(opened.model->forward().run(batch, {}).has_value());
            for (const uint32_t row : { 0u, 2u }) {
                const auto logits = opened.model->forward().logits(row);
                QVERIFY(sameBits(alone[i], { logits.begin(), logits.end() }));
            }
        }
    }

    void promptsThatDoNotFitNameBothNumbers()
    {
        const auto fixture = findFixture("arch-llama");
        if (!fixture)
            QSKIP(tests::kNoReference);
        OpenModel opened;
        QVERIFY(open(*fixture, opened));
        const TokenIds ids(opened.model->contextLength() + 7, 5);
        const auto report = opened.session->sync(ids, {});
        QVERIFY(!report.has_value());
        QCOMPARE(report.error().code, ErrorCode::ContextFull);
        const QString message = QString::fromStdString(report.error().message);
        QVERIFY(message.contains(QString::number(ids.size())));
        QVERIFY(message.contains(QString::number(opened.model->contextLength())));
    }

    void cancelledReadingKeepsWhatWasRead()
    {
        const auto fixture = findFixture("arch-llama");
        if (!fixture)
            QSKIP(tests::kNoReference);
        OpenModel opened;
        QVERIFY(open(*fixture, opened));
        TokenIds ids;
        for (int i = 0; i < 150; ++i)
            ids.push_back(TokenId((i * 37) % 300));
        const auto stopped = opened.session->sync(
            ids, { .progress = {}, .cancelled = [&] { return opened.session->tokenCount() >= 64; } });
        QVERIFY(!stopped.has_value());
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
        const auto report = opened.session->sync(ids, {});
        QVERIFY(report.has_value());
        QCOMPARE(report->reusedTokens, 64);
        const auto room = opened.session->room();
        QVERIFY(room && room->pageCount == 3 && room->pageTokens == 64 && room->tokenCount == 150);
        QCOMPARE(room->unusedSlots(), 42);
        uint64_t bytes = 0; // of everything allocated, for all pages of the pool
        for (const KvPages& pages : opened.model->buffers().pages)
            bytes += pages.keys().bytes() + pages.values().bytes();
        QCOMPARE(room->pageBytes * opened.model->pageCount(), bytes);
        const std::vector<float> continued(opened.session->logits().begin(), opened.session->logits().end());
        QVERIFY(sameBits(continued, scoresOf(*opened.session, ids, 8).back()));
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
