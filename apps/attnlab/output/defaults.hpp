// attnlab.toml: what holds where the command line says nothing.
#pragma once

#include "attnlab/command_line/parser.hpp"

namespace attnlab {

/// --lang, the flags of figures' looks, and `model` of `attnlab model` and `generation`, by their names: from
/// attnlab.toml in the folder or the nearest one above it, up to the home folder, and from the user's own in
/// $XDG_CONFIG_HOME/attnlab or ~/.config/attnlab; the nearer file wins, key by key. A file that another user
/// may have written is passed over, as is a key that means nothing here.
struct Defaults {
  std::vector<std::filesystem::path> files;  // that were read, the nearer first
  std::vector<Text> notes;                   // of what was passed over
  std::map<std::string, std::string> values;
  std::optional<Error> fault;  // of a file that cannot be read, or says what it may not say
};

Defaults read_defaults();

/// The language that they name, or nothing.
std::optional<Language> language_of(const Defaults& defaults);

/// Those that the command knows join what was typed; one that does not go together with a typed flag, or has
/// no use for the formats that were typed, does not.
void take_defaults(const Defaults& defaults, ParsedCommand& parsed);

}  // namespace attnlab
