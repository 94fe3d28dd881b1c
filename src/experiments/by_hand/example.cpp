#include "experiments/by_hand/example.hpp"

#include "experiments/by_hand/by_hand.hpp"
#include "experiments/framework/book.hpp"

namespace attnlab {
namespace {

/// Of head 1, with columns of zeros behind its own.
Tensor<double> of_first_head(const Tensor<double>& heads, std::size_t width) {
  const Tensor<double> first = xt::view(heads, 0);
  Tensor<double> wider = xt::zeros<double>({first.shape()[0], std::max(width, first.shape()[1])});
  xt::view(wider, xt::all(), xt::range(0, first.shape()[1])) = first;
  return wider;
}

std::vector<InputArray> arrays_for(const Experiment& experiment, std::size_t width) {
  const ByHandRun run = ByHandRun::compute(Arguments(by_hand_experiment().parameters), quiet_context());
  const std::set<std::string> lent{"x", "w_query", "w_key", "w_value", "query", "key", "value"};
  std::vector<InputArray> arrays;
  for (const DeclaredInput& input : experiment.inputs) {
    const std::string stage = input.name == "memory" ? "x" : input.name;
    if (lent.count(stage) == 0) continue;
    const Tensor<double> numbers = run.tape.numbers_of(stage);
    arrays.push_back({input.name, "by-hand",
                      to_array(stage == "x" ? numbers : of_first_head(numbers, width), {"rows", "columns"})});
  }
  return arrays;
}

}  // namespace

DeclaredExample words_by_hand(std::size_t width) {
  return {parameter("example", ChoiceKind{{"by-hand"}}, "",
                    "配列の代わりに、黒板の例（by-hand）の 3 つの語を使う",
                    "the three words of the example on the blackboard (by-hand) in place of the arrays"),
          [width](const Experiment& experiment) { return arrays_for(experiment, width); }};
}

}  // namespace attnlab
