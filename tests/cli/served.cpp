#include "served.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "live/quiet_socket.hpp"
#include "open_pipe.hpp"

namespace attnlab {
namespace {

std::string first_line(int descriptor) {
  std::string line;
  char letter = 0;
  while (read(descriptor, &letter, 1) == 1 && letter != '\n') line += letter;
  return line;
}

}  // namespace

Served::Served(const std::vector<std::string>& arguments, const std::string& command) {
  std::vector<std::string> words{"attnlab", command};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::array<int, 2> ends = open_pipe();
  process_ = fork();
  REQUIRE(process_ >= 0);
  if (process_ == 0) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
    dup2(ends[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execv(ATTNLAB_PROGRAM, pointers.data());
    _exit(127);
  }
  close(ends[1]);
  address_ = first_line(ends[0]);
  close(ends[0]);
  REQUIRE(address_.rfind("http://127.0.0.1:", 0) == 0);
}

Served::~Served() {
  if (process_ == 0) return;
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

std::string Served::host() const {
  const std::size_t begin = std::string("http://").size();
  return address_.substr(begin, address_.find('/', begin) - begin);
}

std::string Served::path() const {
  return address_.substr(address_.find('/', std::string("http://").size()));
}

int Served::connection() const {
  const int found = socket(AF_INET, SOCK_STREAM, 0);
  fcntl(found, F_SETFD, FD_CLOEXEC);
  make_quiet(found);
  const timeval patience{300, 0};  // sanitizers take their time
  setsockopt(found, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(std::stoi(host().substr(host().find(':') + 1))));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(connect(found, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0);
  return found;
}

std::string Served::answer(const std::string& bytes) const {
  const int open = connection();
  REQUIRE(send_some(open, bytes) == static_cast<ssize_t>(bytes.size()));
  std::string all;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = recv(open, buffer.data(), buffer.size(), 0)) > 0;)
    all.append(buffer.data(), static_cast<std::size_t>(got));
  close(open);
  return all;
}

std::string Served::post(const std::string& name, const std::string& body) const {
  return answer("POST " + path() + name + " HTTP/1.1\r\nHost: " + host() + "\r\nOrigin: http://" + host() +
                "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" +
                body);
}

std::optional<int> Served::exit_code(double seconds) {
  constexpr double step = 0.02;
  for (double waited = 0.0; waited < seconds; waited += step) {
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      process_ = 0;
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    usleep(static_cast<useconds_t>(step * 1e6));
  }
  return std::nullopt;
}

void Served::signal(int number) const { kill(process_, number); }

std::vector<pid_t> Served::workers() const {
  std::vector<pid_t> found;
  std::error_code none;
  const std::string tasks = "/proc/" + std::to_string(process_) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, none)) {
    std::ifstream children(task.path() / "children");
    for (pid_t one = 0; children >> one;) found.push_back(one);
  }
  return found;
}

}  // namespace attnlab
