#include "attnlab/run_build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "attnlab/terminal/console.hpp"
#include "attnlab/lecture_files.hpp"
#include "attnlab/targets.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"
#include "io/file_bytes.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

Lecture read_lecture(const std::string& file) {
  return parse_lecture(bytes_of(file).view, file);
}

/// A file comes before a lecture of that name, a folder behind it: it may be what was built from it.
Lecture load_lecture(const std::string& name) {
  std::error_code problem;
  const bool exists = fs::exists(name, problem);
  if (exists && !fs::is_directory(name, problem)) return read_lecture(name);
  std::vector<std::string> names;
  for (const ShippedLecture& lecture : shipped_lectures()) {
    if (lecture.name == name) return parse_lecture(lecture.toml, name);
    names.push_back(lecture.name);
  }
  if (exists) return read_lecture(name);
  throw Error(ErrorKind::failed,
              {fmt::format("{} というファイルも講義もありません", quotation(name)),
               fmt::format("there is neither a file nor a lecture {}", quotation(name))},
              {fmt::format("付属の講義は {} です", fmt::join(names, ", ")),
               fmt::format("the lectures that come along are {}", fmt::join(names, ", "))});
}

/// What stands in the way is told before anything is overwritten.
void check_targets(const std::vector<BuiltFile>& files, const fs::path& folder) {
  for (const BuiltFile& file : files) {
    const fs::path target = folder / file.path;
    check_folder(target.parent_path());
    check_target_below(target.parent_path(), target);
  }
}

void write_files(const std::vector<BuiltFile>& files, const fs::path& folder) {
  for (const BuiltFile& file : files) {
    const fs::path target = folder / file.path;
    create_folder(target.parent_path());
    write_file(target, file.bytes);
  }
}

}  // namespace

std::string lecture_list(Language language) {
  std::string lines;
  for (const ShippedLecture& shipped : shipped_lectures()) {
    const Lecture lecture = parse_lecture(shipped.toml, shipped.name);
    lines += fmt::format("{:<8}  {}\n", shipped.name, lecture.title.in(language));
  }
  return lines;
}

void run_build(const std::string& manifest, const fs::path& folder, Language language, Printing printing) {
  check_folder(folder);
  const Lecture lecture = load_lecture(manifest);
  const std::vector<DrawnEntry> drawn = draw_lecture(lecture, manifest);
  const std::vector<BuiltFile> files = lecture_files(lecture, drawn);
  check_targets(files, folder);
  for (const DrawnEntry& entry : drawn) write_warnings(entry.warnings, language);
  write_files(files, folder);
  if (printing == Printing::nothing) return;
  const fs::path page = writes(lecture, LectureOutput::html) ? folder / "index.html" : folder;
  write_output(language == Language::ja
                   ? fmt::format("{} 個のファイルを書きました：{}\n", files.size(), page.string())
                   : fmt::format("{} files written: {}\n", files.size(), page.string()));
}

}  // namespace attnlab
