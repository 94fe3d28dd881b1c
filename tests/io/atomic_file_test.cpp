// A write either replaces the whole file or leaves everything as it was.
#include "io/atomic_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "io/folder.hpp"

using attnlab::Error;
using attnlab::Language;
using attnlab::write_file;
using attnlab::test::contains;
using attnlab::test::Folder;
using attnlab::test::permissions;
using attnlab::test::put;
using attnlab::test::read;

namespace {

std::string error_of(const std::filesystem::path& path, const std::string& bytes,
                     Language language = Language::en) {
  try {
    write_file(path, bytes);
  } catch (const Error& error) {
    CHECK(error.kind() == attnlab::ErrorKind::failed);
    return error.message(language);
  }
  return "no error";
}

// Files may not grow beyond a few bytes while this lives: what a full disk does, without a disk to fill.
class SmallFilesOnly {
 public:
  explicit SmallFilesOnly(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit small{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  SmallFilesOnly(const SmallFilesOnly&) = delete;
  SmallFilesOnly& operator=(const SmallFilesOnly&) = delete;
  SmallFilesOnly(SmallFilesOnly&&) = delete;
  SmallFilesOnly& operator=(SmallFilesOnly&&) = delete;
  ~SmallFilesOnly() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

class Umask {
 public:
  explicit Umask(mode_t mask) : old_(umask(mask)) {}
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;
  Umask(Umask&&) = delete;
  Umask& operator=(Umask&&) = delete;
  ~Umask() { umask(old_); }

 private:
  mode_t old_;
};

}  // namespace

TEST_CASE("every byte arrives and nothing else is left in the folder") {
  const Folder folder;
  std::string bytes;
  for (int i = 0; i < 300000; ++i) bytes += static_cast<char>(i % 256);
  write_file(folder / "a.bin", bytes);
  CHECK(read(folder / "a.bin") == bytes);
  write_file(folder / "a.bin", "");
  CHECK(read(folder / "a.bin").empty());
  CHECK(folder.entries() == 1);
}

TEST_CASE("a new file gets the permissions that the umask allows") {
  const Folder folder;
  const Umask mask(027);
  write_file(folder / "a.txt", "x");
  CHECK(permissions(folder / "a.txt") == 0640);
}

TEST_CASE("a file that is replaced keeps its permissions") {
  const Folder folder;
  for (const mode_t mode : {mode_t{0600}, mode_t{0664}, mode_t{0755}}) {
    put(folder / "a.txt", "old");
    REQUIRE(chmod((folder / "a.txt").c_str(), mode) == 0);
    write_file(folder / "a.txt", "new");
    CHECK(read(folder / "a.txt") == "new");
    CHECK(permissions(folder / "a.txt") == mode);
  }
}

TEST_CASE("a file whose write fails keeps its old bytes and leaves nothing beside it") {
  const Folder folder;
  put(folder / "a.txt", "precious");
  std::string message;
  {
    const SmallFilesOnly limit(1000);
    message = error_of(folder / "a.txt", std::string(5000, 'x'));
  }
  CHECK(contains(message, "File too large"));
  CHECK(contains(message, "a.txt"));
  CHECK(read(folder / "a.txt") == "precious");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a new file whose write fails does not appear") {
  const Folder folder;
  {
    const SmallFilesOnly limit(1000);
    error_of(folder / "a.txt", std::string(5000, 'x'));
  }
  CHECK(folder.entries() == 0);
  write_file(folder / "a.txt", "later");
  CHECK(read(folder / "a.txt") == "later");
}

TEST_CASE("a symbolic link stays a link and its target gets the bytes") {
  const Folder folder;
  std::filesystem::create_directory(folder / "deep");
  put(folder / "deep/real.txt", "old");
  std::filesystem::create_symlink("deep/real.txt", folder / "near");
  std::filesystem::create_symlink("near", folder / "far");
  write_file(folder / "far", "new");
  CHECK(std::filesystem::is_symlink(folder / "far"));
  CHECK(std::filesystem::is_symlink(folder / "near"));
  CHECK(read(folder / "deep/real.txt") == "new");
}

TEST_CASE("a link to a file that does not exist yet creates it") {
  const Folder folder;
  std::filesystem::create_symlink(folder / "real.txt", folder / "link");
  write_file(folder / "link", "new");
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(read(folder / "real.txt") == "new");
}

TEST_CASE("links in a circle are an error") {
  const Folder folder;
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");
  CHECK(contains(error_of(folder / "a", "x"), "symbolic links"));
}

TEST_CASE("a full device is an error in both languages with the system's reason and a remedy") {
  const std::string english = error_of("/dev/full", "x");
  CHECK(contains(english, "cannot write '/dev/full': No space left on device; free some space"));
  const std::string japanese = error_of("/dev/full", "x", Language::ja);
  CHECK(contains(japanese, "'/dev/full' に書き込めません"));
  CHECK(contains(japanese, "空き容量がありません。空き容量を増やす"));
}

TEST_CASE("a folder in which no file can be created is named as the reason") {
  const std::string reason = error_of("/proc/x.md", "x");
  const bool may_write = ::access("/proc", W_OK) == 0;  // as root
  CHECK(contains(reason, may_write ? "its folder takes no files" : "is not writable"));
}

TEST_CASE("devices are written and never replaced") {
  write_file("/dev/null", "x");
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("a pipe gets the bytes and stays a pipe") {
  const Folder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::string received;
  std::thread reader([&] { received = read(folder / "pipe"); });
  write_file(folder / "pipe", "through the pipe");
  reader.join();
  CHECK(received == "through the pipe");
  CHECK(std::filesystem::is_fifo(folder / "pipe"));
}

TEST_CASE("an open descriptor is written where it stands and not from its beginning") {
  const Folder folder;
  const int descriptor = open((folder / "log").c_str(), O_RDWR | O_CREAT, 0600);
  REQUIRE(descriptor >= 0);
  REQUIRE(write(descriptor, "first ", 6) == 6);
  write_file("/dev/fd/" + std::to_string(descriptor), "second");
  close(descriptor);
  CHECK(read(folder / "log") == "first second");
}

TEST_CASE("a descriptor that is not open is an error") {
  CHECK(contains(error_of("/dev/fd/987", "x"), "Bad file descriptor"));
}

TEST_CASE("an interrupted program leaves no temporary file") {
  const Folder folder;
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {  // as the application does: its handler removes the file, then the process ends
    std::signal(SIGXFSZ, [](int) {
      attnlab::remove_unfinished_file();
      _exit(42);
    });
    const rlimit small{100, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &small);
    write_file(folder / "a.txt", std::string(5000, 'x'));  // the signal arrives in the middle of this write
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 42);
  CHECK(folder.entries() == 0);
}

TEST_CASE("removing an unfinished file is harmless when there is none") {
  const Folder folder;
  write_file(folder / "a.txt", "x");
  attnlab::remove_unfinished_file();
  CHECK(read(folder / "a.txt") == "x");
}

TEST_CASE("writers at the same time do not mix their bytes") {
  const Folder folder;
  std::vector<std::thread> writers;
  for (char letter = 'a'; letter < 'i'; ++letter) {
    writers.emplace_back([&folder, letter] {
      for (int i = 0; i < 5; ++i) write_file(folder / "shared.txt", std::string(20000, letter));
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string bytes = read(folder / "shared.txt");
  CHECK(bytes == std::string(20000, bytes.at(0)));
  CHECK(folder.entries() == 1);
}
