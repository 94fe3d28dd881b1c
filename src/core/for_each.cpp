#include "core/for_each.hpp"

#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>

namespace attnlab {
namespace {

/// Of a thread whose work is a part of some other: what that divides itself, it does alone.
thread_local bool is_helping = false;

std::size_t threads_for(std::size_t count) {
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  return is_helping ? 1 : std::min(count, processors);
}

void run_on_threads(std::size_t count, const std::function<void(std::size_t)>& work,
                    const std::function<void(double)>& progress) {
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  std::mutex mutex;
  std::size_t failed = count;  // the lowest index whose call has thrown: all below it have begun before it
  std::exception_ptr problem;
  // Takes one index after the other until none is left, or until a call throws on any thread.
  const auto run = [&](const auto& after_each) {
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
  const auto report = [&] {
    if (progress) progress(static_cast<double>(done) / static_cast<double>(count));
  };
  const std::size_t threads = threads_for(count);
  std::vector<std::thread> helpers;
  helpers.reserve(threads);
  try {
    while (helpers.size() + 1 < threads) {
      helpers.emplace_back([&] {
        is_helping = true;
        run([] {});
      });
    }
  } catch (const std::system_error&) {  // the system allows no more: those that there are do the work
  }
  const bool has_helped = std::exchange(is_helping, is_helping || threads > 1);
  run(report);
  is_helping = has_helped;
  for (std::thread& helper : helpers) helper.join();
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
