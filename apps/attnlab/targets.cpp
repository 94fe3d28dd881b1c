// Checks target files and creates folders.
#include "attnlab/targets.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "core/error.hpp"
#include "core/system_reason.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_folder(const fs::path& folder, int error_number) {
  const Text reason = system_reason(error_number);
  throw Error(ErrorKind::failed,
              {fmt::format("フォルダー {} を作れません（{}）", quotation(folder.string()), reason.ja()),
               fmt::format("cannot create the folder {}: {}", quotation(folder.string()), reason.en())},
              {"書き込める場所を指定してください", "choose a place that you may write to"});
}

}  // namespace

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

void create_folder(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) refuse_folder(folder, problem.value());
}

void check_target_below(const fs::path& folder, const fs::path& file) {
  std::error_code problem;
  if (fs::exists(folder, problem)) check_target(file);
}

}  // namespace attnlab
