// The numbers that `attnlab cost` must give.
#include "experiments/expected/rows.hpp"

namespace attnlab::expected {

// The article gives O(n) and O(n²) only. The operations come from loops in Python over numbers that count
// their own arithmetic (data/reference/make_cost_reference.py). The bytes are 8 times 2nd + w, 4nd + n² and
// 4nd + b, by hand. All are whole numbers and must be met exactly.
Rows cost_rows() {
  const Text table{"固定重みフィルタと Self-Attention の表（計算量）",
                   "table of fixed filter and self-attention, cost"};
  const std::map<std::string, std::string> small{
      {"width", "3"}, {"taps", "7"}, {"block", "5"}, {"longest", "128"}};
  const auto row = [&](const std::map<std::string, std::string>& flags, const char* quantity,
                       std::vector<std::size_t> shape, std::size_t first, std::vector<double> values) {
    return ExpectedValue{
        "cost", flags, quantity, std::move(shape), first, std::move(values), 0.0, Document::article, table};
  };
  const std::vector<std::size_t> all{3, 9};  // lengths 64, 128, ..., 16384
  return {
      row({}, "length", {9}, 0, {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}),
      row({}, "operations", all, 0, {36096, 72960}),
      row({}, "operations", all, 9, {1064832, 4267776}),
      row({}, "operations", all, 18, {1064832, 4268160}),
      row(small, "operations", {3, 2}, 0, {2424, 4920, 69312, 277888, 70016, 281088}),
      row({}, "bytes", all, 0, {65576}),
      row({}, "bytes", all, 9, {163840}),
      row({}, "bytes", all, 18, {131584}),
      row({}, "bytes", all, 8, {16777256}),
      row({}, "bytes", all, 17, {2181038080}),
      row({}, "bytes", all, 26, {33554944}),
  };
}

}  // namespace attnlab::expected
