// Runs an experiment for every value of its sliders, and makes one page of the frames.
#pragma once

#include "page/page.hpp"
#include "products/page_request.hpp"

namespace attnlab {

/// A request without slides is a page of the report, which is as drawn; likewise where sliders that nobody
/// requested do not go together with the rest. Throws Error (usage) when no figure changes with every slider,
/// or when the requested one does not.
WrittenPage experiment_page(const PageRun& request, const Report& report, const Progress& progress);

/// A page with one figure of the run.
struct DrawnPage {
  ExplorablePage page;
  std::vector<std::string> names;   // of all figures that the run has
  std::string figure;               // of this one
  std::optional<SweepValues> idle;  // the first slider that does not change it
  std::vector<Text> warnings;
  std::vector<Text> of_layout;  // about the room on its page
};

/// With its picture in these languages, and no slider idle. Throws Error (usage) as experiment_page.
DrawnPage explorable_page(const PageRun& request, const std::vector<Language>& languages);

/// One run as a page without sliders, in the look's language alone and laid out for a window of this width,
/// in pixels: of a request whose page has no slides, all its warnings together. Throws what the run throws,
/// and Error (usage) for a figure that it has not.
DrawnPage live_page(const PageRun& request, double window);

}  // namespace attnlab
