#include "tests/structure/include_rules.h"

#include <algorithm>
#include <set>

namespace tests {

const std::vector<IncludeEdge>& includeEdges()
{
    static const std::vector<IncludeEdge> kEdges {
        { "engine/gguf", "engine/base" },
        { "engine/tokenizer", "engine/gguf" },
        { "engine/chat", "engine/tokenizer" },
        { "engine/vulkan", "engine/base" },
        { "engine/vulkan", "shaders" }, // the headers that the build writes beside the SPIR-V
        { "engine/kernels", "engine/vulkan" },
        { "engine/kernels", "engine/gguf", { "engine/gguf/tensor_type.h" } },
        { "engine/kv", "engine/vulkan" },
        { "engine/sampling", "engine/kernels" },
        { "engine/model", "engine/kernels" },
        { "engine/model", "engine/kv" },
        { "engine/model", "engine/gguf" },
        // What a file says of its model, and nothing that touches the device.
        { "engine/reference", "engine/model",
            { "engine/model/architecture_traits.h", "engine/model/model_config.h",
                "engine/model/model_tensors.h", "engine/model/rope_frequencies.h" } },
        { "engine/reference", "engine/gguf" },
        { "engine/session", "engine/model" },
        { "engine/session", "engine/sampling" },
        { "engine/session", "engine/chat" },
        { "engine/session", "engine/reference" },
        { "app", "engine/session" },
        { "ui", "app" },
        // Plain values only: the window never holds an object of the engine.
        { "ui", "engine/base", { "engine/base/token.h" } },
        { "ui", "engine/chat", { "engine/chat/template_choice.h" } },
        { "ui", "engine/sampling",
            { "engine/sampling/sampler_settings.h", "engine/sampling/token_record.h" } },
        { "ui", "engine/session",
            { "engine/session/generation_event.h", "engine/session/generation_request.h",
                "engine/session/model_event.h", "engine/session/stop_reason.h" } },
        { "app/main.cpp", "ui" },
        { "app/main.cpp", "app" },
        { "app/main.cpp", "engine/session" },
    };
    return kEdges;
}

namespace {
    bool startsWithFolder(std::string_view path, std::string_view folder)
    {
        return path.substr(0, folder.size()) == folder && path.substr(folder.size(), 1) == "/";
    }

    bool isEngine(std::string_view room) { return startsWithFolder(room, "engine"); }

    // The rooms that a room reaches over edges without a list of headers. The way from ui into the
    // engine is closed by not following edges out of app: app's own use of the engine is not ui's.
    std::set<std::string_view> reachableRooms(std::string_view from)
    {
        std::set<std::string_view> reached;
        std::vector<std::string_view> open { from };
        while (!open.empty()) {
            const std::string_view room = open.back();
            open.pop_back();
            if (room != from && !isEngine(room))
                continue;
            for (const IncludeEdge& edge : includeEdges())
                if (edge.from == room && edge.onlyHeaders.empty() && reached.insert(edge.to).second)
                    open.push_back(edge.to);
        }
        if (isEngine(from))
            reached.insert("engine/base");
        return reached;
    }

    bool isPermitted(std::string_view from, std::string_view header)
    {
        const std::string to = roomOf(header);
        if (to.empty())
            return false;
        if (to == from || reachableRooms(from).contains(to))
            return true;
        return std::any_of(
            includeEdges().begin(), includeEdges().end(), [&](const IncludeEdge& edge) {
                return edge.from == from && edge.to == to
                    && std::find(edge.onlyHeaders.begin(), edge.onlyHeaders.end(), header)
                    != edge.onlyHeaders.end();
            });
    }

    // The text between the quotes or angle brackets of an #include line, with its opening mark;
    // else empty.
    std::string_view includedName(std::string_view line)
    {
        const auto skipBlanks
            = [&line] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
        skipBlanks();
        if (line.substr(0, 1) != "#")
            return {};
        line.remove_prefix(1);
        skipBlanks();
        constexpr std::string_view kWord = "include";
        if (line.substr(0, kWord.size()) != kWord)
            return {};
        line.remove_prefix(kWord.size());
        skipBlanks();
        const std::size_t end = line.find_first_of("\">", 1);
        return end == std::string_view::npos ? std::string_view {} : line.substr(0, end);
    }
}

std::string roomOf(std::string_view path)
{
    if (path == "app/main.cpp")
        return std::string(path);
    for (std::string_view room : { "app", "ui", "shaders" })
        if (startsWithFolder(path, room))
            return std::string(room);
    if (!startsWithFolder(path, "engine"))
        return {};
    const std::size_t end = path.find('/', std::string_view("engine/").size());
    return end == std::string_view::npos ? std::string() : std::string(path.substr(0, end));
}

std::vector<std::string> includeFaults(std::string_view path, std::string_view text)
{
    const std::string room = roomOf(path);
    std::vector<std::string> faults;
    std::size_t lineNumber = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view name = includedName(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++lineNumber;
        if (name.empty())
            continue;
        const std::string_view header = name.substr(1);
        const std::string place = std::string(path) + ":" + std::to_string(lineNumber)
            + " includes " + std::string(header) + ": ";
        const bool isQt = name[0] == '<' && header.size() > 1 && header[0] == 'Q'
            && header[1] >= 'A' && header[1] <= 'Z';
        if (isQt && isEngine(room))
            faults.push_back(place + "the engine has no Qt");
        if (name[0] != '"')
            continue;
        // Written by the build: meta-object code beside its class, and shaders as initialisers.
        const bool isGenerated = header.size() > 4
            && (header.substr(header.size() - 4) == ".moc"
                || header.substr(header.size() - 4) == ".inc");
        if (isGenerated)
            continue;
        if (roomOf(header).empty())
            faults.push_back(place + "an include in quotes is written from the root of the tree");
        else if (!isPermitted(room, header))
            faults.push_back(place + room + " may not include " + roomOf(header));
    }
    return faults;
}

} // namespace tests
