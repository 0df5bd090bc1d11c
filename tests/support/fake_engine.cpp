#include "tests/support/fake_engine.h"

#include <cstdlib>
#include <iostream>

namespace tests {

namespace {
    constexpr const char* kChatMl
        = "{% for message in messages %}<|im_start|>{{ message.role }}\n"
          "{{ message.content }}<|im_end|>\n{% endfor %}"
          "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

    template <typename T> T orAbort(engine::Result<T> result)
    {
        if (result)
            return std::move(*result);
        std::cerr << result.error().message << "\n";
        std::abort();
    }

    engine::Vocabulary byteVocabulary()
    {
        std::vector<std::string> pieces;
        for (int byte = 0; byte < 256; ++byte)
            pieces.push_back("byte" + std::to_string(byte));
        pieces.push_back("<|im_start|>");
        pieces.push_back("<|im_end|>");
        std::vector<int32_t> kinds(pieces.size(), int32_t(engine::TokenKind::Normal));
        kinds[FakeEngine::kStart] = kinds[FakeEngine::kEnd] = int32_t(engine::TokenKind::Control);
        engine::Metadata metadata;
        const bool added = metadata.insert("tokenizer.ggml.tokens", std::move(pieces))
            && metadata.insert("tokenizer.ggml.token_type", std::move(kinds))
            && metadata.insert("tokenizer.ggml.model", std::string("gpt2"))
            && metadata.insert("tokenizer.ggml.eos_token_id", uint32_t(FakeEngine::kEnd));
        if (!added)
            std::abort();
        return orAbort(engine::Vocabulary::create(metadata));
    }

    class ByteTokenizer : public engine::Tokenizer {
    public:
        ByteTokenizer()
            : Tokenizer(byteVocabulary())
        {
        }
        std::string pieceBytes(engine::TokenId id) const override
        {
            return id < 256 ? std::string(1, char(id)) : std::string();
        }
        std::string name() const override { return "bytes"; }

