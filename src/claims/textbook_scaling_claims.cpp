// Document A, section 2.2.3: why the scores are divided by √d.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "attention/matmul.hpp"
#include "claims/claim.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {

using namespace measure;

namespace {

/// Code 2.2.5 to 2.2.7 with RandomState(0): 20 keys, weights with and without the division.
struct BookPanels {
  Tensor<double> low;          // (1, 20), d = 1
  Tensor<double> low_scaled;   // (1, 20)
  Tensor<double> high;         // (1, 20), d = 100
  Tensor<double> high_scaled;  // (1, 20)
};

BookPanels book_panels(const Mathematics& mathematics) {
  NumpyRandom random(0);
  const Tensor<double> q1 = random.randn({1, 1});
  const Tensor<double> q2 = random.randn({1, 100});
  const Tensor<double> k1 = random.randn({20, 1});
  const Tensor<double> k2 = random.randn({20, 100});
  return {weights_of(mathematics, q1, k1, 1.0), weights_of(mathematics, q1, k1, 1.0),
          weights_of(mathematics, q2, k2, 1.0), weights_of(mathematics, q2, k2, 0.1)};
}

double largest(const Tensor<double>& weights) {
  return *std::max_element(weights.begin(), weights.end());
}

Finding one_dimension_is_the_same(const Mathematics& mathematics) {
  const BookPanels panels = book_panels(mathematics);
  const double difference = largest_difference(panels.low, panels.low_scaled);
  return {holds_if(difference == 0.0),
          {fmt::format("1 次元では √1 = 1 で割るので、差は {} です。", difference),
           fmt::format("With d = 1 the divisor is √1 = 1: the difference is {}.", difference)},
          nothing,
          {{"largest_difference", difference}}};
}

/// How many of the 20 weights are below 0.01.
std::size_t near_zero(const Tensor<double>& weights) {
  return static_cast<std::size_t>(
      std::count_if(weights.begin(), weights.end(), [](double weight) { return weight < 0.01; }));
}

Finding stuck_to_zero(const Mathematics& mathematics) {
  const BookPanels panels = book_panels(mathematics);
  const std::size_t without = near_zero(panels.high);
  const std::size_t with = near_zero(panels.high_scaled);
  return {
      holds_if(without > 10 && with < without / 2),
      {fmt::format(
           "100 次元で 0.01 未満の注意度は、スケーリングなしで 20 個中 {} 個、ありで {} 個です（最大の"
           "注意度は {:.4f} と {:.4f}）。",
           without, with, largest(panels.high), largest(panels.high_scaled)),
       fmt::format(
           "With d = 100, {} of 20 weights are below 0.01 without scaling and {} with it (largest {:.4f} and "
           "{:.4f}).",
           without, with, largest(panels.high), largest(panels.high_scaled))},
      nothing,
      {{"near_zero_unscaled", static_cast<double>(without)},
       {"near_zero_scaled", static_cast<double>(with)}}};
}

Finding free_panel(const Mathematics& mathematics) {
  const BookPanels panels = book_panels(mathematics);
  const double shared = std::max(largest(panels.low_scaled), largest(panels.high_scaled)) + 0.1;
  const double hidden = largest(panels.high);
  return {
      hidden > shared ? Verdict::remark : Verdict::holds,
      {fmt::format("種 0 の乱数で、ほかの 3 つのグラフの上限は {:.3f}、このグラフの最大値は {:.4f} です。",
                   shared, hidden),
       fmt::format(
           "With seed 0 the other three panels end at {:.3f}; the largest weight of this one is {:.4f}.",
           shared, hidden)},
      {"4 つのグラフのうち 1 "
       "つだけ縦軸の範囲が違います。ほかと同じ範囲にすると、最大の点がグラフの外に出ます。",
       "One of the four panels has an axis of its own: with the common limit its largest point would "
       "fall outside."},
      {{"shared_limit", shared}, {"largest_weight", hidden}}};
}

Finding deviation_of_products(const Mathematics&) {
  NumpyRandom random(0);
  double worst = 0.0;
  double at_64 = 0.0;
  for (const std::size_t d : {1U, 4U, 16U, 64U, 256U, 1024U}) {
    const Tensor<double> q = random.randn({1000, d});
    const Tensor<double> k = random.randn({1000, d});
    Tensor<double> products = Tensor<double>::from_shape({1000});
    for (std::size_t i = 0; i < 1000; ++i) {
      products(i) = 0.0;
      for (std::size_t j = 0; j < d; ++j) products(i) += q(i, j) * k(i, j);
    }
    const double spread = standard_deviation(products);
    const double ratio = spread / std::sqrt(static_cast<double>(d));
    worst = std::max(worst, std::abs(ratio - 1.0));
    if (d == 64U) at_64 = spread;
  }
  // A deviation estimated from 1000 samples scatters by about 1 / sqrt(2000) = 2.2 %, for d = 1 more.
  return {
      holds_if(worst < 0.1),
      {fmt::format("種 0 の乱数、d = 64 で、標準偏差は {:.3f}（√64 = 8）です。d = 1 から 1024 まで、√d との"
                   "違いは {:.1f} % 以内です。",
                   at_64, 100.0 * worst),
       fmt::format("For random vectors (seed 0) with d = 64 the standard deviation is {:.3f} (√64 = 8); "
                   "from d = 1 to 1024 it lies within {:.1f} % of √d.",
                   at_64, 100.0 * worst)},
      nothing,
      {{"deviation_at_64", at_64}, {"largest_relative_error", worst}}};
}

}  // namespace

std::vector<Claim> textbook_scaling_claims() {
  return {
      {"A-deviation",
       Document::textbook,
       {"脚注 3", "footnote 3"},
       {"内積の標準偏差が √d になる", "the standard deviation of the product becomes √d"},
       deviation_of_products},
      {"A-one-dimension",
       Document::textbook,
       {"コード 2.2.6", "code 2.2.6"},
       {"# s1_1 と同じ", "# the same as s1_1"},
       one_dimension_is_the_same},
      {"A-stuck-to-zero",
       Document::textbook,
       {"図 2.2.14", "fig. 2.2.14"},
       {"スケーリングがない場合は 0に張り付いている", "without scaling they stick to 0"},
       stuck_to_zero},
      {"A-free-panel",
       Document::textbook,
       {"コード 2.2.7", "code 2.2.7"},
       {"ax[1, 0] には set_ylim がない", "ax[1, 0] has no set_ylim"},
       free_panel},
  };
}

}  // namespace attnlab
