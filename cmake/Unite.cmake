# attnlab_unite(TARGET): the sources of each folder are compiled as one unit. Nearly all the time of a source goes into
# the headers that it includes, above all xtensor's.
option(ATTNLAB_UNITE "Compile the sources of a folder as one unit" ON)

function(attnlab_unite target)
  if(NOT ATTNLAB_UNITE)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE group)
    string(REPLACE "/" "_" group "${group}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}")
  endforeach()
endfunction()
