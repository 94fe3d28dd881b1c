#include "products/swept.hpp"
#include "core/error.hpp"
#include "core/named.hpp"

#include "core/constants.hpp"
#include "core/similar_words.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

const Parameter& swept_parameter(const Experiment& experiment, const std::string& name) {
  if (const Parameter* found = find_named(experiment.parameters, name)) return *found;
  refuse_usage(text("{} に {} というパラメータはありません", "{} has no parameter {}", experiment.name,
                    quotation(name)),
               suggestion_before(name, names_of(experiment.parameters), choose_parameter(experiment)));
}

/// A range is of numbers; a list may hold any values.
void require_number(const Experiment& experiment, const Parameter& parameter, const std::string& flag,
                    const std::string& words) {
  const bool is_list = words.find(',') != std::string::npos;
  if (is_list || takes_number(parameter)) return;
  refuse_usage(text("--{} は 1 つの数値ではありません", "--{} is not a single number", parameter.name),
               text("--{2} {0}=A,B のように値を並べるか、--{0} の値の中に @ を書いてください。{1}",
                    "list its values as in --{2} {0}=A,B, or write an @ into the value of --{0}; {1}",
                    parameter.name, choose_parameter(experiment), flag));
}

}  // namespace

std::vector<TypedFlag> typed_flags(const Arguments& arguments, const std::vector<Swept>& swept,
                                   const std::string& flag) {
  std::vector<TypedFlag> typed;
  for (const TypedFlag& fixed : typed_flags(used_parameters(arguments))) {
    const auto is_its = [&](const Swept& one) { return one.values.parameter == fixed.name; };
    if (std::none_of(swept.begin(), swept.end(), is_its)) typed.push_back(fixed);
  }
  for (const Swept& one : swept) {
    if (!one.pattern.empty()) typed.push_back({one.values.parameter, one.pattern});
    typed.push_back({flag, one.values.parameter + "=" + one.words});
  }
  return typed;
}

std::vector<std::string> numeric_parameters(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const Parameter& parameter : experiment.parameters) {
    if (takes_number(parameter)) names.push_back(parameter.name);
  }
  return names;
}

Text choose_parameter(const Experiment& experiment) {
  const std::vector<std::string> numbers = numeric_parameters(experiment);
  if (!numbers.empty()) {
    return text("{} の数値のパラメータは {} です", "the numeric parameters of {} are {}", experiment.name,
                joined(numbers, ", "));
  }
  std::vector<std::string> lists;
  for (const Parameter& parameter : experiment.parameters) {
    if (std::holds_alternative<NumbersKind>(parameter.kind)) lists.push_back(parameter.name);
  }
  return text(
      "{0} のパラメータ {1} は数の並びです（例：attnlab sweep {0} --{2} @,1 --over {2}=-1:1）",
      "the parameters of {0}, {1}, are lists of numbers, as in attnlab sweep {0} --{2} @,1 --over {2}=-1:1",
      experiment.name, joined(lists, ", "), lists.empty() ? "NAME" : lists.front());
}

void refuse_without_values(const Experiment& experiment, const std::string& flag, const Text& problem) {
  const std::vector<std::string> numbers = numeric_parameters(experiment);
  refuse_usage(problem, numbers.empty()
                            ? choose_parameter(experiment)
                            : text("{} {}=始め:終わり の形で指定してください。{}", "write {} {}=FROM:TO; {}",
                                   flag, numbers.front(), choose_parameter(experiment)));
}

std::string current_value(const Arguments& arguments, const Parameter& parameter, Language language) {
  const std::string& own = arguments.text(parameter.name);
  return own == parameter.default_text ? shown_default(parameter).in(language) : own;
}

std::size_t place_of(const std::vector<std::string>& values, const std::string& own) {
  const auto found = std::find(values.begin(), values.end(), own);
  if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
  const std::vector<std::string> items = split(own, ",");  // of a list the middle one
  const std::optional<double> number = number_from<double>(items[items.size() / 2]);
  if (!number) return values.size() / 2;
  const auto distance = [&](const std::string& value) {
    return std::abs(number_from<double>(value).value_or(infinity) - *number);
  };
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (distance(values[i]) < distance(values[nearest])) nearest = i;
  }
  return nearest;
}

std::optional<Swept> with_current_value(Swept slide, const Arguments& arguments, Language language) {
  const Parameter& parameter = *find_named(arguments.parameters(), slide.values.parameter);
  const std::string own = current_value(arguments, parameter, language);
  std::vector<std::string> items = split(own, ",");
  std::size_t item = 0;  // of a list, which is moved
  if (!slide.pattern.empty()) {
    const std::vector<std::string> pattern = split(slide.pattern, ",");
    item = static_cast<std::size_t>(std::find(pattern.begin(), pattern.end(), "@") - pattern.begin());
    if (item >= items.size()) return std::nullopt;
    items[item] = "@";
    slide.pattern = joined(items, ",");
    slide.values = sweep_values(parameter, slide.words, slide.pattern);
  } else if (items.size() > 1 && arguments.text(parameter.name) != parameter.default_text) {
    return std::nullopt;
  }
  const auto number = [&](const std::string& text) { return number_from<double>(split(text, ",").at(item)); };
  std::vector<std::string>& texts = slide.values.texts;
  if ((items.size() > 1 && slide.pattern.empty()) || !number(texts.front())) return slide;
  std::size_t place = 0;
  if (const std::optional<double> value = number(own)) {
    const bool rises = *number(texts.front()) < *number(texts.back());
    while (place < texts.size() && (rises ? *number(texts[place]) < *value : *number(texts[place]) > *value))
      ++place;
    if (place < texts.size() && *number(texts[place]) == *value) {
      texts[place] = own;
      return slide;
    }
  }
  const auto at = static_cast<std::ptrdiff_t>(place);
  texts.insert(texts.begin() + at, own);
  slide.values.places.insert(slide.values.places.begin() + at,
                             slide.values.places[std::min(place, texts.size() - 2)]);
  return slide;
}

std::string swept_name(const std::string& typed) { return typed.substr(0, typed.find('=')); }

Swept read_swept(const Experiment& experiment, const std::string& flag, const std::string& typed,
                 const std::string& pattern) {
  const std::string name = swept_name(typed);
  const Parameter& parameter = swept_parameter(experiment, name);
  if (name == typed) {
    refuse_usage(text("--{} {} に値がありません", "--{} {} names no values", flag, name),
                 text("--{1} {0}=始め:終わり[:lin|log][:コマ数] の形で指定してください",
                      "write --{1} {0}=FROM:TO[:lin|log][:FRAMES]", name, flag));
  }
  Swept swept{{}, typed.substr(name.size() + 1), pattern};
  if (pattern.empty()) require_number(experiment, parameter, flag, swept.words);
  swept.values = sweep_values(parameter, swept.words, pattern, flag);
  return swept;
}

}  // namespace attnlab
