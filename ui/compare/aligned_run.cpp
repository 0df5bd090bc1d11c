#include "ui/compare/aligned_run.h"

#include "ui/inspect/piece_words.h"

namespace ui {

QString AlignedRun::drawn(engine::TokenId id) const
{
    if (!text || !text->tokenizer || id < 0)
        return QStringLiteral("#%1").arg(id);
    const std::string bytes = text->tokenizer->pieceBytes(id);
    return bytes.empty() ? QStringLiteral("‹%1›").arg(QString::fromStdString(text->tokenizer->pieceText(id)))
                         : drawnPiece(bytes);
}

QString AlignedRun::drawnAt(size_t token) const
{
    const engine::TokenRecord& record = run.tokens[token];
    return record.bytes.empty() ? drawn(record.id) : drawnPiece(record.bytes);
}

} // namespace ui
