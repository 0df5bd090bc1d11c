#include "app/cli/verify_command.h"

#include "app/cli/arguments.h"
#include "app/cli/command_engine.h"
#include "app/cli/command_table.h"
#include "app/cli/engine_factory.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/recorded_model.h"
#include "app/compare/run_replay.h"
#include "app/runs/json_members.h"
#include "app/runs/opened_record.h"
#include "app/runs/run_json.h"
#include "app/runs/run_record.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>

using engine::Error;
using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr const char* kName = "verify";
    constexpr const char* kUsage = "RUN.json [--model FILE] [options]";
    constexpr size_t kShownCandidates = 5;

    constexpr std::array kOptions {
        OptionSpec { "model", "FILE", "the model's file, where it is not in the models folder" },
        OptionSpec { "device", "D", "UUID or part of a name; see tokenglass devices" },
        OptionSpec { "json", nullptr, "print the outcome as one JSON object" },
    };

    struct VerifyOptions {
        std::string recordPath;
        std::string modelPath; ///< "" = the file of that name in the models folder
        std::string device;
        bool writesJson = false;
    };

    Result<VerifyOptions> optionsFrom(const Arguments& arguments)
    {
        if (arguments.positionals().size() != 1)
            return Error::badRequest("one run record is needed");
        return VerifyOptions { arguments.positionals()[0], arguments.text("model").value_or(""),
            arguments.text("device").value_or(""), arguments.has("json") };
    }

    struct Outcome {
        size_t tokenCount = 0;
        std::optional<ReplayDifference> difference;
        std::string device;
        /// "" or what of the record does not follow from its own tokens.
        std::string contradiction;
    };

    Result<Outcome> verify(const OpenedRecord& record, const std::string& modelPath,
        const VerifyOptions& options, const CommandSurroundings& surroundings)
    {
        ComparedRun run = comparedRun(record.reading, record.tokens);
        const auto replay = replayOf(run);
        if (!replay)
            return Error::badFile("the record does not tell the prompt's token ids");
        if (run.tokens.empty())
            return Error::badFile("the record holds no tokens: there is nothing to compare");
        CommandEngine engine(surroundings.factory, surroundings.interrupted);
        TRY_ASSIGN(const engine::ModelLoaded model,
            engine.open({ modelPath, options.device, run.contextLength.value_or(0) }));
        TRY(checkVocabulary(record.json, model));
        Outcome outcome { .device = model.description.device.name };
        if (model.text && model.text->tokenizer)
            takeDraftPieces(run, *model.text->tokenizer);
        outcome.contradiction = contradictionOf(run);
        std::vector<engine::TokenRecord> replayed;
        for (const engine::GenerationRequest& request : replay->requests) {
            const engine::RunEnded ended = engine.run(request, [&](const engine::GenerationEvent& event) {
                if (const auto* token = std::get_if<engine::TokenDecoded>(&event))
                    replayed.push_back(token->record);
            });
            if (ended.ledger.error)
                return *ended.ledger.error;
            if (ended.ledger.cancelledBy)
                return Error::cancelled("interrupted");
            outcome.difference = firstDifference(run, replayed);
            if (outcome.difference && outcome.difference->token < replayed.size())
                break;
        }
        outcome.tokenCount = replayed.size();
        return outcome;
    }

    ordered_json toJson(const Outcome& outcome)
    {
        ordered_json json {
            { "equal", !outcome.difference },
            { "tokens", outcome.tokenCount },
            { "device", outcome.device },
            { "contradiction",
                outcome.contradiction.empty() ? ordered_json() : ordered_json(outcome.contradiction) },
            { "first_difference", nullptr },
        };
        if (outcome.difference)
            json["first_difference"] = {
                { "token", outcome.difference->token },
                { "recorded", app::toJson(outcome.difference->recorded) },
                { "replayed",
                    outcome.difference->replayed ? app::toJson(*outcome.difference->replayed)
                                                 : ordered_json() },
            };
        return json;
    }

    std::string pieceOf(const engine::TokenRecord& token, engine::TokenId id)
    {
        return token.id == id ? "‘" + token.bytes + "’" : "#" + std::to_string(id);
    }

    std::string distributionLine(const char* whose, const engine::TokenRecord& token)
    {
        std::string line = std::string("  ") + whose + ": " + pieceOf(token, token.id) + " of";
        for (size_t i = 0; i < std::min(token.top.size(), kShownCandidates); ++i) {
            char share[32];
            std::snprintf(share, sizeof share, " %.4f", std::exp(double(token.top[i].logprob)));
            line += (i ? ", " : " ") + pieceOf(token, token.top[i].id) + share;
        }
        return token.top.empty() ? line + " candidates that were not recorded" : line;
    }

    void tell(std::ostream& out, const Outcome& outcome)
    {
        if (!outcome.difference)
            out << "equal: all " << outcome.tokenCount << " tokens, on " << outcome.device << "\n";
        else
            out << "different from token " << outcome.difference->token + 1 << " on, on " << outcome.device
                << "\n" << distributionLine("recorded", outcome.difference->recorded) << "\n"
                << (outcome.difference->replayed
                           ? distributionLine("now", *outcome.difference->replayed)
                           : std::string("  now: it ended before"))
                << "\n";
        if (!outcome.contradiction.empty())
            out << outcome.contradiction << "\n";
    }
}

int runVerifyCommand(const std::vector<std::string>& words)
{
    const InterruptWatch watch;
    return runVerifyCommand(words, { commandEngineFactory(), std::cout, std::cerr, [&watch] {
                                        return watch.isInterrupted();
                                    } });
}

int runVerifyCommand(const std::vector<std::string>& words, const CommandSurroundings& surroundings)
{
    const Result<Arguments> arguments = Arguments::parse(kOptions, words);
    if (!arguments)
        return reportUsageError(surroundings.err, kName, arguments.error());
    if (arguments->has("help")) {
        surroundings.out << helpText(kName, kUsage, kOptions);
        return kExitOk;
    }
    const Result<VerifyOptions> options = optionsFrom(*arguments);
    if (!options)
        return reportUsageError(surroundings.err, kName, options.error());
    const Result<OpenedRecord> record = openRecord(options->recordPath);
    if (!record)
        return reportFailure(surroundings.err, kName, record.error());
    const Result<std::string> modelPath = recordedModelPath(options->modelPath, record->reading);
    if (!modelPath)
        return reportUsageError(surroundings.err, kName, modelPath.error());
    const std::string recordedHash = textAt(memberAt(record->json, "checkpoint"), "sha256");
    // Nothing is read for a record that has no hash to compare with.
    const Result<std::string> hash = recordedHash.empty() ? recordedHash : fileSha256Hex(*modelPath);
    if (hash && *hash != recordedHash)
        surroundings.err << "tokenglass verify: " << *modelPath
                         << " is not the recorded file (its SHA-256 is another): expect other tokens\n";
    const Result<Outcome> outcome = verify(*record, *modelPath, *options, surroundings);
    if (!outcome)
        return reportFailure(surroundings.err, kName, outcome.error());
    if (options->writesJson)
        surroundings.out << dumped(toJson(*outcome)) << std::endl;
    else
        tell(surroundings.out, *outcome);
    return outcome->difference || !outcome->contradiction.empty() ? kExitDifferent : kExitOk;
}

} // namespace app
