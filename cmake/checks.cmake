# The checks of the repository itself, as tests.
if(FORGE_TESTS)
  foreach(check check-includes check-includes-test check-requirements check-requirements-test check-text)
    add_test(NAME scripts.${check} COMMAND ${CMAKE_SOURCE_DIR}/scripts/${check})
    set_tests_properties(scripts.${check} PROPERTIES LABELS fast TIMEOUT 60)
  endforeach()
endif()
