#include "experiments/by_hand/example.hpp"

#include "experiments/by_hand/by_hand.hpp"
#include "experiments/framework/book.hpp"

namespace attnlab {
namespace {

/// With columns of zeros behind its own.
Tensor<double> widened(const Tensor<double>& numbers, std::size_t width) {
  Tensor<double> wider = xt::zeros<double>({numbers.shape()[0], std::max(width, numbers.shape()[1])});
  xt::view(wider, xt::all(), xt::range(0, numbers.shape()[1])) = numbers;
  return wider;
}

/// What each head makes of the values has one column: head 1's alone cancel, as both meanings are as near.
Tensor<double> lent_by(const Tensor<double>& heads, const std::string& stage) {
  Tensor<double> first = xt::view(heads, 0);
  if (stage != "w_value" && stage != "value") return first;
  return xt::concatenate(xt::xtuple(first, Tensor<double>(xt::view(heads, 1))), 1);
}

std::vector<InputArray> arrays_for(const Experiment& experiment, std::size_t width) {
  const ByHandRun run = ByHandRun::compute(Arguments(by_hand_experiment().parameters), quiet_context());
  const std::set<std::string> lent{"x", "w_query", "w_key", "w_value", "query", "key", "value"};
  std::vector<InputArray> arrays;
  for (const DeclaredInput& input : experiment.inputs) {
    const std::string stage = input.name == "memory" ? "x" : input.name;
    if (lent.count(stage) == 0) continue;
    const Tensor<double> numbers = run.tape.numbers_of(stage);
    arrays.push_back(
        {input.name, "by-hand",
         to_array(stage == "x" ? numbers : widened(lent_by(numbers, stage), width), {"rows", "columns"})});
  }
  return arrays;
}

}  // namespace

std::vector<ShortText> names_by_hand() {
  return {Text{"川の", "river"}, Text{"はしで", "bank"}, Text{"食べる", "lends"}};
}

DeclaredExample words_by_hand(std::size_t width) {
  return {parameter("example", ChoiceKind{{"by-hand"}}, "",
                    "配列の代わりに、黒板の例（by-hand）の 3 つの語を使う",
                    "the three words of the example on the blackboard (by-hand) in place of the arrays"),
          [width](const Experiment& experiment) { return arrays_for(experiment, width); }};
}

}  // namespace attnlab
