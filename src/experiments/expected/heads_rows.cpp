// The numbers that `attnlab heads` must give.
//
// Numbers with more digits than the documents or EXPERIMENTS.md give come from
// data/reference/make_experiment_reference.py (article) and make_heads_reference.py (the other variants).
#include "experiments/expected/rows.hpp"

namespace attnlab::expected {

namespace {

/// A float32 result: within 1e-6 of the largest number of its array, which is near 1 here, and the expected
/// number itself is rounded.
double float32_printed(int decimals) {
  return 1e-6 + printed(decimals);
}

Rows article_rows() {
  return {
      {"heads",
       {},
       "weights",
       {4, 6, 6},
       0,
       {0.1404, 0.1952, 0.1856, 0.1355, 0.1937, 0.1497},
       printed(4),
       Document::article,
       {"ヘッド 0、クエリ 0", "head 0, query 0"}},
      {"heads",
       {},
       "output",
       {6, 16},
       0,
       {0.03967989508427588, 0.06650505936972338, -0.02990789517545977, 0.03768816976774598},
       exact,
       Document::article,
       {"式 (7) の出力 [0, :4]", "output of eq. 7, [0, :4]"}},
      {"heads",
       {{"rng", "torch"}},
       "weights",
       {4, 6, 6},
       0,
       {0.07952405646699615, 0.2939329990257677, 0.14443518138596895, 0.19913304013398575,
        0.10614898753831485, 0.17682573544896663},
       1e-6,  // torch.randn of 16 values or more lies within 1e-6
       Document::article,
       {"torch.manual_seed(42) のヘッド 0、クエリ 0", "head 0, query 0 with torch.manual_seed(42)"}},
  };
}

Rows parity_rows() {
  return {
      {"heads",
       {{"variant", "parity"}},
       "output",
       {4, 8},
       0,
       {0.00449286, -0.0228128, -0.00711573, -0.00196028},
       printed(7),
       Document::article,
       {"PyTorch との比較、出力 [0, :4]", "comparison with PyTorch, output[0, :4]"}},
      {"heads",
       {{"variant", "parity"}},
       "largest_difference_float64",
       {},
       0,
       {5.7e-9},
       printed(10),
       Document::article,
       {"PyTorch との比較、最大誤差", "comparison with PyTorch, largest difference"}},
  };
}

Rows book_rows() {
  return {
      {"heads",
       {{"variant", "book"}},
       "output",
       {2, 3, 16},
       0,
       {0.137389, -0.269710, 0.620635, -0.412836},
       float32_printed(6),
       Document::textbook,
       {"コード 2.2.11、出力 [0, 0, :4]", "code 2.2.11, output[0, 0, :4]"}},
      {"heads",
       {{"variant", "book"}},
       "weights",
       {2, 4, 3, 4},
       0,
       {0.19636374711990356, 0.27051621675491333, 0.27202108502388, 0.2610989809036255},
       1e-6,
       Document::textbook,
       {"コード 2.2.11、ヘッド 0、クエリ 0", "code 2.2.11, head 0, query 0"}},
  };
}

Rows course_rows() {
  return {
      {"heads",
       {{"variant", "course"}},
       "output",
       {2, 5, 16},
       0,
       {0.591668252517629, -1.2569677861873647, -0.6961211401289198, -1.3066006761158768},
       exact,
       Document::course,
       {"Task 2、出力 [0, 0, :4]", "task 2, output[0, 0, :4]"}},
      {"heads",
       {{"variant", "course"}},
       "weights",
       {2, 4, 5, 5},
       5,
       {0.948364161598191, 0.05163583840180912, 0.0, 0.0, 0.0},
       exact,
       Document::course,
       {"Task 1、ヘッド 0、クエリ 1", "task 1, head 0, query 1"}},
  };
}

Rows notebook_rows() {
  return {
      {"heads",
       {{"variant", "notebook"}},
       "output",
       {1, 7, 128},
       0,
       {-0.179900, 0.031604, -0.089256, 0.249346, 0.048618, -0.090659},
       float32_printed(6),
       Document::notebook,
       {"出力 [0, 0, :6]", "output[0, 0, :6]"}},
      {"heads",
       {{"variant", "notebook"}},
       "weights",
       {1, 4, 7, 7},
       0,
       {0.127917, 0.074503, 0.205183, 0.101664, 0.099307, 0.228042, 0.163385},
       float32_printed(6),
       Document::notebook,
       {"ヘッド 0、クエリ 0", "head 0, query 0"}},
  };
}

}  // namespace

Rows heads_rows() {
  Rows rows;
  for (const Rows& part : {article_rows(), parity_rows(), book_rows(), course_rows(), notebook_rows()}) {
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

}  // namespace attnlab::expected
