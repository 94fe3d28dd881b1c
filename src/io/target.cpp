// Follows links, checks permissions, and words the errors of the file system.
#include "io/target.hpp"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "core/system_reason.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"

namespace attnlab {
namespace {

constexpr int most_links = 40;  // Linux's own limit

// N of /dev/fd/N and /proc/self/fd/N. Such a path is written through the open descriptor: opening it again
// would begin at the start of a redirected file and overwrite what was printed before.
std::optional<int> descriptor_of(std::string_view path) {
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.substr(0, folder.size()) != folder) continue;
    const std::string_view digits = path.substr(folder.size());
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc{} && end == digits.data() + digits.size() && number >= 0) return number;
  }
  return std::nullopt;
}

std::optional<struct stat> status_of(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return status;
  if (errno == ENOENT) return std::nullopt;
  throw cannot_write(path, errno);
}

Text remedy(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return {"空き容量を増やすか、別の場所を指定してください", "free some space or choose another place"};
    case EACCES:
    case EPERM:
    case EROFS:
      return {"書き込みのできるフォルダーを指定してください", "choose a folder that you may write to"};
    case ENAMETOOLONG:
      return {"短い名前を指定してください", "choose a shorter name"};
    case ENOTDIR:
    case ENOENT:
      return {"存在するフォルダーの中の名前を指定してください", "choose a name in a folder that exists"};
    case ELOOP:
      return {"シンボリックリンクが輪になっていない名前を指定してください",
              "choose a name whose symbolic links do not go round in a circle"};
    case EFBIG:
      return {"ファイルの大きさの上限（ulimit -f）を上げてください",
              "raise the limit on file sizes (ulimit -f)"};
    default:
      return {"別の場所を指定してください", "choose another place"};
  }
}

Error refuse(const Text& problem, const Text& hint) {
  return {ErrorKind::failed, problem, hint};
}

void check_folder(const Target& target) {
  const std::filesystem::path folder = folder_of(target);
  const std::string name = quotation(folder.string());
  const std::optional<struct stat> status = status_of(folder);
  if (!status) {
    throw refuse({"フォルダー " + name + " がありません", "the folder " + name + " does not exist"},
                 {"先に作るか、別のフォルダーを指定してください", "create it first or choose another"});
  }
  if (!S_ISDIR(status->st_mode)) {
    throw refuse({name + " はフォルダーではありません", name + " is not a folder"},
                 {"フォルダーの中の名前を指定してください", "choose a name inside a folder"});
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw refuse({"フォルダー " + name + " に書き込めません", "the folder " + name + " is not writable"},
                 {"別のフォルダーを指定してください", "choose another folder"});
  }
}

// access() alone would let root overwrite a file that everyone is forbidden to write.
bool is_read_only(const Target& target) {
  const bool nobody_may_write = (target.status->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
  return nobody_may_write || access(target.path.c_str(), W_OK) != 0;
}

}  // namespace

Error cannot_write(const std::filesystem::path& path, int error_number) {
  const std::string name = quotation(path.string());
  const Text reason = system_reason(error_number);
  return refuse({name + " に書き込めません: " + reason.ja(), "cannot write " + name + ": " + reason.en()},
                remedy(error_number));
}

Error cannot_create(const std::filesystem::path& path) {
  const std::string name = quotation(path.string());
  return refuse({name + " を作れません。このフォルダーにはファイルを置けません",
                 "cannot create " + name + ": its folder takes no files"},
                {"別のフォルダーを指定してください", "choose another folder"});
}

Target find_target(const std::filesystem::path& path) {
  std::filesystem::path resolved = path;
  for (int links = 0; links <= most_links; ++links) {
    if (const std::optional<int> descriptor = descriptor_of(resolved.native())) {
      return {resolved, std::nullopt, descriptor};
    }
    std::error_code error;
    const std::filesystem::path next = std::filesystem::read_symlink(resolved, error);
    if (error) return {resolved, status_of(resolved), std::nullopt};  // not a link, or not there
    resolved = resolved.parent_path() / next;                         // an absolute `next` replaces the rest
  }
  throw cannot_write(path, ELOOP);
}

bool is_device(const Target& target) {
  return target.descriptor ||
         (target.status && !S_ISREG(target.status->st_mode) && !S_ISDIR(target.status->st_mode));
}

std::filesystem::path folder_of(const Target& target) {
  const std::filesystem::path folder = target.path.parent_path();
  return folder.empty() ? "." : folder;
}

void check_target(const std::filesystem::path& path) {
  const std::string name = quotation(path.string());
  if (path.empty()) {
    throw refuse({"出力ファイルの名前が空です", "the name of the output file is empty"},
                 {"ファイル名を指定してください", "give a file name"});
  }
  const Target target = find_target(path);
  const bool folder = target.status && S_ISDIR(target.status->st_mode);
  if (folder || !path.has_filename()) {
    throw refuse({name + " はフォルダーです", name + " is a folder"},
                 {"その中のファイル名を指定してください", "give the name of a file in it"});
  }
  if (target.descriptor) return;
  if (!is_device(target)) check_folder(target);
  if (target.status && is_read_only(target)) {
    throw refuse({name + " は書き込み禁止です", name + " is read-only"},
                 {"別の名前を指定するか、書き込みを許可してください（chmod u+w）",
                  "choose another name, or allow writing with chmod u+w"});
  }
}

}  // namespace attnlab
