#include "app/conversation/run_variants.h"

#include "app/compare/draft_run.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace app {

namespace {
    using engine::StopReason;

    constexpr float kLargestTemperature = 100;
    constexpr qsizetype kLabelLength = 32;

    QString tr(const char* text) { return QCoreApplication::translate("RunVariants", text); }

    /// What ended a run by its tokens; "" when it was a person, the clock or a fault: nobody knows
    /// where it would have gone.
    QString endedByWords(StopReason reason)
    {
        switch (reason) {
        case StopReason::EndToken:
            return tr("an end token ended it");
        case StopReason::StopString:
            return tr("a stop string ended it");
        case StopReason::LengthCap:
            return tr("the length cap ended it");
        case StopReason::ContextFull:
            return tr("the context was full");
        case StopReason::ThinkingCap:
            return tr("the thinking budget ended it");
        case StopReason::Repetition:
            return tr("it ended as repeating itself");
        case StopReason::TimeCap:
        case StopReason::Cancelled:
        case StopReason::Failed:
        case StopReason::Interrupted:
            break;
        }
        return {};
    }

    bool isAsItEnded(const StopOutcome& outcome, const Draft& draft)
    {
        return outcome.reason == draft.ending()->ledger.reason
            && outcome.tokenCount == draft.tokenCount() && outcome.text == draft.text();
    }

    /// asItWas: what is said of a wish that is what the run had already.
    WhyColumn whyColumn(const Draft& draft, const ComparedRun& run, RunVariant variant, const QString& asItWas)
    {
        const StopWish& wish = std::get<StopWish>(variant.how);
        const bool isUnchanged = wish == stopWishOf(run);
        const QString endedBy = endedByWords(draft.ending()->ledger.reason);
        QStringList why;
        if (!endedBy.isEmpty())
            why.append(endedBy);
        if (isUnchanged)
            why.append(asItWas);
        const auto outcome = endedBy.isEmpty() ? std::nullopt : whatIfStops(run, wish);
        const bool isSame = isUnchanged || (outcome && isAsItEnded(*outcome, draft));
        return { std::move(variant),
            isSame ? tr("The same tokens: %1.").arg(why.join(QStringLiteral("; "))) : QString() };
    }

    QString firstWords(const QString& text)
    {
        const QString line = text.simplified();
        return line.size() <= kLabelLength ? line : line.left(kLabelLength) + QChar(0x2026);
    }

    /// In quotes, with what is not seen drawn.
    QString stopWords(QString stop)
    {
        if (stop.trimmed().isEmpty())
            stop.replace(QLatin1Char(' '), QChar(0x2423));
        stop.replace(QLatin1Char('\n'), QChar(0x23CE)).replace(QLatin1Char('\t'), QChar(0x21E5));
        return tr("‘%1’").arg(firstWords(stop));
    }

    engine::Error unreadable(const QString& value, const QString& range)
    {
        return engine::Error::badRequest(tr("“%1” is not %2").arg(value, range).toStdString());
    }

    engine::Result<RunVariant> capVariant(ChatSettings settings, const QString& value)
    {
        bool isNumber = false;
        settings.lengthCap = value.toInt(&isNumber);
        if (!isNumber || settings.lengthCap < 1 || settings.lengthCap > kLargestLengthCap)
            return unreadable(value, tr("a cap from 1 to %L1").arg(kLargestLengthCap));
        return RunVariant { tr("cap %L1").arg(settings.lengthCap), settings };
    }

    engine::Result<RunVariant> temperatureVariant(ChatSettings settings, const QString& value)
    {
        bool isNumber = false;
        settings.sampling.temperature = QLocale::c().toFloat(value, &isNumber);
        if (!isNumber)
            settings.sampling.temperature = QLocale().toFloat(value, &isNumber);
        const float temperature = settings.sampling.temperature;
        if (!isNumber || !std::isfinite(temperature) || temperature < 0 || temperature > kLargestTemperature)
            return unreadable(value, tr("a temperature from 0 to %1").arg(kLargestTemperature));
        return RunVariant { tr("temperature %1").arg(QLocale().toString(temperature)), settings };
    }

    engine::Result<RunVariant> seedVariant(ChatSettings settings, const QString& value)
    {
        bool isNumber = false;
        settings.fixedSeed = value.toULongLong(&isNumber);
        if (!isNumber)
            return unreadable(value, tr("a seed"));
        return RunVariant { tr("seed %1").arg(*settings.fixedSeed), settings };
    }

    RunVariant systemVariant(ChatSettings settings, const QString& value)
    {
        settings.systemText = value;
        return { value.trimmed().isEmpty() ? tr("no system text") : tr("system text “%1”").arg(firstWords(value)), settings };
    }

    std::vector<RunVariant> onAndOff(VariedThing thing, const ChatSettings& base)
    {
        ChatSettings off = base;
        if (thing == VariedThing::StopStrings) {
            off.stopStrings.clear();
            return { { tr("stop strings on"), base }, { tr("stop strings off"), off } };
        }
        ChatSettings on = base;
        on.ignoreEndTokens = false;
        off.ignoreEndTokens = true;
        return { { tr("end tokens heeded"), on }, { tr("end tokens ignored"), off } };
    }

