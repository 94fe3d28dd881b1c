# What `attnlab about` says of attnlab itself, from those who say it: CITATION.cff, LICENSE and git.
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

# The commit that is built; a commit changes the reflog. Empty where the sources are no repository.
set(ATTNLAB_COMMIT "")
if(EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND git rev-parse HEAD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE ATTNLAB_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND git rev-parse --path-format=absolute --git-path logs/HEAD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE reflog OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(EXISTS "${reflog}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${reflog})
  endif()
endif()
configure_file(${PROJECT_SOURCE_DIR}/apps/attnlab/citation.hpp.in ${PROJECT_BINARY_DIR}/generated/attnlab/citation.hpp @ONLY)
