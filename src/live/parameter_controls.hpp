// The control of a page that follows from a parameter's description.
#pragma once

#include "experiments/framework/experiment.hpp"
#include "page/page.hpp"

namespace attnlab {

/// Whether it names files: a page is not asked for those.
bool names_files(const Parameter& parameter);

/// Whether words may be typed where a file may be named: those a page is asked for.
bool takes_words_too(const Parameter& parameter);

/// Whether "-" is what comes on standard input, which is the command line's.
bool takes_standard_input(const Parameter& parameter);

/// What a page typed there: words, whatever files there are.
std::string as_words(const std::string& typed);

/// One for every parameter that names no files or takes words as well, with the values that the arguments
/// have.
std::vector<PageControl> controls_of(const Experiment& experiment, const Arguments& arguments,
                                     Language language);

}  // namespace attnlab
