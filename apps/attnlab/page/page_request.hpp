// What `-o page.html --slide query-angle=0:350:36` asks for.
#pragma once

#include "attnlab/output/figure_files.hpp"
#include "attnlab/output/look.hpp"
#include "attnlab/sweep/swept.hpp"

namespace attnlab {

struct PageRequest {
  std::vector<std::filesystem::path> files;  // empty: no page
  std::vector<Swept> slides;                 // two at most; none of a page that stands still
  bool are_declared = false;                 // the experiment's own, which nobody asked for
  std::string figure;                        // "" for the first that changes with every slider
  std::function<Figure(Figure)> arranged;    // for a screen of another shape, with a page of its own
};

/// A run and how it looks, as a page shows it; with what else is made of it: ExperimentRequest.
struct PageRun {
  const Experiment* experiment = nullptr;
  Arguments arguments{{}};
  Look look;
  PageRequest page;
};

Flag slide_flag();

/// The sliders that the experiment has by itself, whatever its arguments name.
std::vector<Swept> declared_slides(const Experiment& experiment);

/// Those of -o that end in .html, with the sliders of --slide or the experiment's own. Throws Error (usage)
/// for --slide without a page, sliders that cannot be read, more than two of them, or more than 400 frames.
PageRequest read_page_request(const ParsedCommand& parsed, const Experiment& experiment);

/// Gives the page the sliders that the experiment has by itself, each with the run's own value among the
/// others; none where that is several values at once.
void take_declared_slides(PageRequest& page, const Experiment& experiment, Arguments& arguments,
                          Language language);

/// What was typed without pages; a pattern of --slide as its first value.
ParsedCommand without_pages(ParsedCommand parsed, const PageRequest& page);

}  // namespace attnlab
