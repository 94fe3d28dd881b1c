// The values of one run: what was set, and the defaults for the rest.
#include "experiments/framework/parameter.hpp"

#include "core/error.hpp"
#include "core/escape.hpp"
#include "core/named.hpp"
#include "experiments/framework/parameter_value.hpp"

namespace attnlab {

template struct OneOf<IntegerKind, NumberKind, NumbersKind, WordsKind, ChoiceKind, SyntaxKind, SwitchKind,
                      FileKind, ItemsKind>;
namespace {

ParameterValue default_of(const Parameter& parameter) {
  if (parameter.default_text.empty()) return std::monostate{};
  return parse_value(parameter, parameter.default_text);
}

Error unknown(const std::vector<Parameter>& parameters, const std::string& name) {
  std::string flags;
  for (const Parameter& parameter : parameters) flags += (flags.empty() ? "--" : ", --") + parameter.name;
  return {ErrorKind::usage,
          attnlab::text("--{} というパラメータはありません", "there is no parameter --{}", name),
          {"使えるのは " + flags + " です", "there are " + flags}};
}

/// Where a file lies is nobody's business: a figure says how it was made.
UsedParameter discreet(const Parameter& parameter, UsedParameter used) {
  if (auto* file = std::get_if<std::string>(&used.value);
      file != nullptr && std::holds_alternative<FileKind>(parameter.kind)) {
    *file = without_folders(*file);
    used.text = *file;
  }
  if (auto* items = std::get_if<std::vector<std::string>>(&used.value);
      items != nullptr && std::holds_alternative<ItemsKind>(parameter.kind)) {
    std::vector<std::string> words;
    for (std::string& item : *items) {
      const std::size_t file = parameter.name == "input" ? item.find('=') + 1 : 0;  // NAME=FILE
      item = item.substr(0, file) + without_folders(item.substr(file));
      words.push_back(with_backslashes(item, ",\\"));
    }
    used.text = joined(words, ",");
  }
  return used;
}

// An experiment that asks for what it did not declare: a mistake in the program, not of the user.
[[noreturn]] void refuse_type(const std::string& name) {
  throw std::logic_error("parameter " + name +
                         " is not set, or is asked for in a type that it does not have");
}

/// The value in its type; a list that is not set is empty.
template <class T>
T typed(const Arguments& arguments, const std::string& name) {
  const ParameterValue value = arguments.value(name);
  if (const T* found = std::get_if<T>(&value)) return *found;
  if (std::is_arithmetic_v<T> || !std::holds_alternative<std::monostate>(value)) refuse_type(name);
  return T{};
}

}  // namespace

std::string without_folders(const std::string& words) {
  return printable(words.substr(words.rfind('/') + 1));
}

Text shown_default(const Parameter& parameter) {
  const std::string& english = parameter.default_in_english;
  return {parameter.default_text, english.empty() ? parameter.default_text : english};
}

Arguments::Arguments(std::vector<Parameter> parameters) : parameters_(std::move(parameters)) {
  for (const Parameter& parameter : parameters_) default_of(parameter);  // throws for a default that is wrong
}

void Arguments::set(const std::string& name, const std::string& text) {
  const Parameter* parameter = find_named(parameters_, name);
  if (parameter == nullptr) throw unknown(parameters_, name);
  parse_value(*parameter, text);
  values_set_[name] = text;
  sources.files.reset();
}

bool Arguments::is_set(const std::string& name) const { return values_set_.count(name) != 0; }

const std::string& Arguments::text(const std::string& name) const {
  const auto found = values_set_.find(name);
  if (found != values_set_.end()) return found->second;
  const Parameter* parameter = find_named(parameters_, name);
  if (parameter == nullptr) refuse_type(name);
  return parameter->default_text;
}

ParameterValue Arguments::value(const std::string& name) const {
  const Parameter* parameter = find_named(parameters_, name);
  if (parameter == nullptr) refuse_type(name);
  return is_set(name) ? parse_value(*parameter, values_set_.at(name)) : default_of(*parameter);
}

long long Arguments::integer(const std::string& name) const { return typed<long long>(*this, name); }

std::size_t Arguments::count(const std::string& name) const {
  const long long found = integer(name);
  if (found < 0) refuse_type(name);
  return static_cast<std::size_t>(found);
}

double Arguments::number(const std::string& name) const { return typed<double>(*this, name); }

bool Arguments::is_on(const std::string& name) const { return typed<bool>(*this, name); }

std::size_t Arguments::place_of_choice(const std::string& name) const {
  const Parameter* parameter = find_named(parameters_, name);
  const auto* choice = parameter == nullptr ? nullptr : std::get_if<ChoiceKind>(&parameter->kind);
  if (choice == nullptr || text(name).empty()) refuse_type(name);
  const std::vector<std::string>& words = choice->choices;
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), text(name)) - words.begin());
}

std::vector<double> Arguments::numbers(const std::string& name) const {
  return typed<std::vector<double>>(*this, name);
}

std::vector<std::string> Arguments::words(const std::string& name) const {
  return typed<std::vector<std::string>>(*this, name);
}

std::vector<UsedParameter> used_parameters(const Arguments& arguments) {
  std::vector<UsedParameter> used;
  for (const Parameter& parameter : arguments.parameters()) {
    if (parameter.name == "input" && !arguments.is_set("input")) continue;  // most runs have no such arrays
    ParameterValue value = arguments.value(parameter.name);
    const bool is_default = value == default_of(parameter);
    used.push_back(
        discreet(parameter, {parameter.name, arguments.text(parameter.name), is_default, std::move(value)}));
  }
  return used;
}

Parameter parameter(std::string name, ParameterKind kind, std::string default_text, std::string ja,
                    std::string en) {
  return {std::move(name), std::move(kind), std::move(default_text), {std::move(ja), std::move(en)}};
}

}  // namespace attnlab
