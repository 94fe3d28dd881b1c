#include "attnlab/exercise/class_flags.hpp"

#include "io/file_bytes.hpp"
#include "io/unreadable.hpp"

namespace attnlab {

StudentList read_students(const ParsedCommand& parsed) {
  if (!parsed.is_set("students")) {
    refuse_usage({"--students がありません", "--students is missing"},
                 {"名簿を --students list.csv の形で指定してください（見出しは id,name）",
                  "write --students list.csv; its first line is id,name"});
  }
  const std::string file = parsed.value("students");
  const SharedBytes bytes = bytes_of(file);
  check_text_size(bytes.view, file);
  return students_in(bytes.view, file);
}

}  // namespace attnlab
