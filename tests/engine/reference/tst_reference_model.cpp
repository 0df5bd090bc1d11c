#include "engine/reference/reference_model.h"
#include "engine/reference/token_scores.h"

#include "tests/support/reference_data.h"

#include <QtTest>
#include <cmath>

using namespace engine;

namespace {
// Both sides compute in f32 from the same dequantised weights; the JSON has five decimals.
constexpr double kTolerance = 1e-3; // of the largest |logit|

nlohmann::json expectedOf(std::filesystem::path model)
{
    return tests::readJson(model.replace_extension(".json"));
}
}

class TestReferenceModel : public QObject {
    Q_OBJECT
private slots:
    void logitsAreThoseOfTheReference_data()
    {
        QTest::addColumn<QString>("stem");
        for (const char* stem :
            { "arch-llama", "arch-llama-linear", "arch-llama-spm", "arch-llama31", "arch-qwen2",
                "arch-qwen3", "arch-gemma3", "type-f32", "type-f16", "type-bf16", "type-q4_0",
                "type-q4_1", "type-q5_0", "type-q4_k", "type-q5_k", "type-q6_k" })
            QTest::newRow(stem) << QString(stem);
    }
    void logitsAreThoseOfTheReference()
    {
        QFETCH(QString, stem);
        const auto path = tests::tinyModel(stem.toStdString());
        if (!path)
            QSKIP(tests::kNoReference);
        const auto expected = expectedOf(*path);
        const auto file = GgufFile::open(*path);
        QVERIFY(file);
        const auto model = ReferenceModel::create(*file);
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        const auto tokens = expected["token_ids"].get<TokenIds>();
        const auto logits = model->forward(tokens);
        QVERIFY(logits);
        const TokenScores scores = tokenScores(tokens, *logits);
        QVERIFY(scores.argmax == expected["argmax"].get<TokenIds>());
        const auto logprobs = expected["logprob_of_next"].get<std::vector<double>>();
        double worstLogprob = 0;
        for (size_t i = 0; i < logprobs.size(); ++i)
            worstLogprob = std::max(worstLogprob, std::abs(logprobs[i] - scores.logprobOfNext[i]));
        const auto last = expected["last_logits"].get<std::vector<double>>();
        QCOMPARE(scores.lastLogits.size(), last.size());
        double worst = 0;
        double largest = 0;
        for (size_t i = 0; i < last.size(); ++i) {
            worst = std::max(worst, std::abs(last[i] - scores.lastLogits[i]));
            largest = std::max(largest, std::abs(last[i]));
        }
        qInfo("last logits within %.1e of the largest, log-probabilities within %.1e",
            worst / largest, worstLogprob);
        QVERIFY(worst <= kTolerance * largest);
        QVERIFY(worstLogprob <= kTolerance);
    }
    void greedyTokensAreThoseOfTheReference()
    {
        const auto path = tests::tinyModel("arch-gemma3");
        if (!path)
            QSKIP(tests::kNoReference);
        const auto expected = expectedOf(*path);
        const auto file = GgufFile::open(*path);
        const auto model = ReferenceModel::create(*file);
        auto tokens = expected["token_ids"].get<TokenIds>();
        for (const TokenId next : expected["greedy"].get<TokenIds>()) {
            const auto logits
                = model->forward(tokens, { .firstScoredPosition = tokens.size() - 1 });
            QCOMPARE(argmaxOf(logits->row(0)), next);
            tokens.push_back(next);
        }
    }
    void scoresDoNotDependOnWhatFollows()
    {
        const auto path = tests::tinyModel("arch-qwen3");
        if (!path)
            QSKIP(tests::kNoReference);
        const auto file = GgufFile::open(*path);
        const auto model = ReferenceModel::create(*file);
        const auto shorter = model->forward({ 5, 6, 7 });
        const auto longer = model->forward({ 5, 6, 7, 8, 9 });
        QVERIFY(std::equal(shorter->values.begin(), shorter->values.end(), longer->values.begin()));
    }
    void idsOutsideTheVocabularyAreRefused()
    {
        const auto path = tests::tinyModel("arch-llama");
        if (!path)
            QSKIP(tests::kNoReference);
        const auto file = GgufFile::open(*path);
        const auto model = ReferenceModel::create(*file);
        QVERIFY(!model->forward({ 1, 320 }));
        QVERIFY(!model->forward({ -1 }));
        QVERIFY(!model->forward({}));
    }
    void theObserverSeesEveryLayer()
    {
        const auto path = tests::tinyModel("arch-llama");
        if (!path)
            QSKIP(tests::kNoReference);
        const auto file = GgufFile::open(*path);
        const auto model = ReferenceModel::create(*file);
        std::vector<uint32_t> layers;
        const auto observe = [&layers](uint32_t layer, const Matrix&) { layers.push_back(layer); };
        QVERIFY(model->forward({ 1, 2 }, { .observer = observe }));
        QVERIFY(layers == std::vector<uint32_t>({ 0, 1, 2 }));
    }
    void realModelsAnswerAsTheReference_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("SmolLM2") << QString(tests::kSmolLM2);
        QTest::newRow("Gemma 3") << QString(tests::kGemma3);
    }
    void realModelsAnswerAsTheReference();
};

void TestReferenceModel::realModelsAnswerAsTheReference()
{
    QFETCH(QString, file);
    const auto path = tests::realModel(file.toStdString());
    if (!path)
        QSKIP(tests::kNoModel);
    QElapsedTimer timer;
    timer.start();
    const auto gguf = GgufFile::open(*path);
    const auto model = ReferenceModel::create(*gguf);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    qInfo() << "loaded in" << timer.restart() << "ms";
    TokenIds tokens;
    for (TokenId i = 0; i < 40; ++i)
        tokens.push_back(100 + 7 * i);
    const auto logits = model->forward(tokens);
    QVERIFY(logits);
    qInfo() << "40 tokens in" << timer.elapsed() << "ms";
}

QTEST_APPLESS_MAIN(TestReferenceModel)
#include "tst_reference_model.moc"
