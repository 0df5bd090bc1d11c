#pragma once

#include "app/conversation/draft.h"

#include <QString>

#include <vector>

namespace ui {

/// One condition of a ledger in words.
struct LedgerRow {
    QString condition; ///< "Length cap"
    QString state; ///< how near it was: "57 of 64 tokens"
    bool held = false;
    bool decided = false; ///< this one ended the answer

    /// "Length cap: 57 of 64 tokens, did not hold".
    QString sentence() const;
    bool operator==(const LedgerRow&) const = default;
};

/// Why an answer stopped, in words: what the ledger of a run shows, copies and speaks.
struct LedgerWords {
    QString cause;
    QString error; ///< of a failed answer, "" = none
    QString counters; ///< tokens and context at that moment
    std::vector<LedgerRow> rows; ///< in the order of precedence
    QString checks; ///< how the answer stands to what is asked of it, a line each; "" = nothing is
    QString precedence;
    QString contract;
    QString token; ///< the last one, "token 8, ‘ on’"; "" when none was written
    bool isTokenDeciding = false; ///< it brought the end about; else the end came from outside

    /// All of it, a line for each row.
    QString text() const;
    bool operator==(const LedgerWords&) const = default;
};

/// lastToken: the token as it is written, "" when it is not known; endToken likewise.
LedgerWords ledgerWords(
    const engine::Ledger& ledger, const QString& lastToken, const QString& endToken);
/// Of a draft that has ended.
LedgerWords ledgerWords(const app::Draft& draft);

} // namespace ui
