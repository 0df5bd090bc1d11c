#include "ui/inspect/token_measure.h"

#include "app/inspection/token_numbers.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui {

namespace {
    using Value = std::optional<double>;

    constexpr double kMostSurprisal = 10; // nats; a chance of 1 in 22,000
    constexpr double kMostEntropy = 6; // nats; as even a choice as among 400 tokens
    constexpr double kMostRank = 1000;
    constexpr double kMostMs = 1000; // tokens as slow as that are read one by one

    struct MeasureWords {
        Q_DECLARE_TR_FUNCTIONS(TokenMeasure)
    };

    template <app::TokenNumber number> Value numberOf(const app::TokenTrack& track, int token)
    {
        return app::tokenNumber(track.record(token), number);
    }
    /// From one token to the next. A run's first token has none: it waited for the prompt.
    Value timeOf(const app::TokenTrack& track, int token)
    {
        if (track.isFirstOfRun(token))
            return {};
        const engine::TokenRecord* before = track.record(token - 1);
        const engine::TokenRecord* record = track.record(token);
        return before && before->decidedMs && record && record->decidedMs
            ? Value(std::max(0.0, *record->decidedMs - *before->decidedMs))
            : Value();
    }
    // Values from here on are origins of prompt tokens, which are no one's choice.
    constexpr double kFirstOrigin = 10;
    constexpr double originValue(app::PromptOrigin origin)
    {
        return kFirstOrigin + int(origin) - int(app::PromptOrigin::Template);
    }

    Value sourceOf(const app::TokenTrack& track, int token)
    {
        const app::TrackToken& shown = track.tokens()[size_t(token)];
        if (shown.place != app::TokenPlace::Prompt)
            return int(shown.source);
        return shown.origin == app::PromptOrigin::Unknown ? Value() : originValue(shown.origin);
    }

    double asItIs(double value) { return value; }
    double surprisalShare(double nats) { return nats / kMostSurprisal; }
    double entropyShare(double nats) { return nats / kMostEntropy; }
    double rankShare(double rank) { return std::log(std::max(1.0, rank)) / std::log(kMostRank); }
    double timeShare(double ms) { return std::log(std::max(1.0, ms)) / std::log(kMostMs); }
    double sourceShare(double source)
    {
        const double place = source < kFirstOrigin ? source : source - kFirstOrigin;
        return place / double(engine::TokenSource::Edited);
    }

    QString natsWords(double nats, ValueUnit unit)
    {
        nats = std::max(0.0, nats); // no "-0.00"
        const QLocale locale;
        return unit == ValueUnit::Bits
            ? MeasureWords::tr("%1 bits").arg(locale.toString(nats / std::numbers::ln2, 'f', 2))
            : MeasureWords::tr("%1 nats").arg(locale.toString(nats, 'f', 2));
    }
    QString probabilityWords(double probability, ValueUnit unit)
    {
        if (unit == ValueUnit::Percent)
            return percentWords(probability);
        return probability > 0 ? natsWords(-std::log(probability), unit)
                               : MeasureWords::tr("no chance");
    }
    QString surprisalWords(double nats, ValueUnit unit)
    {
        return unit == ValueUnit::Percent ? percentWords(std::exp(-nats)) : natsWords(nats, unit);
    }
    QString rankWords(double rank, ValueUnit) { return QLocale().toString(qint64(rank)); }
    QString timeWords(double ms, ValueUnit)
    {
        return MeasureWords::tr("%1 ms").arg(QLocale().toString(ms, 'f', ms < 9.95 ? 1 : 0));
    }
    QString sourceValueWords(double source, ValueUnit)
    {
        if (source >= kFirstOrigin)
            return originWords(app::PromptOrigin(int(source - originValue(app::PromptOrigin {}))));
        return sourceWords(engine::TokenSource(int(source)));
    }

    const std::vector<ValueUnit> kAllUnits { ValueUnit::Percent, ValueUnit::Nats, ValueUnit::Bits };
    const std::vector<ValueUnit> kNatsOrBits { ValueUnit::Nats, ValueUnit::Bits };
}

