// What a page shows of a run: which figure, and what its sliders change.
#pragma once

#include "products/look.hpp"
#include "products/run.hpp"
#include "products/swept.hpp"

namespace attnlab {

struct PageRequest {
  std::vector<Swept> slides;  // two at most; none of a page that stands still
  bool are_declared = false;  // the experiment's own, which nobody asked for
  std::vector<Text> notes;    // of what these do not reach
  std::string figure;         // "" for the first that changes with every slider
};

/// A run and how it looks, as a page shows it.
struct PageRun {
  Run run;
  Look look;
  PageRequest page;
};

/// The sliders that the experiment has by itself, whatever its arguments name.
std::vector<Swept> declared_slides(const Experiment& experiment);

/// Gives the page the sliders that the experiment has by itself, each with the run's own value among the
/// others; none where that is several values at once.
void take_declared_slides(PageRequest& page, const Experiment& experiment, Arguments& arguments,
                          Language language);

}  // namespace attnlab
