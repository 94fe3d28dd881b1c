#include "live/worker.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/error.hpp"
#include "live/quiet_socket.hpp"

namespace attnlab {
namespace {

// --- A message: its length in eight bytes, and its bytes

bool send_whole(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send_some(socket, bytes);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool write_message(int socket, const std::string& message) {
  const std::uint64_t length = message.size();
  std::string head(sizeof length, '\0');
  std::memcpy(head.data(), &length, sizeof length);
  return send_whole(socket, head) && send_whole(socket, message);
}

bool read_all(int socket, char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(socket, bytes, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;  // NOLINT(cppcoreguidelines-pro-bounds-pointer-arithmetic)
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

/// Nothing where the other end is closed.
std::optional<std::string> read_message(int socket) {
  std::string head(sizeof(std::uint64_t), '\0');
  if (!read_all(socket, head.data(), head.size())) return std::nullopt;
  std::uint64_t length = 0;
  std::memcpy(&length, head.data(), sizeof length);
  std::string message(length, '\0');
  if (!read_all(socket, message.data(), message.size())) return std::nullopt;
  return message;
}

/// Files, and the connections of those who ask: they end with who opened them.
void close_all_but(int one) {
  constexpr int usual_limit = 1024;
  for (int number = STDERR_FILENO + 1; number < usual_limit; ++number) {
    if (number != one) ::close(number);
  }
}

/// Of itself, or by the system where memory was short.
bool has_ended(pid_t process) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

// --- A process that computes looks up every second: whether its time is over, and whether anyone waits

volatile std::sig_atomic_t seconds_left = 0;
volatile std::sig_atomic_t parent = 0;

void look_up(int /*number*/) {
  if (::getppid() != parent) ::_exit(1);
  if (seconds_left == 0) return;
  seconds_left = seconds_left - 1;
  if (seconds_left == 0) signal(SIGALRM, SIG_DFL);  // the next one ends the process
  ::alarm(1);
}

void begin_looking_up(unsigned seconds) {
  seconds_left = static_cast<std::sig_atomic_t>(seconds) - 1;
  ::alarm(1);
}

void end_looking_up() {
  seconds_left = 0;
  ::alarm(0);
}

}  // namespace

Worker::Worker(Work work, unsigned seconds) : work_(std::move(work)), seconds_(seconds) { begin(); }

Worker::~Worker() {
  if (process_.id == 0) return;
  ::kill(process_.id, SIGKILL);
  end();
}

void Worker::serve(int socket) const {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(number, SIG_DFL);
  struct sigaction looking {};
  looking.sa_handler = look_up;
  looking.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &looking, nullptr);
  close_all_but(socket);
  while (const std::optional<std::string> question = read_message(socket)) {
    begin_looking_up(seconds_);
    const std::string answer = work_(*question);
    end_looking_up();
    if (!write_message(socket, answer)) break;
  }
  ::_exit(0);
}

void Worker::begin() {
  std::array<int, 2> ends{};  // ours and the worker's
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0)
    refuse_failed(system_reason(errno), {"もう一度試してください", "try again"});
  for (const int one : ends) {
    ::fcntl(one, F_SETFD, FD_CLOEXEC);
    make_quiet(one);
  }
  parent = ::getpid();
  const pid_t id = ::fork();
  if (id == 0) {
    try {
      serve(ends[1]);
    } catch (...) {  // a mistake of ours: the parent says that it broke off
      ::_exit(1);
    }
  }
  ::close(ends[1]);
  process_ = {id, ends[0]};
  if (id > 0) return;
  end();
  refuse_failed(system_reason(EAGAIN), {"もう一度試してください", "try again"});
}

int Worker::end() {
  ::close(process_.socket);
  int status = 0;
  if (process_.id > 0) {
    while (::waitpid(process_.id, &status, 0) < 0 && errno == EINTR) {
    }
  }
  process_ = {};
  return status;
}

void Worker::break_off() {
  if (is_busy_ && ::kill(process_.id, SIGKILL) == 0) is_abandoned_ = true;
}

unsigned Worker::next_turn() {
  const std::lock_guard<std::mutex> lock(state_);
  break_off();
  return ++newest_;
}

void Worker::give_up(unsigned turn) {
  if (turn == newest_) next_turn();
}

std::optional<int> Worker::take_turn(unsigned turn) {
  const std::lock_guard<std::mutex> lock(state_);
  if (turn != newest_) return std::nullopt;
  if (process_.id != 0 && has_ended(process_.id)) end();
  if (process_.id == 0) begin();
  is_busy_ = true;
  return process_.socket;
}

Worker::Result Worker::compare(unsigned turn, const std::string& question) {
  const std::lock_guard<std::mutex> order(turn_);
  const std::optional<int> socket = take_turn(turn);
  if (!socket) return {Ending::superseded, ""};
  std::optional<std::string> answer;
  if (write_message(*socket, question)) answer = read_message(*socket);
  const std::lock_guard<std::mutex> lock(state_);
  is_busy_ = false;
  const bool is_abandoned = std::exchange(is_abandoned_, false);
  if (answer && !is_abandoned) return {Ending::done, std::move(*answer)};
  const int status = end();
  if (is_abandoned) return {Ending::superseded, ""};
  return {WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? Ending::late : Ending::broken, ""};
}

}  // namespace attnlab
