// Runs an experiment for every value of its sliders, and makes one page of the frames.
#pragma once

#include "page/page.hpp"
#include "products/page_request.hpp"

namespace attnlab {

/// A request without slides is a page of the report, which is as drawn. Throws Error (usage) when no figure
/// changes with every slider, or when the one that was asked for does not.
WrittenPage experiment_page(const PageRun& request, const Report& report, const Progress& progress);

/// The same where there is no report yet.
WrittenPage experiment_page(const PageRun& request, const Progress& progress);

struct Explorable {
  ExplorablePage page;
  std::string figure;  // that it shows
  std::vector<Text> warnings;
  std::vector<Text> of_layout;  // about the room on its page
};

/// With its picture in these languages. Throws Error (usage) as experiment_page.
Explorable explorable_page(const PageRun& request, const std::vector<Language>& languages);

/// One run as a page without sliders, in the look's language alone.
struct LiveFrame {
  ExplorablePage page;
  std::vector<std::string> figures;  // names of all that the run has
  std::string figure;                // of this one
  std::vector<Text> warnings;
};

/// Of a request whose page has no slides. Throws what the run throws, and Error (usage) for a figure that it
/// has not.
LiveFrame live_frame(const PageRun& request);

}  // namespace attnlab
