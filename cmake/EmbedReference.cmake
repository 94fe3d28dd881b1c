# Writes OUTPUT, a C++ source that holds every data/reference/*/*.json under FOLDER as text: run with cmake -P.
file(GLOB files LIST_DIRECTORIES FALSE "${FOLDER}/*/*.json")
list(SORT files)

set(source "// Made by cmake/EmbedReference.cmake from data/reference.\n#include \"verification/reference_files.hpp\"\n")
string(APPEND source "\nnamespace attnlab {\n\nconst std::vector<ReferenceFile>& reference_files() {\n")
string(APPEND source "  static const std::vector<ReferenceFile> files{\n")
foreach(file IN LISTS files)
  file(RELATIVE_PATH path "${FOLDER}" "${file}")
  file(READ "${file}" text)
  string(APPEND source "    {\"${path}\", R\"reference(${text})reference\"},\n")
endforeach()
string(APPEND source "  };\n  return files;\n}\n\n}  // namespace attnlab\n")
file(WRITE "${OUTPUT}" "${source}")
