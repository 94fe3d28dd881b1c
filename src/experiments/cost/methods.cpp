// The three ways to mix tokens and what each costs: formulas derived step by step.
#include <algorithm>

#include "experiments/cost/cost.hpp"

namespace attnlab {
namespace {

using Count = std::uint64_t;

/// y_t = sum of w_i x_(t+i), |i| <= r = (w - 1) / 2, for each of the d columns; beyond the ends there is
/// nothing. An output number of c taps takes c products and c - 1 sums. All rows together have n w taps, less
/// 1 + 2 + ... + r at each end: T = n w - r (r + 1). Operations d (2T - n). Needs n >= r.
CostMethod fixed_filter_cost() {
  return {
      "fixed_filter",
      {"固定フィルタ", "fixed filter"},
      {Text::same("d(2(nw − r(r+1)) − n)"),
       [](Count n, const CostSize& size) {
         const Count r = size.taps / 2;
         return size.width * (2 * (n * size.taps - r * (r + 1)) - n);
       },
       [](Count n, const CostSize& size) {
         const Count r = size.taps / 2;
         return fmt::format("{0} (2 ({1} · {2} − {3} · {4}) − {1})", size.width, n, size.taps, r, r + 1);
       }},
      {Text::same("2nd + w"), [](Count n, const CostSize& size) { return 2 * n * size.width + size.taps; },
       [](Count n, const CostSize& size) {
         return fmt::format("2 · {} · {} + {}", n, size.width, size.taps);
       }},
      count_fixed_filter,
      run_fixed_filter};
}

/// Article eq. 2, with the matrix of scores kept, for n queries and n keys of width d:
///   Q Kᵀ      n² (d products, d - 1 sums)                                        n² (2d - 1)
///   scale     n²                                                                 n²
///   softmax   per row: n - 1 comparisons, n differences, n exponentials,
///             n - 1 sums, n divisions                                            n (5n - 2)
///   A V       n d (n products, n - 1 sums)                                       n d (2n - 1)
/// Sum: n² (4d + 5) - n (d + 2).
CostMethod plain_attention_cost() {
  return {"plain_attention",
          {"アテンション", "plain attention"},
          {Text::same("n²(4d+5) − n(d+2)"),
           [](Count n, const CostSize& size) { return n * n * (4 * size.width + 5) - n * (size.width + 2); },
           [](Count n, const CostSize& size) {
             return fmt::format("{0}² (4 · {1} + 5) − {0} ({1} + 2)", n, size.width);
           }},
          {Text::same("4nd + n²"), [](Count n, const CostSize& size) { return 4 * n * size.width + n * n; },
           [](Count n, const CostSize& size) { return fmt::format("4 · {0} · {1} + {0}²", n, size.width); }},
          count_plain_attention,
          run_plain_attention};
}

Count blocks(Count n, const CostSize& size) {
  return (n + size.block - 1) / size.block;
}

/// The same result without the matrix: each query reads the keys in m = ceil(n / b) blocks and keeps a
/// running maximum, a running sum and the unfinished output (Milakov and Gimelshein 2018, algorithm 3; Rabe
/// and Staats 2021; Dao et al. 2022, algorithm 1). Per query:
///   scores, scale      n (2d - 1) + n
///   softmax of blocks  n - m comparisons, n differences, n exponentials, n - m sums
///   weights times V    d (2n - m)
///   each later block   1 comparison, 1 difference, 1 exponential; sum: 1 product, 1 sum; output: d products,
///                      d sums                                                    (m - 1) (2d + 5)
///   at the end         d divisions, of the output instead of the weights
/// Sum: 4n (d + 1) + m (d + 3) - d - 5.
CostMethod streaming_attention_cost() {
  return {"streaming_attention",
          {"ストリーミング", "streaming attention"},
          {Text::same("n(4n(d+1) + m(d+3) − d − 5)"),
           [](Count n, const CostSize& size) {
             const Count d = size.width;
             return n * (4 * n * (d + 1) + blocks(n, size) * (d + 3) - d - 5);
           },
           [](Count n, const CostSize& size) {
             return fmt::format("{0} (4 · {0} ({1} + 1) + {2} ({1} + 3) − {1} − 5)", n, size.width,
                                blocks(n, size));
           }},
          {Text::same("4nd + b"),
           [](Count n, const CostSize& size) { return 4 * n * size.width + std::min<Count>(size.block, n); },
           [](Count n, const CostSize& size) {
             return fmt::format("4 · {} · {} + {}", n, size.width, std::min<Count>(size.block, n));
           }},
          count_streaming_attention,
          run_streaming_attention};
}

}  // namespace

const std::vector<CostMethod>& cost_methods() {
  static const std::vector<CostMethod> table{fixed_filter_cost(), plain_attention_cost(),
                                             streaming_attention_cost()};
  return table;
}

}  // namespace attnlab
