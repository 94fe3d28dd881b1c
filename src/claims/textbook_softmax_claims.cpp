// Document A, sections 2.2.1 and 2.2.2: scores, softmax, and the ten vectors.
#include "attention/additive.hpp"
#include "attention/softmax.hpp"
#include "claims/claim.hpp"

namespace attnlab {
namespace {

/// n unit vectors around the circle, code 2.2.3.
Tensor<double> circle(std::size_t n) {
  Tensor<double> vectors = Tensor<double>::from_shape({n, 2});
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 2.0 * pi / static_cast<double>(n) * static_cast<double>(i);
    vectors(i, 0) = std::cos(angle);
    vectors(i, 1) = std::sin(angle);
  }
  return vectors;
}

Tensor<double> towards_45() { return {{1.0 / std::sqrt(2.0), 1.0 / std::sqrt(2.0)}}; }

// --- Softmax

/// The pairs of keys whose order softmax turns round, over 1000 random rows of five scores.
std::size_t order_changes(const Mathematics& mathematics) {
  const Tensor<double> scores = NumpyRandom(0).randn({1000, 5});
  const Tensor<double> weights = mathematics.softmax(scores);
  std::size_t changes = 0;
  for (std::size_t row = 0; row < 1000; ++row)
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 5; ++j)
        if (scores(row, i) < scores(row, j) && !(weights(row, i) < weights(row, j))) ++changes;
  return changes;
}

Finding softmax_order_kept(const Mathematics& mathematics) {
  const std::size_t changes = order_changes(mathematics);
  return holds_if(changes == 0, {{"order_changes", changes}});
}

Finding positive_and_one(const Mathematics& mathematics) {
  const Tensor<double> scores{{2.0, -1.0, 0.5, 3.0, -0.5}};
  const Tensor<double> weights = mathematics.softmax(scores);
  const double least = smallest_value(weights);
  const double error = row_sum_error(weights);
  return holds_if(least > 0.0 && error < 1e-12, {{"smallest_weight", least}, {"sum_error", error}});
}

Finding exp_50(const Mathematics&) {
  const double value = std::exp(50.0);
  return holds_if(value > 1e21, {{"exp_50", value}});
}

Finding overflows_at_once(const Mathematics&) {
  const double single = std::log(static_cast<double>(std::numeric_limits<float>::max()));
  const double twice = std::log(std::numeric_limits<double>::max());
  const bool is_finite = std::isfinite(std::exp(50.0F)) && std::isfinite(std::exp(50.0));
  const bool overflows = std::isinf(std::exp(89.0F)) && std::isinf(std::exp(710.0));
  return holds_or_only_if(!is_finite, overflows, {{"limit_float32", single}, {"limit_float64", twice}});
}

Finding shift_invariance(const Mathematics& mathematics) {
  const Tensor<double> scores{{2.0, -1.0, 0.5, 3.0, -0.5}};
  const Tensor<double> moved = scores + 100.0;
  const double difference = largest_difference(mathematics.softmax(scores), mathematics.softmax(moved));
  return holds_if(difference < 1e-12, {{"largest_difference", difference}});
}

/// exp(a + b) / sum exp(a + b), as footnote 2 writes it.
Tensor<double> shifted_as_printed(const Tensor<double>& scores, double b) {
  Tensor<double> weights = scores;
  double sum = 0.0;
  for (double& value : weights) sum += (value = std::exp(value + b));
  for (double& value : weights) value /= sum;
  return weights;
}

Finding footnote_b(const Mathematics& mathematics) {
  const Tensor<double> scores{1000.0, 999.0};
  const Tensor<double> plus = shifted_as_printed(scores, 1000.0);
  const Tensor<double> minus = shifted_as_printed(scores, -1000.0);
  const Tensor<double> expected = mathematics.softmax(scores);
  const bool plus_fails = std::isnan(plus(0));
  const bool minus_works = largest_difference(minus, expected) < 1e-12;
  return fails_if(plus_fails && minus_works, {{"weight_with_max", plus(0)},
                                              {"weight_with_minus_max", minus(0)},
                                              {"second_with_minus_max", minus(1)}});
}

/// The book's three queries and ten keys, as scores.
Tensor<double> book_scores() {
  const double half = 1.0 / std::sqrt(2.0);
  const Tensor<double> queries{{half, half}, {1.0, 0.0}, {0.0, 1.0}};
  return matmul(queries, transpose(circle(10)));
}

/// The rows [gap, gap - 1] and [0, -1].
template <class T>
Tensor<T> rows_at_gap(T gap) {
  return {{gap, gap - 1}, {0, -1}};
}

