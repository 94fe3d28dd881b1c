#include "lecture/block_attributes.hpp"

#include "core/error.hpp"
#include "core/formula_line.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr std::string_view blanks = " \t\r\n";

void set_value(const std::string& name, const std::string& value, BlockAttributes& attributes) {
  static const std::map<std::string, std::string> quarto{
      {"fig-cap", "caption"}, {"fig-alt", "alt"}, {"out-width", "width"}};
  if (name == "label") {
    attributes.name = value;
    return;
  }
  const auto known = quarto.find(name);
  attributes.values[known == quarto.end() ? name : known->second] = value;
}

}  // namespace

bool BlockAttributes::has(std::string_view wanted) const {
  return std::find(classes.begin(), classes.end(), wanted) != classes.end();
}

std::vector<std::string> shell_words(std::string_view command) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  const auto add = [&word](char letter) { (word ? *word : word.emplace()) += letter; };
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char letter = command[i];
    const bool is_blank = blanks.find(letter) != std::string_view::npos;
    if (letter == '\\' && quote != '\'' && i + 1 < command.size()) {
      ++i;
      if (command[i] != '\n') add(command[i]);
    } else if (quote == 0 && is_blank) {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
    } else if (quote == letter) {
      quote = 0;
    } else if (quote == 0 && (letter == '\'' || letter == '"')) {
      word = word.value_or("");
      quote = letter;
    } else {
      add(letter);
    }
  }
  if (quote != 0)
    refuse_usage({"引用符が閉じていません", "a quotation mark is not closed"},
                 {"対になる引用符を書いてください", "write the other one"});
  if (word) words.push_back(*word);
  return words;
}

BlockAttributes read_attributes(std::string_view text) {
  text = trimmed(text, blanks);
  if (!text.empty() && text.front() == '{' && text.back() == '}') text = text.substr(1, text.size() - 2);
  BlockAttributes attributes;
  for (const std::string& word : shell_words(text)) {
    const std::size_t equals = word.find('=');
    if (word.rfind('#', 0) == 0) {
      attributes.name = word.substr(1);
    } else if (equals != std::string::npos) {
      set_value(word.substr(0, equals), word.substr(equals + 1), attributes);
    } else {
      attributes.classes.push_back(word.substr(word.rfind('.', 0) == 0 ? 1 : 0));
    }
  }
  return attributes;
}

BlockAttributes take_attributes(std::string& heading) {
  const std::size_t begin = heading.rfind('{');
  if (begin == std::string::npos || heading.back() != '}') return {};
  const std::string typed = heading.substr(begin);
  const bool are_attributes =
      is_one_of(typed.substr(1, 1), {"#", ".", "-"}) || typed.find('=') != std::string::npos;
  if (!are_attributes) return {};
  heading = trimmed(heading.substr(0, begin), blanks);
  return read_attributes(typed);
}

std::string without_option_lines(const std::string& block, BlockAttributes& attributes) {
  std::string command;
  for (const std::string& line : split(block, "\n")) {
    const std::size_t colon = line.find(':');
    if (line.rfind("#|", 0) != 0 || colon == std::string::npos) {
      command += line + "\n";
      continue;
    }
    const std::string name(trimmed(std::string_view(line).substr(2, colon - 2), blanks));
    const std::vector<std::string> value = shell_words(std::string_view(line).substr(colon + 1));
    set_value(name, joined(value, " "), attributes);
  }
  return command;
}

}  // namespace attnlab
