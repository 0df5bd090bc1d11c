#pragma once

#include "engine/chat/template_choice.h"
#include "engine/sampling/sampler_settings.h"
#include "engine/session/repetition_guard.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QSettings;

namespace app {

/// What happens when a chat has grown longer than the context.
enum class ContextPolicy {
    StopAndSay, ///< nothing is left out: the message is refused, the answer ends
    DropOldestTurns, ///< the oldest messages with their answers are left out of the prompt
};

/// The name in settings and run records.
const char* contextPolicyName(ContextPolicy policy);
std::optional<ContextPolicy> findContextPolicy(std::string_view name);

/// A token that a conversation's answers never take. Its id means nothing in another vocabulary.
struct BannedToken {
    engine::TokenId id = 0;
    QString vocabularySha256; ///< as in the run record
    QString text; ///< written out, for reading

    bool operator==(const BannedToken&) const = default;
};

/// What is asked of a conversation's answers: a requirement set (app/compare/requirement_set.h), kept
/// whole, so that a file that moves or changes takes nothing away.
struct ChosenRequirements {
    bool isShipped = false;
    QString origin; ///< name of the shipped set, or path of the file
    std::string sha256; ///< of content
    std::string content; ///< the set as its file has it, JSON

    bool operator==(const ChosenRequirements&) const = default;
};

/// How the answers of one conversation are made.
struct ChatSettings {
    QString preset; ///< name of the preset these began as; "" = none
    QString systemText; ///< "" = none: the template may add its own
    std::optional<engine::TemplateFamily>
        family; ///< used when the file's own template is not usable
    engine::SamplerSettings sampling; ///< its seed is not used: see fixedSeed
    std::vector<BannedToken> bannedTokens; ///< sampling.bannedIds is not used: these may be of several vocabularies
    std::optional<quint64> fixedSeed; ///< none = drawn at random for each run and recorded
    int lengthCap = 1024; ///< new tokens, the end token included
    QStringList stopStrings;
    bool ignoreEndTokens = false; ///< write on after the model's end tokens
    std::optional<int> timeCapMs; ///< none = no time limit
    bool guardsAgainstRepetition = false; ///< with kRepetitionLimits
    ContextPolicy contextPolicy = ContextPolicy::StopAndSay;
    std::optional<ChosenRequirements> requirements; ///< none = nothing is asked

    bool operator==(const ChatSettings&) const = default;
};

/// The banned ids that mean something in this vocabulary.
engine::TokenIds bannedIds(const ChatSettings& settings, const QString& vocabularySha256);

/// Reads the settings new conversations start with; a value out of range falls back to its default.
ChatSettings readChatSettings(const QSettings& store);
void writeChatSettings(QSettings& store, const ChatSettings& settings);

constexpr int kLargestLengthCap = 1'000'000;
constexpr int kLargestTimeCapMs = 24 * 60 * 60 * 1000;
/// Sentences again and again; the columns of a table's dashes are fewer.
constexpr engine::RepetitionLimits kRepetitionLimits { .longestPeriod = 64, .repeatCount = 16 };

} // namespace app
