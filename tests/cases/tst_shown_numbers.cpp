#include "app/cli/command_engine.h"
#include "app/cli/engine_factory.h"
#include "app/inspection/stage_bounds.h"
#include "app/inspection/stage_trace.h"
#include "engine/reference/reference_model.h"
#include "engine/session/engine.h"
#include "tests/engine/sampling/plain_sampler.h"
#include "tests/support/reference_data.h"
#include "ui/inspect/candidate_list.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/token_facts.h"
#include "ui/inspect/token_measure.h"

#include <QLabel>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace engine;

/// The numbers that a window shows of a real model's tokens, read from its labels, against numbers
/// worked out the slow way from what `tokenglass score` computes, and from the CPU reference.
class TestShownNumbers : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void everyShownNumberIsRight_data();
    void everyShownNumberIsRight();
    void whatAnyStageLeavesIsRight_data() { everyShownNumberIsRight_data(); }
    void whatAnyStageLeavesIsRight();

private:
    QString m_path;
    std::optional<ReferenceModel> m_reference;
};

namespace {
constexpr int kNewTokens = 16;
/// A step computes row by row what `score` computes in one pass: other sums of the same numbers.
constexpr double kScoreTolerance = 0.002;
/// 8-bit activations and half precision against float32 throughout; nats, and shares below it.
constexpr double kReferenceTolerance = 0.1;

using Rows = std::vector<std::vector<float>>;

/// One answer of the model, with all that it could have said.
struct ScoredRun {
    std::shared_ptr<const ModelText> text;
    app::Answer answer;
    TokenIds ids; ///< prompt and answer
    size_t promptCount = 0;
    Rows rows; ///< [new tokens][vocabulary] as `tokenglass score` computes them
};

/// The scores from which each new token was chosen.
Result<Rows> scoredRows(const std::string& path, const TokenIds& ids, size_t promptCount)
{
    TRY_ASSIGN(const auto opened, Engine::open({ .path = path }, {}));
    Rows rows;
    TRY(opened->session().scoreAll(
        ids, DeviceModel::kScoredRows, [&](size_t position, std::span<const float> logits) {
            if (position + 1 >= promptCount && position + 1 < ids.size())
                rows.emplace_back(logits.begin(), logits.end());
        }));
    return rows;
}

Result<void> answer(ScoredRun& run, const std::string& path, const SamplerSettings& settings)
{
    app::CommandEngine engine(app::engineFactory(), [] { return false; });
    TRY_ASSIGN(const ModelLoaded loaded, engine.open({ .path = path }));
    run.text = loaded.text;
    app::DraftOrigin origin;
    origin.modelText = loaded.text;
    origin.request.runId = 1;
    origin.request.sampling = settings;
    origin.request.lengthCap = kNewTokens;
    origin.request.promptIds = loaded.text->tokenizer->encodeText(
        "The museum opens on Monday at nine. The exhibition opens on");
    run.ids = origin.request.promptIds;
    run.promptCount = run.ids.size();
    const GenerationRequest request = origin.request;
    run.answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
    const RunEnded ended
        = engine.run(request, [&](const GenerationEvent& event) { run.answer.apply(event); });
    run.ids.insert(run.ids.end(), ended.tokenIds.begin(), ended.tokenIds.end());
    return {};
}

/// "82 %", "0.31 %", "under 0.01 %", "over 99.9 %", "12–15 %" as the shares that may be written so.
app::Bounds sharesOf(QString words)
{
    static const QRegularExpression kNumber(QStringLiteral("([0-9]+)(?:\\.([0-9]+))?"));
    std::vector<app::Bounds> numbers;
    auto matches = kNumber.globalMatch(words);
    while (matches.hasNext()) {
        const auto match = matches.next();
        const double half = 0.5 * std::pow(10.0, -double(match.captured(2).size())) / 100;
        const double value = match.captured(0).toDouble() / 100;
        numbers.push_back({ value - half, value + half });
    }
    if (numbers.empty())
        return { 0, 1 }; // "not known"
    if (words.startsWith("under"))
        return { 0, numbers[0].high };
    if (words.startsWith("over"))
        return { numbers[0].low, 1 };
    return { numbers.front().low, numbers.back().high };
}

bool isIn(double value, const app::Bounds& bounds, double tolerance)
{
    return value >= bounds.low - tolerance && value <= bounds.high + tolerance;
}

#define VERIFY_SHOWN(value, words, tolerance)                                                      \
    QVERIFY2(isIn((value), sharesOf(words), (tolerance)),                                          \
        qPrintable(QStringLiteral("%1: right is %2, shown is \"%3\"")                              \
                       .arg(place)                                                                 \
                       .arg(value)                                                                 \
                       .arg(words)))

double numberIn(const QString& words, int which = 0)
{
    static const QRegularExpression kNumber(QStringLiteral("[0-9]+(\\.[0-9]+)?"));
    auto matches = kNumber.globalMatch(words);
    for (; which > 0 && matches.hasNext(); --which)
        matches.next();
    return matches.hasNext() ? matches.next().captured(0).toDouble() : -1;
}

double endShare(const ScoredRun& run, const tests::PlainDistribution& right)
{
    double sum = 0;
    for (TokenId id = 0; id < TokenId(right.rawLogprobs.size()); ++id)
        if (run.text->tokenizer->vocabulary().isEndToken(id))
            sum += std::exp(right.rawLogprobs[size_t(id)]);
    return sum;
}

/// How many tokens are likelier for certain, and how many may be.
std::pair<int, int> rankBounds(const tests::PlainDistribution& right, TokenId id, double tolerance)
{
    const double own = right.rawLogprobs[size_t(id)];
    int least = 1;
    int most = 0;
    for (double logprob : right.rawLogprobs) {
        least += logprob > own + tolerance;
        most += logprob >= own - tolerance;
    }
    return { least, most };
}

/// Whether a little more or less of any score leaves the same tokens in the draw.
bool isFarFromEveryLimit(
    std::vector<float> row, std::span<const TokenId> before, const SamplerSettings& settings)
{
    const auto plain = tests::plainDistribution(row, before, settings);
    for (int sign : { -1, 1 }) {
        for (size_t i = 0; i < row.size(); ++i)
            row[i] += float(sign * (i % 2 ? 1 : -1) * kScoreTolerance);
        if (tests::plainDistribution(row, before, settings).droppedBy != plain.droppedBy)
            return false;
    }
    return true;
}

QString outcomeOf(SamplerStage stage) { return QStringLiteral("✕ ") + ui::stageWords(stage); }

SamplerSettings bent()
{
    SamplerSettings settings;
    settings.topK = 10;
    settings.topP = 1;
    settings.minP = 0.02f;
    settings.temperature = 1.4f;
    settings.repeatPenalty = 1.2f;
    settings.presencePenalty = 0.3f;
    settings.frequencyPenalty = 0.2f;
    settings.logitBias = { { 28, 1.5f }, { 253, -2.0f } };
    settings.seed = 5;
    return settings;
}
}

