// The user's arrays become part of the arguments: names, axes, lengths and values are checked.
#include "core/error.hpp"
#include "core/named.hpp"
#include "experiments/framework/inputs.hpp"

namespace attnlab {
namespace {

std::string axes_text(const DeclaredInput& input) { return joined(input.axes, ", "); }

/// "--input x=x.npy (6, 16)"
std::string recorded(const InputArray& array) {
  return fmt::format("--input {}={} {}", array.name, array.source, shape_text(array.values.shape));
}

bool broadcasts(const DeclaredInput& input) { return input.axes.front() == "..."; }

/// The declaration of that name and number of axes: a variant may have another one.
const DeclaredInput& declaration_of(const Experiment& experiment, const InputArray& array) {
  std::vector<std::string> known;
  for (const DeclaredInput& input : experiment.inputs) {
    if (input.name != array.name) continue;
    if (broadcasts(input) || input.axes.size() == array.values.shape.size()) return input;
    known.push_back("(" + axes_text(input) + ")");
  }
  refuse_usage(text("{} の軸は {} 本です", "{} has {} axes", recorded(array), array.values.shape.size()),
               text("{} の軸は {} です", "{} has the axes {}", array.name, joined(known, ", ")));
}

void check_values(const InputArray& array, const DeclaredInput& input) {
  const auto odd = std::find_if(array.values.data.begin(), array.values.data.end(), [&](double value) {
    const bool hides = input.may_hide && value == -std::numeric_limits<double>::infinity();
    return !std::isfinite(value) && !hides;
  });
  if (odd == array.values.data.end()) return;
  refuse_failed(text("{} に {} があります", "{} holds {}", recorded(array), python_repr(*odd)),
                {"有限の数だけにしてください", "use finite numbers only"});
}

bool is_length(const std::string& axis) {
  return std::all_of(axis.begin(), axis.end(),
                     [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

/// Who said how long an axis is.
using LengthSources = std::map<std::string, std::string>;

void set_length(Arguments& arguments, const InputArray& array, const std::string& parameter,
                std::size_t length, LengthSources& sources) {
  const auto reported = sources.find(parameter);
  if (reported == sources.end() && !arguments.is_set(parameter)) {
    try {
      arguments.set(parameter, std::to_string(length));
    } catch (const Error& error) {
      throw Error(ErrorKind::usage, text("{}：{}", "{}: {}", recorded(array), error.message()),
                  {"その大きさの配列を指定してください", "give an array of such a size"});
    }
    sources[parameter] = recorded(array);
    return;
  }
  if (arguments.count(parameter) == length) return;
  if (reported != sources.end() && reported->second == recorded(array)) {
    refuse_usage(
        text("{}：軸は ({}) です", "{}: its axes are ({})", recorded(array), array.axes),
        text("{} が同じ長さの配列を指定してください", "give both axes of {} the same length", parameter));
  }
  const std::string other = reported != sources.end()
                                ? reported->second
                                : fmt::format("--{} {}", parameter, arguments.text(parameter));
  refuse_usage(text("{} と {} が合いません（{} は {} と {}）", "{} contradicts {} ({} is {} and {})",
                    recorded(array), other, parameter, length, arguments.text(parameter)),
               {"どちらかを直すか、片方を指定しないでください", "correct one of them, or leave one out"});
}

/// A list of numbers that could as well be typed: its range and its length hold.
void set_numbers(Arguments& arguments, const InputArray& array) {
  if (arguments.is_set(array.name) && arguments.numbers(array.name) != array.values.data) {
    refuse_usage(text("{} と --{} は同時に指定できません", "{} and --{} cannot be given together",
                      recorded(array), array.name),
                 {"どちらか一方にしてください", "give one of them"});
  }
  std::vector<std::string> numbers;
  for (const double value : array.values.data) numbers.push_back(python_repr(value));
  arguments.set(array.name, joined(numbers, ","));
}

bool is_list_of_numbers(const Arguments& arguments, const std::string& name) {
  const Parameter* parameter = find_named(arguments.parameters(), name);
  return parameter != nullptr && std::holds_alternative<NumbersKind>(parameter->kind);
}

/// Of an array that broadcasts the lengths of its last axes, where these are parameters that nothing else
/// says; a length of 1 says none.
void set_last_lengths(Arguments& arguments, const InputArray& array, const DeclaredInput& input,
                      LengthSources& sources) {
  const std::vector<std::string> last(input.axes.begin() + 1, input.axes.end());  // behind "..."
  const std::vector<std::size_t>& shape = array.values.shape;
  const bool are_parameters = std::all_of(last.begin(), last.end(), [&](const std::string& name) {
    return find_named(arguments.parameters(), name) != nullptr;
  });
  if (!are_parameters || shape.size() < last.size()) return;
  for (std::size_t axis = 0; axis < last.size(); ++axis) {
    const std::size_t length = shape[shape.size() - last.size() + axis];
    if (length > 1 && !arguments.is_set(last[axis]))
      set_length(arguments, array, last[axis], length, sources);
  }
}

void give(Arguments& arguments, const Experiment& experiment, InputArray array, LengthSources& sources) {
  const DeclaredInput& input = declaration_of(experiment, array);
  check_values(array, input);
  if (is_list_of_numbers(arguments, array.name)) return set_numbers(arguments, array);
  array.axes = axes_text(input);
  if (broadcasts(input)) {
    set_last_lengths(arguments, array, input, sources);
    return arguments.sources.arrays.push_back(std::move(array));
  }
  for (std::size_t axis = 0; axis < input.axes.size(); ++axis) {
    const std::string& meaning = input.axes[axis];
    const std::size_t length = array.values.shape[axis];
    const Parameter* parameter = find_named(arguments.parameters(), meaning);
    const bool is_parameter = parameter != nullptr && std::holds_alternative<IntegerKind>(parameter->kind);
    if (is_parameter) set_length(arguments, array, meaning, length, sources);
    if (is_length(meaning) && meaning != std::to_string(length)) {
      refuse_usage(text("{} の軸は ({}) です", "{}: its axes are ({})", recorded(array), array.axes),
                   {"形状を合わせてください", "give it that shape"});
    }
    array.free.push_back(meaning.back() == '?');
  }
  arguments.sources.arrays.push_back(std::move(array));
}

}  // namespace

std::vector<std::string> input_names(const std::vector<DeclaredInput>& inputs) {
  std::vector<std::string> names;
  for (const DeclaredInput& input : inputs) {
    if (std::find(names.begin(), names.end(), input.name) == names.end()) names.push_back(input.name);
  }
  return names;
}

Parameter input_parameter(const std::vector<DeclaredInput>& inputs) {
  const std::string all = joined(input_names(inputs), ", ");
  return {
      "input", ItemsKind{"NAME=FILE,..."}, "",
      text(
          "引く乱数や決まった値の代わりに使う、自分の配列（npy, npz, csv, json, safetensors, pt, gguf）。大きさは配列に従います。名前：{}",
          "your own arrays in place of random or assumed ones (npy, npz, csv, json, safetensors, pt, gguf); sizes follow them; names: {}",
          all)};
}

void give_arrays(Arguments& arguments, const Experiment& experiment, const std::vector<InputArray>& arrays) {
  LengthSources sources;
  std::set<std::string> names;
  for (const InputArray& array : arrays) {
    if (!names.insert(array.name).second) {
      refuse_usage(text("--input {} が 2 回指定されています", "--input {} is given twice", array.name),
                   {"1 つにしてください", "give it once"});
    }
    give(arguments, experiment, array, sources);
  }
}

}  // namespace attnlab
