# attnlab_embed(SOURCE FUNCTION FOLDER PATTERN): sets SOURCE to a source that holds the files (see
# core/embedded_file.hpp); it is written again when one of them changes, comes or goes.
function(attnlab_embed source function folder pattern)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/${pattern})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  string(SHA1 names "${files}")  # of a file that goes nothing else would tell Ninja
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${folder} -D PATTERN=${pattern} -D FUNCTION=${function} -D OUTPUT=${output}
            -D NAMES=${names} -P ${PROJECT_SOURCE_DIR}/cmake/WriteEmbedded.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/WriteEmbedded.cmake
    COMMENT "Embedding ${pattern} of ${folder}"
    VERBATIM)
  set(${source} ${output} PARENT_SCOPE)
endfunction()
