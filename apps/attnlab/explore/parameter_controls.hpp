// The control of a page that follows from a parameter's description.
#pragma once

#include "experiments/framework/experiment.hpp"
#include "page/page.hpp"

namespace attnlab {

/// Whether it names files: a page is not asked for those.
bool names_files(const Parameter& parameter);

/// One for every parameter that names no files, with the values that the arguments have.
std::vector<PageControl> controls_of(const Experiment& experiment, const Arguments& arguments,
                                     Language language);

}  // namespace attnlab
