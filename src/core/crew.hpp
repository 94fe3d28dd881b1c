// Threads that stay: a step of training or a tile of attention lasts a millisecond, and threads that are
// started for it come late.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace attnlab {

class Crew {
 public:
  /// So many threads, the calling one among them, or as many as the system allows.
  explicit Crew(std::size_t threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew(Crew&&) = delete;
  Crew& operator=(const Crew&) = delete;
  Crew& operator=(Crew&&) = delete;

  /// Calls work(0), ..., work(count - 1), each on whichever thread is free, and returns when all are done.
  /// Work must not throw. A thread that wakes too late finds nothing left to do, and nobody waits for it.
  void run(std::size_t count, const std::function<void(std::size_t index)>& work);

 private:
  /// One call of run(). Late threads hold it by themselves, so it outlives the call.
  struct Job {
    std::size_t count = 0;
    const std::function<void(std::size_t)>* work = nullptr;  // read only while an index is left to do
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
  };

  void help(Job& job);
  void wait_for_work();

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable called_;
  std::condition_variable finished_;  // a job
  std::shared_ptr<Job> job_;
  std::size_t calls_ = 0;
  bool ends_ = false;
};

}  // namespace attnlab
