// A command as it can be typed again: what the metadata of every file tell.
#pragma once

#include "results/report/report.hpp"

namespace attnlab {

struct TypedFlag {
  std::string name;
  std::optional<std::string> value;  // nothing of a switch
};

/// The parameters that are not at their default.
std::vector<TypedFlag> typed_flags(const std::vector<UsedParameter>& parameters);

/// The command with these flags, their values quoted where a shell would read them as anything else than one
/// plain word; on one line, whatever they hold.
std::string command_with(std::string command, const std::vector<TypedFlag>& flags);

/// "attnlab vectors --count 12". drawing_command (look.hpp) adds the figure and its look; the place of a file
/// is left out, so that every way to draw it gives the same bytes.
std::string command_of(const Report& report);

}  // namespace attnlab
