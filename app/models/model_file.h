#pragma once

#include "app/models/model_folder.h"

namespace app {

/// What a person wants to know of a model file before loading it.
struct ModelFile {
    ModelCandidate candidate;
    quint64 fileBytes = 0;
    QString architecture;
    QString quantization; ///< the name people know its mix of tensor types by: "Q4_K_M"
    int trainedContextLength = 0;
    quint64 parameterCount = 0;
    QString refusal; ///< why this program cannot run it; "" when it can as far as the header says

    bool operator==(const ModelFile&) const = default;
};

/// Reads a file's header (no tensor data). A file that cannot be read comes back with its refusal.
/// Any thread.
ModelFile readModelFile(const ModelCandidate& candidate);

/// "SmolLM2-135M-Instruct.Q4_1 · 94 MiB · llama · Q4_1"
QString describeModelFile(const ModelFile& file);
/// "98 MB": decimal, as download pages write it.
QString describeBytes(quint64 bytes);

} // namespace app
