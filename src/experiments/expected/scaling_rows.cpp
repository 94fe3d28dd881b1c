// The numbers that `attnlab scaling` must give.
#include "experiments/expected/rows.hpp"

namespace attnlab::expected {

Rows scaling_rows() {
  const Text code_226{"コード 2.2.6", "code 2.2.6"};
  return {
      {"scaling", {}, "largest_weight_low", {}, 0, {0.1894}, printed(4), Document::textbook, code_226},
      {"scaling", {}, "largest_weight_low_scaled", {}, 0, {0.1894}, printed(4), Document::textbook, code_226},
      {"scaling", {}, "weights_high", {20}, 19, {0.8044}, printed(4), Document::textbook, code_226},
      {"scaling", {}, "weights_high_scaled", {20}, 19, {0.1353}, printed(4), Document::textbook, code_226},
      {"scaling", {}, "largest_index_high", {}, 0, {19}, 0.0, Document::textbook, code_226},
      // torch.manual_seed(0), randn in the book's order, softmax in float64: float32 normals within 1e-6 each
      {"scaling", {{"rng", "torch"}}, "largest_index_high", {}, 0, {17}, 0.0, Document::textbook, code_226},
      {"scaling",
       {{"rng", "torch"}},
       "largest_weight_high",
       {},
       0,
       {0.9998879084726134},
       2e-5,
       Document::textbook,
       code_226},
      {"scaling",
       {{"rng", "torch"}},
       "largest_weight_high_scaled",
       {},
       0,
       {0.2555389478465087},
       2e-5,
       Document::textbook,
       code_226},
      {"scaling", {}, "entropy_high", {}, 0, {0.7302}, printed(4), Document::textbook, code_226},
      {"scaling", {}, "entropy_high_scaled", {}, 0, {2.7336}, printed(4), Document::textbook, code_226},
  };
}

}  // namespace attnlab::expected
