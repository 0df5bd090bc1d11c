#include "app/settings/chat_settings.h"

#include <QSettings>

#include <algorithm>

namespace app {

namespace {
    struct ContextPolicyRow {
        ContextPolicy policy;
        const char* name;
    };
    constexpr ContextPolicyRow kContextPolicies[] = {
        { ContextPolicy::StopAndSay, "stop_and_say" },
        { ContextPolicy::DropOldestTurns, "drop_oldest_turns" },
    };

    QString key(const char* name) { return QStringLiteral("chat/") + QLatin1String(name); }

    int readInt(const QSettings& store, const char* name, int fallback, int least, int most)
    {
        bool ok = false;
        const int value = store.value(key(name), fallback).toInt(&ok);
        return ok && value >= least && value <= most ? value : fallback;
    }

    /// Off unless it says so: QVariant takes every other text for true.
    bool readSwitch(const QSettings& store, const char* name)
    {
        return store.value(key(name)).toString() == QStringLiteral("true");
    }

    float readFloat(
        const QSettings& store, const char* name, float fallback, float least, float most)
    {
        bool ok = false;
        const float value = store.value(key(name), fallback).toFloat(&ok);
        return ok && value >= least && value <= most ? value : fallback;
    }
}

const char* contextPolicyName(ContextPolicy policy)
{
    return std::find_if(std::begin(kContextPolicies), std::end(kContextPolicies),
        [policy](const auto& row) { return row.policy == policy; })
        ->name;
}

std::optional<ContextPolicy> findContextPolicy(std::string_view name)
{
    for (const ContextPolicyRow& row : kContextPolicies)
        if (row.name == name)
            return row.policy;
    return std::nullopt;
}

engine::TokenIds bannedIds(const ChatSettings& settings, const QString& vocabularySha256)
{
    engine::TokenIds ids;
    for (const BannedToken& token : settings.bannedTokens)
        if (token.vocabularySha256 == vocabularySha256)
            ids.push_back(token.id);
    return ids;
}

ChatSettings readChatSettings(const QSettings& store)
{
    ChatSettings settings;
    engine::SamplerSettings& sampling = settings.sampling;
    settings.systemText = store.value(key("system")).toString();
    settings.lengthCap = readInt(store, "lengthCap", settings.lengthCap, 1, kLargestLengthCap);
    settings.stopStrings = store.value(key("stopStrings")).toStringList();
    settings.stopStrings.removeAll(QString());
    settings.ignoreEndTokens = readSwitch(store, "ignoreEndTokens");
    if (const int timeCapMs = readInt(store, "timeCapMs", 0, 1, kLargestTimeCapMs))
        settings.timeCapMs = timeCapMs;
    settings.guardsAgainstRepetition = readSwitch(store, "repetitionGuard");
    if (const auto policy
        = findContextPolicy(store.value(key("contextPolicy")).toString().toStdString()))
        settings.contextPolicy = *policy;
    sampling.temperature = readFloat(store, "temperature", sampling.temperature, 0, 10);
    sampling.topK = readInt(store, "topK", sampling.topK, 0, 1'000'000);
    sampling.topP = readFloat(store, "topP", sampling.topP, 0, 1);
    sampling.minP = readFloat(store, "minP", sampling.minP, 0, 1);
    sampling.repeatPenalty = readFloat(store, "repeatPenalty", sampling.repeatPenalty, 0.1f, 10);
    sampling.repeatWindow = readInt(store, "repeatWindow", sampling.repeatWindow, 0, 1'000'000);
    sampling.presencePenalty = readFloat(store, "presencePenalty", 0, -10, 10);
    sampling.frequencyPenalty = readFloat(store, "frequencyPenalty", 0, -10, 10);
    bool hasSeed = false;
    const quint64 seed = store.value(key("seed")).toString().toULongLong(&hasSeed);
    if (hasSeed)
        settings.fixedSeed = seed;
    return settings;
}

void writeChatSettings(QSettings& store, const ChatSettings& settings)
{
    const engine::SamplerSettings& sampling = settings.sampling;
    store.setValue(key("system"), settings.systemText);
    store.setValue(key("lengthCap"), settings.lengthCap);
    store.setValue(key("stopStrings"), settings.stopStrings);
    store.setValue(key("ignoreEndTokens"), settings.ignoreEndTokens);
    store.setValue(key("timeCapMs"), settings.timeCapMs.value_or(0));
    store.setValue(key("repetitionGuard"), settings.guardsAgainstRepetition);
    store.setValue(key("contextPolicy"), QLatin1String(contextPolicyName(settings.contextPolicy)));
    store.setValue(key("temperature"), sampling.temperature);
    store.setValue(key("topK"), sampling.topK);
    store.setValue(key("topP"), sampling.topP);
    store.setValue(key("minP"), sampling.minP);
    store.setValue(key("repeatPenalty"), sampling.repeatPenalty);
    store.setValue(key("repeatWindow"), sampling.repeatWindow);
    store.setValue(key("presencePenalty"), sampling.presencePenalty);
    store.setValue(key("frequencyPenalty"), sampling.frequencyPenalty);
    store.setValue(
        key("seed"), settings.fixedSeed ? QString::number(*settings.fixedSeed) : QString());
}

} // namespace app
