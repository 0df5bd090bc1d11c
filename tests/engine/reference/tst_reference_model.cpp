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
    void realModelsChooseTheReferenceTokens_data()
    {
        QTest::addColumn<int>("index");
        for (const int index :
            { 0, 1, 8, 9 }) // of greedy.json: two chats of SmolLM2, two texts of Gemma 3
            QTest::addRow("%d", index) << index;
    }
    void realModelsChooseTheReferenceTokens();
};

void TestReferenceModel::realModelsChooseTheReferenceTokens()
{
    // Reached: 6e-5 for SmolLM2, 1.1e-2 for Gemma 3 (see kTolerance).
    constexpr double kLogprobTolerance = 0.02;
    constexpr double kClearMargin = 0.05; // below it two right implementations may differ
    const auto reference = tests::referenceFolder();
    if (!reference)
        QSKIP(tests::kNoReference);
    QFETCH(int, index);
    const auto expected = tests::readJson(*reference / "greedy.json")[size_t(index)];
    const auto path = tests::realModel(expected["model"].get<std::string>());
    if (!path)
        QSKIP(tests::kNoModel);
    const auto gguf = GgufFile::open(*path);
    const auto model = ReferenceModel::create(*gguf);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    auto tokens = expected["prompt_ids"].get<TokenIds>();
    const size_t promptLength = tokens.size();
    for (const auto& step : expected["steps"])
        tokens.push_back(step["id"].get<TokenId>());
    const auto logits = model->forward(tokens, { .firstScoredPosition = promptLength - 1 });
    QVERIFY(logits);
    double worst = 0;
    for (size_t i = 0; i < expected["steps"].size(); ++i) {
        const auto& step = expected["steps"][i];
        const auto& top = step["top"];
        const double margin = top[0][1].get<double>() - top[1][1].get<double>();
        if (margin > kClearMargin)
            QCOMPARE(argmaxOf(logits->row(i)), step["id"].get<TokenId>());
        for (const auto& candidate : top) {
            const double logprob = logprobOf(logits->row(i), candidate[0].get<TokenId>());
            worst = std::max(worst, std::abs(logprob - candidate[1].get<double>()));
        }
    }
    qInfo("log-probabilities of the top 5 within %.1e", worst);
    QVERIFY(worst <= kLogprobTolerance);
}

QTEST_APPLESS_MAIN(TestReferenceModel)
#include "tst_reference_model.moc"
