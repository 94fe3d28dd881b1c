// Starts the built program with chosen streams, environment and limits, and collects what it says.
#include "program.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "open_pipe.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/// Pointers into `words`, ended as exec wants it.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> found;
  found.reserve(words.size() + 1);
  for (std::string& word : words) found.push_back(word.data());
  found.push_back(nullptr);
  return found;
}

std::vector<std::string> environment_for(const Circumstances& circumstances) {
  std::vector<std::string> environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "XDG_CONFIG_HOME=/nowhere"};
  for (const char* name : {"HOME", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS"}) {
    const char* value = std::getenv(name);
    if (value != nullptr) environment.push_back(std::string(name) + "=" + value);
  }
  for (const std::string& setting : circumstances.environment) {
    const std::string name = setting.substr(0, setting.find('=') + 1);
    environment.erase(std::remove_if(environment.begin(), environment.end(),
                                     [&](const std::string& other) { return other.rfind(name, 0) == 0; }),
                      environment.end());
    environment.push_back(setting);
  }
  return environment;
}

/// What the child's standard output and error become; -1 closes the stream.
struct Streams {
  int out = -1;
  int err = -1;
  int terminal = -1;  // our end of it
};

Streams open_streams(const Circumstances& circumstances, const fs::path& out, const fs::path& err) {
  Streams streams;
  streams.err = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  switch (circumstances.output) {
    case OutputKind::closed: break;
    case OutputKind::file:
      streams.out = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      break;
    case OutputKind::full_device: streams.out = open("/dev/full", O_WRONLY | O_CLOEXEC); break;
    case OutputKind::closed_pipe: {
      const std::array<int, 2> ends = open_pipe();
      close(ends[0]);
      streams.out = ends[1];
      break;
    }
    case OutputKind::terminal:
      streams.terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
      REQUIRE(grantpt(streams.terminal) == 0);
      REQUIRE(unlockpt(streams.terminal) == 0);
      close(streams.err);
      streams.out = open(ptsname(streams.terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
      streams.err = fcntl(streams.out, F_DUPFD_CLOEXEC, 3);
      break;
  }
  return streams;
}

/// In the child: nothing but system calls until the program takes over.
[[noreturn]] void become_program(const Streams& streams, const fs::path& folder,
                                 const Circumstances& circumstances, char* const* arguments,
                                 char* const* environment) {
  if (chdir(folder.c_str()) != 0) _exit(126);
  if (streams.out >= 0) {
    dup2(streams.out, STDOUT_FILENO);
  } else {
    close(STDOUT_FILENO);
  }
  dup2(streams.err, STDERR_FILENO);
  if (circumstances.largest_file) {
    const rlimit limit = {*circumstances.largest_file, *circumstances.largest_file};
    signal(SIGXFSZ, SIG_IGN);  // so that write() fails instead
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(126);
  }
  // The test program's own handlers must not see an interruption meant for the child: it was blocked until
  // here.
  signal(SIGINT, SIG_DFL);
  sigset_t interruption;
  sigemptyset(&interruption);
  sigaddset(&interruption, SIGINT);
  sigprocmask(SIG_UNBLOCK, &interruption, nullptr);
  execve(ATTNLAB_PROGRAM, arguments, environment);
  _exit(127);
}

/// All that `child` shows; it is interrupted once, when `interrupt_at` has come.
std::string read_terminal(int terminal, pid_t child, const std::string& interrupt_at) {
  std::string text;
  std::array<char, 4096> buffer = {};
  bool waiting = !interrupt_at.empty();
  for (ssize_t got = read(terminal, buffer.data(), buffer.size()); got > 0;
       got = read(terminal, buffer.data(), buffer.size())) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (waiting && contains(text, interrupt_at)) {
      kill(child, SIGINT);
      waiting = false;
    }
  }
  return text;  // reading ends with an error once the program has closed its end
}

}  // namespace

Workplace::Workplace() {
  std::string name = (fs::temp_directory_path() / "attnlab-test-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  root_ = name;
  inside_ = root_ / "inside";
  fs::create_directory(inside_);
}

Workplace::~Workplace() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

Outcome Workplace::run(const std::vector<std::string>& arguments, const Circumstances& circumstances) const {
  std::vector<std::string> words = {"attnlab"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> settings = environment_for(circumstances);
  const std::vector<char*> word_pointers = pointers(words);
  const std::vector<char*> setting_pointers = pointers(settings);
  const Streams streams = open_streams(circumstances, root_ / "out", root_ / "err");

  sigset_t interruption;
  sigset_t before;
  sigemptyset(&interruption);
  sigaddset(&interruption, SIGINT);
  sigprocmask(SIG_BLOCK, &interruption, &before);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0)
    become_program(streams, inside_, circumstances, word_pointers.data(), setting_pointers.data());
  sigprocmask(SIG_SETMASK, &before, nullptr);

  if (streams.out >= 0) close(streams.out);
  close(streams.err);
  if (circumstances.interrupt_after) {
    usleep(*circumstances.interrupt_after);
    kill(child, SIGINT);
  }
  Outcome outcome;
  if (streams.terminal >= 0) {
    outcome.out = read_terminal(streams.terminal, child, circumstances.interrupt_at);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  outcome.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (streams.terminal >= 0) {
    close(streams.terminal);
    return outcome;
  }
  outcome.out = read_file(root_ / "out");
  outcome.err = read_file(root_ / "err");
  return outcome;
}

std::string Workplace::read(const std::string& name) const { return read_file(path(name)); }

void Workplace::write(const std::string& name, const std::string& bytes) const {
  std::ofstream(path(name), std::ios::binary) << bytes;
}

std::vector<std::string> Workplace::files() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(inside_)) {
    if (!entry.is_directory()) names.push_back(fs::relative(entry.path(), inside_).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string refused_call(const std::vector<std::string>& arguments) {
  const Workplace place;
  const Outcome outcome = place.run(arguments);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(place.files().empty());
  return outcome.err;
}

Circumstances on_terminal(const std::vector<std::string>& environment) {
  Circumstances circumstances;
  circumstances.output = OutputKind::terminal;
  circumstances.environment = environment;
  return circumstances;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char letter : text) {
    const bool blank = letter == ' ' || letter == '\n';
    if (!blank || line.empty() || line.back() != ' ') line += blank ? ' ' : letter;
  }
  return line;
}

bool is_png(const std::string& bytes) {
  static const std::string end_mark("\0\0\0\0IEND\xae\x42\x60\x82", 12);
  return bytes.rfind("\x89PNG\r\n\x1a\n", 0) == 0 && bytes.size() > end_mark.size() &&
         bytes.compare(bytes.size() - end_mark.size(), end_mark.size(), end_mark) == 0;
}

bool is_svg(const std::string& bytes) {
  return bytes.find("<svg") < 200 && bytes.find("</svg>") != std::string::npos;
}

bool is_pdf(const std::string& bytes) {
  return bytes.rfind("%PDF-", 0) == 0 &&
         bytes.find("%%EOF", bytes.size() < 16 ? 0 : bytes.size() - 16) != std::string::npos;
}

}  // namespace attnlab
