// Work that ends when it is asked to.
#pragma once

#include <csignal>

#include "core/standard.hpp"

namespace attnlab {

/// A handler: removes the file that is being written, and ends the program as the signal always does. Only
/// calls that are safe in a handler.
void remove_and_end(int number);

/// What a second signal does, when the first has asked.
enum class AgainSignalled { ends, requests };

/// As long as it lives, the first of these signals only asks: the work ends when it may, with what it has. A
/// second one ends the program, unless it asks, too, of work that ends soon. What was ignored before stays
/// ignored.
class InterruptionRequest {
 public:
  explicit InterruptionRequest(const std::vector<int>& signals = {SIGINT},
                               AgainSignalled again = AgainSignalled::ends);
  ~InterruptionRequest();
  InterruptionRequest(const InterruptionRequest&) = delete;
  InterruptionRequest(InterruptionRequest&&) = delete;
  InterruptionRequest& operator=(const InterruptionRequest&) = delete;
  InterruptionRequest& operator=(InterruptionRequest&&) = delete;

  static bool requested();

 private:
  std::vector<std::pair<int, struct sigaction>> before_;
};

}  // namespace attnlab
