// The trace of `softmax`, written out with this run's numbers.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/worked_lines.hpp"
#include "experiments/softmax/softmax.hpp"

namespace attnlab {
namespace {

using namespace worked;
using formula::fraction;
using formula::read;

Formula softmax_of(const Formula& argument) {
  return formula::call("softmax", argument);
}

/// exp(x) / Σ exp(x)
Formula naive_of(const Formula& argument) {
  const Formula exponential = formula::call("exp", argument);
  return fraction(exponential, formula::row({formula::sym("Σ"), exponential}));
}

/// A row of T as the doubles that print it.
template <class T>
Written numbers_of(const T* begin, std::size_t count) {
  const std::vector<double> values(begin, begin + count);
  return numbers(values.data(), count);
}

/// S₀ ≈ 1 · (2, −1, 0.5, 3, −0.5) / 3 ≈ (0.6667, ...)
template <class T>
std::vector<Chain> sweep_lines(const SoftmaxRun& run, const Tensor<T>& sweep) {
  const std::size_t n = run.scores.size();
  const Written share = quotient(numbers(&run.scores(0), n), number(largest_magnitude(run.scores)));
  return lines(run.magnitude.size(), [&](std::size_t i) {
    return equation(indexed("S", i),
                    {together({number(run.magnitude(i)), exactly("·"), share}), numbers_of(&sweep(i, 0), n)});
  });
}

/// a₀ ≈ exp(S₀) / Σ exp(S₀) ≈ (1.9, ...) / 7.1 ≈ (0.27, ...), in the precision of T and minus `shift`.
template <class T>
std::vector<Chain> naive_lines(const Tensor<T>& scores, const Tensor<T>& results, T shift) {
  const std::size_t n = scores.shape().back();
  return lines(scores.size() / n, [&](std::size_t i) {
    const T* begin = scores.data() + i * n;
    std::vector<T> exponentials(n);
    std::transform(begin, begin + n, exponentials.begin(), [shift](T x) { return std::exp(x - shift); });
    const T sum = std::accumulate(exponentials.begin(), exponentials.end(), T(0));
    return equation(indexed("a", i), {quotient(numbers_of(exponentials.data(), n), number(sum)),
                                      numbers_of(results.data() + i * n, n)});
  });
}

/// The entries of a vector with one line each: they share the denominator.
template <class T>
std::vector<Chain> silent_lines(const Tensor<T>& scores) {
  const T sum =
      std::accumulate(scores.begin(), scores.end(), T(0), [](T total, T x) { return total + std::exp(x); });
  return lines(scores.size(), [&](std::size_t j) {
    const T exponential = std::exp(scores(j));
    return equation(indexed("a", j), {quotient(call("exp", number(scores(j))), exactly(read("Σ exp(x)"))),
                                      quotient(number(exponential), number(sum)), number(exponential / sum)});
  });
}

/// S₀ = (2, −1, 0.5, 3, −0.5) / 0.25 = (8, −4, 2, 12, −2)
std::vector<Chain> tempered_lines(const SoftmaxRun& run) {
  const std::size_t n = run.scores.size();
  return lines(run.temperature.size(), [&](std::size_t i) {
    return equation(indexed("S", i), {quotient(numbers(&run.scores(0), n), number(run.temperature(i))),
                                      numbers(&run.tempered_scores(i, 0), n)});
  });
}

/// The scores as they grow, in one precision.
template <class T>
void add_sweep(std::vector<Stage>& stages, const SoftmaxRun& run, const BothWays<T>& sweep,
               const std::string& type) {
  const Formula grown =
      formula::row({formula::sym("m"), fraction(formula::sym("x"), formula::sym("max|x|"))});
  const std::vector<std::string> axes{"magnitudes", "keys"};
  stages.push_back({"sweep_" + type, grown, to_array(sweep.scores, axes),
                    derived::worked({"scores", "magnitude"}, sweep_lines(run, sweep.scores))});
  stages.push_back({"naive_" + type, naive_of(grown), to_array(sweep.naive, axes),
                    derived::worked({"sweep_" + type}, naive_lines(sweep.scores, sweep.naive, T(0)))});
  stages.push_back(
      {"stable_" + type, softmax_of(grown), to_array(sweep.stable, axes), derived::softmax("sweep_" + type)});
}

template <class T>
void add_silent(std::vector<Stage>& stages, const BothWays<T>& silent, const std::string& type) {
  stages.push_back(input("silent_scores_" + type, to_array(silent.scores, {"keys"})));
  stages.push_back({"silent_naive_" + type, naive_of(formula::sym("x")), to_array(silent.naive, {"keys"}),
                    derived::worked({"silent_scores_" + type}, silent_lines(silent.scores))});
}

}  // namespace

std::vector<Stage> softmax_stages(const SoftmaxRun& run) {
  const std::vector<std::string> keys{"keys"};
  const std::vector<std::string> tempered{"temperatures", "keys"};
  const std::vector<std::string> pairs{"queries", "keys"};
  std::vector<Stage> stages{
      input("scores", to_array(run.scores, keys)),
      {"weights", read("softmax(x)"), to_array(run.weights, keys), derived::softmax("scores")},
      input("magnitude", to_array(run.magnitude, {"magnitudes"}))};
  add_sweep(stages, run, run.sweep_float32, "float32");
  add_sweep(stages, run, run.sweep_float64, "float64");
  add_silent(stages, run.silent_float32, "float32");
  add_silent(stages, run.silent_float64, "float64");
  const std::vector<Stage> rest{
      input("temperature", to_array(run.temperature, {"temperatures"})),
      {"tempered_scores", read("frac{x}{T}"), to_array(run.tempered_scores, tempered),
       derived::worked({"scores", "temperature"}, tempered_lines(run))},
      {"temperature_weights", read("softmax(frac{x}{T})"), to_array(run.temperature_weights, tempered),
       derived::softmax("tempered_scores")},
      {"entropy", read("− Σ p ln p"), to_array(run.entropy, {"temperatures"}),
       derived::row_entropy("temperature_weights")},
      input("two_rows", to_array(run.two_rows, pairs)),
      {"global_max", naive_of(read("X − max X")), to_array(run.global_max, pairs),
       derived::worked({"two_rows"}, naive_lines(run.two_rows, run.global_max, largest(run.two_rows)))},
      {"row_max", read("softmax(X)"), to_array(run.row_max, pairs), derived::softmax("two_rows")}};
  stages.insert(stages.end(), rest.begin(), rest.end());
  return stages;
}

}  // namespace attnlab
