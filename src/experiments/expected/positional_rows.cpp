// The numbers that `attnlab positional` must give.
#include "experiments/expected/rows.hpp"

namespace attnlab::expected {

Rows positional_rows() {
  const Text equation{"式 9, 10", "eq. 9 and 10"};
  const Text properties{"位置表現の性質", "properties of the position representation"};
  return {
      {"positional",
       {},
       "encoding",
       {50, 64},
       64,
       {0.84147098, 0.54030231, 0.68156135, 0.73176098},
       printed(8),
       Document::article,
       equation},
      {"positional",
       {},
       "squared_norm",
       {50},
       0,
       std::vector<double>(50, 32.0),
       1e-12,
       Document::slides,
       properties},
      {"positional", {}, "similarity", {50, 50}, 1, {30.9168}, printed(4), Document::slides, properties},
      {"positional", {}, "similarity", {50, 50}, 49, {15.2135}, printed(4), Document::slides, properties},
      {"positional", {}, "similarity", {50, 50}, 48, {14.517}, printed(3), Document::slides, properties},
      {"positional", {}, "similarity_rises", {}, 0, {17}, 0.0, Document::slides, properties},
      {"positional", {}, "similarity_minimum_at", {}, 0, {48}, 0.0, Document::slides, properties},
      {"positional", {}, "first_rise", {}, 0, {5}, 0.0, Document::slides, properties},
  };
}

}  // namespace attnlab::expected
