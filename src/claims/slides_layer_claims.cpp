// Document E: what stands around attention: layer normalisation, the MLP, and the position representation.
#include "attention/positional.hpp"
#include "attention/transformer_layer.hpp"
#include "claims/claim.hpp"

namespace attnlab {
namespace {

Finding layer_norm_divisor(const Mathematics& mathematics) {
  const Tensor<double> y{1.0, 2.0, 3.0, 4.0};
  LayerNorm<double> as_printed;
  as_printed.divisor = NormDivisor::standard_deviation;
  const double printed = std::pow(standard_deviation(mathematics.layer_norm(as_printed, y)), 2);
  const double defined = std::pow(standard_deviation(mathematics.layer_norm({}, y)), 2);
  const bool normalises = std::abs(printed - 1.0) < 1e-3;
  return holds_if(normalises, {{"variance_as_printed", printed}, {"variance_as_defined", defined}});
}

Finding same_mlp_for_rows(const Mathematics&) {
  NumpyRandom random(0);
  const FeedForward<double> mlp{{random.randn({8, 4}), std::nullopt}, {random.randn({4, 8}), std::nullopt}};
  const Tensor<double> tokens = random.randn({3, 4});
  const Tensor<double> together = feed_forward(mlp, tokens).output;
  const double largest = worst_of(3, [&](std::size_t row) {
    const Tensor<double> alone = feed_forward(mlp, with_rows(tokens, {row})).output;
    return largest_difference(alone, with_rows(together, {row}));
  });
  return holds_if(largest < 1e-12, {{"largest_difference", largest}});
}

// --- The position representation

constexpr std::size_t positions = 50;
constexpr std::size_t encoding_width = 64;
constexpr double base = 10000.0;

Finding norm(const Mathematics& mathematics) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, encoding_width, base);
  const Tensor<double> norms = xt::sqrt(xt::sum(xt::square(encoding), {1}));
  const double high = largest(norms);
  const bool as_printed = std::abs(smallest_value(norms) - 32.0) < 1e-9 && std::abs(high - 32.0) < 1e-9;
  return holds_if(as_printed, {{"norm", high}, {"squared_norm", high * high}});
}

/// Between the nearest two of 512 positions.
double nearest_positions(const Mathematics& mathematics, double tried_base) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(512, encoding_width, tried_base);
  const Tensor<double> products = matmul(encoding, transpose(encoding));
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < 512; ++a)
    for (std::size_t b = a + 1; b < 512; ++b)
      nearest = std::min(nearest, products(a, a) + products(b, b) - 2.0 * products(a, b));
  return std::sqrt(nearest);
}

Finding large_base(const Mathematics& mathematics) {
  const double large = nearest_positions(mathematics, 10000.0);
  const double small = nearest_positions(mathematics, 50.0);
  const double none = nearest_positions(mathematics, 1.0);
  return remark_if(small > 1.0, {{"large", large}, {"small", small}, {"none", none}});
}

Finding unique(const Mathematics& mathematics) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, encoding_width, base);
  std::size_t equal = 0;
  for (std::size_t a = 0; a < positions; ++a) {
    for (std::size_t b = a + 1; b < positions; ++b) {
      if (largest_difference(with_rows(encoding, {a}), with_rows(encoding, {b})) < 1e-6) ++equal;
    }
  }
  return holds_if(equal == 0, {{"equal_pairs", equal}});
}

Finding similarity(const Mathematics& mathematics) {
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, encoding_width, base);
  const Tensor<double> products = matmul(encoding, transpose(encoding));
  constexpr std::size_t near = 5;  // up to five steps away
  constexpr std::size_t far = 25;  // half of the positions away, or more
  double least_near = products(0, 0);
  double largest_far = 0.0;
  std::size_t rises = 0;
  std::size_t first = 0;
  for (std::size_t k = 1; k < positions; ++k) {
    if (k <= near) least_near = std::min(least_near, products(0, k));
    if (k >= far) largest_far = std::max(largest_far, products(0, k));
    if (products(0, k) > products(0, k - 1) && rises++ == 0) first = k - 1;
  }
  const bool falls_in_all = least_near > largest_far;
  return holds_or_only_if(falls_in_all && rises == 0, falls_in_all,
                          {{"at_zero", products(0, 0)},
                           {"least_near", least_near},
                           {"largest_far", largest_far},
                           {"rises", rises},
                           {"first_rise", first},
                           {"risen_at", first + 1}});
}

Finding one_rotation(const Mathematics& mathematics) {
  constexpr std::size_t offset = 5;
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions + offset, encoding_width, base);
  const Tensor<double> turned =
      matmul(encoding, shift_matrix(static_cast<long long>(offset), encoding_width, base));
  const double largest = worst_of(positions, [&](std::size_t n) {
    return largest_difference(with_rows(turned, {n}), with_rows(encoding, {n + offset}));
  });
  return holds_if(largest < 1e-12, {{"largest_error", largest}});
}

Finding relative_position(const Mathematics& mathematics) {
  constexpr std::size_t offset = 5;
  const Tensor<double> encoding = mathematics.sinusoidal_encoding(positions, encoding_width, base);
  const Tensor<double> key =
      matmul(encoding, shift_matrix(static_cast<long long>(offset), encoding_width, base));
  const Tensor<double> scores = matmul(encoding, transpose(key));  // W_q = I, W_k = the rotation
  const double spread =
      largest_difference(xt::view(scores, xt::range(1, positions), xt::range(1, positions)),
                         xt::view(scores, xt::range(0, positions - 1), xt::range(0, positions - 1)));
  return holds_if(spread < 1e-10, {{"largest_deviation", spread}});
}

}  // namespace

std::vector<ClaimCheck> slides_layer_checks() {
  return {
      {"E-layer-norm", layer_norm_divisor},
      {"E-mlp-rows", same_mlp_for_rows},
      {"E-order-nothing", permutation_invariance},
      {"E-base", large_base},
      {"E-norm", norm},
      {"E-unique", unique},
      {"E-similarity", similarity},
      {"E-one-rotation", one_rotation},
      {"E-relative", relative_position},
  };
}

}  // namespace attnlab
