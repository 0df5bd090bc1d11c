#include "app/compare/json_schema.h"

#include "app/compare/requirement_pattern.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <set>

namespace app {

namespace {
    using nlohmann::json;
    using Adapter = valijson::adapters::NlohmannJsonAdapter;

    constexpr size_t kMostPatternTries = 20'000;
    constexpr size_t kMostPlaceSchemas = 10'000;
    constexpr size_t kMostNameBytes = 256; // the library's own patterns recurse over what they read
    constexpr size_t kMostFormatBytes = 4096;

    /// Of a name in a JSON pointer.
    std::string escapedStep(const std::string& name)
    {
        std::string step = "/";
        for (const char sign : name)
            step += sign == '~' ? std::string("~0") : sign == '/' ? std::string("~1") : std::string(1, sign);
        return step;
    }

    using Visit = std::function<void(json& schema, const std::string& path)>;

    /// Visits a schema and all in it, the innermost first.
    void visitSchemas(json& schema, const std::string& path, const Visit& visit)
    {
        if (!schema.is_object())
            return;
        const auto below = [&](const char* key, bool isNamed) {
            const auto found = schema.find(key);
            if (found == schema.end())
                return;
            const std::string place = path + "/" + key;
            if (isNamed && found->is_object())
                for (auto& [name, inner] : found->items())
                    visitSchemas(inner, place + escapedStep(name), visit);
            else if (!isNamed && found->is_array())
                for (size_t i = 0; i < found->size(); ++i)
                    visitSchemas((*found)[i], place + "/" + std::to_string(i), visit);
            else if (!isNamed)
                visitSchemas(*found, place, visit);
        };
        for (const char* key : { "definitions", "properties", "patternProperties", "dependencies" })
            below(key, true);
        for (const char* key : { "items", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "contains",
                 "additionalItems", "additionalProperties", "propertyNames" })
            below(key, false);
        visit(schema, path);
    }

    /// What a value is checked against at once: every schema and those of its keywords that look at the same value.
    using SameValue = std::map<std::string, std::vector<std::string>>;

    SameValue sameValueSchemas(json schema)
    {
        SameValue links;
        visitSchemas(schema, "", [&links](json& inner, const std::string& path) {
            std::vector<std::string>& next = links[path];
            const auto add = [&](const json& candidate, const std::string& below) {
                if (candidate.is_object()) // true and false are schemas too
                    next.push_back("#" + path + below);
            };
            if (const auto reference = inner.find("$ref"); reference != inner.end() && reference->is_string())
                next.push_back(reference->get<std::string>());
            for (const std::string key : { "allOf", "anyOf", "oneOf" })
                if (const auto found = inner.find(key); found != inner.end() && found->is_array())
                    for (size_t i = 0; i < found->size(); ++i)
                        add((*found)[i], "/" + key + "/" + std::to_string(i));
            for (const std::string key : { "not", "if", "then", "else" })
                if (const auto found = inner.find(key); found != inner.end())
                    add(*found, "/" + key);
            if (const auto found = inner.find("dependencies"); found != inner.end() && found->is_object())
                for (const auto& [name, needed] : found->items())
                    add(needed, "/dependencies" + escapedStep(name));
        });
        return links;
    }

    /// "" or why the references in a schema lead nowhere, in a circle, or to too much.
    class ReferenceCheck {
    public:
        explicit ReferenceCheck(SameValue links)
            : m_links(std::move(links))
        {
        }
        std::string fault()
        {
            for (const auto& [path, next] : m_links)
                if (std::string found = visit(path); !found.empty())
                    return found;
            return {};
        }

