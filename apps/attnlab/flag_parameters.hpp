// The flags that subcommands share and whose values are checked as parameters are.
#pragma once

#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"

namespace attnlab {

Parameter language_parameter();
Parameter theme_parameter();
Parameter preset_parameter();
Parameter dpi_parameter();
Parameter row_parameter();
Parameter show_as_parameter();

/// For experiments that draw no random numbers.
Parameter seed_parameter();

/// Whether the experiment itself declares a parameter of that name.
bool declares(const Experiment& experiment, const std::string& name);

/// What --palette takes.
std::vector<std::string> palette_names();

/// The sections of `attnlab verify`.
Parameter section_parameter();

/// The documents of `attnlab claims`.
Parameter document_parameter();

/// How fast `attnlab sweep` runs its film.
Parameter fps_parameter();
Parameter seconds_parameter();

}  // namespace attnlab