/// How far the second of these rows is from softmax with its own maximum, where that of both is subtracted.
template <class T>
double error_of_second_row(Tensor<T> (*global_maximum)(const Tensor<T>&), T gap) {
  const Tensor<T> weights = global_maximum(rows_at_gap(gap));
  return std::abs(static_cast<double>(weights(1, 0)) - 1.0 / (1.0 + std::exp(-1.0)));
}

Finding global_maximum(const Mathematics& mathematics) {
  const Tensor<double> scores = rows_at_gap(1000.0);
  const Tensor<double> together = mathematics.softmax_global_maximum(scores);
  const Tensor<double> by_rows = mathematics.softmax(scores);
  const Tensor<double> book = book_scores();
  const double at_home =
      largest_difference(mathematics.softmax_global_maximum(book), mathematics.softmax(book));
  const bool rows_work =
      std::none_of(by_rows.begin(), by_rows.end(), [](double weight) { return std::isnan(weight); });
  const bool breaks = std::isnan(together(1, 0)) && rows_work;
  return holds_or_only_if(!breaks, at_home < 1e-12,
                          {{"difference_for_the_books_queries", at_home},
                           {"error_740", error_of_second_row(mathematics.softmax_global_maximum, 740.0)},
                           {"error_744", error_of_second_row(mathematics.softmax_global_maximum, 744.5)},
                           {"error_float32", error_of_second_row(softmax_global_maximum<float>, 102.0F)},
                           {"second_row", together(1, 0)},
                           {"own_maximum_first", by_rows(1, 0)},
                           {"own_maximum_second", by_rows(1, 1)}});
}

// --- The ten vectors

Finding printed_output(const Mathematics& mathematics) {
  const Tensor<double> vectors = circle(10);
  const Tensor<double> output = matmul(weights_of(mathematics, towards_45(), vectors, 1.0), vectors);
  const bool same =
      std::abs(output(0, 0) - 0.31564538) < 0.5e-8 && std::abs(output(0, 1) - 0.31564537) < 0.5e-8;
  return holds_if(same, {{"output_x", output(0, 0)}, {"output_y", output(0, 1)}});
}

Finding nearer_is_larger(const Mathematics& mathematics) {
  const Tensor<double> weights = weights_of(mathematics, towards_45(), circle(10), 1.0);
  std::size_t exceptions = 0;
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 10; ++j) {
      const double cosine_i = std::cos(pi / 5.0 * static_cast<double>(i) - pi / 4.0);
      const double cosine_j = std::cos(pi / 5.0 * static_cast<double>(j) - pi / 4.0);
      if (cosine_i > cosine_j + 1e-9 && !(weights(0, i) > weights(0, j))) ++exceptions;
    }
  return holds_if(exceptions == 0,
                  {{"exceptions", exceptions}, {"largest", weights(0, 1)}, {"smallest", weights(0, 6)}});
}

/// The weight of a key before and after it is made five times as long.
std::pair<double, double> lengthened(const Mathematics& mathematics, std::size_t key) {
  Tensor<double> vectors = circle(10);
  const double before = weights_of(mathematics, towards_45(), vectors, 1.0)(0, key);
  vectors(key, 0) *= 5.0;
  vectors(key, 1) *= 5.0;
  return {before, weights_of(mathematics, towards_45(), vectors, 1.0)(0, key)};
}

Finding long_vector(const Mathematics& mathematics) {
  const auto [before, after] = lengthened(mathematics, 3);
  const auto [other_before, other_after] = lengthened(mathematics, 4);
  const std::vector<EvidenceNumber> numbers{
      {"before", before}, {"after", after}, {"fifth_before", other_before}, {"fifth_after", other_after}};
  return after > before ? remark_if(other_after < other_before, numbers) : holds_if(false, numbers);
}

/// The scores' sums for queries of length 1 in each whole degree.
Tensor<double> sums_of_scores(const Tensor<double>& keys) {
  return xt::sum(matmul(circle(360), transpose(keys)), {1});
}

Finding sums_differ(const Mathematics&) {
  Tensor<double> keys = circle(10);
  const double even = largest_magnitude(sums_of_scores(keys));
  xt::view(keys, 3) *= 5.0;
  const Tensor<double> sums = sums_of_scores(keys);
  return holds_or_only_if(
      even > 1e-9, largest(sums) - smallest_value(sums) > 1.0,
      {{"largest_sum", even}, {"lowest", smallest_value(sums)}, {"highest", largest(sums)}});
}

Finding rows_of_three_queries(const Mathematics& mathematics) {
  const Tensor<double> weights = mathematics.softmax(book_scores());
  const double error = row_sum_error(weights);
  const bool shape = weights.shape()[0] == 3 && weights.shape()[1] == 10;
  return holds_if(shape && error < 1e-12,
                  {{"sum_error", error}, {"rows", weights.shape()[0]}, {"columns", weights.shape()[1]}});
}

// --- Products and additive attention

