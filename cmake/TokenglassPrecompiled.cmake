# Library headers that most files include, compiled once for each kind of file, which makes a cold build a
# third shorter. They hold no header of ours, so that no change here compiles everything anew. The engine has
# none: its files need few headers, and keep all warnings.
option(TOKENGLASS_PRECOMPILED "Compile the headers of libraries once" ON)
# Programs and libraries share a header only where both are compiled alike.
set(TOKENGLASS_PRECOMPILED_OPTIONS -fPIC)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The first is for ccache. The rest: g++ 12 and 14 warn of std::string's own code once it came out of such a file.
    list(APPEND TOKENGLASS_PRECOMPILED_OPTIONS -fpch-preprocess -Wno-array-bounds -Wno-maybe-uninitialized
        -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endif()

# tokenglass_precompiled(NAME LINKS target ...): makes cmake/precompiled/NAME.h.
function(tokenglass_precompiled name)
    if(NOT TOKENGLASS_PRECOMPILED)
        return()
    endif()
    cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
    set(source "${PROJECT_BINARY_DIR}/precompiled/${name}.cpp")
    if(NOT EXISTS "${source}")
        file(WRITE "${source}" "// A target needs a source file.\n")
    endif()
    add_library(precompiled_${name} OBJECT "${source}")
    target_link_libraries(precompiled_${name} PRIVATE tokenglass_flags ${ARG_LINKS})
    target_compile_options(precompiled_${name} PRIVATE ${TOKENGLASS_PRECOMPILED_OPTIONS})
    target_precompile_headers(precompiled_${name} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/precompiled/${name}.h")
endfunction()

# tokenglass_use_precompiled(TARGET NAME): the files of TARGET begin with it.
function(tokenglass_use_precompiled target name)
    if(TARGET precompiled_${name})
        target_compile_options(${target} PRIVATE ${TOKENGLASS_PRECOMPILED_OPTIONS})
        target_precompile_headers(${target} REUSE_FROM precompiled_${name})
    endif()
endfunction()
