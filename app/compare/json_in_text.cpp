#include "app/compare/json_in_text.h"

#include "app/runs/json_document.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <exception>

namespace app {

namespace {
    using nlohmann::json;
    using Adapter = valijson::adapters::NlohmannJsonAdapter;

    /// What stands between the first pair of lines of three backquotes.
    std::string_view fenced(std::string_view text)
    {
        constexpr std::string_view kFence = "```";
        const size_t open = text.find(kFence);
        if (open == text.npos)
            return {};
        const size_t start = text.find('\n', open);
        if (start == text.npos)
            return {};
        const size_t end = text.find(kFence, start);
        return end == text.npos ? std::string_view() : text.substr(start + 1, end - start - 1);
    }

    /// The library throws for what no schema says.
    std::string parseSchema(const json& document, valijson::Schema& schema)
    {
        try {
            valijson::SchemaParser().populateSchema(Adapter(document), schema);
        } catch (const std::exception& fault) {
            return fault.what();
        }
        return {};
    }
}

std::optional<json> jsonInText(std::string_view text)
{
    if (auto whole = parsedJson<json>(text))
        return whole;
    const std::string_view inside = fenced(text);
    return inside.empty() ? std::nullopt : parsedJson<json>(inside);
}

std::string schemaFault(const json& document)
{
    if (!document.is_object())
        return "a schema is a JSON object";
    valijson::Schema schema;
    return parseSchema(document, schema);
}

std::string misfitOf(const json& document, const json& schemaDocument)
{
    valijson::Schema schema;
    if (std::string fault = parseSchema(schemaDocument, schema); !fault.empty())
        return "the schema cannot be used: " + fault;
    valijson::ValidationResults results;
    if (valijson::Validator().validate(schema, Adapter(document), &results))
        return {};
    // The last is the innermost.
    valijson::ValidationResults::Error error;
    std::string misfit = "does not fit the schema";
    while (results.popError(error)) {
        std::string place;
        for (const std::string& step : error.context)
            place += step == "<root>" ? "" : step;
        misfit = (place.empty() ? "the document" : place) + ": " + error.description;
    }
    return misfit;
}

} // namespace app
