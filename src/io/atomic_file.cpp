// Temporary file, fsync, rename; and, whatever happens, no temporary file left behind.
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <mutex>
#include <string>

#include "io/descriptor.hpp"
#include "io/target.hpp"

namespace attnlab {
namespace {

constexpr mode_t permission_bits = 07777;
constexpr mode_t usual_permissions = 0666;  // less the umask, which the kernel applies

// What a signal handler may read: a plain buffer, and a flag that is set while a file of that name may exist.
std::array<char, PATH_MAX> unfinished_path{};
std::atomic<bool> unfinished{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not wait for a lock");

// Returns false with errno set.
bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void write_directly(const Target& target, std::string_view bytes) {
  Descriptor file(target.descriptor ? ::fcntl(*target.descriptor, F_DUPFD_CLOEXEC, 0)
                                    : ::open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (!file.is_open() || !write_all(file.number(), bytes) || !file.close())
    throw cannot_write(target.path, errno);
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
  [[noreturn]] void fail() const { throw cannot_write(target_.path, errno); }

  // The name is announced before the file exists, so that no moment is left in which a signal would miss it.
  int create() const {
    const std::string folder = (folder_of(target_) / "").string();
    for (int attempt = 0;; ++attempt) {
      const int length =
          std::snprintf(unfinished_path.data(), unfinished_path.size(), "%s.attnlab-%ld-%d.tmp",
                        folder.c_str(), static_cast<long>(::getpid()), attempt);
      if (length >= static_cast<int>(unfinished_path.size())) throw cannot_write(target_.path, ENAMETOOLONG);
      const mode_t permissions =
          target_.status ? target_.status->st_mode & usual_permissions : usual_permissions;
      unfinished = true;
      const int descriptor =
          ::open(unfinished_path.data(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
      if (descriptor >= 0) return descriptor;
      unfinished = false;
      if (errno == ENOENT) throw cannot_create(target_.path);  // the folder is there, as in /proc
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