const std::vector<TokenMeasureInfo>& tokenMeasures()
{
    static const std::vector<TokenMeasureInfo> kMeasures {
        { TokenMeasure::Probability, "probability",
            QT_TRANSLATE_NOOP("TokenMeasure", "Probability"),
            QT_TRANSLATE_NOOP("TokenMeasure",
                "How likely the model thought this token, before any sampler stage"),
            QT_TRANSLATE_NOOP("TokenMeasure", "unlikely"),
            QT_TRANSLATE_NOOP("TokenMeasure", "likely"), true, kAllUnits,
            numberOf<app::TokenNumber::Probability>, asItIs, probabilityWords,
            { 0.01, 0.25, 0.5, 0.75, 1 } },
        { TokenMeasure::Surprisal, "surprisal", QT_TRANSLATE_NOOP("TokenMeasure", "Surprisal"),
            QT_TRANSLATE_NOOP("TokenMeasure",
                "How surprising this token was: minus the logarithm of its probability"),
            QT_TRANSLATE_NOOP("TokenMeasure", "expected"),
            QT_TRANSLATE_NOOP("TokenMeasure", "surprising"), false,
            { ValueUnit::Nats, ValueUnit::Bits, ValueUnit::Percent },
            numberOf<app::TokenNumber::Surprisal>, surprisalShare, surprisalWords,
            { 0, 2.5, 5, 7.5, 10 } },
        { TokenMeasure::Entropy, "entropy", QT_TRANSLATE_NOOP("TokenMeasure", "Entropy"),
            QT_TRANSLATE_NOOP("TokenMeasure",
                "How open the choice was at this place: 0 where only one token was possible"),
            QT_TRANSLATE_NOOP("TokenMeasure", "decided"), QT_TRANSLATE_NOOP("TokenMeasure", "open"),
            false, kNatsOrBits, numberOf<app::TokenNumber::Entropy>, entropyShare, natsWords,
            { 0, 1.5, 3, 4.5, 6 } },
        { TokenMeasure::Rank, "rank", QT_TRANSLATE_NOOP("TokenMeasure", "Rank"),
            QT_TRANSLATE_NOOP("TokenMeasure",
                "How many tokens were at least as likely: 1 is the likeliest of all"),
            QT_TRANSLATE_NOOP("TokenMeasure", "likeliest"),
            QT_TRANSLATE_NOOP("TokenMeasure", "far down"), false, {},
            numberOf<app::TokenNumber::Rank>, rankShare, rankWords, { 1, 10, 100, 1000 } },
        { TokenMeasure::EndProbability, "end_probability",
            QT_TRANSLATE_NOOP("TokenMeasure", "Chance of the end"),
            QT_TRANSLATE_NOOP("TokenMeasure",
                "How likely the model thought it that the answer ends here: all end tokens "
                "together"),
            QT_TRANSLATE_NOOP("TokenMeasure", "goes on"), QT_TRANSLATE_NOOP("TokenMeasure", "ends"),
            false, kAllUnits, numberOf<app::TokenNumber::EndProbability>, asItIs, probabilityWords,
            { 0.01, 0.25, 0.5, 0.75, 1 } },
        { TokenMeasure::Time, "time", QT_TRANSLATE_NOOP("TokenMeasure", "Time"),
            QT_TRANSLATE_NOOP("TokenMeasure", "How long after the token before it this one came"),
            QT_TRANSLATE_NOOP("TokenMeasure", "quick"), QT_TRANSLATE_NOOP("TokenMeasure", "slow"),
            false, {}, timeOf, timeShare, timeWords, { 1, 10, 100, 1000 } },
        { TokenMeasure::Source, "source", QT_TRANSLATE_NOOP("TokenMeasure", "Source"),
            QT_TRANSLATE_NOOP("TokenMeasure", "Who chose this token: the model, or someone else"),
            QT_TRANSLATE_NOOP("TokenMeasure", "chosen by the model"),
            QT_TRANSLATE_NOOP("TokenMeasure", "put in by someone"), false, {}, sourceOf,
            sourceShare, sourceValueWords, { 0, 1, 2, 3, 4 },
            { originValue(app::PromptOrigin::Template), originValue(app::PromptOrigin::System),
                originValue(app::PromptOrigin::Typed), originValue(app::PromptOrigin::Answer),
                originValue(app::PromptOrigin::Source) } },
    };
    return kMeasures;
}

const TokenMeasureInfo& tokenMeasureInfo(TokenMeasure measure)
{
    const auto& all = tokenMeasures();
    return *std::ranges::find(all, measure, &TokenMeasureInfo::measure);
}

QString measureWords(const char* text) { return MeasureWords::tr(text); }

QString percentWords(double probability)
{
    const double percent = probability * 100;
    if (percent < 0.01)
        return MeasureWords::tr("under %1 %").arg(QLocale().toString(0.01, 'f', 2));
    if (percent > 99.95 && percent < 100)
        return MeasureWords::tr("over %1 %").arg(QLocale().toString(99.9, 'f', 1));
    const int digits = percent < 0.1                        ? 2
        : percent < 9.95 || (percent > 99 && percent < 100) ? 1
                                                            : 0;
    return MeasureWords::tr("%1 %").arg(QLocale().toString(percent, 'f', digits));
}

QString sourceWords(engine::TokenSource source)
{
    switch (source) {
    case engine::TokenSource::Sampled:
        return MeasureWords::tr("sampled");
    case engine::TokenSource::Forced:
        return MeasureWords::tr("forced");
    case engine::TokenSource::Typed:
        return MeasureWords::tr("typed");
    case engine::TokenSource::Supplied:
        return MeasureWords::tr("supplied");
    case engine::TokenSource::Edited:
        break;
    }
    return MeasureWords::tr("edited");
}

std::optional<double> originShare(app::PromptOrigin origin)
{
    if (origin == app::PromptOrigin::Unknown)
        return std::nullopt;
    return sourceShare(originValue(origin));
}

QString originWords(app::PromptOrigin origin)
{
    switch (origin) {
    case app::PromptOrigin::Template:
        return MeasureWords::tr("template");
    case app::PromptOrigin::System:
        return MeasureWords::tr("system text");
    case app::PromptOrigin::Typed:
        return MeasureWords::tr("typed by you");
    case app::PromptOrigin::Answer:
        return MeasureWords::tr("earlier answer");
    case app::PromptOrigin::Source:
        return MeasureWords::tr("source text");
    case app::PromptOrigin::Unknown:
        break;
    }
    return MeasureWords::tr("not known");
}

QString unitWords(ValueUnit unit)
{
    switch (unit) {
    case ValueUnit::Nats:
        return MeasureWords::tr("nats");
    case ValueUnit::Bits:
        return MeasureWords::tr("bits");
    case ValueUnit::Percent:
        break;
    }
    return MeasureWords::tr("%");
}

} // namespace ui