    engine::Result<std::vector<RunVariant>> checked(std::vector<RunVariant> variants)
    {
        if (variants.empty())
            return engine::Error::badRequest(tr("Nothing is listed yet.").toStdString());
        if (variants.size() > kLargestGrid)
            return engine::Error::badRequest(
                tr("%L1 runs are listed; a grid has %L2 at most.").arg(variants.size()).arg(kLargestGrid).toStdString());
        return variants;
    }

    engine::Result<RunVariant> variantOf(VariedThing thing, const ChatSettings& base, const QString& value)
    {
        if (thing == VariedThing::LengthCap)
            return capVariant(base, value);
        if (thing == VariedThing::Temperature)
            return temperatureVariant(base, value);
        if (thing == VariedThing::Seed)
            return seedVariant(base, value);
        return systemVariant(base, value);
    }
}

std::vector<WhyColumn> whyHere(const Draft& draft)
{
    if (!draft.ending())
        return {};
    const ComparedRun run = comparedRun(draft);
    const StopWish asRun = stopWishOf(run);
    StopWish doubled = asRun;
    doubled.lengthCap = int(std::min<int64_t>(int64_t(asRun.lengthCap) * 2, kLargestLengthCap));
    StopWish unstopped = asRun;
    unstopped.stopStrings.clear();
    StopWish endless = asRun;
    endless.ignoreEndTokens = true;
    return {
        whyColumn(draft, run, { tr("cap doubled to %L1").arg(doubled.lengthCap), doubled },
            tr("its cap is the largest there is")),
        whyColumn(draft, run, { tr("stop strings off"), unstopped }, tr("it had no stop strings")),
        whyColumn(draft, run, { tr("end tokens ignored"), endless }, tr("it ignored them already")),
    };
}

engine::Result<std::vector<RunVariant>> listedVariants(
    VariedThing thing, const ChatSettings& base, const QStringList& values)
{
    if (thing == VariedThing::StopStrings && base.stopStrings.isEmpty())
        return engine::Error::badRequest(tr("This chat has no stop strings. They are set on the right.").toStdString());
    if (thing == VariedThing::StopStrings || thing == VariedThing::EndTokens)
        return onAndOff(thing, base);
    std::vector<RunVariant> variants;
    for (const QString& value : values) {
        TRY_ASSIGN(RunVariant variant, variantOf(thing, base, value));
        const bool isListed = std::any_of(variants.begin(), variants.end(), [&](const RunVariant& other) {
            return std::get<ChatSettings>(other.how) == std::get<ChatSettings>(variant.how);
        });
        if (!isListed)
            variants.push_back(std::move(variant));
    }
    return checked(std::move(variants));
}

engine::Result<std::vector<RunVariant>> stopStringVariants(
    const ChatSettings& base, const std::vector<QStringList>& sets)
{
    std::vector<RunVariant> variants;
    for (const QStringList& set : sets) {
        ChatSettings settings = base;
        settings.stopStrings = set;
        QStringList shown;
        for (const QString& stop : set)
            shown.append(stopWords(stop));
        const bool isListed = std::any_of(variants.begin(), variants.end(),
            [&](const RunVariant& other) { return std::get<ChatSettings>(other.how) == settings; });
        if (!isListed)
            variants.push_back({ set.isEmpty() ? tr("no stop strings")
                                               : tr("stops at %1").arg(shown.join(QStringLiteral(", "))),
                settings });
    }
    return checked(std::move(variants));
}

std::vector<PromptFormat> choosableFormats()
{
    std::vector<PromptFormat> formats { { PromptFormatKind::Own } };
    for (const engine::TemplateFamilyInfo& info : engine::templateFamilyTable())
        formats.push_back({ PromptFormatKind::Family, info.family });
    formats.push_back({ PromptFormatKind::None });
    return formats;
}

QString formatWords(const PromptFormat& format)
{
    if (format.kind == PromptFormatKind::None)
        return tr("no template");
    if (format.kind == PromptFormatKind::Own)
        return tr("own template");
    for (const engine::TemplateFamilyInfo& info : engine::templateFamilyTable())
        if (format.kind == PromptFormatKind::Family && format.family == info.family)
            return tr("%1 template").arg(QString::fromLatin1(info.name));
    return tr("the chat's template");
}

engine::Result<std::vector<RunVariant>> templateVariants(
    const ChatSettings& base, const std::vector<PromptFormat>& formats)
{
    std::vector<RunVariant> variants;
    for (const PromptFormat& format : formats)
        variants.push_back({ formatWords(format), base, format });
    return checked(std::move(variants));
}

engine::Result<std::vector<RunVariant>> modelVariants(const ChatSettings& base, const QStringList& paths)
{
    std::vector<RunVariant> variants;
    for (const QString& path : paths)
        variants.push_back({ QFileInfo(path).completeBaseName(), base, {}, path });
    return checked(std::move(variants));
}

engine::Result<std::vector<RunVariant>> presetVariants(
    const ChatSettings& base, const std::vector<ChatSettings>& presets)
{
    std::vector<RunVariant> variants;
    for (ChatSettings preset : presets) {
        if (!preset.fixedSeed)
            preset.fixedSeed = base.fixedSeed;
        variants.push_back({ tr("preset “%1”").arg(firstWords(preset.preset)), preset });
    }
    return checked(std::move(variants));
}

} // namespace app