    private:
        std::string visit(const std::string& path)
        {
            size_t& count = m_counts[path]; // a map's values stay where they are
            if (count == kOpen)
                return "its references lead in a circle at #" + path;
            if (count > 0)
                return {};
            count = kOpen;
            size_t sum = 1;
            for (const std::string& link : m_links[path]) {
                const std::string target = link.starts_with("#") ? link.substr(1) : std::string("?");
                if (!m_links.contains(target) || target.find("/patternProperties/") != target.npos)
                    return "$ref “" + link + "” leads to no schema in it";
                if (std::string found = visit(target); !found.empty())
                    return found;
                sum += m_counts[target];
                if (sum > kMostPlaceSchemas)
                    return "one value would be checked against more than 10,000 schemas";
            }
            count = sum;
            return {};
        }

        static constexpr size_t kOpen = std::numeric_limits<size_t>::max();
        SameValue m_links;
        std::map<std::string, size_t> m_counts; ///< schemas that a value is checked against there
    };

    std::string patternFaultIn(json schema)
    {
        std::string fault;
        visitSchemas(schema, "", [&fault](json& inner, const std::string& path) {
            const auto check = [&](const std::string& pattern, const char* key) {
                if (std::string why = patternFault(pattern); !why.empty() && fault.empty())
                    fault = path + "/" + key + " is no pattern: " + why;
            };
            if (const auto found = inner.find("pattern"); found != inner.end() && found->is_string())
                check(found->get<std::string>(), "pattern");
            if (const auto found = inner.find("patternProperties"); found != inner.end() && found->is_object())
                for (const auto& [pattern, unused] : found->items())
                    check(pattern, "patternProperties");
        });
        return fault;
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

    /// To JSON Schema 9.0 is the integer 9; to the library it is none, and what is beyond 64 bits is negative.
    void settleNumbers(json& value)
    {
        if (value.is_structured()) {
            for (json& inner : value)
                settleNumbers(inner);
        } else if (value.is_number_float()) {
            constexpr double kExact = 9007199254740992.0; // 2^53
            const double number = value.get<double>();
            if (std::abs(number) < kExact && number == std::floor(number))
                value = int64_t(number);
        } else if (value.is_number_unsigned()
            && value.get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max())) {
            value = double(value.get<uint64_t>());
        }
    }

    struct Texts {
        std::set<std::string> all; ///< names too
        std::set<std::string> names;
    };

    void collectTexts(const json& value, Texts& texts)
    {
        if (value.is_string())
            texts.all.insert(value.get<std::string>());
        if (value.is_object())
            for (const auto& [name, inner] : value.items()) {
                texts.all.insert(name);
                texts.names.insert(name);
            }
        if (value.is_structured())
            for (const json& inner : value)
                collectTexts(inner, texts);
    }

    std::string literal(const std::string& name)
    {
        std::string pattern = "^";
        for (const char sign : name) {
            if (sign >= 0 && !std::isalnum(static_cast<unsigned char>(sign)))
                pattern += '\\';
            pattern += sign;
        }
        return pattern + "$";
    }

    /// Patterns are tried here, within limits, on every text of the document; the library, whose own have no
    /// limit, is told which texts match.
    class PatternsSettled {
    public:
        PatternsSettled(json& schema, const json& document)
        {
            collectTexts(document, m_texts);
            visitSchemas(schema, "", [this](json& inner, const std::string&) {
                settlePattern(inner);
                settleNames(inner);
                checkFormat(inner);
            });
        }
        /// "" or why it cannot be told.
        const std::string& obstacle() const { return m_obstacle; }
        bool isMisfit(const json& value) const
        {
            return value.is_string() && m_misfits.contains(value.get<std::string>());
        }

