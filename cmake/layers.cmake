# What most files include, compiled once for all layers. The clang preset goes
# without, so that a file that forgets an include is found.
set(FORGE_COMMON_HEADERS <algorithm> <chrono> <cstdint> <functional> <map> <memory> <optional> <string>
    <string_view> <utility> <variant> <vector>)
function(forge_precompile target)
  # base defines a macro of its own (for utf8proc), which gcc does not allow here.
  if(TARGET forge_os AND NOT target STREQUAL forge_os)
    target_precompile_headers(${target} REUSE_FROM forge_os)
  else()
    target_precompile_headers(${target} PRIVATE ${FORGE_COMMON_HEADERS})
  endif()
endfunction()

# forge_layer(NAME [ROOMS folder...] [USES layer...] [LIBS target...])
#
# Makes the library forge_NAME from all .cc files below src/NAME. Its *_test.cc
# become part of the one program unit_tests: one precompiled header, one link.
# ROOMS are the folders in src/NAME, lowest first: scripts/check-includes reads
# their order, CMake does not need it.
function(forge_layer name)
  cmake_parse_arguments(ARG "" "" "ROOMS;USES;LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")

  add_library(forge_${name} STATIC ${sources})
  target_include_directories(forge_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>)
  target_compile_options(forge_${name} PRIVATE ${FORGE_WARNINGS})
  forge_precompile(forge_${name})
  list(TRANSFORM ARG_USES PREPEND forge_)
  target_link_libraries(forge_${name} PUBLIC ${ARG_USES} PRIVATE ${ARG_LIBS} Threads::Threads)

  set_property(GLOBAL APPEND PROPERTY FORGE_LAYERS forge_${name})
  set_property(GLOBAL APPEND PROPERTY FORGE_TEST_SOURCES ${tests})
endfunction()

# forge_test(NAME SOURCES file... [LIBS target...] [LABELS label...])
function(forge_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  # -O1: tests need no more, and it halves the time to compile them.
  target_compile_options(${name} PRIVATE ${FORGE_WARNINGS} $<$<CONFIG:Release>:-O1>)
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} forge_testing GTest::gmock_main rapidcheck Threads::Threads)
  target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
  set(timeout 300)
  if(FORGE_SANITIZE)
    set(timeout 1800)  # ten times slower, and some tests take half a minute without
  endif()
  gtest_discover_tests(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${timeout} DISCOVERY_TIMEOUT 60)
endfunction()
