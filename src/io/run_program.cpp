#include "io/run_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/environment.hpp"
#include "io/file_bytes.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// This one, and a date that does not change.
std::vector<std::string> environment_with_date() {
  std::vector<std::string> variables;
  for (char** variable = environment_variables(); *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  if (std::getenv("SOURCE_DATE_EPOCH") == nullptr) variables.emplace_back("SOURCE_DATE_EPOCH=315532800");
  return variables;
}

/// Of a child and what it has started, which end when they are told to, or a second later.
int status_of(pid_t id) {
  constexpr std::chrono::milliseconds between_looks{5};
  constexpr int looks_before_killing = 200;
  int status = 0;
  for (int looks = 0;; ++looks) {
    const pid_t ended = ::waitpid(id, &status, WNOHANG);
    if (ended == id || (ended < 0 && errno != EINTR)) return status;
    if (!InterruptionRequest::requested()) looks = 0;
    if (looks == 1) ::kill(-id, SIGTERM);
    if (looks == looks_before_killing) ::kill(-id, SIGKILL);
    std::this_thread::sleep_for(between_looks);
  }
}

}  // namespace

PassingFolder::PassingFolder() {
  std::string name = (fs::temp_directory_path() / "attnlab-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    refuse_failed(system_reason(errno), {"TMPDIR を確かめてください", "look at TMPDIR"});
  path_ = name;
}

PassingFolder::~PassingFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void PassingFolder::write(const fs::path& file, std::string_view bytes) const {
  fs::create_directories((path_ / file).parent_path());
  write_file(path_ / file, bytes);
}

std::string PassingFolder::read(const fs::path& file) const {
  return std::string(bytes_of((path_ / file).string()).view);
}

std::optional<int> run_program(std::vector<std::string> words, const fs::path& folder) {
  std::vector<std::string> variables = environment_with_date();
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_addchdir_np(&streams, folder.c_str());
  posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, "said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&streams, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t group;  // of its own, which ends with it
  posix_spawnattr_init(&group);
  posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
  pid_t id = 0;
  const int problem = posix_spawnp(&id, words.front().c_str(), &streams, &group, pointers_to(words).data(),
                                   pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&streams);
  posix_spawnattr_destroy(&group);
  if (problem != 0) return std::nullopt;
  const int status = status_of(id);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void refuse_if_interrupted() {
  if (!InterruptionRequest::requested()) return;
  refuse_failed({"中断しました", "interrupted"}, {"何も書いていません", "nothing was written"});
}

}  // namespace attnlab
