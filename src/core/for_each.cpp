#include "core/for_each.hpp"

#include <atomic>
#include <future>
#include <mutex>
#include <thread>

namespace attnlab {

namespace {

void run_on_threads(std::size_t count, const std::function<void(std::size_t)>& work,
                    const std::function<void(double)>& progress) {
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  std::mutex mutex;
  std::size_t failed = count;  // the lowest index whose call has thrown: all below it have begun before it
  std::exception_ptr problem;
  // Takes one index after the other until none is left, or until a call throws on any thread.
  const auto run = [&](const std::function<void()>& after_each) {
    for (std::size_t index = next++; index < count; index = next++) {
      try {
        work(index);
        ++done;
        after_each();
      } catch (...) {
        next = count;
        const std::lock_guard<std::mutex> lock(mutex);
        if (index < failed) {
          failed = index;
          problem = std::current_exception();
        }
      }
    }
  };
  const std::size_t threads = std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::future<void>> others;  // whose destructors wait
  for (std::size_t i = 1; i < threads; ++i) others.push_back(std::async(std::launch::async, run, [] {}));
  run([&] {
    if (progress) progress(static_cast<double>(done) / static_cast<double>(count));
  });
  for (std::future<void>& other : others) other.get();
  if (problem) std::rethrow_exception(problem);
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
