// Checks target files and creates folders.
#include "products/targets.hpp"

#include <cerrno>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_folder(const fs::path& folder, int error_number) {
  const Text reason = system_reason(error_number);
  refuse_failed(text("フォルダー {} を作れません（{}）", "cannot create the folder {}: {}",
                     quotation(folder.string()), reason),
                {"書き込める場所を指定してください", "choose a place that you may write to"});
}

/// "-" is standard output, which only a figure can take (figure_files.hpp): a file of that name is a slip.
void check_name(const fs::path& path) {
  if (path.begin() == path.end() || *path.begin() != "-") return;
  refuse_usage({"- は標準出力で、図 1 枚しか書けません", "- is standard output, which takes a figure alone"},
               {"名前を指定してください。- という名前なら ./- と書きます",
                "give a name; for one that is - write ./-"});
}

/// The same for every name of one file.
fs::path whole(const fs::path& path) {
  std::error_code ignored;  // an unreadable folder is reported when the target is checked
  const fs::path canonical = fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  return canonical.empty() ? path.lexically_normal() : canonical;
}

/// Throws Error (failed) when the folder is a file, or is missing and cannot be created.
void check_folder(const fs::path& folder) {
  std::error_code problem;
  fs::path missing;  // the uppermost folder that is yet to be created
  fs::path existing = fs::absolute(folder, problem).lexically_normal();
  if (!existing.has_filename()) existing = existing.parent_path();
  while (!fs::exists(existing, problem) && existing.has_relative_path()) {
    missing = existing;
    existing = existing.parent_path();
  }
  if (!fs::is_directory(existing, problem)) {
    refuse_folder(folder, ENOTDIR);
  }
  if (!missing.empty()) check_target(missing);
}

}  // namespace

void Targets::add(const std::vector<Path>& files) {
  for (const Path& file : files) add(file);
}

void Targets::spare(const std::vector<Path>& files) {
  spared_.insert(spared_.end(), files.begin(), files.end());
}

void Targets::check() const {
  std::vector<Path> paths;
  for (const File& file : files_) paths.push_back(file.path);
  check_distinct(paths);
  std::set<Path> spared;
  for (const Path& path : spared_) spared.insert(whole(path));
  for (const Path& path : paths) {
    if (spared.count(whole(path)) == 0) continue;
    refuse_usage(text("{} は読み込むファイルなので、上書きしません",
                      "{} is read by this run, and will not be overwritten", quotation(path.string())),
                 {"別のファイル名にしてください", "choose another name"});
  }
  for (const Path& path : paths) check_name(path);
  for (const Path& folder : folders_) check_name(folder);
  for (const File& file : files_) {
    if (!file.folder.empty()) check_folder(file.folder);
    std::error_code problem;  // a folder that is yet to be created takes every file
    if (file.folder.empty() || fs::exists(file.folder, problem)) check_target(file.sample);
  }
  for (const Path& folder : folders_) check_folder(folder);
}

void check_distinct(const std::vector<fs::path>& paths) {
  std::set<fs::path> seen;
  for (const fs::path& path : paths) {
    if (seen.insert(whole(path)).second) continue;
    refuse_usage(attnlab::text("{} に二度書き込むことになります", "{} would be written twice",
                               quotation(path.string())),
                 {"別のファイル名にしてください", "choose different names"});
  }
}

void create_folder(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) refuse_folder(folder, problem.value());
}

}  // namespace attnlab
