#include "experiments/by_hand/example.hpp"

#include "core/named.hpp"

namespace attnlab {
namespace {

/// Three words, and what head 1 of `by-hand` makes of them.
Report blackboard() {
  const Experiment by_hand = by_hand_experiment();
  return run(by_hand, Arguments(by_hand.parameters));
}

/// The first of the heads, where there are several.
Array first_head(const Array& array) {
  if (array.shape.size() < 3) return array;
  Array first{{array.shape[1], array.shape[2]}, {}, {}};
  first.data.assign(array.data.begin(),
                    array.data.begin() + static_cast<std::ptrdiff_t>(first.shape[0] * first.shape[1]));
  return first;
}

/// With columns of zeros behind its own, or the first of them alone.
Array with_columns(const Array& array, std::size_t columns) {
  Array result{{array.shape[0], columns}, {}, std::vector<double>(array.shape[0] * columns)};
  for (std::size_t i = 0; i < array.shape[0]; ++i)
    for (std::size_t j = 0; j < std::min(columns, array.shape[1]); ++j)
      result.data[i * columns + j] = array.data[i * array.shape[1] + j];
  return result;
}

/// By experiment, the width of what is made of a word; 0: as in by-hand.
const std::map<std::string, std::size_t>& widths() {
  static const std::map<std::string, std::size_t> all{
      {"self-attention", 3}, {"pooling", 3}, {"masks", 2}, {"cross-attention", 0}};
  return all;
}

}  // namespace

bool takes_example(const std::string& experiment) {
  return widths().count(experiment) > 0;
}

std::vector<GivenArray> example_by_hand(const std::string& experiment,
                                        const std::vector<DeclaredInput>& inputs) {
  static const std::map<std::string, std::string> stages{
      {"x", "x"},         {"memory", "x"}, {"w_query", "w_query"}, {"w_key", "w_key"}, {"w_value", "w_value"},
      {"query", "query"}, {"key", "key"},  {"value", "value"}};
  const std::size_t width = widths().at(experiment);
  const Report report = blackboard();
  std::vector<GivenArray> arrays;
  for (const DeclaredInput& input : inputs) {
    const auto stage_name = stages.find(input.name);
    if (stage_name == stages.end()) continue;
    Array array = first_head(stage(report, stage_name->second).array);
    const bool is_word = stage_name->second == "x";
    if (width > 0 && !is_word) array = with_columns(array, width);
    arrays.push_back({input.name, "by-hand", std::move(array)});
  }
  return arrays;
}

Parameter example_parameter() {
  return parameter("example", ChoiceKind{{"by-hand"}}, "",
                   "配列の代わりに、黒板の例（by-hand）の 3 つの語を使う",
                   "the three words of the example on the blackboard (by-hand) in place of the arrays");
}

}  // namespace attnlab
