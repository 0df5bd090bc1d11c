#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace app {

/// One line of a worksheet: what was observed in each run, "" where nothing was.
struct WorksheetRow {
    std::string name;
    std::vector<std::string> values; ///< [runs]
    bool isLong = false; ///< a text of its own: a prompt, an answer

    bool operator==(const WorksheetRow&) const = default;
};

struct WorksheetSection {
    std::string title;
    std::vector<WorksheetRow> rows;

    bool operator==(const WorksheetSection&) const = default;
};

/// One run or several as a page to read and print: from run records (run_record.h), which may be
/// opened and not closed, so that a planned run is the same page with blanks. A field without an
/// observation stays blank: never zero, never a guess.
struct RunWorksheet {
    std::string note; ///< under the title; "" = none
    std::vector<std::string> runNames; ///< "A", "B", ...; one run: ""
    std::vector<WorksheetSection> sections;

    static RunWorksheet of(const std::vector<nlohmann::ordered_json>& records);
    bool operator==(const RunWorksheet&) const = default;
};

/// Nothing of a run's text can change the page: it is quoted in Markdown and escaped in HTML.
std::string worksheetMarkdown(const RunWorksheet& sheet);
/// A whole page, for a browser and for printing; nothing in it is loaded from elsewhere.
std::string worksheetHtml(const RunWorksheet& sheet);
/// The short rows, tab-separated, for a table program: tabs and line ends in values become spaces.
std::string worksheetTsv(const RunWorksheet& sheet);

} // namespace app
