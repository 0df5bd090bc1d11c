# Functions that every folder uses, so that flags and labels are set in one place.

# What all our own code is compiled with.
add_library(tokenglass_flags INTERFACE)
target_include_directories(tokenglass_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(tokenglass_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual -Wno-missing-field-initializers $<$<BOOL:${TOKENGLASS_WERROR}>:-Werror>)
if(TOKENGLASS_SANITIZE)
    add_compile_options(-fsanitize=${TOKENGLASS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
    add_link_options(-fsanitize=${TOKENGLASS_SANITIZE})
endif()

# tokenglass_library(NAME SOURCES a.cpp ... LINKS target ...), NAME beginning with its folder: engine_, app_, ...
function(tokenglass_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC tokenglass_flags ${ARG_LINKS})
    string(REGEX REPLACE "_.*" "" folder ${name})
    tokenglass_use_precompiled(${name} ${folder})
endfunction()

# tokenglass_test(NAME SOURCES a.cpp ... LINKS target ... LABELS unit|gpu|golden|ui|slow ... [TIMEOUT seconds])
# A Qt Test program; window tests run offscreen, GPU tests on the software device with validation.
function(tokenglass_test name)
    cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINKS;LABELS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
    target_link_libraries(${name} PRIVATE tokenglass_flags tests_support Qt6::Test ${ARG_LINKS})
    target_compile_definitions(${name} PRIVATE TOKENGLASS_GOLDEN="${PROJECT_SOURCE_DIR}/tests/golden")
    if("ui_core" IN_LIST ARG_LINKS)
        tokenglass_use_precompiled(${name} window_tests)
    else()
        tokenglass_use_precompiled(${name} plain_tests)
    endif()
    add_test(NAME ${name} COMMAND ${name})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 300)
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
endfunction()
