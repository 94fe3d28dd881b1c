// Work that ends when it is asked to.
#pragma once

#include <csignal>

#include "core/standard.hpp"

namespace attnlab {

/// A handler: removes the file that is being written, and ends the program as the signal always does. Only
/// calls that are safe in a handler.
void remove_and_end(int number);

/// What a second signal does, when the first has asked.
enum class AgainSignalled { ends, asks };

/// As long as it lives, the first of these signals only asks: the work ends when it may, with what it has. A
/// second one ends the program, unless it asks, too, of work that ends soon. What was ignored before stays
/// ignored.
class InterruptionAsks {
 public:
  explicit InterruptionAsks(const std::vector<int>& signals = {SIGINT},
                            AgainSignalled again = AgainSignalled::ends);
  ~InterruptionAsks();
  InterruptionAsks(const InterruptionAsks&) = delete;
  InterruptionAsks(InterruptionAsks&&) = delete;
  InterruptionAsks& operator=(const InterruptionAsks&) = delete;
  InterruptionAsks& operator=(InterruptionAsks&&) = delete;

  static bool asked();

 private:
  std::vector<std::pair<int, struct sigaction>> before_;
};

}  // namespace attnlab
