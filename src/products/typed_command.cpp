#include "products/typed_command.hpp"

#include <cctype>

#include "core/escape.hpp"

namespace attnlab {
namespace {

bool is_control(unsigned char letter) { return letter < 0x20 || letter == 0x7f; }

bool is_plain(unsigned char letter) {
  constexpr std::string_view plain_marks = "-_.,:=+/@%";
  return std::isalnum(letter) != 0 || letter >= 0x80 ||
         plain_marks.find(static_cast<char>(letter)) != std::string_view::npos;
}

/// In single quotes unless it is a plain word; control characters in those of $'...' (bash, zsh, ksh).
std::string shell_word(const std::string& text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  if (std::none_of(text.begin(), text.end(), is_control))
    return "'" + with_words(text, {{'\'', "'\\''"}}) + "'";
  std::string word;
  for (const char letter : with_backslashes(text, "\\'"))
    word += is_control(static_cast<unsigned char>(letter)) ? fmt::format("\\{:03o}", letter)
                                                           : std::string(1, letter);
  return "$'" + word + "'";
}

}  // namespace

std::vector<TypedFlag> typed_flags(const std::vector<UsedParameter>& parameters) {
  std::vector<TypedFlag> typed;
  for (const UsedParameter& parameter : parameters) {
    if (!parameter.is_default) typed.push_back({parameter.name, parameter.text});
  }
  return typed;
}

std::string command_with(std::string command, const std::vector<TypedFlag>& flags) {
  for (const TypedFlag& flag : flags) {
    command += " --" + flag.name;
    if (flag.value) command += " " + shell_word(*flag.value);
  }
  return command;
}

std::string command_of(const Report& report) {
  return command_with("attnlab " + report.experiment, typed_flags(report.parameters));
}

}  // namespace attnlab
