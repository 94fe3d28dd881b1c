// Every variant: its equality holds whatever the random numbers and breaks where one of the two sides is
// computed otherwise, its numbers are the papers', and at its limit it is plain attention.
#include "experiments/variants/variants.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

VariantsRun run_of_variant(const Flags& flags) {
  Arguments arguments(variants_experiment().parameters);
  for (const auto& [name, text] : flags) arguments.set(name, text);
  return VariantsRun::compute(arguments, quiet_context());
}

double largest_gap(const Report& report, const std::string& one, const std::string& other) {
  const std::vector<double>& a = values(report, one);
  const std::vector<double>& b = values(report, other);
  REQUIRE(a.size() == b.size());
  double gap = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) gap = std::max(gap, std::abs(a[i] - b[i]));
  return gap;
}

}  // namespace

TEST_CASE("variants agree with NumPy and PyTorch, written head by head and token by token") {
  check_reference(variants_experiment(), "variants/default.json");
  check_reference(variants_experiment(), "variants/moved.json");
}

TEST_CASE("every variant keeps its equality, whatever is drawn") {
  for (const char* stream : {"numpy", "torch"}) {
    for (int seed = 0; seed < 10; ++seed) {
      INFO(stream, " ", seed);
      const Report report =
          run_with(variants_experiment(), {{"seed", std::to_string(seed)}, {"rng", stream}});
      CHECK(report.invariants.size() == attention_variants().size());
      check_invariants_hold(report);
    }
  }
}

TEST_CASE("an equality breaks where one side is computed with something else") {
  const std::map<std::string, Flags> otherwise{
      {"grouped", {{"kv-heads", "4"}}}, {"latent", {{"latent", "5"}}},    {"window", {{"window", "5"}}},
      {"norm", {{"seed", "1"}}},        {"difference", {{"depth", "4"}}}, {"linear", {{"decay", "0.7"}}},
      {"talking", {{"mixing", "0.2"}}}, {"sparse", {{"kept", "5"}}},      {"sink", {{"seed", "1"}}},
      {"gate", {{"seed", "1"}}}};
  CHECK(otherwise.size() == attention_variants().size());
  for (const auto& entry : otherwise) {
    const auto& [name, flags] = entry;
    INFO(entry.first);
    Flags of_other = flags;
    of_other["variant"] = name;
    VariantsRun run = run_of_variant({{"variant", name}});
    CHECK(holds(invariants(run).front()));
    run.runs.front().found = run_of_variant(of_other).runs.front().found;
    if (name == "norm") {  // all lengths are alike: those before they are normalised are not
      const Tensor<double> query = run.tape.numbers_of("norm_query");
      run.runs.front().found = xt::sqrt(xt::sum(xt::square(query), {1}));
      run.runs.front().expected = Tensor<double>({128}, 16.0);
    }
    CHECK_FALSE(holds(invariants(run).front()));
  }
}

TEST_CASE("the numbers of the papers come out") {
  const Report report = run_with(variants_experiment(), {});
  CHECK(scalar(report, "grouped_plain_bytes") == 8.0 * scalar(report, "grouped_one_bytes"));
  CHECK(largest_gap(report, "grouped_shared_weights", "grouped_repeated_weights") <= 1e-15);
  CHECK(largest_gap(report, "latent_output", "latent_restored_output") <= 1e-14);
  CHECK(scalar(report, "latent_published_plain") == 32768.0);
  CHECK(scalar(report, "latent_published_latent") == 576.0);
  CHECK(scalar(report, "latent_published_ratio") == doctest::Approx(56.9).epsilon(1e-3));
  for (int layer = 1; layer <= 5; ++layer)
    CHECK(scalar(report, "window_reach_" + std::to_string(layer)) == layer * 3 + 1);
  CHECK(scalar(report, "norm_unscaled_spread") == doctest::Approx(16.0).epsilon(0.005));
  CHECK(scalar(report, "norm_unscaled_bits") == doctest::Approx(0.43).epsilon(0.02));
  CHECK(scalar(report, "norm_normed_bits") == doctest::Approx(6.3).epsilon(0.01));
  CHECK(scalar(report, "difference_lambda_1") == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(scalar(report, "difference_lambda_2") == doctest::Approx(0.356).epsilon(2e-3));
  CHECK(scalar(report, "difference_lambda_3") == doctest::Approx(0.471).epsilon(2e-3));
  CHECK(largest_gap(report, "linear_recurrent_output", "linear_output") <= 1e-13);
  CHECK(scalar(report, "sink_largest_sum") < 1.0);
}

TEST_CASE("at its limit a variant is plain attention") {
  const Report report =
      run_with(variants_experiment(),
               {{"kv-heads", "8"}, {"window", "20"}, {"mixing", "0"}, {"kept", "24"}, {"magnitude", "1"}});
  CHECK(largest_gap(report, "grouped_shared_weights", "grouped_plain_weights") < 1e-14);
  CHECK(largest_gap(report, "window_local_weights", "window_plain_weights") == 0.0);
  CHECK(largest_gap(report, "sink_local_weights", "sink_plain_weights") == 0.0);
  CHECK(largest_gap(report, "talking_mixed_weights", "talking_weights") < 1e-14);
  CHECK(largest_gap(report, "sparse_weights", "sparse_plain_weights") == 0.0);
}

TEST_CASE("normalised scores do not depend on how long queries and keys are, plain ones do") {
  const Report small = run_with(variants_experiment(), {{"variant", "norm"}, {"magnitude", "0.5"}});
  const Report large = run_with(variants_experiment(), {{"variant", "norm"}, {"magnitude", "4"}});
  CHECK(disagreement(values(small, "norm_normed_scores"), values(large, "norm_normed_scores"), 1e-12) == "");
  CHECK(scalar(large, "norm_plain_spread") == doctest::Approx(64.0 * scalar(small, "norm_plain_spread")));
}

TEST_CASE("one variant alone has the numbers and the picture that it has among all") {
  const Report all = run_with(variants_experiment(), {});
  for (const AttentionVariant& variant : attention_variants()) {
    const Report one = run_with(variants_experiment(), {{"variant", variant.name}});
    check_form(one);
    REQUIRE(one.figures.size() == 1);
    CHECK(one.figures[0].name == variant.name);
    for (const Stage& stage : one.stages)
      CHECK(disagreement(stage.array.data, values(all, stage.name), 0.0) == "");
  }
}

TEST_CASE("large arrays of one's own keep the equalities as far as rounding lets them") {
  std::vector<double> large(6 * 16);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = 40.0 * std::sin(static_cast<double>(i));
  const Report report =
      run_with(variants_experiment(), {{"variant", "latent"}}, {own("latent_x", {6, 16}, large)});
  check_invariants_hold(report);
}

TEST_CASE("what does not fit is refused") {
  for (const char* heads : {"3", "5", "6", "7"})
    CHECK(contains(usage_error(variants_experiment(), {{"kv-heads", heads}}),
                   "does not divide the 8 query heads; choose 1, 2, 4 or 8"));
  CHECK(
      usage_error(variants_experiment(), {{"variant", "grouped"}, {"window", "3"}}) ==
      "--window belongs to window, and the variant is grouped; leave it out, or use attnlab variants window");
  CHECK(usage_error(variants_experiment(), {{"variant", "sink"}, {"window", "3"}}).empty());
}

}  // namespace attnlab
