#include "ui/inspect/piece_words.h"

#include "ui/inspect/chip_text.h"

#include <QCoreApplication>

namespace ui {

QString spokenBytes(const std::string& bytes)
{
    app::TrackToken token;
    token.bytes = bytes;
    return spokenPiece(token);
}

QString drawnPiece(const std::string& bytes)
{
    app::TrackToken token;
    token.bytes = bytes;
    return chipText(token).text();
}

QString hexWords(const std::string& bytes)
{
    const QByteArray digits = QByteArray(bytes.data(), qsizetype(bytes.size())).toHex(' ');
    return QString::fromLatin1(digits.toUpper());
}

QString quotedPiece(const app::TokenTrack& track, int token, engine::TokenId id)
{
    const std::string bytes = track.pieceText(token, id);
    return bytes.empty() ? QCoreApplication::translate("PieceWords", "token %1").arg(id)
                         : QStringLiteral("‘%1’").arg(spokenBytes(bytes));
}

} // namespace ui
