#include "app/cli/worksheet_command.h"

#include "app/cli/arguments.h"
#include "app/cli/command_table.h"
#include "app/cli/engine_factory.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/run_options.h"
#include "app/cli/run_output.h"
#include "app/cli/worksheet_plan.h"
#include "app/runs/json_members.h"
#include "app/runs/run_json.h"
#include "app/runs/run_worksheet.h"

#include <algorithm>
#include <iostream>

using engine::Error;
using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr const char* kName = "worksheet";
    constexpr const char* kUsage
        = "RUN.json... [--format F]\n"
          "       tokenglass worksheet --model FILE (--prompt TEXT | --messages FILE | --raw TEXT) "
          "[options of run]\n"
          "       tokenglass worksheet PLAN.json --run [--model FILE]";
    constexpr OptionSpec kOwn[] {
        { "format", "F", "markdown, html, tsv or json: the record itself (markdown)" },
        { "run", nullptr, "start the planned run of PLAN.json, and fill its page" },
    };
    /// Of `run`, for things that only a run that is started has.
    constexpr std::string_view kNotPlanned[] { "record", "tokens", "require", "source", "json" };

    const std::vector<OptionSpec>& options()
    {
        static const std::vector<OptionSpec> kOptions = [] {
            std::vector<OptionSpec> all(std::begin(kOwn), std::end(kOwn));
            for (const OptionSpec& option : runOptionTable())
                if (std::ranges::find(kNotPlanned, option.name) == std::end(kNotPlanned))
                    all.push_back(option);
            return all;
        }();
        return kOptions;
    }

    std::string onlyRecord(const std::vector<ordered_json>& records)
    {
        std::string text;
        for (const ordered_json& record : records)
            text += dumped(record, 1) + "\n";
        return text;
    }

    template <auto write> std::string page(const std::vector<ordered_json>& records)
    {
        return write(RunWorksheet::of(records));
    }

    struct Format {
        const char* name;
        std::string (*write)(const std::vector<ordered_json>& records);
    };
    constexpr Format kFormats[] { { "markdown", page<worksheetMarkdown> },
        { "html", page<worksheetHtml> }, { "tsv", page<worksheetTsv> }, { "json", onlyRecord } };

    const Format* formatOf(const std::string& name)
    {
        for (const Format& format : kFormats)
            if (name == format.name)
                return &format;
        return nullptr;
    }

    /// Options of a run beside what none of them goes with.
    std::string strayOption(const Arguments& arguments, bool mayNameModel)
    {
        for (const OptionSpec& option : runOptionTable()) {
            const std::string name = option.name;
            if (arguments.has(name) && !(mayNameModel && (name == "model" || name == "device")))
                return name;
        }
        return {};
    }

    Result<std::vector<ordered_json>> recordsFrom(
        const Arguments& arguments, const CommandSurroundings& surroundings)
    {
        if (arguments.positionals().empty()) {
            TRY_ASSIGN(ordered_json plan, planOf(arguments, surroundings));
            return std::vector<ordered_json> { std::move(plan) };
        }
        std::vector<ordered_json> records;
        for (const std::string& path : arguments.positionals()) {
            TRY_ASSIGN(OpenedRecord record, openRecordOrResponse(path));
            if (arguments.has("run")) {
                const PlanModel model { arguments.text("model").value_or(""),
                    arguments.text("device").value_or("") };
                TRY_ASSIGN(record.json, filledPlan(record, model, surroundings));
            }
            records.push_back(std::move(record.json));
        }
        return records;
    }

    /// "" or what is wrong with the words.
    std::string fault(const Arguments& arguments)
    {
        const size_t fileCount = arguments.positionals().size();
        const bool runs = arguments.has("run");
        if (fileCount == 0 && !runs && strayOption(arguments, false).empty())
            return "at least one run record is needed, or the words of a run to plan";
        if (runs && fileCount != 1)
            return "--run needs one plan, written with --format json";
        if (fileCount == 0)
            if (const auto options = runOptionsFrom(arguments); !options)
                return options.error().message;
        if (const std::string stray = fileCount > 0 ? strayOption(arguments, runs) : ""; !stray.empty())
            return "--" + stray + " is for planning a run: it cannot go with records";
        return {};
    }
}

int runWorksheetCommand(const std::vector<std::string>& words)
{
    const InterruptWatch watch;
    return runWorksheetCommand(words, { commandEngineFactory(), std::cout, std::cerr, [&watch] {
                                           return watch.isInterrupted();
                                       } });
}

int runWorksheetCommand(
    const std::vector<std::string>& words, const CommandSurroundings& surroundings)
{
    const Result<Arguments> arguments = Arguments::parse(options(), words);
    if (!arguments)
        return reportUsageError(surroundings.err, kName, arguments.error());
    if (arguments->has("help")) {
        surroundings.out << helpText(kName, kUsage, options());
        return kExitOk;
    }
    if (const std::string wrong = fault(*arguments); !wrong.empty())
        return reportUsageError(surroundings.err, kName, Error::badRequest(wrong));
    const std::string name = arguments->text("format").value_or("markdown");
    const Format* const format = formatOf(name);
    if (!format)
        return reportUsageError(surroundings.err, kName,
            Error::badRequest("--format is \"" + name + "\"; it can be markdown, html, tsv or json"));
    const auto records = recordsFrom(*arguments, surroundings);
    if (!records)
        return reportFailure(surroundings.err, kName, records.error());
    surroundings.out << format->write(*records);
    if (!surroundings.out.flush())
        return kExitFailed;
    if (!arguments->has("run"))
        return kExitOk;
    return exitCodeOf(readRunRecord(records->front()).ending.value_or(engine::RunEnded {}).ledger);
}

} // namespace app
