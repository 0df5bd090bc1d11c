#include "tests/support/scripted_model.h"

#include "engine/gguf/gguf_file.h"
#include "engine/session/model_text.h"
#include "engine/tokenizer/byte_letters.h"
#include "tests/support/gguf_writer.h"

using namespace engine;

namespace tests {

namespace {
    /// A scripted timeline that tells before it goes on.
    class WatchedTimeline : public ScriptedTimeline {
    public:
        WatchedTimeline(Script script, std::function<void()> beforeAppend)
            : ScriptedTimeline(std::move(script))
            , m_beforeAppend(std::move(beforeAppend))
        {
        }
        Result<void> append(TokenId id) override
        {
            if (m_beforeAppend)
                m_beforeAppend();
            return ScriptedTimeline::append(id);
        }

    private:
        std::function<void()> m_beforeAppend;
    };

    class ScriptedModel : public LoadedModel {
    public:
        ScriptedModel(ModelDescription description, std::shared_ptr<const ModelText> text,
            const ScriptedModelOptions& options)
            : m_description(std::move(description))
            , m_text(std::move(text))
            , m_timeline(options.script, options.beforeAppend)
        {
        }
        const ModelDescription& description() const override { return m_description; }
        std::shared_ptr<const ModelText> text() const override { return m_text; }
        Timeline& timeline() override { return m_timeline; }

    private:
        ModelDescription m_description;
        std::shared_ptr<const ModelText> m_text;
        WatchedTimeline m_timeline;
    };

    Result<std::unique_ptr<LoadedModel>> open(const ScriptedModelOptions& options,
        const ModelLoadRequest& request, const ModelLoadControl& control)
    {
        control.progress({ "reading the script", 0, 1 });
        if (options.whileLoading)
            TRY(options.whileLoading(control));
        if (control.cancelled())
            return Error::cancelled("The model was not opened: cancelled.");
        TRY_ASSIGN(const GgufFile file, GgufFile::open(request.path));
        TRY_ASSIGN(std::shared_ptr<const ModelText> text, readModelText(file));
        ScriptedModelOptions own = options;
        own.script.vocabularySize = text->tokenizer->vocabulary().size();
        if (request.contextLength > 0)
            own.script.contextLength = request.contextLength;
        ModelDescription description {
            .path = request.path,
            .fileBytes = file.fileBytes(),
            .name = "scripted",
            .architecture = "scripted",
            .tokenizerName = text->tokenizer->name(),
            .vocabularySize = own.script.vocabularySize,
            .contextLength = own.script.contextLength,
        };
        description.device.name = "script";
        return std::unique_ptr<LoadedModel>(
            std::make_unique<ScriptedModel>(std::move(description), std::move(text), own));
    }
}

void WordFile::save(const std::filesystem::path& path) const
{
    std::vector<std::string> pieces { "<|bos|>", "<|im_end|>", "<|im_start|>" };
    std::vector<int32_t> kinds(pieces.size(), int32_t(TokenKind::Control));
    for (int byte = 0; byte < 256; ++byte)
        pieces.push_back(letterOfByte(uint8_t(byte)));
    for (const std::string& word : words)
        pieces.push_back(lettersFromBytes(word));
    kinds.resize(pieces.size(), int32_t(TokenKind::Normal));

    GgufWriter writer;
    writer.string("general.architecture", "scripted");
    writer.string("tokenizer.ggml.model", "gpt2");
    writer.string("tokenizer.ggml.pre", "smollm");
    writer.strings("tokenizer.ggml.tokens", pieces);
    writer.array("tokenizer.ggml.token_type", GgufWriter::I32, kinds);
    writer.strings("tokenizer.ggml.merges", {});
    writer.u32("tokenizer.ggml.bos_token_id", uint32_t(kBos));
    writer.u32("tokenizer.ggml.eos_token_id", uint32_t(kEnd));
    writer.boolean("tokenizer.ggml.add_bos_token", addsBos);
    if (!chatTemplate.empty())
        writer.string("tokenizer.chat_template", chatTemplate);
    writer.save(path);
}

EngineFactory scriptedFactory(ScriptedModelOptions options)
{
    return [options = std::move(options)](const ModelLoadRequest& request,
               const ModelLoadControl& control) { return open(options, request, control); };
}

} // namespace tests
