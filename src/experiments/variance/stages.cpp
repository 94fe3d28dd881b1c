// The trace of `variance`, written out with this run's numbers.
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"
#include "experiments/variance/variance.hpp"

namespace attnlab {
namespace {

using namespace worked;
using formula::read;

const std::vector<std::string> by_dim{"dims"};

/// q·k ≈ (0.4012, −1.2345, ...), d = 4
std::vector<Chain> product_lines(const VarianceRun& run) {
  return lines(run.dims.size(), [&run](std::size_t i) {
    return equation(read("q · k"), {together({numbers(&run.products(i, 0), run.pairs), exactly(","),
                                              exactly("d"), exactly("="), number(run.dims(i))})});
  });
}

/// σ₁ ≈ std(0.4012, −1.2345, ...) ≈ 1.9899
std::vector<Chain> raw_lines(const VarianceRun& run) {
  return lines(run.dims.size(), [&run](std::size_t i) {
    return equation(indexed("σ", i), {together({exactly("std"), numbers(&run.products(i, 0), run.pairs)}),
                                      number(run.std_raw(i))});
  });
}

/// σ₁ ≈ 1.9899 / √4 ≈ 0.995
std::vector<Chain> scaled_lines(const VarianceRun& run) {
  return lines(run.dims.size(), [&run](std::size_t i) {
    return equation(indexed("σ", i),
                    {quotient(number(run.std_raw(i)), root(number(run.dims(i)))), number(run.std_scaled(i))});
  });
}

/// The scores of the first query of every d.
std::vector<Chain> scaled_score_lines(const VarianceRun& run) {
  return lines(run.dims.size(), [&run](std::size_t i) {
    return equation(formula::sub(formula::sym("S"), read(std::to_string(i) + ",0")),
                    {quotient(numbers(&run.raw.scores(i, 0, 0), run.keys), root(number(run.dims(i)))),
                     numbers(&run.scaled.scores(i, 0, 0), run.keys)});
  });
}

/// The means over all queries: H₁ ≈ mean(1.7, 1.9, ...) ≈ 1.8385
void add_means(std::vector<Stage>& stages, const VarianceRun& run, const Saturation& one,
               const std::string& suffix) {
  const auto add = [&](const std::string& name, const char* what, const char* letter,
                       const Measured& measured) {
    const auto line = [&](std::size_t i) {
      return equation(indexed(letter, i),
                      {together({exactly("mean"), numbers(&measured.each(i, 0), run.queries)}),
                       number(measured.mean(i))});
    };
    stages.push_back({name + suffix, read(what), to_array(measured.mean, by_dim),
                      derived::worked({"weights_" + suffix}, lines(run.dims.size(), line))});
  };
  add("largest_", "mean(max p)", "p", one.largest);
  add("entropy_", "mean(− Σ p ln p)", "H", one.entropy);
  add("gradient_", "mean(‖ diag(p) − p p^T ‖)", "J", one.gradient);
}

}  // namespace

std::vector<Stage> variance_stages(const VarianceRun& run) {
  const std::vector<std::string> rows{"dims", "queries", "keys"};
  std::vector<Stage> stages{
      input("dims", to_array(run.dims, by_dim)),
      {"products", read("q · k"), to_array(run.products, {"dims", "pairs"}),
       derived::worked({"dims"}, product_lines(run))},
      {"std_raw", read("std(q · k)"), to_array(run.std_raw, by_dim),
       derived::worked({"products"}, raw_lines(run))},
      {"std_scaled", read("std(frac{q · k}{√{d}})"), to_array(run.std_scaled, by_dim),
       derived::worked({"std_raw", "dims"}, scaled_lines(run))},
      input("scores_raw", to_array(run.raw.scores, rows)),
      {"scores_scaled", read("frac{q · k}{√{d}}"), to_array(run.scaled.scores, rows),
       derived::worked({"scores_raw", "dims"}, scaled_score_lines(run))},
      {"weights_raw", read("softmax(q · k)"), to_array(run.raw.weights, rows),
       derived::softmax("scores_raw")},
      {"weights_scaled", read("softmax(frac{q · k}{√{d}})"), to_array(run.scaled.weights, rows),
       derived::softmax("scores_scaled")},
  };
  add_means(stages, run, run.raw, "raw");
  add_means(stages, run, run.scaled, "scaled");
  return stages;
}

}  // namespace attnlab
