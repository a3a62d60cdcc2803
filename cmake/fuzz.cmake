# The fuzzers: one program for each fuzz/*_fuzz.cc. scripts/fuzz runs them.
#
# The layers are compiled with the sanitizers of the preset; only a fuzzer itself
# gets libFuzzer's main(). Each links only what it needs, so that a single one is
# built soon.
add_library(forge_fuzz_testing STATIC tests/testing/git.cc tests/testing/temp_tree.cc)
target_include_directories(forge_fuzz_testing PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(forge_fuzz_testing PRIVATE forge_os)
add_custom_target(fuzzers)

# forge_fuzzer(NAME layer...)
function(forge_fuzzer name)
  add_executable(${name}_fuzz EXCLUDE_FROM_ALL fuzz/${name}_fuzz.cc)
  target_compile_options(${name}_fuzz PRIVATE ${FORGE_WARNINGS})
  target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
  list(TRANSFORM ARGN PREPEND forge_)
  target_link_libraries(${name}_fuzz PRIVATE ${ARGN} forge_fuzz_testing nlohmann_json::nlohmann_json Threads::Threads)
  add_dependencies(fuzzers ${name}_fuzz)
endfunction()

forge_fuzzer(answer keyword)
forge_fuzzer(git_config tree)
forge_fuzzer(glob glob)
forge_fuzzer(ignore tree)
forge_fuzzer(mcp mcp agent)
forge_fuzzer(pattern match)
forge_fuzzer(request agent)
forge_fuzzer(searcher backend)
forge_fuzzer(segment index)
forge_fuzzer(store index)
forge_fuzzer(stored index)
forge_fuzzer(toml config)
forge_fuzzer(wire remote)

# A file that nobody has named here would never run.
file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/fuzz fuzz/*_fuzz.cc)
foreach(source ${sources})
  string(REGEX REPLACE "\\.cc$" "" name ${source})
  if(NOT TARGET ${name})
    message(FATAL_ERROR "cmake/fuzz.cmake does not name ${source}")
  endif()
endforeach()
