#include "core/crew.hpp"

#include <chrono>
#include <system_error>

namespace attnlab {

Crew::Crew(std::size_t threads) {
  try {
    for (std::size_t i = 1; i < threads; ++i) threads_.emplace_back([this] { wait_for_work(); });
  } catch (const std::system_error&) {  // the system allows no more: those that there are do the work
  }
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  called_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::help(Job& job) {
  for (std::size_t index = job.next.fetch_add(1); index < job.count; index = job.next.fetch_add(1)) {
    (*job.work)(index);
    job.done.fetch_add(1, std::memory_order_release);
  }
}

void Crew::wait_for_work() {
  std::size_t seen = 0;
  while (true) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      called_.wait(lock, [&] { return ends_ || calls_ != seen; });
      if (ends_) return;
      seen = calls_;
      job = job_;
    }
    help(*job);
  }
}

void Crew::run(std::size_t count, const std::function<void(std::size_t index)>& work) {
  const auto job = std::make_shared<Job>();
  job->count = count;
  job->work = &work;
  if (!threads_.empty() && count > 1) {
    {
      const std::lock_guard lock(mutex_);
      job_ = job;
      ++calls_;
    }
    called_.notify_all();
  }
  help(*job);
  // The others are about to be done, as a rule; who waits longer leaves the processor to them.
  constexpr int short_waits = 1000;
  for (int waits = 0; job->done.load(std::memory_order_acquire) < count; ++waits) {
    if (waits < short_waits) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
}

}  // namespace attnlab