void TestShownNumbers::initTestCase()
{
    const auto path = tests::realModel(tests::kSmolLM2);
    if (!path)
        QSKIP(tests::kNoModel);
    m_path = QString::fromStdString(path->string());
    const auto file = GgufFile::open(path->string());
    QVERIFY(file);
    auto reference = ReferenceModel::create(*file);
    QVERIFY(reference);
    m_reference.emplace(std::move(*reference));
}

void TestShownNumbers::everyShownNumberIsRight_data()
{
    QTest::addColumn<SamplerSettings>("settings");
    SamplerSettings defaults;
    defaults.seed = 3;
    QTest::newRow("the window's settings") << defaults;
    QTest::newRow("penalties and bias") << bent();
    SamplerSettings open;
    open.topK = 0;
    open.topP = 1;
    open.minP = 0;
    open.temperature = 1;
    open.seed = 11;
    QTest::newRow("no filter") << open;
    SamplerSettings greedy;
    greedy.temperature = 0;
    QTest::newRow("greedy") << greedy;
}

void TestShownNumbers::everyShownNumberIsRight()
{
    QFETCH(SamplerSettings, settings);
    ScoredRun run;
    const auto answered = answer(run, m_path.toStdString(), settings);
    QVERIFY2(answered, answered ? "" : answered.error().message.c_str());
    const auto rows = scoredRows(m_path.toStdString(), run.ids, run.promptCount);
    QVERIFY2(rows, rows ? "" : rows.error().message.c_str());
    const auto reference = m_reference->forward(run.ids, { .firstScoredPosition = run.promptCount - 1 });
    QVERIFY(reference);
    const app::TokenTrack track(run.answer);
    QCOMPARE(track.promptCount(), int(run.promptCount));
    QCOMPARE(rows->size(), run.ids.size() - run.promptCount);
    const bool isGreedy = settings.temperature == 0;
    SamplerSettings drawn = settings;
    if (isGreedy)
        drawn.temperature = 1; // raw numbers do not depend on it
    int stagesCompared = 0;
    ui::TokenDetails details;
    details.resize(360, 900);
    for (size_t step = 0; step < rows->size(); ++step) {
        const int token = track.promptCount() + int(step);
        const TokenIds before(run.ids.begin(), run.ids.begin() + token);
        const TokenId id = run.ids[size_t(token)];
        const auto right = tests::plainDistribution((*rows)[step], before, drawn);
        const auto exact = tests::plainDistribution(reference->row(step), before, drawn);
        const QString place = QStringLiteral("token %1").arg(step);
        const double share = std::exp(right.rawLogprobs[size_t(id)]);
        QVERIFY(std::abs(share - std::exp(exact.rawLogprobs[size_t(id)])) < kReferenceTolerance);
        QVERIFY2(std::abs(right.entropy - exact.entropy) < kReferenceTolerance,
            qPrintable(QStringLiteral("%1: entropy %2, in float32 %3")
                           .arg(place)
                           .arg(right.entropy)
                           .arg(exact.entropy)));

        details.show(track, run.answer, token);
        const bool isClear = isFarFromEveryLimit((*rows)[step], before, drawn);
        // The bars: raw probabilities that sum to 1, the order, what dropped each.
        ui::CandidateList& list = details.candidates();
        app::Bounds sum;
        double last = 1;
        for (int i = 0; i < list.rowCount(); ++i) {
            const ui::CandidateWords& words = list.row(i)->words();
            const app::Bounds raw = sharesOf(words.raw);
            sum = { sum.low + raw.low, sum.high + raw.high };
            if (words.id < 0)
                continue;
            VERIFY_SHOWN(std::exp(right.rawLogprobs[size_t(words.id)]), words.raw, kScoreTolerance);
            const double final = right.probability[size_t(words.id)];
            const double best = right.adjusted[size_t(words.id)];
            QVERIFY2(i == 0 || best <= last + kScoreTolerance, qPrintable(place));
            last = best;
            QCOMPARE(words.isChosen, words.id == id);
            if (isGreedy) {
                QCOMPARE(words.outcome, i == 0 ? QString("likeliest") : QString("–"));
            } else if (isClear && words.outcome.startsWith("✕")) {
                QCOMPARE(words.outcome, outcomeOf(right.droppedBy[size_t(words.id)]));
                ++stagesCompared;
            } else if (isClear) {
                VERIFY_SHOWN(final, words.outcome, kScoreTolerance);
            }
        }
        QVERIFY2(isIn(1, sum, kScoreTolerance), qPrintable(place));

        // The facts.
        QMap<QString, QString> facts;
        for (const ui::TokenFact& fact : ui::tokenFacts(track, token))
            facts[fact.name] = fact.value;
        const QStringList probability = facts["Probability"].split(QStringLiteral(" → "));
        VERIFY_SHOWN(share, probability[0], kScoreTolerance);
        if (!isGreedy && isClear)
            VERIFY_SHOWN(right.probability[size_t(id)], probability[1], kScoreTolerance);
        QCOMPARE(isGreedy, probability[1] == "no draw (greedy)");
        const double surprisal = -right.rawLogprobs[size_t(id)];
        QVERIFY(std::abs(numberIn(facts["Surprisal"]) - surprisal) < 0.005 + 0.05);
        QVERIFY(std::abs(numberIn(facts["Surprisal"], 1) - surprisal / std::numbers::ln2) < 0.005 + 0.08);
        QVERIFY(std::abs(numberIn(facts["Entropy"]) - right.entropy) < 0.005 + 0.01);
        QVERIFY(std::abs(numberIn(facts["Entropy"], 1) - right.entropy / std::numbers::ln2)
            < 0.005 + 0.015);
        const auto [leastRank, mostRank] = rankBounds(right, id, 0.05);
        const int rank = facts["Rank"].remove(',').toInt();
        QVERIFY2(rank >= leastRank && rank <= mostRank, qPrintable(place + ": rank " + facts["Rank"]));
        VERIFY_SHOWN(endShare(run, right), facts["Ending here"], kScoreTolerance);
        QCOMPARE(int(numberIn(facts["Position"])), token);
        QCOMPARE(facts["Id"].toInt(), id);

        // What tints and legends say of it.
        for (const ui::TokenMeasureInfo& measure : ui::tokenMeasures()) {
            const auto value = measure.value(track, token);
            if (!value)
                continue;
            const QString words
                = measure.words(*value, measure.units.empty() ? ui::ValueUnit::Nats : measure.units[0]);
            if (measure.measure == ui::TokenMeasure::Probability)
                VERIFY_SHOWN(share, words, kScoreTolerance);
            if (measure.measure == ui::TokenMeasure::EndProbability)
                VERIFY_SHOWN(endShare(run, right), words, kScoreTolerance);
            if (measure.measure == ui::TokenMeasure::Entropy)
                QVERIFY(std::abs(numberIn(words) - right.entropy) < 0.005 + 0.01);
        }

        // The draw and where it fell.
        const QString draw = details.findChild<QLabel*>("drawWords")->text();
        if (isGreedy) {
            QVERIFY(draw.startsWith("Greedy: no draw."));
            QCOMPARE(id, right.order[0]);
            continue;
        }
        const double uniform = *track.record(token)->draw;
        QVERIFY2(draw.contains(QString::number(uniform, 'f', 3)), qPrintable(draw));
        if (!isClear)
            continue;
        double start = 0;
        for (TokenId other : right.order) {
            if (other == id)
                break;
            start += right.probability[size_t(other)];
        }
        const double end = start + right.probability[size_t(id)];
        QVERIFY2(uniform > start - kScoreTolerance && uniform < end + kScoreTolerance, qPrintable(place));
        if (uniform > start + kScoreTolerance && uniform < end - kScoreTolerance)
            QCOMPARE(tests::plainDraw(right, uniform), id);
        static const QRegularExpression kStretch("which has ([0-9.]+) to ([0-9.]+)\\.$");
        if (const auto match = kStretch.match(draw); match.hasMatch()) {
            QVERIFY(std::abs(match.captured(1).toDouble() - start) < 0.0005 + kScoreTolerance);
            QVERIFY(std::abs(match.captured(2).toDouble() - end) < 0.0005 + kScoreTolerance);
        }
    }
    QVERIFY(isGreedy || settings.topP == 1 || stagesCompared > kNewTokens);
}

