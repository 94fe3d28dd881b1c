# attnlab_precompile(TARGET HEADERS [OPTION ...]): the headers of others that nearly every source includes are compiled
# once, with the options that the target has beside the project's. HEADERS: standard (core/standard.hpp), program (xtensor,
# too) or tests (doctest and nlohmann-json, too). Sources include all the same what they use: without ATTNLAB_UNITE (see
# cmake/Unite.cmake) nothing is precompiled.
set(program_headers
    ${PROJECT_SOURCE_DIR}/src/core/standard.hpp <xtensor/xarray.hpp> <xtensor/xmath.hpp> <xtensor/xview.hpp>)
set(standard_headers ${PROJECT_SOURCE_DIR}/src/core/standard.hpp)
set(tests_headers ${program_headers} <doctest/doctest.h> <nlohmann/json.hpp>)

function(attnlab_precompile target headers)
  if(NOT ATTNLAB_UNITE)
    return()
  endif()
  set(owner attnlab_${headers}_headers)
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${owner}.cpp CONTENT "// Carries a precompiled header.\n")
    add_library(${owner} OBJECT ${PROJECT_BINARY_DIR}/${owner}.cpp)
    target_link_libraries(${owner} PRIVATE attnlab_options attnlab_xtensor fmt::fmt)
    target_compile_options(${owner} PRIVATE ${ARGN})
    target_precompile_headers(${owner} PRIVATE ${${headers}_headers})
  endif()
  target_link_libraries(${target} PRIVATE attnlab_xtensor fmt::fmt)  # what they define must be the same
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()
