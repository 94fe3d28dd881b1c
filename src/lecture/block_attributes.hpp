// What stands in the braces of a block, and the words of a command line: as pandoc and a shell read them.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Between braces, or one bare word: {.report .say #name caption="..."}.
struct BlockAttributes {
  std::vector<std::string> classes;           // without their dots
  std::string name;                           // an identifier, without its #
  std::map<std::string, std::string> values;  // Quarto's names as pandoc's: fig-cap is "caption"

  bool has(std::string_view wanted) const;
};

/// Throws Error (usage) for a quotation mark that is not closed.
BlockAttributes read_attributes(std::string_view text);

/// Those in braces behind a heading, which leave it: "Notes {#notes .unnumbered}". Throws as read_attributes.
BlockAttributes take_attributes(std::string& heading);

/// Spaces and ends of lines divide, quotation marks and backslashes hold together. Throws Error (usage) for a
/// quotation mark that is not closed.
std::vector<std::string> shell_words(std::string_view command);

/// Takes lines such as `#| fig-cap: "..."` for attributes, and returns the others.
std::string without_option_lines(const std::string& block, BlockAttributes& attributes);

}  // namespace attnlab
