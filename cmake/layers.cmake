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

# A file whose name ends in the name of a system, or of a processor, is for that one
# alone: x_linux.cc, x_mac.cc, x_win.cc; x_posix.cc for the first two, x_else.cc for the
# last two; the same
# with _test.cc behind; x_x86.cc, x_arm.cc, and x_other.cc for what is neither. These
# are the others, as a regular expression.
set(FORGE_FOREIGN win|mac|else)
if(WIN32)
  set(FORGE_FOREIGN posix|linux|mac)
elseif(APPLE)
  set(FORGE_FOREIGN win|linux)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(FORGE_FOREIGN ${FORGE_FOREIGN}|arm|other)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(FORGE_FOREIGN ${FORGE_FOREIGN}|x86|other)
else()
  set(FORGE_FOREIGN ${FORGE_FOREIGN}|x86|arm)
endif()

# Together, the headers of a layer are read once and not once a file; reading them is
# about half of what a file costs zig. After a change, more is compiled again.
option(FORGE_TOGETHER "Compile each layer as one file; cmake/cross/alone.txt names the exceptions" OFF)
if(FORGE_TOGETHER)
  file(STRINGS ${CMAKE_SOURCE_DIR}/cmake/cross/alone.txt alone REGEX "^[^#]")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/cross/alone.txt)
  foreach(file ${alone})
    if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${file})
      message(FATAL_ERROR "cmake/cross/alone.txt: there is no ${file}")
    endif()
    set_source_files_properties(${CMAKE_SOURCE_DIR}/${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endif()

# gcc optimises a program as a whole when it links it: the code of forge-search is 45 %
# smaller, and a short search touches a quarter less of it, which counts when that code is
# not in the processor's cache (docs/speed.md). For that, an object file of a layer holds
# gcc's own form beside the usual one.
option(FORGE_WHOLE "Optimise programs as a whole, with gcc in a Release build" ON)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR NOT CMAKE_BUILD_TYPE STREQUAL Release OR FORGE_SANITIZE OR
   CMAKE_CROSSCOMPILING OR NOT CMAKE_OBJCOPY)
  set(FORGE_WHOLE OFF)
endif()
if(FORGE_WHOLE)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT FORGE_WHOLE LANGUAGES CXX)  # needs a linker with gcc's plugin
endif()

# Leaves the usual form alone in an archive. Tests link such archives in a second and not
# in twenty, and other projects with any compiler. (GNU ld can also be told to ignore gcc's
# form, but then takes a file twice from an archive that is named twice.)
function(forge_usual_form archive)
  if(FORGE_WHOLE)
    add_custom_command(TARGET ${archive} POST_BUILD VERBATIM COMMAND ${CMAKE_OBJCOPY}
                       "--remove-section=.gnu.lto_*" "--remove-section=.gnu.debuglto_*" $<TARGET_FILE:${archive}>)
  endif()
endfunction()

# Appends the layers below `layer`, itself included, and the libraries that they
# link to, to two lists.
function(forge_parts layer layers_out libs_out)
  set(layers ${${layers_out}} ${layer})
  set(libs ${${libs_out}})
  get_target_property(linked ${layer} LINK_LIBRARIES)
  foreach(part ${linked})
    if(NOT part MATCHES "^forge_")
      list(APPEND libs ${part})
    elseif(NOT part IN_LIST layers)
      forge_parts(${part} layers libs)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES libs)
  set(${layers_out} ${layers} PARENT_SCOPE)
  set(${libs_out} ${libs} PARENT_SCOPE)
endfunction()

# forge_whole_program(PROGRAM layer...)
#
# For a program that users run, or whose speed is measured: links it from the object files
# of these layers, and of all below, in gcc's own form.
function(forge_whole_program program)
  if(FORGE_WHOLE)
    foreach(layer ${ARGN})
      forge_parts(${layer} parts libs)
    endforeach()
    foreach(part ${parts})
      target_sources(${program} PRIVATE $<TARGET_OBJECTS:${part}>)
    endforeach()
    target_link_options(${program} PRIVATE -flto=auto)
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
  list(FILTER sources EXCLUDE REGEX "_(${FORGE_FOREIGN})(_test)?\\.cc$")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")

  add_library(forge_${name} STATIC ${sources})
  target_include_directories(forge_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>)
  target_compile_options(forge_${name} PRIVATE ${FORGE_WARNINGS} $<$<BOOL:${FORGE_WHOLE}>:-flto;-ffat-lto-objects>)
  forge_precompile(forge_${name})
  set_target_properties(forge_${name} PROPERTIES UNITY_BUILD ${FORGE_TOGETHER} UNITY_BUILD_BATCH_SIZE 0)
  list(TRANSFORM ARG_USES PREPEND forge_)
  target_link_libraries(forge_${name} PUBLIC ${ARG_USES} PRIVATE ${ARG_LIBS} Threads::Threads)
  forge_usual_form(forge_${name})

  set_property(GLOBAL APPEND PROPERTY FORGE_LAYERS forge_${name})
  set_property(GLOBAL APPEND PROPERTY FORGE_TEST_SOURCES ${tests})
endfunction()

# Takes the tests that the system of a cross build cannot run out of the list that
# `sources` names.
function(forge_leave_out sources)
  if(WIN32)
    file(STRINGS ${CMAKE_SOURCE_DIR}/tests/windows/left-out.txt lines REGEX "^[^#]")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/windows/left-out.txt)
    foreach(line ${lines})
      string(REGEX REPLACE "[ :].*" "" file "${line}")
      list(REMOVE_ITEM ${sources} ${file} ${CMAKE_SOURCE_DIR}/${file})
    endforeach()
  endif()
  if(NOT FORGE_RAPIDCHECK)
    foreach(file ${${sources}})
      file(STRINGS ${file} uses REGEX "include <rapidcheck")
      if(uses)
        list(REMOVE_ITEM ${sources} ${file})
      endif()
    endforeach()
  endif()
  set(${sources} ${${sources}} PARENT_SCOPE)
endfunction()

# forge_test(NAME [MANUAL] SOURCES file... [LIBS target...] [LABELS label...] [TIMEOUT seconds])
#
# MANUAL: neither built nor run with the others; a script does both.
#
# A cross build leaves out the files that tests/windows/left-out.txt names, and without
# rapidcheck those that use it; a script runs the rest.
function(forge_test name)
  cmake_parse_arguments(ARG "MANUAL" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  if(CMAKE_CROSSCOMPILING)
    forge_leave_out(ARG_SOURCES)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  # -O1: tests need no more, and it halves the time to compile them.
  target_compile_options(${name} PRIVATE ${FORGE_WARNINGS} $<$<CONFIG:Release>:-O1>)
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} forge_testing GTest::gmock_main ${FORGE_RAPIDCHECK} Threads::Threads)
  target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
  set(timeout 300)
  if(ARG_TIMEOUT)
    set(timeout ${ARG_TIMEOUT})
  endif()
  if(FORGE_SANITIZE)
    set(timeout 1800)  # ten times slower, and some tests take half a minute without
  endif()
  if(ARG_MANUAL OR CMAKE_CROSSCOMPILING)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    return()
  endif()
  gtest_discover_tests(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${timeout} DISCOVERY_TIMEOUT 60)
endfunction()
