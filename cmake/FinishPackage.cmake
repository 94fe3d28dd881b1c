# CPack runs this on what it is about to pack. Debian wants manual pages compressed, without time stamps; its package has
# everything as pages, too, in /usr/share/doc/attnlab/html.
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.1")
list(FILTER pages INCLUDE REGEX "/share/man/")
execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
if(CPACK_GENERATOR STREQUAL DEB)
  set(prefix "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")
  execute_process(COMMAND "${prefix}/bin/attnlab" site "${prefix}/share/doc/attnlab/html" --quiet COMMAND_ERROR_IS_FATAL ANY)
endif()
