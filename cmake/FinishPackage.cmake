# CPack runs this on what it is about to pack. Debian wants manual pages compressed, without time stamps, and a changelog
# in its own form; its package has everything as pages, too, in /usr/share/doc/attnlab/html.
file(GLOB_RECURSE compressed "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.1")
list(FILTER compressed INCLUDE REGEX "/share/man/")
if(CPACK_GENERATOR STREQUAL DEB)
  set(prefix "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")
  set(documents "${prefix}/share/doc/attnlab")
  string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE "${documents}/changelog" "attnlab (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What is new: CHANGELOG.md of the sources.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
  list(APPEND compressed "${documents}/changelog")
  execute_process(COMMAND "${prefix}/bin/attnlab" site "${documents}/html" --quiet COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND gzip -9n ${compressed} COMMAND_ERROR_IS_FATAL ANY)
