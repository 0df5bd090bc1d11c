#include "app/inspection/vocabulary_index.h"

#include <algorithm>
#include <cstring>

namespace app {

namespace {
    constexpr char kDivider = char(0xFF); // in no UTF-8, so no typed text meets it

    /// Bytes that are no text stay as they are.
    std::string lowerCase(std::string piece)
    {
        const bool isAscii = std::ranges::all_of(piece, [](char byte) { return (byte & 0x80) == 0; });
        if (isAscii) {
            for (char& byte : piece)
                byte = byte >= 'A' && byte <= 'Z' ? char(byte - 'A' + 'a') : byte;
            return piece;
        }
        const QString text = QString::fromStdString(piece);
        return text.toStdString() == piece ? text.toLower().toStdString() : piece;
    }
}

VocabularyIndex::VocabularyIndex(const engine::Tokenizer& tokenizer)
{
    const int32_t size = tokenizer.vocabulary().size();
    m_starts.reserve(size_t(size));
    for (engine::TokenId id = 0; id < size; ++id) {
        m_text += kDivider;
        m_starts.push_back(m_text.size());
        m_text += lowerCase(tokenizer.pieceText(id));
    }
}

engine::TokenIds VocabularyIndex::find(const QString& text) const
{
    if (text.startsWith(QLatin1Char('#'))) {
        bool isNumber = false;
        const int id = text.mid(1).toInt(&isNumber);
        if (isNumber)
            return id >= 0 && id < size() ? engine::TokenIds { id } : engine::TokenIds();
    }
    engine::TokenIds found;
    const std::string wanted = text.toLower().toStdString();
    if (wanted.empty())
        return found;
    size_t at = 0;
    size_t next = 0; // the first piece that begins behind `at`
    while ((at = m_text.find(wanted, at)) != std::string::npos) {
        next = size_t(std::upper_bound(m_starts.begin() + ptrdiff_t(next), m_starts.end(), at) - m_starts.begin());
        found.push_back(engine::TokenId(next) - 1);
        if (next == m_starts.size())
            break;
        at = m_starts[next];
    }
    return found;
}

} // namespace app