    private:
        bool holds(const std::string& pattern, const std::string& text)
        {
            if (++m_tries > kMostPatternTries)
                m_obstacle = "it has too many texts to try the schema's patterns on";
            if (!m_obstacle.empty())
                return true;
            const std::optional<bool> holds = holdsIn(pattern, text);
            if (!holds)
                m_obstacle = "the pattern “" + pattern + "” is too costly for it";
            return holds.value_or(true);
        }
        void settlePattern(json& schema)
        {
            const auto found = schema.find("pattern");
            if (found == schema.end() || !found->is_string())
                return;
            json misfits = json::array();
            for (const std::string& text : m_texts.all)
                if (!holds(found->get<std::string>(), text)) {
                    misfits.push_back(text);
                    m_misfits.insert(text);
                }
            schema.erase(found);
            if (!misfits.empty())
                schema["allOf"].push_back({ { "not", { { "enum", std::move(misfits) } } } });
        }
        void settleNames(json& schema)
        {
            const auto found = schema.find("patternProperties");
            if (found == schema.end() || !found->is_object())
                return;
            json settled = json::object();
            for (const auto& [pattern, inner] : found->items())
                for (const std::string& name : m_texts.names) {
                    if (!holds(pattern, name))
                        continue;
                    if (name.size() > kMostNameBytes)
                        m_obstacle = "a name in it is longer than 256 bytes";
                    settled[literal(name)]["allOf"].push_back(inner);
                }
            schema["patternProperties"] = std::move(settled);
        }
        void checkFormat(const json& schema)
        {
            const auto isLong = [](const std::string& text) { return text.size() > kMostFormatBytes; };
            if (schema.contains("format") && std::ranges::any_of(m_texts.all, isLong))
                m_obstacle = "a text in it is longer than the 4 KiB whose format is checked";
        }

        Texts m_texts;
        std::set<std::string> m_misfits;
        std::string m_obstacle;
        size_t m_tries = 0;
    };

    /// The value that a fault of the library is of; null where there is none.
    json valueAt(const json& document, const std::vector<std::string>& context)
    {
        const json* value = &document;
        for (const std::string& step : context) {
            if (step == "<root>")
                continue;
            const std::string inside = step.starts_with("[") && step.ends_with("]") ? step.substr(1, step.size() - 2) : step;
            if (value->is_array()) {
                const size_t index = size_t(std::strtoull(inside.c_str(), nullptr, 10));
                if (index >= value->size())
                    return {};
                value = &(*value)[index];
                continue;
            }
            const std::string name = inside.size() >= 2 && inside.front() == '"' ? inside.substr(1, inside.size() - 2) : inside;
            if (!value->is_object() || !value->contains(name))
                return {};
            value = &(*value)[name];
        }
        return *value;
    }
}

std::string schemaFault(const json& document)
{
    if (!document.is_object())
        return "a schema is a JSON object";
    if (std::string fault = ReferenceCheck(sameValueSchemas(document)).fault(); !fault.empty())
        return fault;
    if (std::string fault = patternFaultIn(document); !fault.empty())
        return fault;
    valijson::Schema schema;
    return parseSchema(document, schema);
}

SchemaFit fitOf(const json& asked, const json& schemaAsked)
{
    json document = asked;
    settleNumbers(document);
    json schemaDocument = schemaAsked;
    settleNumbers(schemaDocument);
    const PatternsSettled patterns(schemaDocument, document);
    if (!patterns.obstacle().empty())
        return { false, patterns.obstacle() };
    valijson::Schema schema;
    if (const std::string fault = parseSchema(schemaDocument, schema); !fault.empty())
        return { false, "the schema cannot be used: " + fault };
    valijson::ValidationResults results;
    try {
        if (valijson::Validator().validate(schema, Adapter(document), &results))
            return {};
    } catch (const std::exception& fault) {
        return { false, std::string("the schema cannot be used: ") + fault.what() };
    }
    // The last is the innermost.
    valijson::ValidationResults::Error error;
    std::string misfit = "does not fit the schema";
    while (results.popError(error)) {
        std::string place;
        for (const std::string& step : error.context)
            place += step == "<root>" ? "" : step;
        if (place.empty())
            place = "the document";
        if (patterns.isMisfit(valueAt(document, error.context)))
            return { true, place + ": does not match its pattern" };
        misfit = place + ": " + error.description;
    }
    return { true, misfit };
}

} // namespace app
