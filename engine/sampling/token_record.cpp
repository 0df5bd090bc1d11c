#include "engine/sampling/token_record.h"

namespace engine {

const char* tokenSourceName(TokenSource source)
{
    switch (source) {
    case TokenSource::Sampled:
        return "sampled";
    case TokenSource::Forced:
        return "forced";
    case TokenSource::Typed:
        return "typed";
    case TokenSource::Supplied:
        return "supplied";
    case TokenSource::Edited:
        return "edited";
    }
    return "unknown";
}

const char* samplerStageName(SamplerStage stage)
{
    switch (stage) {
    case SamplerStage::None:
        return "none";
    case SamplerStage::Penalties:
        return "penalties";
    case SamplerStage::LogitBias:
        return "logit_bias";
    case SamplerStage::TopK:
        return "top_k";
    case SamplerStage::TopP:
        return "top_p";
    case SamplerStage::MinP:
        return "min_p";
    case SamplerStage::Temperature:
        return "temperature";
    case SamplerStage::Draw:
        return "draw";
    }
    return "unknown";
}

} // namespace engine
