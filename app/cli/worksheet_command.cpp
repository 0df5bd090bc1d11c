#include "app/cli/worksheet_command.h"

#include "app/cli/arguments.h"
#include "app/cli/command_table.h"
#include "app/runs/opened_record.h"
#include "app/runs/run_worksheet.h"

#include <array>
#include <iostream>

using engine::Error;
using engine::Result;

namespace app {

namespace {
    constexpr const char* kName = "worksheet";
    constexpr const char* kUsage = "RUN.json... [--format markdown|html|tsv]";
    constexpr std::array kOptions {
        OptionSpec { "format", "F", "markdown, html or tsv (markdown)" },
    };

    struct Format {
        const char* name;
        std::string (*write)(const RunWorksheet& sheet);
    };
    constexpr Format kFormats[] { { "markdown", worksheetMarkdown }, { "html", worksheetHtml },
        { "tsv", worksheetTsv } };

    const Format* formatOf(const std::string& name)
    {
        for (const Format& format : kFormats)
            if (name == format.name)
                return &format;
        return nullptr;
    }
}

int runWorksheetCommand(const std::vector<std::string>& words)
{
    return runWorksheetCommand(words, std::cout, std::cerr);
}

int runWorksheetCommand(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const Result<Arguments> arguments = Arguments::parse(kOptions, words);
    if (!arguments)
        return reportUsageError(err, kName, arguments.error());
    if (arguments->has("help")) {
        out << helpText(kName, kUsage, kOptions);
        return kExitOk;
    }
    if (arguments->positionals().empty())
        return reportUsageError(err, kName, Error::badRequest("at least one run record is needed"));
    const std::string name = arguments->text("format").value_or("markdown");
    const Format* const format = formatOf(name);
    if (!format)
        return reportUsageError(err, kName,
            Error::badRequest("--format is \"" + name + "\"; it can be markdown, html or tsv"));
    std::vector<nlohmann::ordered_json> records;
    for (const std::string& path : arguments->positionals()) {
        Result<OpenedRecord> record = openRecordOrResponse(path);
        if (!record)
            return reportFailure(err, kName, record.error());
        records.push_back(std::move(record->json));
    }
    out << format->write(RunWorksheet::of(records));
    return out.flush() ? kExitOk : kExitFailed;
}

} // namespace app
