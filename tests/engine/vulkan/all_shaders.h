#pragma once

#include <cstdint>
#include <span>

namespace tests {

struct NamedShader {
    const char* name;
    std::span<const uint32_t> code;
};

/// Every shader that tokenglass_shader() built for the engine and for the tests of this folder.
std::span<const NamedShader> allShaders();

} // namespace tests
