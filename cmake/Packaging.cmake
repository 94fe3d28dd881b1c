# What `cmake --install` puts where, and the Debian package: `cmake --workflow --preset package`.
include(GNUInstallDirs)

# zsh looks into this folder by itself where the prefix is /usr/local; Debian's packages have one of their own.
set(ATTNLAB_ZSH_COMPLETIONS_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
    CACHE STRING "Folder of the completion for zsh, below the prefix")
set(ATTNLAB_MAINTAINER "attnlab authors <attnlab@localhost>" CACHE STRING "Who answers for the Debian package: NAME <ADDRESS>")

install(TARGETS attnlab)
install(FILES ${ATTNLAB_DOCUMENTS}/attnlab.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME attnlab)
install(FILES ${ATTNLAB_DOCUMENTS}/_attnlab DESTINATION ${ATTNLAB_ZSH_COMPLETIONS_DIR})
install(FILES ${ATTNLAB_DOCUMENTS}/attnlab.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${ATTNLAB_DOCUMENTS}/attnlab.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${ATTNLAB_DOCUMENTS}/ja/attnlab.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/ja/man1)
install(FILES ${ATTNLAB_DOCUMENTS}/copyright README.md README.ja.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES extras/attnlab.lua extras/attnlab.py DESTINATION ${CMAKE_INSTALL_DATADIR}/attnlab)
install(DIRECTORY data/models DESTINATION ${CMAKE_INSTALL_DATADIR}/attnlab FILES_MATCHING PATTERN *.safetensors)
if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/data/lectures)
  install(DIRECTORY data/lectures DESTINATION ${CMAKE_INSTALL_DATADIR}/attnlab FILES_MATCHING PATTERN *.md)
endif()

# A folder that runs wherever it is unpacked, on a Linux with this machine's C library or a newer one: the libraries
# but for those of the C library, the fonts, and the copyright of the packages that they come from.
option(ATTNLAB_BUNDLE "Pack a tarball that holds its libraries and fonts instead of a Debian package" OFF)
if(ATTNLAB_BUNDLE)
  # DT_RPATH, not DT_RUNPATH: it holds for the libraries of libraries, too.
  set_target_properties(attnlab PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/attnlab" LINK_OPTIONS -Wl,--disable-new-dtags)
  install(TARGETS attnlab RUNTIME_DEPENDENCY_SET bundled)
  install(
    RUNTIME_DEPENDENCY_SET bundled
    POST_EXCLUDE_REGEXES "/(ld-linux.*|lib(c|m|dl|rt|pthread|resolv))\\.so"
    DESTINATION lib/attnlab)
  file(GLOB fonts /usr/share/fonts/*/inter/Inter-*.otf /usr/share/fonts/*/bizud-gothic/*.ttf
       /usr/share/fonts/*/dejavu/DejaVuSans.ttf /usr/share/fonts/*/dejavu/DejaVuSans-Bold.ttf)
  install(FILES ${fonts} DESTINATION share/attnlab/fonts)
  install(CODE "execute_process(
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/bundled-copyrights \"\${CMAKE_INSTALL_PREFIX}\" COMMAND_ERROR_IS_FATAL ANY)")
endif()

set(CPACK_GENERATOR DEB)
if(ATTNLAB_BUNDLE)
  set(CPACK_GENERATOR TGZ)
  set(CPACK_PACKAGE_FILE_NAME attnlab-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
  # The preset wheel packs the same folder.
  set(CPACK_EXTERNAL_ENABLE_STAGING ON)
  set(CPACK_EXTERNAL_PACKAGE_SCRIPT ${PROJECT_SOURCE_DIR}/cmake/PackWheel.cmake)
endif()
set(CPACK_PACKAGE_NAME attnlab)
set(CPACK_PACKAGE_CONTACT "${ATTNLAB_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "experiments on attention and the Transformer, with figures")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Each subcommand reproduces one textbook experiment on attention, prints its
numbers, explains them step by step, checks a student's arrays against them,
and draws its figure for a lecture in Japanese or English.")
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-inter, fonts-morisawa-bizud-gothic, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "pandoc, ffmpeg")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/FinishPackage.cmake)
include(CPack)
