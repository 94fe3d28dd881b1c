#include "core/for_each.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace attnlab {

namespace {

/// The indices that are still to be done, and the first exception.
class Queue {
 public:
  Queue(std::size_t count, const std::function<void(std::size_t)>& work) : count_(count), work_(work) {}

  /// Takes one index after the other until none is left; calls `after_each` between them.
  void run(const std::function<void()>& after_each) {
    for (std::size_t index = next_++; index < count_; index = next_++) {
      try {
        work_(index);
        ++done_;
        after_each();
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!error_) error_ = std::current_exception();
        next_ = count_;
      }
    }
  }

  double share_done() const { return static_cast<double>(done_) / static_cast<double>(count_); }
  void throw_on() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::size_t count_;
  const std::function<void(std::size_t)>& work_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  std::exception_ptr error_;
};

void run_on_threads(std::size_t count, const std::function<void(std::size_t)>& work,
                    const std::function<void(double)>& progress) {
  const std::size_t threads = std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency()));
  Queue queue(count, work);
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back([&queue] { queue.run([] {}); });
  queue.run([&] {
    if (progress) progress(queue.share_done());
  });
  for (std::thread& other : others) other.join();
  queue.throw_on();
  if (progress) progress(1.0);
}

}  // namespace

void one_after_another(std::size_t count, const std::function<void(std::size_t index)>& work) {
  for (std::size_t index = 0; index < count; ++index) work(index);
}

ForEach on_all_processors(std::function<void(double)> progress) {
  return [progress = std::move(progress)](std::size_t count, const std::function<void(std::size_t)>& work) {
    run_on_threads(count, work, progress);
  };
}

}  // namespace attnlab
