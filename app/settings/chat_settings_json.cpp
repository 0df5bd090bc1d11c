#include "app/settings/chat_settings_json.h"

#include "app/compare/requirement_set.h"
#include "app/runs/run_json.h"
#include "app/runs/run_record.h"

#include <QCoreApplication>

#include <limits>

using nlohmann::ordered_json;

namespace app {

namespace {
    struct Tr {
        Q_DECLARE_TR_FUNCTIONS(ChatSettings)
    };

    /// One number of the settings: its name in the file, where it is kept, and what is allowed.
    template <typename Number> struct Field {
        const char* name;
        Number engine::SamplerSettings::*member;
        Number least;
        Number most;
    };
    using Sampler = engine::SamplerSettings;
    constexpr Field<float> kFloats[] = {
        { "temperature", &Sampler::temperature, 0, 10 },
        { "top_p", &Sampler::topP, 0, 1 },
        { "min_p", &Sampler::minP, 0, 1 },
        { "repeat_penalty", &Sampler::repeatPenalty, 0.1f, 10 },
        { "presence_penalty", &Sampler::presencePenalty, -10, 10 },
        { "frequency_penalty", &Sampler::frequencyPenalty, -10, 10 },
    };
    constexpr Field<int> kInts[] = {
        { "top_k", &Sampler::topK, 0, 1'000'000 },
        { "repeat_window", &Sampler::repeatWindow, 0, 1'000'000 },
    };

    class Reader {
    public:
        Reader(const ordered_json& json, QStringList* notes)
            : m_json(json)
            , m_notes(notes)
        {
        }

        const ordered_json* find(const char* name) const
        {
            const auto found = m_json.find(name);
            return found == m_json.end() || found->is_null() ? nullptr : &*found;
        }

        template <typename Number>
        void number(const char* name, Number& value, Number least, Number most) const
        {
            const ordered_json* found = find(name);
            if (!found)
                return;
            const bool fits
                = std::is_integral_v<Number> ? found->is_number_integer() : found->is_number();
            const double read = found->is_number() ? found->get<double>() : 0;
            if (fits && read >= double(least) && read <= double(most)) {
                value = Number(read);
                return;
            }
            // Whole numbers keep all their digits.
            note(name, *found,
                std::is_integral_v<Number>
                    ? Tr::tr("a whole number from %1 to %2").arg(least).arg(most)
                    : Tr::tr("a number from %1 to %2").arg(least).arg(most));
        }

        void flag(const char* name, bool& value) const
        {
            const ordered_json* found = find(name);
            if (found && found->is_boolean())
                value = found->get<bool>();
            else if (found)
                note(name, *found, Tr::tr("true or false"));
        }

        void note(const char* name, const ordered_json& found, const QString& wanted) const
        {
            if (m_notes)
                m_notes->append(
                    Tr::tr("%1 is %2; it must be %3. The default is used.")
                        .arg(QLatin1String(name),
                            QString::fromStdString(
                                found.dump(-1, ' ', false, ordered_json::error_handler_t::replace))
                                .left(40),
                            wanted));
        }

    private:
        const ordered_json& m_json;
        QStringList* m_notes;
    };

    void readTexts(const Reader& reader, ChatSettings& settings)
    {
        if (const ordered_json* preset = reader.find("preset")) {
            if (preset->is_string())
                settings.preset = QString::fromStdString(preset->get<std::string>());
            else
                reader.note("preset", *preset, Tr::tr("the name of a preset"));
        }
        if (const ordered_json* text = reader.find("system_text")) {
            if (text->is_string())
                settings.systemText = QString::fromStdString(text->get<std::string>());
            else
                reader.note("system_text", *text, Tr::tr("text"));
        }
        if (const ordered_json* family = reader.find("template_family")) {
            for (const engine::TemplateFamilyInfo& info : engine::templateFamilyTable())
                if (*family == info.name)
                    settings.family = info.family;
            if (!settings.family)
                reader.note("template_family", *family, Tr::tr("the name of a chat format"));
        }
        if (const ordered_json* stops = reader.find("stop_strings")) {
            if (!stops->is_array())
                return reader.note("stop_strings", *stops, Tr::tr("a list of texts"));
            for (const ordered_json& stop : *stops) {
                if (!stop.is_string() || stop.get<std::string>().empty())
                    reader.note("stop_strings", stop, Tr::tr("a list of texts"));
                else
                    settings.stopStrings.append(QString::fromStdString(stop.get<std::string>()));
            }
        }
    }

    void readBans(const Reader& reader, ChatSettings& settings)
    {
        const ordered_json* bans = reader.find("banned_tokens");
        if (!bans)
            return;
        const QString wanted = Tr::tr("a list of tokens, each with id, vocabulary_sha256 and text");
        if (!bans->is_array())
            return reader.note("banned_tokens", *bans, wanted);
        for (const ordered_json& ban : *bans) {
            const Reader entry(ban, nullptr);
            const ordered_json* id = ban.is_object() ? entry.find("id") : nullptr;
            const ordered_json* hash = ban.is_object() ? entry.find("vocabulary_sha256") : nullptr;
            const ordered_json* text = ban.is_object() ? entry.find("text") : nullptr;
            const bool isToken = id && id->is_number_integer() && id->get<int64_t>() >= 0
                && id->get<int64_t>() <= std::numeric_limits<engine::TokenId>::max() && hash && hash->is_string();
            if (!isToken) {
                reader.note("banned_tokens", ban, wanted);
                continue;
            }
            settings.bannedTokens.push_back({ id->get<engine::TokenId>(),
                QString::fromStdString(hash->get<std::string>()),
                text && text->is_string() ? QString::fromStdString(text->get<std::string>()) : QString() });
        }
    }

