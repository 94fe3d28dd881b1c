// Temporary file, rename; and, whatever happens, no temporary file left behind.
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <mutex>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/descriptor.hpp"

namespace attnlab {
namespace {

// --- Where a file name leads: through symbolic links to a file, a file yet to be, or a device

struct Target {
  std::filesystem::path path;         // symbolic links followed
  std::optional<struct stat> status;  // nothing when it does not exist yet
  std::optional<int> descriptor;      // /dev/stdout, /dev/fd/N: a file that this process already has open
};

Text remedy(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return {"空き容量を増やすか、別の場所を指定してください", "free some space or choose another place"};
    case EACCES:
    case EPERM:
    case EROFS:
      return {"書き込みのできるフォルダーを指定してください", "choose a folder that you may write to"};
    case ENAMETOOLONG: return {"短い名前を指定してください", "choose a shorter name"};
    case ENOTDIR:
    case ENOENT:
      return {"存在するフォルダーの中の名前を指定してください", "choose a name in a folder that exists"};
    case ELOOP:
      return {"シンボリックリンクが輪になっていない名前を指定してください",
              "choose a name whose symbolic links do not go round in a circle"};
    case EFBIG:
      return {"ファイルの大きさの上限（ulimit -f）を上げてください",
              "raise the limit on file sizes (ulimit -f)"};
    default: return {"別の場所を指定してください", "choose another place"};
  }
}

/// "cannot write 'a.png': No space left on device; free some space or choose another disk".
[[noreturn]] void refuse_writing(const std::filesystem::path& path, int error_number) {
  refuse_failed(text("{} に書き込めません: {}", "cannot write {}: {}", quotation(path.string()),
                     system_reason(error_number)),
                remedy(error_number));
}

/// Of a folder that exists and in which the system creates no file, as /proc.
[[noreturn]] void refuse_creating(const std::filesystem::path& path) {
  refuse_failed(text("{} を作れません。このフォルダーにはファイルを置けません",
                     "cannot create {}: its folder takes no files", quotation(path.string())),
                {"別のフォルダーを指定してください", "choose another folder"});
}

constexpr int most_links = 40;  // Linux's own limit

// N of /dev/fd/N and /proc/self/fd/N. Such a path is written through the open descriptor: opening it again
// would begin at the start of a redirected file and overwrite what was printed before.
std::optional<int> descriptor_of(std::string_view path) {
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.substr(0, folder.size()) != folder) continue;
    const std::optional<int> number = number_from<int>(path.substr(folder.size()));
    if (number.value_or(-1) >= 0) return number;
  }
  return std::nullopt;
}

std::optional<struct stat> status_of(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return status;
  if (errno == ENOENT) return std::nullopt;
  refuse_writing(path, errno);
}

/// Throws Error (failed) when the system cannot tell: too many links, a name that is too long, a forbidden
/// folder.
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
  refuse_writing(path, ELOOP);
}

/// Neither a regular file nor a folder: there is nothing to rename, so bytes go straight in.
bool is_device(const Target& target) {
  return target.descriptor ||
         (target.status && !S_ISREG(target.status->st_mode) && !S_ISDIR(target.status->st_mode));
}

/// The folder that holds the target; "." when the path names none.
std::filesystem::path folder_of(const Target& target) {
  const std::filesystem::path folder = target.path.parent_path();
  return folder.empty() ? "." : folder;
}

void check_folder(const Target& target) {
  const std::filesystem::path folder = folder_of(target);
  const std::string name = quotation(folder.string());
  const std::optional<struct stat> status = status_of(folder);
  if (!status) {
    refuse_failed({"フォルダー " + name + " がありません", "the folder " + name + " does not exist"},
                  {"先に作るか、別のフォルダーを指定してください", "create it first or choose another"});
  }
  if (!S_ISDIR(status->st_mode)) {
    refuse_failed({name + " はフォルダーではありません", name + " is not a folder"},
                  {"フォルダーの中の名前を指定してください", "choose a name inside a folder"});
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    refuse_failed({"フォルダー " + name + " に書き込めません", "the folder " + name + " is not writable"},
                  {"別のフォルダーを指定してください", "choose another folder"});
  }
}

