#include "io/interruption.hpp"

#include "io/atomic_file.hpp"

namespace attnlab {
namespace {

volatile std::sig_atomic_t interruption_requested = 0;

int alive = 0;

void request(int /*number*/) { interruption_requested = 1; }

/// Before the next one the usual handler stands again.
void request_end(int number) {
  interruption_requested = 1;
  signal(number, remove_and_end);
}

}  // namespace

void remove_and_end(int number) {
  signal(number, SIG_DFL);
  remove_unfinished_file();
  raise(number);
}

InterruptionRequest::InterruptionRequest(const std::vector<int>& signals, AgainSignalled again) {
  if (alive++ == 0) interruption_requested = 0;  // what was asked around it still is
  struct sigaction asking {};
  asking.sa_handler = again == AgainSignalled::requests ? request : request_end;
  for (const int number : signals) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &asking, nullptr);
    before_.emplace_back(number, before);
  }
}

InterruptionRequest::~InterruptionRequest() {
  --alive;
  for (const auto& [number, before] : before_) sigaction(number, &before, nullptr);
}

bool InterruptionRequest::requested() { return interruption_requested != 0; }

}  // namespace attnlab