    void readRequirements(const Reader& reader, ChatSettings& settings)
    {
        const ordered_json* found = reader.find("requirements");
        if (!found)
            return;
        const Reader entry(*found, nullptr);
        const auto textOf = [&](const char* name) -> std::optional<std::string> {
            const ordered_json* text = found->is_object() ? entry.find(name) : nullptr;
            return text && text->is_string() ? std::optional(text->get<std::string>()) : std::nullopt;
        };
        const auto shipped = textOf("shipped");
        const auto file = textOf("file");
        const auto content = textOf("content");
        if ((!shipped && !file) || !content || !requirementSetFrom(*content))
            return reader.note("requirements", *found,
                Tr::tr("a requirement set with its content and where it comes from"));
        // The hash is of what is there, whatever the document says.
        settings.requirements = ChosenRequirements { shipped.has_value(),
            QString::fromStdString(shipped ? *shipped : *file), sha256Hex(*content), *content };
    }
}

ordered_json chatSettingsJson(const ChatSettings& settings)
{
    ordered_json json;
    json["preset"] = nullptr;
    if (!settings.preset.isEmpty())
        json["preset"] = settings.preset.toStdString();
    json["system_text"] = settings.systemText.toStdString();
    json["template_family"] = nullptr;
    for (const engine::TemplateFamilyInfo& info : engine::templateFamilyTable())
        if (settings.family == info.family)
            json["template_family"] = info.name;
    json["length_cap"] = settings.lengthCap;
    json["stop_strings"] = ordered_json::array();
    for (const QString& stop : settings.stopStrings)
        json["stop_strings"].push_back(stop.toStdString());
    for (const auto& field : kFloats)
        json[field.name] = shortest(settings.sampling.*field.member);
    for (const auto& field : kInts)
        json[field.name] = settings.sampling.*field.member;
    json["banned_tokens"] = ordered_json::array();
    for (const BannedToken& token : settings.bannedTokens)
        json["banned_tokens"].push_back({ { "id", token.id },
            { "vocabulary_sha256", token.vocabularySha256.toStdString() }, { "text", token.text.toStdString() } });
    json["ignore_end_tokens"] = settings.ignoreEndTokens;
    json["time_cap_ms"] = nullptr;
    if (settings.timeCapMs)
        json["time_cap_ms"] = *settings.timeCapMs;
    json["repetition_guard"] = settings.guardsAgainstRepetition;
    json["context_policy"] = contextPolicyName(settings.contextPolicy);
    json["seed"] = nullptr;
    if (settings.fixedSeed)
        json["seed"] = *settings.fixedSeed;
    json["requirements"] = nullptr;
    if (const auto& asked = settings.requirements)
        json["requirements"] = { { asked->isShipped ? "shipped" : "file", asked->origin.toStdString() },
            { "sha256", asked->sha256 }, { "content", asked->content } };
    return json;
}

ChatSettings chatSettingsOf(const ordered_json& json, QStringList* notes)
{
    ChatSettings settings;
    if (!json.is_object())
        return settings;
    const Reader reader(json, notes);
    readTexts(reader, settings);
    readBans(reader, settings);
    readRequirements(reader, settings);
    reader.number("length_cap", settings.lengthCap, 1, kLargestLengthCap);
    for (const auto& field : kFloats)
        reader.number(field.name, settings.sampling.*field.member, field.least, field.most);
    for (const auto& field : kInts)
        reader.number(field.name, settings.sampling.*field.member, field.least, field.most);
    reader.flag("ignore_end_tokens", settings.ignoreEndTokens);
    reader.flag("repetition_guard", settings.guardsAgainstRepetition);
    if (const ordered_json* name = reader.find("context_policy")) {
        const auto policy
            = name->is_string() ? findContextPolicy(name->get<std::string>()) : std::nullopt;
        if (policy)
            settings.contextPolicy = *policy;
        else
            reader.note("context_policy", *name, Tr::tr("stop_and_say or drop_oldest_turns"));
    }
    if (reader.find("time_cap_ms")) {
        int timeCapMs = 0;
        reader.number("time_cap_ms", timeCapMs, 1, kLargestTimeCapMs);
        if (timeCapMs > 0)
            settings.timeCapMs = timeCapMs;
    }
    if (const ordered_json* seed = reader.find("seed")) {
        if (seed->is_number_unsigned())
            settings.fixedSeed = seed->get<quint64>();
        else
            reader.note("seed", *seed, Tr::tr("a whole number, or null for a random one"));
    }
    return settings;
}

std::string chatSettingsToJson(const ChatSettings& settings)
{
    return chatSettingsJson(settings).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

ChatSettings chatSettingsFromJson(const std::string& text)
{
    return chatSettingsOf(ordered_json::parse(text, nullptr, false));
}

} // namespace app
