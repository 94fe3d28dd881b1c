#include "experiments/by_hand/example.hpp"

#include "core/named.hpp"
#include "experiments/by_hand/by_hand.hpp"

namespace attnlab {
namespace {

/// By experiment, the width of what is made of a word; 0: as in by-hand.
const std::map<std::string, std::size_t>& widths() {
  static const std::map<std::string, std::size_t> all{
      {"self-attention", 3}, {"pooling", 3}, {"masks", 2}, {"cross-attention", 0}};
  return all;
}

/// Of head 1, with columns of zeros behind its own.
Tensor<double> of_first_head(const Tensor<double>& heads, std::size_t width) {
  const Tensor<double> first = xt::view(heads, 0);
  Tensor<double> wider = xt::zeros<double>({first.shape()[0], std::max(width, first.shape()[1])});
  xt::view(wider, xt::all(), xt::range(0, first.shape()[1])) = first;
  return wider;
}

std::vector<GivenArray> example_by_hand(const Experiment& experiment) {
  const ByHandRun run = ByHandRun::compute(Arguments(by_hand_experiment().parameters), quiet_context());
  const std::size_t width = widths().at(experiment.name);
  const auto made = [width](const Tensor<double>& heads) { return of_first_head(heads, width); };
  const std::map<std::string, Tensor<double>> known{{"x", run.x},
                                                    {"memory", run.x},
                                                    {"w_query", made(run.w_query)},
                                                    {"w_key", made(run.w_key)},
                                                    {"w_value", made(run.w_value)},
                                                    {"query", made(run.query)},
                                                    {"key", made(run.key)},
                                                    {"value", made(run.value)}};
  std::vector<GivenArray> arrays;
  for (const DeclaredInput& input : experiment.inputs) {
    const auto found = known.find(input.name);
    if (found != known.end())
      arrays.push_back({input.name, "by-hand", to_array(found->second, {"rows", "columns"})});
  }
  return arrays;
}

}  // namespace

bool takes_example(const std::string& experiment) { return widths().count(experiment) > 0; }

Arguments with_example(const Experiment& experiment, Arguments arguments) {
  const bool is_offered =
      takes_example(experiment.name) && find_named(arguments.parameters(), "example") != nullptr;
  if (!is_offered || !arguments.given("example")) return arguments;
  if (!arguments.arrays().empty()) {
    refuse_usage({"--example と --input は一緒に使えません", "--example and --input do not go together"},
                 {"どちらか 1 つにしてください", "give one of them"});
  }
  give_arrays(arguments, experiment, example_by_hand(experiment));
  return arguments;
}

Parameter example_parameter() {
  return parameter("example", ChoiceKind{{"by-hand"}}, "",
                   "配列の代わりに、黒板の例（by-hand）の 3 つの語を使う",
                   "the three words of the example on the blackboard (by-hand) in place of the arrays");
}

}  // namespace attnlab