// The sampler panel: other settings than those of the run, after every stage.
void TestShownNumbers::whatAnyStageLeavesIsRight()
{
    QFETCH(SamplerSettings, settings);
    ScoredRun run;
    const auto answered = answer(run, m_path.toStdString(), settings);
    QVERIFY2(answered, answered ? "" : answered.error().message.c_str());
    const auto rows = scoredRows(m_path.toStdString(), run.ids, run.promptCount);
    QVERIFY(rows);
    const app::TokenTrack track(run.answer);
    SamplerSettings tried = bent();
    tried.topP = 0.8f;
    int compared = 0;
    for (size_t step = 0; step < rows->size(); ++step) {
        const int token = track.promptCount() + int(step);
        const TokenIds before(run.ids.begin(), run.ids.begin() + token);
        if (!isFarFromEveryLimit((*rows)[step], before, tried))
            continue;
        const app::StageTrace trace = app::traceStages(*app::tracedStep(track, token), tried);
        for (size_t stage = 0; stage < app::kTracedStages.size(); ++stage) {
            SamplerSettings upTo = app::settingsUpTo(app::kTracedStages[stage], tried);
            if (app::kTracedStages[stage] != SamplerStage::Temperature)
                upTo.temperature = 1;
            const auto right = tests::plainDistribution((*rows)[step], before, upTo);
            for (const app::TracedCandidate& candidate : trace.candidates) {
                if (!candidate.after[stage])
                    continue;
                const QString place = QStringLiteral("token %1, after %2")
                                          .arg(step)
                                          .arg(ui::stageWords(app::kTracedStages[stage]));
                VERIFY_SHOWN(right.probability[size_t(candidate.id)],
                    ui::shareWords(candidate.after[stage]), kScoreTolerance);
                ++compared;
            }
        }
    }
    QVERIFY(compared > 20 * kNewTokens);
}

QTEST_MAIN(TestShownNumbers)
#include "tst_shown_numbers.moc"
