// Flags that several subcommands share, in the groups that the help shows.
#pragma once

#include <vector>

#include "attnlab/flags.hpp"
#include "experiments/framework/experiment.hpp"

namespace attnlab {

Flag help_flag();
Flag quiet_flag();
Flag json_flag();
Flag output_dir_flag();
Flag format_flag();

/// The flags that decide how figures look.
std::vector<Flag> look_flags();

/// The language and the help.
FlagGroup general_group();

/// The experiment's own parameters, and --seed in any case.
FlagGroup parameter_group(const Experiment& experiment);

/// Which figures are drawn, where and how.
FlagGroup figure_group();

/// --explain and --check.
FlagGroup study_group();

/// What is printed and saved.
FlagGroup report_group();

/// The values of a film and its pace; `experiment` is null before it is named.
FlagGroup film_group(const Experiment* experiment);

/// Where the film goes and how it looks.
FlagGroup film_figure_group();

}  // namespace attnlab
