// Pages with sliders as they are typed: `-o page.html --slide query-angle=0:350:36`.
#pragma once

#include "attnlab/command_line/parser.hpp"
#include "products/page_request.hpp"

namespace attnlab {

Flag slide_flag();

/// What is asked for with -o FILE.html.
struct TypedPage {
  std::vector<std::filesystem::path> files;  // empty: no page
  PageRequest request;
};

/// Those of -o that end in .html, with the sliders of --slide or the experiment's own. Throws Error (usage)
/// for --slide without a page, sliders that cannot be read, more than two of them, or more than 400 frames.
TypedPage read_page(const ParsedCommand& parsed, const Experiment& experiment);

/// What was typed without the pages of -o.
ParsedCommand without_page_files(ParsedCommand parsed);

/// The same with a pattern of --slide as its first value.
ParsedCommand without_pages(ParsedCommand parsed, const TypedPage& page);

/// What stands behind `--flag`. A text with an @ under the parameter's own flag is the pattern. Throws Error
/// (usage) for a parameter that the experiment has not, for one that has a value already, and as sweep_values
/// does.
Swept read_swept(const ParsedCommand& parsed, const Experiment& experiment, const std::string& flag,
                 const std::string& typed);

}  // namespace attnlab
