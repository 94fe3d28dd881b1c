// Runs an experiment for every value of its sliders, and makes one page of the frames.
#pragma once

#include "attnlab/experiment/experiment_request.hpp"
#include "page/page.hpp"

namespace attnlab {

struct Explorable {
  ExplorablePage page;
  std::string figure;  // that it shows
  std::vector<Text> warnings;
  std::vector<Text> of_layout;  // about the room on its page
};

/// With its picture in these languages. Throws Error (usage) as experiment_page.
Explorable explorable_page(const ExperimentRequest& request, const std::vector<Language>& languages);

/// Throws Error (usage) when no figure changes with every slider, or when the one that was asked for does
/// not.
WrittenPage experiment_page(const ExperimentRequest& request);

}  // namespace attnlab
