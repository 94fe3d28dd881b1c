// The help pages and the list of experiments.
#pragma once

#include <string>
#include <vector>

#include "attnlab/command_line/commands.hpp"
#include "core/text.hpp"

namespace attnlab {

/// What `attnlab --help` prints.
std::string main_help(const Command& attnlab, const std::vector<Command>& subcommands, Language language);

/// What `attnlab NAME --help` prints: every flag with its form and default.
std::string command_help(const Command& command, Language language);

/// What `attnlab list` prints: a line per experiment with its name, what it shows and where it comes from.
std::string experiment_list(const std::vector<Experiment>& experiments, Language language);

}  // namespace attnlab
