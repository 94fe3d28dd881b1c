#include "core/crew.hpp"

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
    if (job.done.fetch_add(1) + 1 < job.count) continue;
    const std::lock_guard lock(mutex_);
    finished_.notify_all();
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
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [&] { return job->done >= count; });
}

}  // namespace attnlab
