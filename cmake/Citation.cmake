# What `attnlab about` says of attnlab itself, from the files that say it: CITATION.cff and LICENSE.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/CITATION.cff ${PROJECT_SOURCE_DIR}/LICENSE)

# attnlab_cited(KEY RESULT): the value of a line "KEY: VALUE" of CITATION.cff, without quotes.
function(attnlab_cited key result)
  file(STRINGS ${PROJECT_SOURCE_DIR}/CITATION.cff lines REGEX "^[ -]*${key}: ")
  string(REGEX REPLACE "^[ -]*${key}: \"?([^\"]*)\"?$" "\\1" value "${lines}")
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

attnlab_cited(title ATTNLAB_TITLE)
attnlab_cited(name ATTNLAB_AUTHORS)
attnlab_cited(license ATTNLAB_LICENCE)
file(STRINGS ${PROJECT_SOURCE_DIR}/LICENSE ATTNLAB_COPYRIGHT REGEX "^Copyright")
string(REGEX MATCH "[0-9][0-9][0-9][0-9]" ATTNLAB_YEAR "${ATTNLAB_COPYRIGHT}")
configure_file(${PROJECT_SOURCE_DIR}/apps/attnlab/citation.hpp.in ${PROJECT_BINARY_DIR}/generated/attnlab/citation.hpp @ONLY)