Finding closer_product(const Mathematics&) {
  const Tensor<double> vectors = circle(360);
  std::size_t exceptions = 0;
  for (std::size_t i = 0; i < 180; ++i) {
    const double here = vectors(i, 0);  // the product with the vector at 0°
    if (here <= vectors(i + 1, 0)) ++exceptions;
  }
  return holds_if(exceptions == 0, {{"exceptions", exceptions}});
}

bool product_fits(const Tensor<double>& left, const Tensor<double>& right) {
  return !refuses([&] { matmul(left, right); });
}

Finding keys_as_rows(const Mathematics&) {
  const Tensor<double> query{{std::sqrt(0.5), std::sqrt(0.5)}};
  const Tensor<double> rows = circle(10);
  const Tensor<double> columns = transpose(rows);
  const bool fits = product_fits(query, transpose(columns));
  return remark_if(!fits, {{"as_written_fits", fits}, {"weights", matmul(query, transpose(rows)).size()}});
}

Finding product_without_transposition(const Mathematics&) {
  const Tensor<double> queries = circle(3);
  const Tensor<double> keys = circle(10);
  const bool fits = product_fits(queries, keys);
  const Tensor<double> scores = matmul(queries, transpose(keys));
  return remark_if(!fits,
                   {{"product_fits", fits}, {"rows", scores.shape()[0]}, {"columns", scores.shape()[1]}});
}

Finding numbers_of_figures(const Mathematics&) {
  // The captions in their order, and those that the text names where its caption was lost: 2.2.1 to 2.2.15.
  const std::vector<int> figures{1, 2, 3, 4, 2, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  int twice = 0;
  int missing = 0;
  for (int figure = 1; figure <= 15; ++figure) {
    const auto count = std::count(figures.begin(), figures.end(), figure);
    if (count == 2) twice = figure;
    if (count == 0) missing = figure;
  }
  const std::set<int> distinct(figures.begin(), figures.end());
  return remark_if(
      distinct.size() < figures.size(),
      {{"figures", figures.size()}, {"distinct", distinct.size()}, {"twice", twice}, {"missing", missing}});
}

Finding shifted_figures(const Mathematics&) {
  // Read off: the number below the picture of several queries, and the one that the text before it names.
  constexpr int captioned = 12;
  constexpr int referred = 13;
  return remark_if(referred != captioned, {{"captioned", captioned}, {"referred", referred}});
}

Finding damaged_code(const Mathematics&) {
  // As printed in codes 2.2.3 and 2.2.4, and as meant.
  const std::map<std::string_view, std::string_view> words{
      {"np.arrav", "np.array"},
      {"output. attention weights", "output, attention_weights"},
      {"output.shap e", "output.shape"}};
  const auto damaged =
      std::count_if(words.begin(), words.end(), [](const auto& word) { return word.first != word.second; });
  // Read off: a line that is no code, a docstring without an end, and a method indented further than the one
  // above.
  constexpr int stray = 1;
  constexpr int unclosed = 1;
  constexpr int shifted = 1;
  return remark_if(damaged > 0,
                   {{"damaged", damaged}, {"stray", stray}, {"unclosed", unclosed}, {"shifted", shifted}});
}

Finding additive_widths(const Mathematics&) {
  NumpyRandom random(0);
  const Tensor<double> query = random.randn({2, 3});
  const Tensor<double> key = random.randn({4, 5});
  const AdditiveWeights<double> network{random.randn({8, 6}), random.randn({6})};
  const AdditiveStages<double> stages = additive_attention(network, query, key, key);
  const bool product_refuses = refuses([&] { scaled_dot_product_attention(query, key, key); });
  return holds_if(stages.weights.size() == 8 && product_refuses, {{"dot_product_refuses", product_refuses}});
}

}  // namespace

std::vector<ClaimCheck> textbook_softmax_checks() {
  return {
      {"A-additive-widths", additive_widths},
      {"A-closer-larger", closer_product},
      {"A-key-rows", keys_as_rows},
      {"A-figure-number", numbers_of_figures},
      {"A-sums-differ", sums_differ},
      {"A-sum-one", positive_and_one},
      {"A-order", softmax_order_kept},
      {"A-exp-50", exp_50},
      {"A-overflows-at-once", overflows_at_once},
      {"A-shift", shift_invariance},
      {"A-footnote-b", footnote_b},
      {"A-printed-output", printed_output},
      {"A-nearer-larger", nearer_is_larger},
      {"A-long-vector", long_vector},
      {"A-qk", product_without_transposition},
      {"A-figure-shifted", shifted_figures},
      {"A-damaged-code", damaged_code},
      {"A-row-sums", rows_of_three_queries},
      {"A-global-maximum", global_maximum},
  };
}

}  // namespace attnlab
