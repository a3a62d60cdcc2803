# The checks of the repository itself, as tests.
if(FORGE_TESTS)
  foreach(check check-includes check-includes-test check-requirements check-requirements-test check-text run-listed-test)
    add_test(NAME scripts.${check} COMMAND ${CMAKE_SOURCE_DIR}/scripts/${check})
    set_tests_properties(scripts.${check} PROPERTIES LABELS fast TIMEOUT 60)
  endforeach()
  # That the pictures of the README are what the program shows.
  set(pictures terminal agent)
  if(FORGE_LIVE)
    list(APPEND pictures live)
  endif()
  add_test(NAME scripts.make-pictures COMMAND ${CMAKE_SOURCE_DIR}/scripts/make-pictures --check ${pictures})
  set_tests_properties(scripts.make-pictures PROPERTIES LABELS fast TIMEOUT 120
                       ENVIRONMENT FORGE_SEARCH_BINARY=$<TARGET_FILE:forge-search>)
endif()
