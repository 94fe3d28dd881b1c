// A flag as a plain value: the parser, the help, the manual page and the completions read the same table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "experiments/framework/parameter.hpp"

namespace attnlab {

// --- Things that have a name: commands, experiments, parameters, figures, stages

/// Their names, in order.
template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

/// "a", "b" and "" of "a,b,".
std::vector<std::string> split(const std::string& text, const char* separators);

/// The first thing of that name, or nullptr.
template <class Things>
auto* find_named(Things& things, const std::string& name) {
  for (auto& thing : things) {
    if (thing.name == name) return &thing;
  }
  return static_cast<decltype(&*things.begin())>(nullptr);
}

// --- Flags

struct Flag {
  enum class Takes { nothing, one_value, values };  // values: may be given again and again

  std::string name;  // without its dashes
  char letter = 0;   // of the short form, 0 for none
  Takes takes = Takes::nothing;
  std::string form;             // what to type after it
  ShortText default_text = "";  // "" when the help says it in words
  Text help = Text::none();
  std::vector<std::string> choices = {};    // that a shell can offer, where `form` does not list them
  std::optional<Parameter> parameter = {};  // that checks the value, see ParsedCommand::checked

  /// The builder: flag("output", "FILE", ja, en).shortened('o').repeated().
  Flag& shortened(char short_form) {
    letter = short_form;
    return *this;
  }
  Flag& repeated() {
    takes = Takes::values;
    return *this;
  }
  Flag& otherwise(const ShortText& value) {  // the default
    default_text = value;
    return *this;
  }
  Flag& offering(const std::vector<std::string>& words) {
    choices = words;
    return *this;
  }
};

/// A switch; a flag with a value in this form; a flag whose value is checked as a parameter is.
Flag flag(const std::string& name, const std::string& ja, const std::string& en);
Flag flag(const std::string& name, const std::string& form, const std::string& ja, const std::string& en);
Flag flag(const std::string& name, const ParameterKind& kind, const std::string& default_text,
          const std::string& ja, const std::string& en);
Flag flag(const Parameter& parameter);

struct FlagGroup {
  Text title;
  std::vector<Flag> flags;
};

Flag help_flag();
Flag quiet_flag();
Flag json_flag();

/// The language and the help.
FlagGroup general_group();

/// What is printed.
FlagGroup report_group(const std::vector<Flag>& flags);

/// "-o, --output FILE" or "--count 1..512".
std::string usage_of(const Flag& flag);

}  // namespace attnlab