// access() alone would let root overwrite a file that everyone is forbidden to write.
bool is_read_only(const Target& target) {
  const bool nobody_may_write = (target.status->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
  return nobody_may_write || access(target.path.c_str(), W_OK) != 0;
}

// --- Writing

constexpr mode_t permission_bits = 07777;
constexpr mode_t usual_permissions = 0666;  // less the umask, which the kernel applies

// What a signal handler may read: a plain buffer, and a flag that is set while a file of that name may exist.
std::array<char, PATH_MAX> unfinished_path{};
std::atomic<bool> unfinished{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not wait for a lock");

void write_directly(const Target& target, std::string_view bytes) {
  Descriptor file(target.descriptor ? ::fcntl(*target.descriptor, F_DUPFD_CLOEXEC, 0)
                                    : ::open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (!file.is_open() || !write_all(file.number(), bytes) || !file.close())
    refuse_writing(target.path, errno);
}

// The temporary file: removed at the end of its life unless it was renamed.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const Target& target) : target_(target), descriptor_(create()) {}
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  UnfinishedFile(UnfinishedFile&&) = delete;
  UnfinishedFile& operator=(UnfinishedFile&&) = delete;
  ~UnfinishedFile() { remove_unfinished_file(); }

  void fill(std::string_view bytes) {
    if (!write_all(descriptor_.number(), bytes)) fail();
    if (target_.status) take_over(*target_.status);
    if (!descriptor_.close()) fail();
  }

  void rename_to_target() {
    if (::rename(unfinished_path.data(), target_.path.c_str()) != 0) fail();
    unfinished = false;
  }

 private:
  [[noreturn]] void fail() const { refuse_writing(target_.path, errno); }

  // The name is announced before the file exists, so that no moment is left in which a signal would miss it.
  int create() const {
    const std::string folder = (folder_of(target_) / "").string();
    for (int attempt = 0;; ++attempt) {
      const int length =
          std::snprintf(unfinished_path.data(), unfinished_path.size(), "%s.attnlab-%ld-%d.tmp",
                        folder.c_str(), static_cast<long>(::getpid()), attempt);
      if (length >= static_cast<int>(unfinished_path.size())) refuse_writing(target_.path, ENAMETOOLONG);
      const mode_t permissions =
          target_.status ? target_.status->st_mode & usual_permissions : usual_permissions;
      unfinished = true;
      const int descriptor =
          ::open(unfinished_path.data(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
      if (descriptor >= 0) return descriptor;
      unfinished = false;
      if (errno == ENOENT) refuse_creating(target_.path);  // the folder is there, as in /proc
      if (errno != EEXIST) fail();
    }
  }

  // Owner and permissions of the file that stood there. Only root may give a file away: then it stays ours.
  void take_over(const struct stat& old) const {
    [[maybe_unused]] const int ignored = ::fchown(descriptor_.number(), old.st_uid, old.st_gid);
    if (::fchmod(descriptor_.number(), old.st_mode & permission_bits) != 0) fail();
  }

  const Target& target_;
  Descriptor descriptor_;
};

}  // namespace

void check_target(const std::filesystem::path& path) {
  const std::string name = quotation(path.string());
  if (path.empty()) {
    refuse_failed({"出力ファイルの名前が空です", "the name of the output file is empty"},
                  {"ファイル名を指定してください", "give a file name"});
  }
  const Target target = find_target(path);
  const bool folder = target.status && S_ISDIR(target.status->st_mode);
  if (folder || !path.has_filename()) {
    refuse_failed({name + " はフォルダーです", name + " is a folder"},
                  {"その中のファイル名を指定してください", "give the name of a file in it"});
  }
  if (target.descriptor) return;
  if (!is_device(target)) check_folder(target);
  if (target.status && is_read_only(target)) {
    refuse_failed({name + " は書き込み禁止です", name + " is read-only"},
                  {"別の名前を指定するか、書き込みを許可してください（chmod u+w）",
                   "choose another name, or allow writing with chmod u+w"});
  }
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  check_target(path);
  const Target target = find_target(path);
  if (is_device(target)) {
    write_directly(target, bytes);
    return;
  }
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  UnfinishedFile file(target);
  file.fill(bytes);
  file.rename_to_target();
}

void remove_unfinished_file() noexcept {
  if (unfinished.exchange(false)) ::unlink(unfinished_path.data());
}

}  // namespace attnlab
