// Every invariant of every experiment notices a wrong number in the run that it is measured on.
#include "disturbance.hpp"

#include <doctest/doctest.h>

#include "experiment_headers.hpp"
#include "experiments/framework/experiment.hpp"
#include "reports.hpp"

namespace attnlab {
namespace {

/// The invariants of these runs that notice nothing: with the defaults, and with each choice of each
/// parameter.
template <class Run>
std::string unnoticed(const Experiment& experiment) {
  std::vector<Flags> runs{{}};
  for (const Parameter& parameter : experiment.parameters) {
    const auto* choice = std::get_if<ChoiceKind>(&parameter.kind);
    if (choice == nullptr) continue;
    for (const std::string& word : choice->choices) runs.push_back({{parameter.name, word}});
  }
  std::string names;
  for (const Flags& flags : runs) {
    Arguments arguments(experiment.parameters);
    std::string typed;
    for (const auto& [name, word] : flags) {
      arguments.set(name, word);
      typed = " --" + name + " " + word;
    }
    for (const std::string& name : blind_invariants<Run>(arguments)) names += name + typed + "; ";
  }
  return names;
}

}  // namespace

TEST_CASE("every invariant fails when a number of its run is wrong") {
  std::size_t runs = 0;
#define EXPERIMENT(name, Run) \
  SUBCASE(#name) { CHECK(unnoticed<Run>(name##_experiment()) == ""); }
#include "experiments.hpp"
#undef EXPERIMENT
#define EXPERIMENT(name, Run) ++runs;
#include "experiments.hpp"
#undef EXPERIMENT
  CHECK(runs == experiments().size());
}

}  // namespace attnlab
