#include "attnlab/terminal/browser.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#ifdef __APPLE__
extern char** environ;
#endif

namespace attnlab {

bool has_screen() {
  if (::isatty(STDOUT_FILENO) != 1) return false;
#ifdef __APPLE__
  return true;
#else
  return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
#endif
}

void open_browser(const std::string& address) {
#ifdef __APPLE__
  const std::string opener = "open";
#else
  const std::string opener = "xdg-open";
#endif
  posix_spawn_file_actions_t silence;
  posix_spawn_file_actions_init(&silence);
  posix_spawn_file_actions_addopen(&silence, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&silence, stream, "/dev/null", O_WRONLY, 0);
  std::string program = opener;
  std::string word = address;
  const std::array<char*, 3> words{program.data(), word.data(), nullptr};
  pid_t ignored = 0;
  posix_spawnp(&ignored, program.c_str(), &silence, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&silence);
}

}  // namespace attnlab
