#include "attnlab/terminal/browser.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

#include "core/text.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

/// Out of this terminal's reach, so that Ctrl-C here does not end a browser, and nobody's child.
void start_detached(const char* program, const char* word) {
  const pid_t between = ::fork();
  if (between == 0) {
    ::setsid();
    if (::fork() == 0) {
      const int nothing = ::open("/dev/null", O_RDWR);
      for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
      ::execlp(program, program, word, static_cast<char*>(nullptr));
    }
    ::_exit(0);
  }
  while (between > 0 && ::waitpid(between, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// A folder that only this user may look into; "" where there is no place for one.
fs::path private_folder() {
  std::error_code problem;
  std::string name = (fs::temp_directory_path(problem) / "attnlab-XXXXXX").string();
  return problem || ::mkdtemp(name.data()) == nullptr ? "" : name;
}

}  // namespace

bool has_screen() {
  if (::isatty(STDOUT_FILENO) != 1) return false;
#ifdef __APPLE__
  return true;
#else
  return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
#endif
}

OpenedBrowser::OpenedBrowser(const std::string& address) : folder_(private_folder()) {
  if (folder_.empty()) return;
#ifdef __APPLE__
  constexpr const char* opener = "open";
#else
  constexpr const char* opener = "xdg-open";
#endif
  const fs::path file = folder_ / "open.html";
  std::ofstream(file) << fmt::format(
      "<!DOCTYPE html>\n<meta charset=\"utf-8\"><title>attnlab</title>\n"
      "<meta http-equiv=\"refresh\" content=\"0;url={0}\">\n<a href=\"{0}\">{0}</a>\n",
      address);
  std::error_code problem;
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, problem);
  if (!problem) start_detached(opener, file.c_str());
}

OpenedBrowser::~OpenedBrowser() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

}  // namespace attnlab
