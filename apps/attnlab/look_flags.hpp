// The flags that decide how figures look, and what is typed after them.
#pragma once

#include <vector>

#include "attnlab/command_line/parser.hpp"
#include "attnlab/flags.hpp"
#include "attnlab/look.hpp"

namespace attnlab {

/// "preset", "theme", ...: every flag that read_look knows.
std::vector<std::string> look_flag_names();

/// Throws Error (usage) for what cannot be read, or does not go together.
Look read_look(const ParsedCommand& parsed, Language language);

/// "0:1", "data". Throws Error (usage) for anything but `data` and two rising numbers.
ColourRange parse_range(const std::string& text);

/// Names of palettes joined by commas, at most one of each kind. Throws Error (usage) naming them all.
void read_palettes(const std::string& text, ColourChoice& choice);

}  // namespace attnlab
