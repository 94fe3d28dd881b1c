#include "core/for_each.hpp"

#include <unistd.h>

#include "core/crew.hpp"

namespace attnlab {
namespace {

std::size_t processors() { return std::max(1U, std::thread::hardware_concurrency()); }

/// The crew of the process: it is there from the first time on that someone asks, and one caller at a time
/// has it. A process that was forked off begins with a crew of its own: its parent's threads are not there.
class CrewOfProcess {
 public:
  CrewOfProcess() {
    const pid_t own = ::getpid();
    pid_t user = 0;
    has_it_ =
        user_.compare_exchange_strong(user, own) || (user != own && user_.compare_exchange_strong(user, own));
    if (!has_it_ || owner_ == own) return;
    owner_ = own;
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): its threads sleep until the process ends
    crew_ = new Crew(processors());
  }
  ~CrewOfProcess() {
    if (has_it_) user_ = 0;
  }
  CrewOfProcess(const CrewOfProcess&) = delete;
  CrewOfProcess(CrewOfProcess&&) = delete;
  CrewOfProcess& operator=(const CrewOfProcess&) = delete;
  CrewOfProcess& operator=(CrewOfProcess&&) = delete;

  static bool is_at_work() { return user_ == ::getpid(); }

  /// Where someone else has it, or the caller itself from further out, all is done on the calling thread.
  void run(std::size_t count, const std::function<void(std::size_t)>& work) const {
    if (has_it_) return crew_->run(count, work);
    one_after_another(count, work);
  }

 private:
  static inline std::atomic<pid_t> user_{0};
  static inline pid_t owner_ = 0;
  static inline Crew* crew_ = nullptr;
  bool has_it_ = false;
};

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
  const std::size_t threads = std::min(count, processors());
  const std::thread::id caller = std::this_thread::get_id();
  const auto work_on = [&](std::size_t) {
    run([&] {
      if (!progress || std::this_thread::get_id() != caller) return;
      progress(static_cast<double>(done) / static_cast<double>(count));
    });
  };
  if (threads > 1) {
    CrewOfProcess().run(threads, work_on);
  } else {
    work_on(0);  // the crew stays free for what the work divides itself
  }
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

std::size_t free_processors() { return CrewOfProcess::is_at_work() ? 1 : processors(); }

}  // namespace attnlab