    protected:
        void encodeFragment(std::string_view text, engine::TokenIds& ids) const override
        {
            for (const char byte : text)
                ids.push_back(static_cast<unsigned char>(byte));
        }
    };
}

class FakeEngine::Backend : public app::EngineBackend {
public:
    explicit Backend(FakeEngine& fake)
        : m_fake(fake)
    {
    }
    ~Backend() override { m_fake.m_sink = nullptr; }
    void load(engine::ModelLoadRequest request) override
    {
        m_fake.loads.push_back(std::move(request));
    }
    void cancelLoad() override
    {
        ++m_fake.cancelledLoads;
        m_fake.failLoad(engine::Error::cancelled("stopped"));
    }
    void unload() override { m_fake.m_sink->push(engine::ModelEvent(engine::ModelUnloaded {})); }
    void generate(engine::GenerationRequest request) override { m_fake.begin(std::move(request)); }
    void generateTogether(std::vector<engine::GenerationRequest> requests) override
    {
        m_fake.together.emplace_back();
        for (engine::GenerationRequest& request : requests) {
            m_fake.together.back().push_back(request.runId);
            m_fake.begin(std::move(request));
        }
    }
    void cancel(engine::RunId runId, engine::CancelledBy) override
    {
        m_fake.cancelled.push_back(runId);
    }
    void pause(engine::RunId runId) override { m_fake.paused.push_back(runId); }
    void resume(engine::RunId runId, engine::Pace pace) override
    {
        m_fake.resumed.emplace_back(runId, std::move(pace));
    }
    void readScores(engine::ScoreRequest request) override
    {
        m_fake.scoreRequests.push_back(std::move(request));
    }
    void cancelScores(engine::ScoreReadId id) override
    {
        m_fake.cancelledScores.push_back(id);
        m_fake.push(engine::ScoresFailed { id, engine::Error::cancelled("cancelled") });
    }

private:
    FakeEngine& m_fake;
};

app::EngineBackendFactory FakeEngine::factory()
{
    return [this](engine::EventSink& sink) {
        m_sink = &sink;
        return std::make_unique<Backend>(*this);
    };
}

engine::TemplateOffer FakeEngine::chatMl() { return { kChatMl, {}, {} }; }

engine::ModelDescription FakeEngine::tinyModel()
{
    engine::ModelDescription about;
    about.name = "Tiny Test 1M";
    about.architecture = "llama";
    about.tensorTypes = "Q4_1 (211), F32 (61)";
    about.fileBytes = 98'362'432;
    about.trainedContextLength = 8192;
    about.contextLength = 8192;
    about.device.name = "llvmpipe (LLVM 15.0.6, 256 bits)";
    about.device.kind = "software";
    return about;
}

std::shared_ptr<const engine::ModelText> FakeEngine::modelText() const
{
    auto text = std::make_shared<engine::ModelText>();
    text->tokenizer = std::make_unique<ByteTokenizer>();
    text->offer = offer;
    if (offer.usable())
        text->ownTemplate = orAbort(engine::ChatTemplate::parse(*offer.ownSource));
    return text;
}

void FakeEngine::loadProgress(const std::string& step, uint64_t done, uint64_t total)
{
    m_sink->push(engine::ModelEvent(engine::ModelLoadProgress { step, done, total }));
}

void FakeEngine::finishLoad()
{
    engine::ModelDescription loaded = description;
    loaded.path = loads.back().path;
    if (loads.back().contextLength > 0)
        loaded.contextLength = loads.back().contextLength;
    m_sink->push(engine::ModelEvent(engine::ModelLoaded { loaded, modelText() }));
}

void FakeEngine::failLoad(engine::Error error)
{
    m_sink->push(engine::ModelEvent(engine::ModelLoadFailed { loads.back(), std::move(error) }));
}

void FakeEngine::begin(engine::GenerationRequest request)
{
    m_run = request.runId;
    Told& told = m_told[m_run];
    told = {};
    told.request = request;
    told.release.emplace(request.stopStrings);
    requests.push_back(std::move(request));
}

void FakeEngine::push(engine::GenerationEvent event) { m_sink->push(std::move(event)); }

void FakeEngine::push(engine::ScoreEvent event) { m_sink->push(std::move(event)); }

void FakeEngine::queued(int before) { push(engine::RunQueued { runId(), before }); }

void FakeEngine::prefill(int done, int total, int reused)
{
    push(engine::PrefillProgress { runId(), done, total, reused });
}

void FakeEngine::token(const std::string& text, engine::TokenId id)
{
    engine::TokenDecoded event;
    event.runId = runId();
    event.index = int(told().ids.size());
    event.record.id = id;
    event.record.bytes = text;
    event.text = text;
    told().ids.push_back(id);
    told().text += text;
    push(std::move(event));
}

bool FakeEngine::piece(const std::string& bytes)
{
    engine::TextRelease::Step step = told().release->push(bytes);
    engine::TokenDecoded event;
    event.runId = runId();
    event.index = int(told().ids.size());
    event.record.id = 'p';
    event.record.bytes = bytes;
    event.text = step.text;
    event.waitingBytes = int(told().release->waitingBytes().size());
    event.heldText = std::string(told().release->heldText());
    event.heldFor = told().release->heldFor();
    told().ids.push_back('p');
    told().text += step.text;
    push(std::move(event));
    if (!step.match)
        return true;
    end(engine::StopReason::StopString, [&](engine::RunEnded& ended) {
        ended.ledger.stopString = step.match->stopString;
        ended.ledger.stopStringOffset = step.match->offset;
    });
    return false;
}

void FakeEngine::endPieces(
    engine::StopReason reason, const std::function<void(engine::RunEnded&)>& change)
{
    if (std::string rest = told().release->finish(); !rest.empty()) {
        told().text += rest;
        push(engine::TextReleased { runId(), std::move(rest) });
    }
    end(reason, [&](engine::RunEnded& ended) {
        ended.waitingBytes = told().release->waitingBytes();
        if (change)
            change(ended);
    });
}

void FakeEngine::pause(engine::PauseCause cause) { push(engine::RunPaused { runId(), cause }); }

void FakeEngine::resume() { push(engine::RunResumed { runId() }); }

void FakeEngine::heldToken(const std::string& held, const std::string& stopString)
{
    engine::TokenDecoded event;
    event.runId = runId();
    event.index = int(told().ids.size());
    event.record.id = 'h';
    event.heldText = held;
    event.heldFor = stopString;
    told().ids.push_back('h');
    push(std::move(event));
}

void FakeEngine::end(
    engine::StopReason reason, const std::function<void(engine::RunEnded&)>& change)
{
    engine::RunEnded ended;
    ended.runId = runId();
    ended.text = told().text;
    ended.tokenIds = told().ids;
    engine::Ledger& ledger = ended.ledger;
    ledger.reason = reason;
    ledger.tokenCount = int(told().ids.size());
    ledger.lengthCap = told().request.lengthCap;
    ledger.contextLength = description.contextLength;
    ledger.contextUsed = int(told().request.promptIds.size() + told().ids.size());
    if (!told().ids.empty())
        ledger.decidingTokenIndex = int(told().ids.size()) - 1;
    if (reason == engine::StopReason::EndToken)
        ledger.endTokenId = kEnd;
    if (reason == engine::StopReason::Cancelled)
        ledger.cancelledBy = engine::CancelledBy::User;
    ended.cache.computedTokens = int(told().request.promptIds.size());
    if (change)
        change(ended);
    push(std::move(ended));
}

} // namespace tests
