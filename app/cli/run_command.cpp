#include "app/cli/run_command.h"

#include "app/cli/command_engine.h"
#include "app/cli/command_table.h"
#include "app/cli/engine_factory.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/run_options.h"
#include "app/cli/run_output.h"
#include "app/cli/token_file.h"
#include "app/runs/record_file.h"

#include <iostream>

using engine::Result;

namespace app {

namespace {
    constexpr const char* kName = "run";

    /// The end of a run that never reached the engine.
    engine::RunEnded endedBefore(engine::RunId runId, const engine::Error& error)
    {
        engine::RunEnded ended { .runId = runId };
        ended.ledger.reason = engine::StopReason::Failed;
        if (error.code == engine::ErrorCode::Cancelled) {
            ended.ledger.reason = engine::StopReason::Cancelled;
            ended.ledger.cancelledBy = engine::CancelledBy::User;
        } else {
            ended.ledger.error = error;
        }
        return ended;
    }

    /// Steps of a run in which anything may fail before the engine has it.
    struct PreparedRun {
        engine::GenerationRequest request;
        std::optional<RecordFile> record;
        std::optional<TokenFile> tokens;
    };

    Result<PreparedRun> prepare(const RunOptions& options, const engine::ModelLoaded& model)
    {
        TRY_ASSIGN(const RunPrompt prompt, formatRunPrompt(*model.text, options.prompt));
        PreparedRun run { options.request, {}, {} };
        run.request.promptIds = prompt.ids;
        if (options.tokensPath) {
            TRY_ASSIGN(run.tokens, TokenFile::open(*options.tokensPath, prompt.ids, model.text));
        }
        if (!options.recordPath)
            return run;
        const RunOpening opening = openingFor(model, options.prompt, prompt, run.request);
        TRY_ASSIGN(run.record, RecordFile::open(*options.recordPath, opening));
        return run;
    }

    Result<void> closeFiles(PreparedRun& run)
    {
        if (run.tokens)
            TRY(run.tokens->close());
        return run.record ? run.record->close() : Result<void>();
    }

    int execute(const RunOptions& options, const CommandSurroundings& surroundings)
    {
        RunOutput output(surroundings.out, surroundings.err, options.writesJson);
        engine::GenerationRequest request = options.request;
        const auto endBefore = [&](const engine::Error& error) {
            const engine::RunEnded ended = endedBefore(request.runId, error);
            output.showEnd(ended, request.promptIds);
            return exitCodeOf(ended.ledger);
        };
        CommandEngine engine(surroundings.factory, surroundings.interrupted);
        const Result<engine::ModelLoaded> model = engine.open(options.model);
        if (!model)
            return endBefore(model.error());
        Result<PreparedRun> run = prepare(options, *model);
        if (!run)
            return endBefore(run.error());
        request = run->request;

        const engine::RunEnded ended
            = engine.run(request, [&](const engine::GenerationEvent& event) {
                  output.show(event);
                  if (run->record)
                      run->record->apply(event);
                  if (run->tokens)
                      run->tokens->apply(event);
              });
        std::optional<RequirementCheck> check;
        if (options.requirements)
            check = options.requirements->check(ended);
        if (check && run->record)
            run->record->setRequirementCheck(toJson(*check));
        output.showEnd(ended, request.promptIds, check);
        const Result<void> closed = closeFiles(*run);
        if (!closed) {
            surroundings.err << "tokenglass run: " << closed.error().message << std::endl;
            return kExitFailed;
        }
        const int exitCode = exitCodeOf(ended.ledger);
        return check ? exitCodeAfter(exitCode, *check) : exitCode;
    }
}

int runRunCommand(const std::vector<std::string>& words)
{
    const InterruptWatch watch;
    return runRunCommand(words, { commandEngineFactory(), std::cout, std::cerr, [&watch] {
                                     return watch.isInterrupted();
                                 } });
}

int runRunCommand(const std::vector<std::string>& words, const CommandSurroundings& surroundings)
{
    const Result<Arguments> arguments = Arguments::parse(runOptionTable(), words);
    if (!arguments)
        return reportUsageError(surroundings.err, kName, arguments.error());
    if (arguments->has("help")) {
        surroundings.out << helpText(kName, kRunUsage, runOptionTable());
        return kExitOk;
    }
    const Result<RunOptions> options = runOptionsFrom(*arguments);
    if (!options)
        return reportUsageError(surroundings.err, kName, options.error());
    return execute(*options, surroundings);
}

} // namespace app
