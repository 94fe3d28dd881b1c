// A flag as a plain value: the parser, the help, the manual page and the completions read the same table.
#pragma once

#include <string>
#include <vector>

#include "core/text.hpp"
#include "experiments/framework/parameter.hpp"

namespace attnlab {

struct Flag {
  enum class Takes { nothing, one_value, values };  // values: may be given again and again

  std::string name;  // without its dashes
  char letter = 0;   // of the short form, 0 for none
  Takes takes = Takes::one_value;
  std::string form;        // what to type after it
  ShortText default_text;  // "" when the help says it in words
  Text help;
  std::vector<std::string> choices = {};  // that a shell can offer, where `form` does not list them
};

struct FlagGroup {
  Text title;
  std::vector<Flag> flags;
};

/// The flag that sets a parameter.
Flag flag_for(const Parameter& parameter);

/// "-o, --output FILE" or "--count 1..512".
std::string usage_of(const Flag& flag);

}  // namespace attnlab
