#include "engine/session/model_text.h"

namespace engine {

Result<std::shared_ptr<const ModelText>> readModelText(const GgufFile& file)
{
    auto text = std::make_shared<ModelText>();
    TRY_ASSIGN(text->tokenizer, Tokenizer::create(file));
    text->offer = offeredTemplate(file, *text->tokenizer);
    if (text->offer.usable()) {
        TRY_ASSIGN(text->ownTemplate, ChatTemplate::parse(*text->offer.ownSource));
    }
    return std::shared_ptr<const ModelText>(std::move(text));
}

} // namespace engine
