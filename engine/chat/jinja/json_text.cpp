#include "engine/chat/jinja/json_text.h"

#include "engine/chat/jinja/comparison.h"
#include "engine/chat/jinja/python_text.h"
#include "engine/chat/jinja/sorting.h"
#include "engine/chat/jinja/unicode.h"

#include <cmath>
#include <cstdio>

namespace engine::jinja {

namespace {
    void appendEscape(TextBuilder& out, int32_t codePoint, Origin origin)
    {
        char escape[16];
        if (codePoint >= 0x10000) {
            const auto rest = unsigned(codePoint - 0x10000);
            std::snprintf(escape, sizeof escape, "\\u%04x\\u%04x", 0xD800u + (rest >> 10),
                0xDC00u + (rest & 0x3FFu));
        } else {
            std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(codePoint));
        }
        out.append(escape, origin);
    }

    const char* shortEscape(int32_t codePoint)
    {
        switch (codePoint) {
        case '"':
            return "\\\"";
        case '\\':
            return "\\\\";
        case '\n':
            return "\\n";
        case '\r':
            return "\\r";
        case '\t':
            return "\\t";
        case '\b':
            return "\\b";
        case '\f':
            return "\\f";
        default:
            return nullptr;
        }
    }

    /// Writes one value at a time into a builder.
    class JsonWriter {
    public:
        JsonWriter(Meter& meter, const JsonTextOptions& options)
            : m_meter(meter)
            , m_options(options)
        {
        }

        Result<void> write(const Value& value);
        TextBuilder& out() { return m_out; }

    private:
        void put(std::string_view bytes) { m_out.append(bytes, Origin::Template); }
        void startLine();
        Result<void> writeString(const Text& text);
        Result<void> writeList(const List& list);
        Result<void> writeDict(const Dict& dict);
        Result<void> writeKey(const Value& key);

        Meter& m_meter;
        const JsonTextOptions& m_options;
        TextBuilder m_out;
        int m_level = 0;
    };

    void JsonWriter::startLine()
    {
        if (!m_options.indent)
            return;
        put("\n");
        for (int i = 0; i < m_level; ++i)
            put(*m_options.indent);
    }

    Result<void> JsonWriter::writeString(const Text& text)
    {
        TRY(m_meter.stepBytes(text.size() * 4));
        put("\"");
        const std::string_view bytes = text.bytes();
        for (size_t offset = 0; offset < bytes.size() && !m_out.overflowed();) {
            const CodePoint c = codePointAt(bytes, offset);
            const Origin origin = text.originAt(offset);
            if (const char* escape = shortEscape(c.value))
                m_out.append(escape, origin);
            else if ((c.value >= 0 && c.value < 0x20)
                || (c.value > 0x7E && m_options.escapeNonAscii))
                appendEscape(m_out, c.value, origin);
            else
                m_out.append(bytes.substr(offset, c.bytes), origin);
            offset += c.bytes;
        }
        put("\"");
        return {};
    }

    Result<void> JsonWriter::writeList(const List& list)
    {
        if (list.items.empty()) {
            put("[]");
            return {};
        }
        put("[");
        ++m_level;
        for (size_t i = 0; i < list.items.size(); ++i) {
            if (i > 0)
                put(m_options.itemSeparator);
            startLine();
            TRY(write(list.items[i]));
        }
        --m_level;
        startLine();
        put("]");
        return {};
    }

    Result<void> JsonWriter::writeKey(const Value& key)
    {
        if (const Text* text = key.asText())
            return writeString(*text);
        if (key.isNone() || key.isNumber()) {
            put("\"");
            TRY(write(key));
            put("\"");
            return {};
        }
        return Error::badTemplate("a " + std::string(key.typeName()) + " cannot be a key of JSON");
    }

    Result<void> JsonWriter::writeDict(const Dict& dict)
    {
        if (dict.entries.empty()) {
            put("{}");
            return {};
        }
        auto entries = dict.entries;
        if (m_options.sortKeys)
            TRY(sortBy(
                m_meter, entries, [](const auto& entry) { return entry.first; }, false));
        put("{");
        ++m_level;
        for (size_t i = 0; i < entries.size(); ++i) {
            if (i > 0)
                put(m_options.itemSeparator);
            startLine();
            TRY(writeKey(entries[i].first));
            put(m_options.keySeparator);
            TRY(write(entries[i].second));
        }
        --m_level;
        startLine();
        put("}");
        return {};
    }

    Result<void> JsonWriter::write(const Value& value)
    {
        TRY(m_meter.step());
        if (const Text* text = value.asText())
            return writeString(*text);
        if (const Dict* dict = value.asDict())
            return writeDict(*dict);
        if (const List* list = value.asList();
            list && (list->kind == ListKind::List || list->kind == ListKind::Tuple))
            return writeList(*list);
        if (value.isNone())
            put("null");
        else if (const bool* flag = value.asBool())
            put(*flag ? "true" : "false");
        else if (const int64_t* whole = value.asInt())
            put(std::to_string(*whole));
        else if (const double* number = value.asFloat())
            put(std::isnan(*number)       ? "NaN"
                    : std::isinf(*number) ? (*number < 0 ? "-Infinity" : "Infinity")
                                          : floatText(*number));
        else if (const Undefined* undefined = value.asUndefined())
            return Error::badTemplate(undefined->reason + " (tojson)");
        else
            return Error::badTemplate(
                "a " + std::string(value.typeName()) + " cannot be written as JSON");
        return {};
    }
}

Result<Text> jsonText(Meter& meter, const Value& value, const JsonTextOptions& options)
{
    JsonWriter writer(meter, options);
    TRY(writer.write(value));
    if (writer.out().overflowed())
        return Error::badTemplate("a string longer than 4 MiB");
    return writer.out().take();
}

} // namespace engine::jinja
