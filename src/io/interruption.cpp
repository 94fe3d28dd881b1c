#include "io/interruption.hpp"

#include "io/atomic_file.hpp"

namespace attnlab {
namespace {

volatile std::sig_atomic_t interruption_asked = 0;

int alive = 0;

void ask(int /*number*/) { interruption_asked = 1; }

/// Before the next one the usual handler stands again.
void ask_to_end(int number) {
  interruption_asked = 1;
  signal(number, remove_and_end);
}

}  // namespace

void remove_and_end(int number) {
  signal(number, SIG_DFL);
  remove_unfinished_file();
  raise(number);
}

InterruptionAsks::InterruptionAsks(const std::vector<int>& signals, AgainSignalled again) {
  if (alive++ == 0) interruption_asked = 0;  // what was asked around it still is
  struct sigaction asking {};
  asking.sa_handler = again == AgainSignalled::asks ? ask : ask_to_end;
  for (const int number : signals) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &asking, nullptr);
    before_.emplace_back(number, before);
  }
}

InterruptionAsks::~InterruptionAsks() {
  --alive;
  for (const auto& [number, before] : before_) sigaction(number, &before, nullptr);
}

bool InterruptionAsks::asked() { return interruption_asked != 0; }

}  // namespace attnlab
