// The traces of the first sections: invariants hold whatever the flags, and derivations name earlier stages.
#include "traces.hpp"

#include <utility>

#include "experiments/framework/experiment.hpp"
#include "reports.hpp"

namespace attnlab {
namespace {

using Case = std::pair<Experiment, Flags>;

std::vector<Case> cases() {
  return {
      {softmax_experiment(), {}},
      {softmax_experiment(), {{"scores", "-3,-1.5,-7,0.25,-0.125,-20"}, {"temperature", "100,0.01,3"}}},
      {softmax_experiment(), {{"scores", "0,0"}}},
      {softmax_experiment(), {{"scores", "1e6,-1e6,1,2"}}},
      {dot_product_experiment(), {}},
      {dot_product_experiment(), {{"a", "-20,20"}, {"b", "0.01,0"}, {"c", "20,-20"}}},
      {vectors_experiment(), {}},
      {vectors_experiment(), {{"queries", "45,0,90"}, {"long", "v1:1000"}, {"scale", "default"}}},
      {vectors_experiment(), {{"count", "1000"}, {"query-angle", "-17"}, {"long", "none"}}},
      {vectors_experiment(), {{"count", "2"}, {"scale", "1000000"}}},
      {scaling_experiment(), {}},
      {scaling_experiment(), {{"rng", "torch"}, {"seed", "7"}}},
      {scaling_experiment(), {{"keys", "2000"}, {"low-dim", "2"}, {"high-dim", "1000"}}},
      {variance_experiment(), {}},
      {variance_experiment(), {{"rng", "torch"}, {"dims", "3,50"}, {"seed", "4294967295"}}},
      {variance_experiment(), {{"dims", "16384"}, {"pairs", "100"}, {"queries", "1"}, {"keys", "2"}}},
      {lookup_experiment(), {}},
      {lookup_experiment(), {{"query", "45"}, {"temperature", "0.001"}}},
      {lookup_experiment(), {{"query", "-360"}, {"temperature", "0.001,1,1000000"}}},
  };
}

}  // namespace

TEST_CASE("invariants hold whatever the flags") {
  for (const auto& [experiment, flags] : cases()) check_invariants_hold(run_with(experiment, flags));
}

TEST_CASE("every stage with a formula is derived from earlier stages") {
  for (const auto& [experiment, flags] : cases()) check_derivations(run_with(experiment, flags));
}

TEST_CASE("invariants are named once and in snake case") {
  for (const auto& [experiment, flags] : cases()) {
    const Report report = run_with(experiment, flags);
    std::vector<std::string> names;
    for (const Invariant& invariant : report.invariants) {
      CHECK(invariant.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos);
      names.push_back(invariant.name);
    }
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  }
}

}  // namespace attnlab
