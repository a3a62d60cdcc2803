# The fuzzers: one program for each fuzz/*_fuzz.cc. scripts/fuzz runs them.
#
# The layers are compiled with the sanitizers of the preset; only a fuzzer itself
# gets libFuzzer's main().
file(GLOB fuzzers CONFIGURE_DEPENDS fuzz/*_fuzz.cc)
get_property(layers GLOBAL PROPERTY FORGE_LAYERS)
add_library(forge_fuzz_testing STATIC tests/testing/git.cc tests/testing/temp_tree.cc)
target_include_directories(forge_fuzz_testing PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(forge_fuzz_testing PRIVATE forge_os)
add_custom_target(fuzzers)
foreach(source ${fuzzers})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  target_compile_options(${name} PRIVATE ${FORGE_WARNINGS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE ${layers} forge_fuzz_testing nlohmann_json::nlohmann_json Threads::Threads)
  add_dependencies(fuzzers ${name})
endforeach()
