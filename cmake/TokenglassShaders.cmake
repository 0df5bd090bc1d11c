# Compute shaders, compiled to SPIR-V and embedded as C++ arrays.

find_program(GLSLC glslc HINTS ENV VULKAN_SDK PATH_SUFFIXES bin Bin REQUIRED)

# tokenglass_shader(TARGET file.comp [NAME symbol] [DEFINES A=1 B ...])
# Adds to the library TARGET the function `std::span<const uint32_t> engine::shaders::symbol()`, declared in
# "shaders/symbol.h" (a generated header that TARGET and all that link it can include). The symbol is the file's
# stem unless NAME says otherwise, so that one .comp yields several variants by its defines. Shared GLSL is
# included from shaders/include; a change in an included file rebuilds the shader.
function(tokenglass_shader target source)
    cmake_parse_arguments(PARSE_ARGV 2 ARG "" "NAME" "DEFINES")
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "tokenglass_shader: unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT ARG_NAME)
        get_filename_component(ARG_NAME "${source}" NAME_WE)
    endif()
    get_filename_component(source "${source}" ABSOLUTE)
    set(root "${CMAKE_CURRENT_BINARY_DIR}/generated")
    set(base "${root}/shaders/${ARG_NAME}")
    file(MAKE_DIRECTORY "${root}/shaders")

    list(TRANSFORM ARG_DEFINES PREPEND "-D")
    add_custom_command(
        OUTPUT "${base}.inc"
        COMMAND "${GLSLC}" -fshader-stage=compute --target-env=vulkan1.2 -O -Werror -mfmt=c
            "-I${PROJECT_SOURCE_DIR}/shaders/include" ${ARG_DEFINES}
            -MD -MF "${base}.d" -MT "${base}.inc" -o "${base}.inc" "${source}"
        DEPENDS "${source}"
        DEPFILE "${base}.d"
        COMMENT "glslc ${ARG_NAME}"
        VERBATIM)

    file(CONFIGURE OUTPUT "${base}.h" @ONLY CONTENT [[
#pragma once

#include <cstdint>
#include <span>

namespace engine::shaders {
std::span<const uint32_t> @ARG_NAME@();
}
]])
    file(CONFIGURE OUTPUT "${base}.cpp" @ONLY CONTENT [[
#include "shaders/@ARG_NAME@.h"

namespace engine::shaders {
static constexpr uint32_t kCode_@ARG_NAME@[] =
#include "shaders/@ARG_NAME@.inc"
    ;
std::span<const uint32_t> @ARG_NAME@() { return kCode_@ARG_NAME@; }
}
]])
    set_source_files_properties("${base}.cpp" PROPERTIES OBJECT_DEPENDS "${base}.inc" SKIP_AUTOGEN ON)
    target_sources(${target} PRIVATE "${base}.cpp" "${base}.inc")
    target_include_directories(${target} PUBLIC "${root}")
    set_property(GLOBAL APPEND PROPERTY TOKENGLASS_SHADERS ${ARG_NAME})
    set_property(GLOBAL APPEND PROPERTY TOKENGLASS_SHADER_TARGETS ${target})
endfunction()
