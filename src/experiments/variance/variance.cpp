// Random queries and keys in rising dimensions d: how q·k spreads, and what softmax makes of it.
#include "experiments/variance/variance.hpp"

namespace attnlab {
namespace {

constexpr double most_numbers = 2e7;  // half a second of random numbers
constexpr double largest_dim = 16384.0;

// --- Reading ----------------------------------------------------------------------------------------------

void require_rising_integers(const Tensor<double>& dims) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims(i) == std::floor(dims(i)) && (i == 0 || dims(i) > dims(i - 1))) continue;
    refuse_usage(text("--dims の {:g} が整数でないか、前の値より大きくありません",
                      "--dims has {:g}, which is not an integer, or not above the one before", dims(i)),
                 {"次元を整数で小さい順に並べてください（例：--dims 1,10,100）",
                  "give integers in rising order, as in --dims 1,10,100"});
  }
}

void require_memory(const VarianceRun& run) {
  const double width = sum_of(run.dims);
  const double numbers = width * static_cast<double>(2 * run.pairs + run.queries + run.keys);
  if (numbers <= most_numbers) return;
  refuse_usage(
      text("次元の合計が {:g}、組が {} では {:.0f} 個の乱数が必要で、上限の {:.0f} 個を超えます",
           "dimensions that add up to {:g}, with {} pairs, need {:.0f} random numbers, more than {:.0f}",
           width, run.pairs, numbers, most_numbers),
      {"--dims か --pairs を小さくしてください", "choose smaller --dims or fewer --pairs"});
}

// --- Written out -----------------------------------------------------------------------------------------

using namespace worked;
using formula::read;

/// q·k ≈ (0.4012, −1.2345, ...), d = 4
std::vector<Chain> product_lines(const VarianceRun& run) {
  return lines(run.dims.size(), [&run](std::size_t i) {
    return equation(read("q · k"),
                    {together({numbers(&run.products(i, 0), run.pairs), ",", "d", "=", run.dims(i)})});
  });
}

/// σ₁ ≈ std(0.4012, −1.2345, ...) ≈ 1.9899
std::vector<Chain> raw_lines(const VarianceRun& run) {
  return lines(run.dims.size(), [&run](std::size_t i) {
    return equation(indexed("σ", i),
                    {together({"std", numbers(&run.products(i, 0), run.pairs)}), run.std_raw(i)});
  });
}

