# What the program prints about itself (manual page, completions), and a Debian
# package: `cpack` in the build folder, or scripts/package, which also checks it.
set(share ${CMAKE_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${share})
execute_process(COMMAND ${CMAKE_COMMAND} -E create_symlink forge-search.1.gz ${share}/frg.1.gz)
find_program(GZIP gzip REQUIRED)
set(self $<TARGET_FILE:forge-search>)

add_custom_command(
  OUTPUT ${share}/forge-search.1.gz ${share}/forge-search.bash ${share}/_forge-search ${share}/forge-search.fish
  COMMAND ${self} help --man > ${share}/forge-search.1
  COMMAND ${GZIP} -9nf ${share}/forge-search.1
  COMMAND ${self} completions bash > ${share}/forge-search.bash
  COMMAND ${self} completions zsh > ${share}/_forge-search
  COMMAND ${self} completions fish > ${share}/forge-search.fish
  DEPENDS forge-search VERBATIM)
add_custom_target(forge_share ALL DEPENDS ${share}/forge-search.1.gz)

install(FILES ${share}/forge-search.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${share}/forge-search.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME forge-search COMPONENT program)
# bash and fish look for completions by the name of the program. The manual page is
# one for both names.
install(FILES ${share}/forge-search.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME frg COMPONENT program)
install(FILES ${share}/forge-search.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
        RENAME frg.fish COMPONENT program)
install(FILES ${share}/frg.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${share}/_forge-search DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${share}/forge-search.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
        COMPONENT program)

# What Debian wants beside the program.
set(maintainer "The forge-search authors <forge-search@users.noreply.github.com>")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(cmake/debian-changelog.in ${share}/changelog.Debian @ONLY)
configure_file(cmake/debian-copyright.in ${share}/copyright @ONLY)
file(READ ${CMAKE_SOURCE_DIR}/LICENSE license)
string(FIND "${license}" "Permission" start)
string(SUBSTRING "${license}" ${start} -1 license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n(.)" "\n \\1" license "${license}")
file(APPEND ${share}/copyright " ${license}")
execute_process(COMMAND ${GZIP} -9nf ${share}/changelog.Debian)
install(FILES ${share}/changelog.Debian.gz ${share}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/forge-search
        COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME forge-search)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_COMPONENTS_ALL program debian)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ugrep | ripgrep")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS libhyperscan5)  # loaded where it is there
# CPack indents it.
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "local code search for people and LLM agents
Finds text in a source tree: as a command line, as a tool that takes and
answers JSON, and as a server that speaks the Model Context Protocol.
.
The scanning is done by ugrep, by ripgrep or in-process. The answer is the
same, complete or with a note on what was left out.")
include(CPack)
