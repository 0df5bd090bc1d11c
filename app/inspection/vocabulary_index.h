#pragma once

#include "engine/tokenizer/tokenizer.h"

#include <QString>

#include <string>
#include <vector>

namespace app {

/// Every piece of a vocabulary in one text, to be searched while somebody types: a search of 262,144 pieces takes
/// milliseconds. Made in tens of milliseconds. Immutable: any thread.
class VocabularyIndex {
public:
    explicit VocabularyIndex(const engine::Tokenizer& tokenizer);

    int size() const { return int(m_starts.size()); }
    /// The tokens whose piece, written out, holds this text in any case, ascending; "#335": the token of that id. None
    /// for no text.
    engine::TokenIds find(const QString& text) const;

private:
    std::string m_text; ///< lower case; a byte that is in no text stands before each piece
    std::vector<size_t> m_starts; ///< of each id's piece
};

} // namespace app
