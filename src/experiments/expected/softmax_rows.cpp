// The numbers that `attnlab softmax` must give.
#include "experiments/expected/rows.hpp"

namespace attnlab::expected {

Rows softmax_rows() {
  const Text code_221{"コード 2.2.1", "code 2.2.1"};
  const Text figure{"図 2.2.6", "fig. 2.2.6"};
  const Text exponential{"2.2.2 項、exp(50) が 10^21 を超える", "section 2.2.2, exp(50) exceeds 10^21"};
  const Text overflow{"コード 2.2.1、オーバーフロー", "code 2.2.1, overflow"};
  const Text temperature{"softmax の温度", "temperature of softmax"};
  return {
      {"softmax",
       {},
       "weights",
       {5},
       0,
       {0.24550215166687803, 0.012222832409496556, 0.054778934418214596, 0.6673440377236709,
        0.020152043781739872},
       exact,
       Document::textbook,
       figure},
      {"softmax", {}, "exp_50", {}, 0, {5.18470552858707e21}, 0.5e7, Document::textbook, exponential},
      {"softmax", {}, "exp_limit_float32", {}, 0, {88.7228}, printed(4), Document::textbook, overflow},
      {"softmax", {}, "exp_limit_float64", {}, 0, {709.7827}, printed(4), Document::textbook, overflow},
      {"softmax", {}, "zero_gap_float32", {}, 0, {103.97}, printed(2), Document::textbook, overflow},
      {"softmax", {}, "zero_gap_float64", {}, 0, {745.13}, printed(2), Document::textbook, overflow},
      // magnitudes 88 and 89, 709 and 710: the last that the naive form survives, and the next
      {"softmax",
       {},
       "naive_float32",
       {10, 5},
       15,
       {1.8226183e-13, 0, 0, 1, 0, 0, 0, 0, nan, 0},
       1e-6,
       Document::textbook,
       overflow},
      {"softmax",
       {},
       "naive_float64",
       {10, 5},
       35,
       {0, 0, 0, 1, 0, 0, 0, 0, nan, 0},
       exact,
       Document::textbook,
       overflow},
      {"softmax", {}, "stable_float64", {10, 5}, 45, {0, 0, 0, 1, 0}, exact, Document::textbook, overflow},
      // five scores of 88 or 709.5: finite exponentials, an infinite sum, no NaN
      {"softmax", {}, "silent_naive_float32", {5}, 0, {0, 0, 0, 0, 0}, 0.0, Document::textbook, overflow},
      {"softmax", {}, "silent_naive_float64", {5}, 0, {0, 0, 0, 0, 0}, 0.0, Document::textbook, overflow},
      {"softmax",
       {},
       "entropy",
       {5},
       0,
       {0.0905960159550073, 0.4080744290065057, 0.906322537945258, 1.3507805497330094, 1.538228852889098},
       exact,
       Document::textbook,
       temperature},
      {"softmax",
       {},
       "global_max",
       {2, 2},
       0,
       {0.731, 0.269, nan, nan},
       printed(3),
       Document::textbook,
       code_221},
      {"softmax",
       {},
       "row_max",
       {2, 2},
       0,
       {0.731, 0.269, 0.731, 0.269},
       printed(3),
       Document::textbook,
       code_221},
  };
}

}  // namespace attnlab::expected
