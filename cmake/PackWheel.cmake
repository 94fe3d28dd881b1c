# The staged tarball as a wheel for pip: CPack's External generator runs this (cmake --workflow --preset wheel).
find_program(PYTHON python3 REQUIRED)
execute_process(
  COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/write_wheel.py ${CPACK_TEMPORARY_DIRECTORY} ${CPACK_PACKAGE_VERSION}
          ${CPACK_PACKAGE_DIRECTORY}
  OUTPUT_VARIABLE wheel OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(CPACK_EXTERNAL_BUILT_PACKAGES ${wheel})
