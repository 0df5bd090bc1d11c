#pragma once

#include "app/runs/kept_tokens.h"
#include "engine/base/result.h"
#include "engine/sampling/token_record.h"

#include <QByteArray>

#include <span>
#include <vector>

namespace app {

/// Token records as bytes, and back without loss: CBOR, an array of a version and one array for
/// each token. What was not observed is null there, and absent again afterwards. Floats keep their
/// bits, as do bytes that are no text.
/// Enums are written as numbers: their order is part of the file format (tst_token_blob).
QByteArray tokenBlob(std::span<const engine::TokenRecord> tokens);
/// Error BadFile when the bytes are not what tokenBlob() makes.
engine::Result<std::vector<engine::TokenRecord>> tokensIn(const QByteArray& blob);

/// What a fork kept, likewise: a version, the runs with their settings as the run record writes
/// them, and the tokens.
QByteArray keptBlob(const KeptTokens& kept);
/// Error BadFile when the bytes are not what keptBlob() makes.
engine::Result<KeptTokens> keptIn(const QByteArray& blob);

/// Token ids as little-endian 32-bit numbers.
QByteArray idBlob(std::span<const engine::TokenId> ids);
/// Bytes beyond whole numbers are left out.
std::vector<engine::TokenId> idsIn(const QByteArray& blob);

} // namespace app
