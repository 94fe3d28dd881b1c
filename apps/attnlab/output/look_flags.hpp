// The look of figures as it is typed: --theme, --preset, --size, --palette and their kin.
#pragma once

#include "attnlab/command_line/parser.hpp"
#include "products/look.hpp"

namespace attnlab {

/// The flags that read_look knows, but for those of these names.
std::vector<Flag> look_flags(const std::set<std::string>& without = {});

/// Throws Error (usage) for what cannot be read, or does not go together.
Look read_look(const ParsedCommand& parsed, Language language);

/// What --palette takes.
std::vector<std::string> palette_names();

/// Of --range: "0:1", "data", "log", "rest". Throws Error (usage) for other words, and numbers that do not
/// rise.
void read_range(const std::string& text, ColourChoice& choice);

/// Those of these flags that were typed and say anything else than their defaults in this command.
std::vector<TypedFlag> typed_flags(const ParsedCommand& parsed, const std::vector<Flag>& flags);

}  // namespace attnlab
