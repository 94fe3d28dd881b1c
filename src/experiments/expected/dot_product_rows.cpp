// The numbers that `attnlab dot-product` must give.
#include "experiments/expected/rows.hpp"

namespace attnlab::expected {

Rows dot_product_rows() {
  const Text figure{"図 2.2.4", "fig. 2.2.4"};
  const Text several{"図 2.2.5、複数のキー", "fig. 2.2.5, several keys"};
  // all but a·b and a·c: NumPy, v @ v.T, np.degrees(np.arccos(cosine)) and v @ v.T / np.linalg.norm(v)
  return {
      {"dot-product", {}, "product_ab", {}, 0, {2.13}, exact, Document::textbook, figure},
      {"dot-product", {}, "product_ac", {}, 0, {0.45}, exact, Document::textbook, figure},
      {"dot-product",
       {},
       "products",
       {3, 3},
       0,
       {2.25, 2.13, 0.45, 2.13, 2.21, -0.19, 0.45, -0.19, 2.05},
       exact,
       Document::textbook,
       several},
      {"dot-product",
       {},
       "lengths",
       {3},
       0,
       {1.5, 1.4866068747318506, 1.4317821063276355},
       exact,
       Document::textbook,
       figure},
      {"dot-product",
       {},
       "projections",
       {3, 3},
       0,
       {1.5, 1.42, 0.3, 1.4327930512121454, 1.4866068747318504, -0.12780783085929934},
       exact,
       Document::textbook,
       figure},
      // degrees: an arc cosine's error near 1 grows with 180/pi
      {"dot-product",
       {},
       "angles",
       {3, 3},
       0,
       {0.0, 17.216073587790724, 77.9052429229879},
       1e-12,
       Document::textbook,
       figure},
  };
}

}  // namespace attnlab::expected
