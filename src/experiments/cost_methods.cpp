// The three ways to mix tokens and what each costs: formulas derived step by step.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/cost/cost.hpp"

namespace attnlab {
namespace {

using Count = std::uint64_t;

// --- The fixed filter -------------------------------------------------------------------------------------
// y_t = sum of w_i x_(t+i), |i| <= r = (w - 1) / 2, for each of the d columns; beyond the ends there is
// nothing. An output number of c taps takes c products and c - 1 sums. All rows together have n w taps, less
// 1 + 2 + ... + r at each end: T = n w - r (r + 1). Operations d (2T - n). Needs n >= r.

Count taps_of_all_rows(Count n, const CostSize& size) {
  const Count radius = size.taps / 2;
  return n * size.taps - radius * (radius + 1);
}
Count filter_operations(std::size_t n, const CostSize& size) {
  return size.width * (2 * taps_of_all_rows(n, size) - n);
}
Count filter_numbers(std::size_t n, const CostSize& size) {
  return 2 * n * size.width + size.taps;
}
std::string filter_operations_worked(std::size_t n, const CostSize& size) {
  return fmt::format("{0} (2 ({1} · {2} − {3} · {4}) − {1})", size.width, n, size.taps, size.taps / 2,
                     size.taps / 2 + 1);
}
std::string filter_numbers_worked(std::size_t n, const CostSize& size) {
  return fmt::format("2 · {} · {} + {}", n, size.width, size.taps);
}

// --- Plain attention --------------------------------------------------------------------------------------
// Article eq. 2, with the matrix of scores kept, for n queries and n keys of width d:
//   Q Kᵀ      n² (d products, d - 1 sums)                                        n² (2d - 1)
//   scale     n²                                                                 n²
//   softmax   per row: n - 1 comparisons, n differences, n exponentials,
//             n - 1 sums, n divisions                                            n (5n - 2)
//   A V       n d (n products, n - 1 sums)                                       n d (2n - 1)
// Sum: n² (4d + 5) - n (d + 2).

Count plain_operations(std::size_t length, const CostSize& size) {
  const Count n = length;
  return n * n * (4 * size.width + 5) - n * (size.width + 2);
}
Count plain_numbers(std::size_t length, const CostSize& size) {
  const Count n = length;
  return 4 * n * size.width + n * n;
}
std::string plain_operations_worked(std::size_t n, const CostSize& size) {
  return fmt::format("{0}² (4 · {1} + 5) − {0} ({1} + 2)", n, size.width);
}
std::string plain_numbers_worked(std::size_t n, const CostSize& size) {
  return fmt::format("4 · {0} · {1} + {0}²", n, size.width);
}

// --- Streaming attention ----------------------------------------------------------------------------------
// The same result without the matrix: each query reads the keys in m = ceil(n / b) blocks and keeps a running
// maximum, a running sum and the unfinished output (Milakov and Gimelshein 2018, algorithm 3; Rabe and Staats
// 2021; Dao et al. 2022, algorithm 1). Per query:
//   scores, scale      n (2d - 1) + n
//   softmax of blocks  n - m comparisons, n differences, n exponentials, n - m sums
//   weights times V    d (2n - m)
//   each later block   1 comparison, 1 difference, 1 exponential; sum: 1 product, 1 sum; output: d products,
//                      d sums                                                    (m - 1) (2d + 5)
//   at the end         d divisions, of the output instead of the weights
// Sum: 4n (d + 1) + m (d + 3) - d - 5.

Count blocks(Count n, const CostSize& size) {
  return (n + size.block - 1) / size.block;
}
Count streaming_operations(std::size_t length, const CostSize& size) {
  const Count n = length;
  const Count d = size.width;
  return n * (4 * n * (d + 1) + blocks(n, size) * (d + 3) - d - 5);
}
Count streaming_numbers(std::size_t length, const CostSize& size) {
  const Count n = length;
  return 4 * n * size.width + std::min<Count>(size.block, n);
}
std::string streaming_operations_worked(std::size_t n, const CostSize& size) {
  return fmt::format("{0} (4 · {0} ({1} + 1) + {2} ({1} + 3) − {1} − 5)", n, size.width, blocks(n, size));
}
std::string streaming_numbers_worked(std::size_t n, const CostSize& size) {
  return fmt::format("4 · {} · {} + {}", n, size.width, std::min(size.block, n));
}

}  // namespace

const std::vector<CostMethod>& cost_methods() {
  static const std::vector<CostMethod> table{
      {"fixed_filter",
       {"固定フィルタ", "fixed filter"},
       filter_operations,
       filter_numbers,
       Text::same("d(2(nw − r(r+1)) − n)"),
       Text::same("2nd + w"),
       filter_operations_worked,
       filter_numbers_worked,
       count_fixed_filter,
       run_fixed_filter},
      {"plain_attention",
       {"アテンション", "plain attention"},
       plain_operations,
       plain_numbers,
       Text::same("n²(4d+5) − n(d+2)"),
       Text::same("4nd + n²"),
       plain_operations_worked,
       plain_numbers_worked,
       count_plain_attention,
       run_plain_attention},
      {"streaming_attention",
       {"ストリーミング", "streaming attention"},
       streaming_operations,
       streaming_numbers,
       Text::same("n(4n(d+1) + m(d+3) − d − 5)"),
       Text::same("4nd + b"),
       streaming_operations_worked,
       streaming_numbers_worked,
       count_streaming_attention,
       run_streaming_attention},
  };
  return table;
}

}  // namespace attnlab
