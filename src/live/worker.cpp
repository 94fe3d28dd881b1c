#include "live/worker.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/error.hpp"
#include "io/descriptor.hpp"

namespace attnlab {
namespace {

// --- A message: its length in eight bytes, and its bytes

bool write_message(int descriptor, const std::string& message) {
  const std::uint64_t length = message.size();
  std::string head(sizeof length, '\0');
  std::memcpy(head.data(), &length, sizeof length);
  return write_all(descriptor, head) && write_all(descriptor, message);
}

bool read_all(int descriptor, char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(descriptor, bytes, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;  // NOLINT(cppcoreguidelines-pro-bounds-pointer-arithmetic)
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

/// Nothing where the other end is closed.
std::optional<std::string> read_message(int descriptor) {
  std::string head(sizeof(std::uint64_t), '\0');
  if (!read_all(descriptor, head.data(), head.size())) return std::nullopt;
  std::uint64_t length = 0;
  std::memcpy(&length, head.data(), sizeof length);
  std::string message(length, '\0');
  if (!read_all(descriptor, message.data(), message.size())) return std::nullopt;
  return message;
}

/// Files, and the connections of those who ask: they end with who opened them.
void close_all_but(int one, int other) {
  constexpr int usual_limit = 1024;
  for (int number = STDERR_FILENO + 1; number < usual_limit; ++number) {
    if (number != one && number != other) ::close(number);
  }
}

}  // namespace

Worker::Worker(Work work, unsigned seconds) : work_(std::move(work)), seconds_(seconds) { begin(); }

Worker::~Worker() {
  if (process_.id == 0) return;
  ::kill(process_.id, SIGKILL);
  end();
}

void Worker::serve(int questions, int answers) const {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM}) signal(number, SIG_DFL);
  close_all_but(questions, answers);
  while (const std::optional<std::string> question = read_message(questions)) {
    ::alarm(seconds_);  // its signal ends the process
    const std::string answer = work_(*question);
    ::alarm(0);
    if (!write_message(answers, answer)) break;
  }
  ::_exit(0);
}

void Worker::begin() {
  std::array<int, 2> down{};  // questions
  std::array<int, 2> up{};    // answers
  if (::pipe(down.data()) != 0) refuse_failed(system_reason(errno), {"もう一度試してください", "try again"});
  if (::pipe(up.data()) != 0) {
    for (const int number : down) ::close(number);
    refuse_failed(system_reason(errno), {"もう一度試してください", "try again"});
  }
  const pid_t id = ::fork();
  if (id == 0) {
    try {
      serve(down[0], up[1]);
    } catch (...) {  // a mistake of ours: the parent says that it broke off
      ::_exit(1);
    }
  }
  ::close(down[0]);
  ::close(up[1]);
  process_ = {id, down[1], up[0]};
  if (id > 0) return;
  end();
  refuse_failed(system_reason(EAGAIN), {"もう一度試してください", "try again"});
}

int Worker::end() {
  ::close(process_.questions);
  ::close(process_.answers);
  int status = 0;
  if (process_.id > 0) {
    while (::waitpid(process_.id, &status, 0) < 0 && errno == EINTR) {
    }
  }
  process_ = {};
  return status;
}

void Worker::break_off() {
  if (is_busy_ && ::kill(process_.id, SIGKILL) == 0) is_given_up_ = true;
}

unsigned Worker::next_turn() {
  const std::lock_guard<std::mutex> lock(state_);
  break_off();
  return ++newest_;
}

void Worker::give_up(unsigned turn) {
  if (turn == newest_) next_turn();
}

void Worker::finish() {
  is_over_ = true;
  next_turn();
}

Worker::Result Worker::ask(unsigned turn, const std::string& question) {
  const std::lock_guard<std::mutex> order(turn_);
  Process process;
  {
    const std::lock_guard<std::mutex> lock(state_);
    if (turn != newest_ || is_over_) return {Ending::superseded, ""};
    if (process_.id == 0) begin();
    is_busy_ = true;
    process = process_;
  }
  std::optional<std::string> answer;
  if (write_message(process.questions, question)) answer = read_message(process.answers);
  const std::lock_guard<std::mutex> lock(state_);
  is_busy_ = false;
  const bool is_given_up = std::exchange(is_given_up_, false);
  if (answer && !is_given_up) return {Ending::done, std::move(*answer)};
  const int status = end();
  if (is_given_up) return {Ending::superseded, ""};
  return {WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? Ending::late : Ending::broken, ""};
}

}  // namespace attnlab
