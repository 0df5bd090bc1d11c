#include "app/conversation/run_variants.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace app {

namespace {
    using engine::StopReason;

    constexpr float kLargestTemperature = 100;
    constexpr qsizetype kLabelLength = 32;

    QString tr(const char* text) { return QCoreApplication::translate("RunVariants", text); }

    /// None: it may change something. Else why it would not.
    QString whyNoChange(StopReason setting, const QString& name, const Draft& draft)
    {
        const StopReason reason = draft.ending()->ledger.reason;
        if (reason == setting)
            return {};
        switch (reason) {
        case StopReason::EndToken:
            return tr("%1: the same tokens, for an end token ended it").arg(name);
        case StopReason::StopString:
            return tr("%1: the same tokens, for a stop string ended it").arg(name);
        case StopReason::LengthCap:
            return tr("%1: the same tokens, for the length cap ended it").arg(name);
        case StopReason::ContextFull:
            return tr("%1: the same tokens, for the context was full").arg(name);
        case StopReason::ThinkingCap:
            return tr("%1: the same tokens, for the thinking budget ended it").arg(name);
        case StopReason::Repetition:
            return tr("%1: the same tokens, for it ended as repeating itself").arg(name);
        case StopReason::TimeCap: // nobody knows where it would have gone
        case StopReason::Cancelled:
        case StopReason::Failed:
        case StopReason::Interrupted:
            break;
        }
        return {};
    }

    QString firstWords(const QString& text)
    {
        const QString line = text.simplified();
        return line.size() <= kLabelLength ? line : line.left(kLabelLength) + QChar(0x2026);
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

WhyHere whyHere(const Draft& draft)
{
    WhyHere why;
    if (!draft.ending())
        return why;
    const engine::GenerationRequest& request = draft.origin().request;
    const StopWish asRun { request.lengthCap, request.stopStrings, request.ignoreEndTokens };
    const auto add = [&](StopReason setting, const QString& name, StopWish wish, const QString& given) {
        const QString reason = given.isEmpty() ? whyNoChange(setting, name, draft) : given;
        if (reason.isEmpty())
            why.variants.push_back({ name, std::move(wish) });
        else
            why.leftOut.append(reason);
    };
    StopWish doubled = asRun;
    doubled.lengthCap = int(std::min<int64_t>(int64_t(asRun.lengthCap) * 2, kLargestLengthCap));
    add(StopReason::LengthCap, tr("cap doubled to %L1").arg(doubled.lengthCap), doubled,
        doubled.lengthCap > asRun.lengthCap ? QString() : tr("cap doubled: it is the largest there is"));
    StopWish unstopped = asRun;
    unstopped.stopStrings.clear();
    add(StopReason::StopString, tr("stop strings off"), unstopped,
        asRun.stopStrings.empty() ? tr("stop strings off: it had none") : QString());
    StopWish endless = asRun;
    endless.ignoreEndTokens = true;
    add(StopReason::EndToken, tr("end tokens ignored"), endless,
        asRun.ignoreEndTokens ? tr("end tokens ignored: they were already") : QString());
    return why;
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
