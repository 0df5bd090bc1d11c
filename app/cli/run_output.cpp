#include "app/cli/run_output.h"

#include "app/cli/command_table.h"
#include "app/cli/run_requirements.h"
#include "app/runs/run_json.h"

#include <cstdio>
#include <ostream>

using nlohmann::ordered_json;

namespace app {

namespace {
    /// "210.4", or "" when it cannot be told.
    std::string perSecond(int count, std::optional<double> startMs, std::optional<double> endMs)
    {
        if (count <= 0 || !startMs || !endMs || *endMs <= *startMs)
            return "";
        char text[32];
        std::snprintf(text, sizeof text, "%.1f", count * 1000.0 / (*endMs - *startMs));
        return text;
    }
}

RunOutput::RunOutput(std::ostream& out, std::ostream& err, bool writesJson)
    : m_out(out)
    , m_err(err)
    , m_writesJson(writesJson)
{
}

void RunOutput::show(const engine::GenerationEvent& event)
{
    std::visit([this](const auto& happened) { showEvent(happened); }, event);
}

void RunOutput::showEvent(const engine::PrefillProgress& progress)
{
    if (!m_writesJson)
        return;
    m_out << dumped(
        { { "event", "prefill" }, { "done", progress.done }, { "total", progress.total } })
          << std::endl;
}

void RunOutput::showEvent(const engine::TokenDecoded& decoded)
{
    if (!m_writesJson) {
        m_out << decoded.text << std::flush;
        return;
    }
    const engine::TokenRecord& record = decoded.record;
    const ordered_json line {
        { "event", "token" },
        { "index", decoded.index },
        { "id", record.id },
        { "text", decoded.text },
        { "logprob", record.logprob ? ordered_json(shortest(*record.logprob)) : ordered_json() },
        { "top", toJson(record.top) },
        { "partial", true },
    };
    m_out << dumped(line) << std::endl;
}

void RunOutput::showEvent(const engine::TextReleased& released)
{
    if (m_writesJson)
        m_out << dumped({ { "event", "text" }, { "text", released.text } }) << std::endl;
    else
        m_out << released.text << std::flush;
}

void RunOutput::showEnd(const engine::RunEnded& ended, const engine::TokenIds& promptIds,
    const std::optional<RequirementCheck>& check)
{
    const engine::Ledger& ledger = ended.ledger;
    if (!m_writesJson) {
        if (!ended.text.empty() && !ended.text.ends_with('\n'))
            m_out << "\n";
        m_out.flush();
        m_err << verdictLine(ended) << std::endl;
        if (check)
            m_err << checkLines(*check) << std::endl;
        return;
    }
    ordered_json line {
        { "event", "ended" },
        { "stop_reason", engine::stopReasonInfo(ledger.reason).name },
        { "verdict", engine::verdictName(ended.verdict()) },
        { "text", ended.text },
        { "prompt_token_ids", promptIds },
        { "token_ids", ended.tokenIds },
        { "reused_tokens", ended.cache.reusedTokens },
        { "timing", toJson(ended.timing) },
    };
    if (check)
        line["requirement_check"] = toJson(*check);
    if (ledger.error)
        line["error"] = toJson(*ledger.error);
    m_out << dumped(line) << std::endl;
}

std::string verdictLine(const engine::RunEnded& ended)
{
    const engine::Ledger& ledger = ended.ledger;
    const engine::StopReasonInfo& info = engine::stopReasonInfo(ledger.reason);
    std::string line = std::string(engine::verdictName(info.verdict)) + ": " + info.words;
    if (ledger.reason == engine::StopReason::StopString)
        line += " \"" + ledger.stopString + "\"";
    if (ledger.error)
        line += ": " + ledger.error->message;
    line += std::string(" (") + info.name + "); " + std::to_string(ended.tokenIds.size())
        + (ended.tokenIds.size() == 1 ? " token" : " tokens");
    const engine::RunTiming& timing = ended.timing;
    const std::string read
        = perSecond(ended.cache.computedTokens, timing.prefillStartMs, timing.prefillEndMs);
    if (!read.empty())
        line += ", read " + std::to_string(ended.cache.computedTokens) + " at " + read + "/s";
    const std::string wrote = perSecond(ended.decodePassCount, timing.firstTokenMs, timing.endedMs);
    if (!wrote.empty())
        line += ", wrote at " + wrote + "/s";
    return line;
}

int exitCodeOf(const engine::Ledger& ledger)
{
    if (ledger.reason == engine::StopReason::Failed)
        return kExitFailed;
    switch (engine::stopReasonInfo(ledger.reason).verdict) {
    case engine::Verdict::Complete:
    case engine::Verdict::Stopped:
        return kExitOk;
    case engine::Verdict::Capped:
        return kExitCapped;
    case engine::Verdict::Partial:
        return kExitPartial;
    }
    return kExitFailed;
}

} // namespace app
