# Writes OUTPUT, a C++ source whose FUNCTION returns every FOLDER/PATTERN as text: run with cmake -P.
file(GLOB files LIST_DIRECTORIES FALSE "${FOLDER}/${PATTERN}")
list(SORT files)

set(source "// Made by cmake/WriteEmbedded.cmake.\n#include \"core/embedded_file.hpp\"\n")
string(APPEND source "\nnamespace attnlab {\n\nconst std::vector<EmbeddedFile>& ${FUNCTION}() {\n")
string(APPEND source "  static const std::vector<EmbeddedFile> files{\n")
foreach(file IN LISTS files)
  file(RELATIVE_PATH path "${FOLDER}" "${file}")
  file(READ "${file}" text)
  string(APPEND source "    {\"${path}\", R\"embedded(${text})embedded\"},\n")
endforeach()
string(APPEND source "  };\n  return files;\n}\n\n}  // namespace attnlab\n")
file(WRITE "${OUTPUT}" "${source}")
