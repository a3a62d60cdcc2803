# What `cmake --install` installs: the program, the headers, one static library,
# and a package, so that another project needs two lines:
#
#   find_package(forge-search REQUIRED)
#   target_link_libraries(app PRIVATE forge::forge)
#
# The layers are many libraries to keep includes honest; a user gets one, made
# of the object files of `api` and all that it uses.
include(CMakePackageConfigHelpers)

forge_parts(forge_api public_layers public_libs)
list(TRANSFORM public_layers REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE public_objects)
add_library(forge STATIC ${public_objects})
set_target_properties(forge PROPERTIES LINKER_LANGUAGE CXX)
forge_usual_form(forge)
target_include_directories(forge INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(forge INTERFACE cxx_std_20)
target_link_libraries(forge PRIVATE ${public_libs})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/forge-search)
configure_package_config_file(cmake/forge-search-config.cmake.in forge-search-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(forge-search-config-version.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS forge EXPORT forge-search-targets)
install(EXPORT forge-search-targets NAMESPACE forge:: DESTINATION ${package_folder})
install(FILES ${CMAKE_BINARY_DIR}/forge-search-config.cmake ${CMAKE_BINARY_DIR}/forge-search-config-version.cmake
  DESTINATION ${package_folder})
install(DIRECTORY include/forge DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET forge-search)
  install(TARGETS forge-search COMPONENT program)
  if(NOT CMAKE_CROSSCOMPILING)  # it runs the program
    install(PROGRAMS ${CMAKE_BINARY_DIR}/frg TYPE BIN COMPONENT program)
    include(cmake/package.cmake)
  endif()
endif()

if(FORGE_TESTS)
  add_test(NAME package.installed_library_runs_the_example
    COMMAND ${CMAKE_SOURCE_DIR}/tests/package/run ${CMAKE_COMMAND} ${CMAKE_BINARY_DIR} ${CMAKE_CXX_COMPILER}
            "${FORGE_SANITIZE}")
  set_tests_properties(package.installed_library_runs_the_example PROPERTIES LABELS slow TIMEOUT 300)
endif()
