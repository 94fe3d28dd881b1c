// Measurements that several claims share.
#include "claims/claim.hpp"

#include "attention/positional.hpp"
#include "attention/softmax.hpp"

namespace attnlab {

Mathematics attnlab_mathematics() {
  return {softmax<double>, softmax_global_maximum<double>, layer_norm<double>, sinusoidal_encoding};
}

Tensor<double> weights_of(const Mathematics& mathematics, const Tensor<double>& query,
                          const Tensor<double>& key, double scale) {
  const Tensor<double> scores = matmul(query, transpose(key)) * scale;
  return mathematics.softmax(scores);
}

MultiHeadWeights<double> random_weights(NumpyRandom& random, std::size_t heads, std::size_t d_model,
                                        const std::array<std::size_t, 3>& widths, std::size_t joined) {
  return {random.randn({heads, d_model, widths[0]}), random.randn({heads, d_model, widths[1]}),
          random.randn({heads, d_model, widths[2]}), random.randn({joined, d_model})};
}

double smallest_value(const Tensor<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

double asymmetry(const Tensor<double>& matrix) { return largest_difference(matrix, transpose(matrix)); }

Tensor<double> with_rows(const Tensor<double>& matrix, const std::vector<std::size_t>& order) {
  return xt::view(matrix, xt::keep(order));
}

OrderDifference order_difference(const Mathematics& mathematics) {
  const Tensor<double> x = NumpyRandom(0).randn({6, 8});
  const std::vector<std::size_t> order{3, 0, 5, 1, 4, 2};
  const Tensor<double> moved = with_rows(x, order);
  const Tensor<double> output = matmul(weights_of(mathematics, x, x, 0.35), x);
  const Tensor<double> moved_output = matmul(weights_of(mathematics, moved, moved, 0.35), moved);
  return {largest_difference(output, moved_output),
          largest_difference(with_rows(output, order), moved_output)};
}

Finding permutation_invariance(const Mathematics& mathematics) {
  const auto [row_by_row, reordered] = order_difference(mathematics);
  return fails_if(row_by_row > 1e-6 && reordered < 1e-12,
                  {{"difference_row_by_row", row_by_row}, {"difference_reordered", reordered}});
}

Finding large_products(const Mathematics&) {
  NumpyRandom random(0);
  constexpr std::size_t pairs = 1000;
  const auto products = [&](std::size_t d) {
    const Tensor<double> q = random.randn({pairs, d});
    const Tensor<double> k = random.randn({pairs, d});
    return Tensor<double>(xt::sum(q * k, {1}));
  };
  const auto mean = [](const Tensor<double>& values) { return sum_of(values) / pairs; };
  const Tensor<double> low = products(4);
  const Tensor<double> high = products(1024);
  const double spread = standard_deviation(high);
  // The mean of 1000 products scatters by spread / sqrt(1000).
  const bool mean_grows = std::abs(mean(high)) > 4.0 * spread / std::sqrt(1000.0);
  return holds_or_only_if(mean_grows, spread > 2.0 * standard_deviation(low),
                          {{"mean_4", mean(low)},
                           {"deviation_4", standard_deviation(low)},
                           {"mean_1024", mean(high)},
                           {"deviation_1024", spread}});
}

}  // namespace attnlab
