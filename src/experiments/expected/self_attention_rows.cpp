// The numbers that `attnlab self-attention` must give.
#include "experiments/expected/rows.hpp"

namespace attnlab::expected {

Rows self_attention_rows() {
  return {
      {"self-attention",
       {},
       "weights",
       {4, 4},
       0,
       {0.235, 0.264, 0.246, 0.255, 0.257, 0.235, 0.244, 0.265, 0.268, 0.243, 0.254, 0.235, 0.242, 0.259,
        0.248, 0.251},
       printed(3),
       Document::article,
       {"注意度のヒートマップ", "heat map of the weights"}},
      // data/reference/make_experiment_reference.py
      {"self-attention",
       {},
       "output",
       {4, 8},
       0,
       {-0.010355157578013953, -0.2741577996380162, -0.14408015937518343, -0.2059384287948457},
       exact,
       Document::article,
       {"式 (6) の出力 [0, :4]", "output of eq. 6, [0, :4]"}},
      // torch.manual_seed(42); x = torch.randn(4, 8); three times torch.randn(8, 8); then NumPy in float64
      {"self-attention",
       {{"rng", "torch"}},
       "weights",
       {4, 4},
       0,
       {0.27815038718252, 0.2332534352601376, 0.2403624494206915, 0.24823372813665104},
       1e-6,  // torch.randn of 16 values or more lies within 1e-6
       Document::article,
       {"torch.manual_seed(42) のクエリ 0", "query 0 with torch.manual_seed(42)"}},
  };
}

}  // namespace attnlab::expected
