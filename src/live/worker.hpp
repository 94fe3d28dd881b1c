// Work in a process of its own, kept for the next: whatever it does, it can be ended at any time.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <mutex>

#include "core/text.hpp"

namespace attnlab {

class Worker {
 public:
  using Work = std::function<std::string(const std::string& question)>;

  /// The process begins at once, and after one that was ended with the next question, as a copy of this one.
  /// Make a worker before any thread: a copy has the locks that other threads hold, and nobody who opens
  /// them. An answer may take so many seconds. It ends with this one, however that ends.
  Worker(Work work, unsigned seconds);
  ~Worker();  // ends the process
  Worker(const Worker&) = delete;
  Worker(Worker&&) = delete;
  Worker& operator=(const Worker&) = delete;
  Worker& operator=(Worker&&) = delete;

  enum class Ending { done, superseded, late, broken };
  struct Result {
    Ending ending;
    std::string answer;
  };

  /// One question at a time, and the newest wins: who takes a turn ends the work on an older one.
  unsigned next_turn();
  Result compare(unsigned turn, const std::string& question);

  /// Nobody waits for the answer any more.
  void give_up(unsigned turn);

  unsigned seconds() const { return seconds_; }

 private:
  struct Process {
    pid_t id = 0;  // 0: none
    int socket = -1;
  };

  void begin();
  void break_off();  // with the state held
  /// How it ended.
  int end();
  [[noreturn]] void serve(int socket) const;
  /// Where the question goes; nothing for an older turn.
  std::optional<int> take_turn(unsigned turn);

  Work work_;
  unsigned seconds_;
  std::atomic<unsigned> newest_{0};
  std::mutex turn_;   // of whoever asks
  std::mutex state_;  // of what stands below
  Process process_;
  bool is_busy_ = false;
  bool is_abandoned_ = false;  // by who came meanwhile
};

}  // namespace attnlab
