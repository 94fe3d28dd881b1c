// What `attnlab explore vectors --count 12` is to do.
#pragma once

#include "attnlab/experiment/experiment_request.hpp"

namespace attnlab {

struct ExploreRequest {
  PageRun experiment;  // with what was typed: the values that the page begins with
  int port = 0;        // 0: any that is free
  enum class Browser { open, leave };
  Browser browser = Browser::open;
};

/// Throws Error (usage) for what cannot be read.
ExploreRequest read_explore_request(const ParsedCommand& parsed, Language language);

}  // namespace attnlab
