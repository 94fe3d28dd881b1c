// Document A, section 2.2.3: why the scores are divided by √d.

#include <algorithm>
#include <cmath>

#include "attention/matmul.hpp"
#include "claims/claim.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {

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

Finding one_dimension_is_the_same(const Mathematics& mathematics) {
  const BookPanels panels = book_panels(mathematics);
  const double difference = largest_difference(panels.low, panels.low_scaled);
  return holds_if(difference == 0.0,
                  text("1 次元では √1 = 1 で割るので、差は {} です。",
                       "With d = 1 the divisor is √1 = 1: the difference is {}.", difference),
                  {{"largest_difference", difference}});
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
  return holds_if(
      without > 10 && with < without / 2,
      text("100 次元で 0.01 未満の注意度は、スケーリングなしで 20 個中 {} 個、ありで {} 個です（最大の"
           "注意度は {:.4f} と {:.4f}）。",
           "With d = 100, {} of 20 weights are below 0.01 without scaling and {} with it (largest {:.4f} and "
           "{:.4f}).",
           without, with, largest_value(panels.high), largest_value(panels.high_scaled)),
      {{"near_zero_unscaled", without}, {"near_zero_scaled", with}});
}

Finding free_panel(const Mathematics& mathematics) {
  const BookPanels panels = book_panels(mathematics);
  const double shared = std::max(largest_value(panels.low_scaled), largest_value(panels.high_scaled)) + 0.1;
  const double hidden = largest_value(panels.high);
  return {hidden > shared ? Verdict::remark : Verdict::holds,
          text("種 0 の乱数で、ほかの 3 つのグラフの上限は {:.3f}、このグラフの最大値は {:.4f} です。",
               "With seed 0 the other three panels end at {:.3f}; the largest weight of this one is {:.4f}.",
               shared, hidden),
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
  return holds_if(
      worst < 0.1,
      text("種 0 の乱数、d = 64 で、標準偏差は {:.3f}（√64 = 8）です。d = 1 から 1024 まで、√d との"
           "違いは {:.1f} % 以内です。",
           "For random vectors (seed 0) with d = 64 the standard deviation is {:.3f} (√64 = 8); "
           "from d = 1 to 1024 it lies within {:.1f} % of √d.",
           at_64, 100.0 * worst),
      {{"deviation_at_64", at_64}, {"largest_relative_error", worst}});
}

}  // namespace

std::vector<ClaimCheck> textbook_scaling_checks() {
  return {
      {"A-deviation", deviation_of_products},
      {"A-one-dimension", one_dimension_is_the_same},
      {"A-stuck-to-zero", stuck_to_zero},
      {"A-free-panel", free_panel},
  };
}

}  // namespace attnlab
