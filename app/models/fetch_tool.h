#pragma once

#include <QString>

namespace app {

/// The model that tools/fetch-model fetches as "smollm2".
constexpr const char* kDefaultModelFile = "SmolLM2-135M-Instruct.Q4_1.gguf";

/// tools/fetch-model beside the running program (a build folder of the source tree), or "".
QString fetchTool();

/// Bytes of the default model that an unfinished fetch holds so far, of kDefaultModelBytes.
qint64 fetchedBytes();
constexpr qint64 kDefaultModelBytes = 98'362'432;

} // namespace app