/// σ₁ ≈ 1.9899 / √4 ≈ 0.995
std::vector<Chain> scaled_lines(const VarianceRun& run) {
  return lines(run.dims.size(), [&run](std::size_t i) {
    return equation(indexed("σ", i),
                    {quotient(run.std_raw(i), root(number(run.dims(i)))), run.std_scaled(i)});
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

// --- The computation --------------------------------------------------------------------------------------

/// For every d: all queries q (pairs, d) are drawn, then all keys k (pairs, d); row i of each makes a pair.
void measure_spread(RandomStream random, VarianceRun& run) {
  const std::size_t count = run.dims.size();
  run.products = Tensor<double>::from_shape({count, run.pairs});
  run.std_raw = Tensor<double>::from_shape({count});
  run.std_scaled = Tensor<double>::from_shape({count});
  for (std::size_t i = 0; i < count; ++i) {
    const auto d = static_cast<std::size_t>(run.dims(i));
    const Tensor<double> queries = random.randn({run.pairs, d});
    const Tensor<double> keys = random.randn({run.pairs, d});
    for (std::size_t pair = 0; pair < run.pairs; ++pair) {
      const double* query = &queries(pair, 0);
      run.products(i, pair) = std::transform_reduce(query, query + d, &keys(pair, 0), 0.0);
    }
    const Tensor<double> products = xt::row(run.products, static_cast<std::ptrdiff_t>(i));
    run.std_raw(i) = standard_deviation(products);
    run.std_scaled(i) = standard_deviation(products / std::sqrt(run.dims(i)));
  }
}

/// What softmax makes of the scores that stand on the tape as "scores_raw" or "scores_scaled".
void measure(VarianceRun& run, Saturation& one, const std::string& suffix) {
  const std::string weights = "weights_" + suffix;
  const auto mean = [&](const char* name, const char* formula, const char* letter, const Tensor<double>& each,
                        const char* code) {
    Measured all{each, row_mean(each)};
    const auto line = [&](std::size_t i) {
      return equation(indexed(letter, i),
                      {together({"mean", numbers(&all.each(i, 0), run.queries)}), all.mean(i)});
    };
    run.tape.step(name + suffix, formula, all.mean, {"dims"},
                  derived::worked({weights}, lines(run.dims.size(), line),
                                  fmt::format("np.mean({}, axis=-1)", fmt::format(code, weights))));
    return all;
  };
  one.largest = mean("largest_", "mean(max p)", "p", row_maximum(one.weights), "np.amax({}, axis=-1)");
  one.entropy = mean("entropy_", "mean(− Σ p ln p)", "H", entropy(one.weights), "row_entropy({})");
  one.gradient = mean("gradient_", "mean(‖ diag(p) − p p^T ‖)", "J", softmax_gradient_norm(one.weights),
                      "np.stack([softmax_gradient_norm(p) for p in {}])");
}

/// For every d: queries (queries, d), then keys (keys, d), all queries against all keys.
void measure_saturation(RandomStream random, VarianceRun& run) {
  const std::size_t count = run.dims.size();
  run.raw.scores = Tensor<double>::from_shape({count, run.queries, run.keys});
  run.scaled.scores = Tensor<double>::from_shape({count, run.queries, run.keys});
  for (std::size_t i = 0; i < count; ++i) {
    const auto d = static_cast<std::size_t>(run.dims(i));
    const Tensor<double> queries = random.randn({run.queries, d});
    const Tensor<double> keys = random.randn({run.keys, d});
    const Tensor<double> scores = matmul(queries, attnlab::transpose(keys));
    xt::view(run.raw.scores, i) = scores;
    xt::view(run.scaled.scores, i) = scores / std::sqrt(run.dims(i));
  }
}

/// Least squares of log y against log x; NaN for a single point.
double log_slope(const Tensor<double>& x, const Tensor<double>& y) {
  const auto centred_logarithms = [](Tensor<double> values) {
    for (double& value : values) value = std::log(value);  // not xt::log, whose last digit is another
    const double mean = sum_of(values) / static_cast<double>(values.size());
    for (double& value : values) value -= mean;
    return values;
  };
  const Tensor<double> log_x = centred_logarithms(x);
  const Tensor<double> log_y = centred_logarithms(y);
  const double below = std::inner_product(log_x.begin(), log_x.end(), log_x.begin(), 0.0);
  const double above = std::inner_product(log_x.begin(), log_x.end(), log_y.begin(), 0.0);
  return below > 0.0 ? above / below : not_a_number;
}

// --- What must hold

/// How far a rises above b somewhere, 0 when it nowhere does.
double excess(const Tensor<double>& a, const Tensor<double>& b) {
  return worst_of(a.size(), [&](std::size_t i) { return a.flat(i) - b.flat(i); });
}

/// The gradient's norm never exceeds 1 − Σ p², the trace of diag(p) − p pᵀ, as no eigenvalue is negative.
double gradient_excess(const Saturation& one) {
  const std::size_t keys = one.weights.shape()[2];
  return worst_of(one.gradient.each.size(), [&](std::size_t query) {
    const double* p = one.weights.data() + query * keys;
    return one.gradient.each.flat(query) - (1.0 - std::inner_product(p, p + keys, p, 0.0));
  });
}

/// |std / √d − 1| in standard errors. The product of two normals summed over d has the kurtosis 3 + 6/d, so
/// the standard deviation of n such sums has the relative standard error √((2 + 6/d) / (4 n)).
double standard_errors(const VarianceRun& run, std::size_t i) {
  const double d = run.dims(i);
  const double error = std::sqrt((2.0 + 6.0 / d) / (4.0 * static_cast<double>(run.pairs)));
  return std::abs(run.std_raw(i) / std::sqrt(d) - 1.0) / error;
}

}  // namespace

VarianceRun VarianceRun::compute(const Arguments& arguments, const Context& context) {
  VarianceRun run;
  Tape& tape = run.tape = Tape(arguments);
  run.dims = tape.input_or("dims", to_tensor(arguments.numbers("dims")), {"dims"});
  run.pairs = arguments.count("pairs");
  run.queries = arguments.count("queries");
  run.keys = arguments.count("keys");
  require_rising_integers(run.dims);
  require_memory(run);
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  run.saturation_seed = run.seed + 1U;  // after the last seed comes 0
  run.rng = arguments.text("rng");
  context.for_each(2, [&](std::size_t part) {  // each has its own stream and its own results
    if (part == 0) measure_spread(random_stream(run.rng, run.seed), run);
    if (part == 1) measure_saturation(random_stream(run.rng, run.saturation_seed), run);
  });
  const std::string dims = joined(std::vector<std::size_t>(run.dims.begin(), run.dims.end()), ", ");
  const std::string products = fmt::format(
      "np.stack([np.sum(randn({0}, d) * randn({0}, d), axis=-1) for d in [{1}]])", run.pairs, dims);
  tape.step("products", "q · k", tape.drawn("products", products, run.products), {"dims", "pairs"},
            derived::worked({"dims"}, product_lines(run), products));
  tape.step("std_raw", "std(q · k)", run.std_raw, {"dims"},
            derived::worked({"products"}, raw_lines(run), "standard_deviation(products)"));
  tape.step("std_scaled", "std(\\frac{q · k}{\\sqrt{d}})", run.std_scaled, {"dims"},
            derived::worked({"std_raw", "dims"}, scaled_lines(run), "std_raw / np.sqrt(dims)"));
  tape.start(run.rng, run.saturation_seed);
  const Axes rows{"dims", "queries", "keys"};
  tape.input("scores_raw",
             tape.drawn("scores_raw",
                        fmt::format("np.stack([randn({}, d) @ randn({}, d).T for d in [{}]])", run.queries,
                                    run.keys, dims),
                        run.raw.scores),
             rows);
  tape.step("scores_scaled", "\\frac{q · k}{\\sqrt{d}}", run.scaled.scores, rows,
            derived::worked({"scores_raw", "dims"}, scaled_score_lines(run),
                            "scores_raw / np.sqrt(dims)[:, np.newaxis, np.newaxis]"));
  run.raw.weights = tape.softmax("weights_raw", "softmax(q · k)", "scores_raw");
  run.scaled.weights = tape.softmax("weights_scaled", "softmax(\\frac{q · k}{\\sqrt{d}})", "scores_scaled");
  measure(run, run.raw, "raw");
  measure(run, run.scaled, "scaled");
  run.slope = log_slope(run.dims, run.std_raw);
  return run;
}

std::vector<Scalar> scalars(const VarianceRun& run) {
  const double ratio = run.scaled.gradient.mean.back() / run.raw.gradient.mean.back();
  std::vector<Scalar> scalars{{"gradient_ratio_at_largest_dim", ratio}};
  if (run.dims.size() > 1) scalars.push_back({"slope_raw", run.slope});
  return scalars;
}

std::vector<Invariant> invariants(const VarianceRun& run) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double over_pairs = epsilon * static_cast<double>(run.pairs);    // two sums over the pairs
  const double over_keys = epsilon * static_cast<double>(run.keys + 8);  // a sum over the keys
  const double off = worst_of(run.dims.size(), [&](std::size_t i) { return standard_errors(run, i); });
  const double scaled_error = largest_difference(run.std_scaled, run.std_raw / xt::sqrt(run.dims));
  return {
      // beyond 5 standard errors lies less than one run in a million
      invariant("std_is_root_of_d", off, 5.0, "q·k の標準偏差と √d の差は標準誤差の 5 倍以内",
                "the std of q·k is √d, within 5 standard errors"),
      invariant("std_scaled_is_std_over_root_of_d", scaled_error, over_pairs,
                "割ったあとの標準偏差は、割る前の 1/√d", "the scaled std is the unscaled one over √d"),
      invariant("weights_sum_to_one",
                std::max(row_sum_error(run.raw.weights), row_sum_error(run.scaled.weights)), over_keys,
                "注意度の和は 1", "the weights sum to 1"),
      invariant("scaling_lowers_largest_weight", excess(run.scaled.largest.each, run.raw.largest.each),
                over_keys, "割ると、最大の注意度はどのクエリでも増えない",
                "scaling raises no query's largest weight"),
      // each term p ln p is rounded, and ln p is up to 745 times p
      invariant("scaling_raises_entropy", excess(run.raw.entropy.each, run.scaled.entropy.each),
                8.0 * over_keys, "割ると、エントロピーはどのクエリでも減らない",
                "scaling lowers no query's entropy"),
      invariant("gradient_within_one_minus_squares",
                std::max(gradient_excess(run.raw), gradient_excess(run.scaled)), over_keys,
                "‖diag(p) − ppᵀ‖ は 1 − Σp² 以下", "‖diag(p) − ppᵀ‖ never exceeds 1 − Σp²"),
  };
}

Experiment variance_experiment() {
  return Experiment{
      "variance",
      {"q·k の標準偏差は √d：割らないと softmax の勾配が消える",
       "q·k spreads like √d; unscaled, the gradient of softmax vanishes"},
      {"教科書 脚注 3、記事 式 (4)、スライド「注意のスケールの調整」",
       "textbook footnote 3, article eq. 4, slides on scaling"},
      {parameter("dims", NumbersKind{{1, 12}, {1.0, largest_dim}}, "1,4,16,64,256,1024",
                 "次元 d（整数、小さい順）", "the dimensions d, integers in rising order"),
       parameter("pairs", IntegerKind{{100, 100'000}}, "1000", "標準偏差を求める q と k の組の数",
                 "number of pairs q, k for the standard deviation"),
       parameter("queries", IntegerKind{{1, 1000}}, "200", "飽和の測定に使うクエリの個数",
                 "number of queries for the saturation"),
       parameter("keys", IntegerKind{{2, 100}}, "20", "飽和の測定に使うキーの個数",
                 "number of keys for the saturation"),
       seed_parameter("0"), rng_parameter()},
      report_of<VarianceRun>}
      .with_inputs({{"dims", {"dims?"}}})
      .with_sliders({{"seed=0:19"}});
}

}  // namespace attnlab
