// Positions off by one: queries count from 0, keys from 1.
#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/matmul.hpp"
#include "attention/positional.hpp"
#include "experiments/mistakes/mistake.hpp"
#include "experiments/mistakes/mistake_steps.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {

namespace {

constexpr std::size_t positions = 8;
constexpr std::size_t width = 32;
constexpr double base = 10000.0;

Tensor<double> encoding_from(std::size_t first) {
  const Tensor<double> all = sinusoidal_encoding(positions + first, width, base);
  Tensor<double> rows = Tensor<double>::from_shape({positions, width});
  std::copy(all.begin() + static_cast<std::ptrdiff_t>(first * width), all.end(), rows.begin());
  return rows;
}

/// How far the most similar position lies from the own one, at most over all rows.
double displacement(const Tensor<double>& similarity) {
  std::ptrdiff_t largest = 0;
  for (std::size_t row = 0; row < positions; ++row) {
    const double* values = similarity.data() + row * positions;
    const std::ptrdiff_t best = std::max_element(values, values + positions) - values;
    largest = std::max(largest, std::abs(best - static_cast<std::ptrdiff_t>(row)));
  }
  return static_cast<double>(largest);
}

Stage encoding_step(const std::string& name, const Tensor<double>& encoding, std::size_t first) {
  std::vector<Chain> lines;
  for (std::size_t n = 0; n < positions; ++n) {
    lines.push_back(worked::sinusoids(n + first, &encoding(n, 0), width, base));
  }
  return {name, formula::sub(formula::sym("r"), formula::sym("n")),
          to_array(encoding, {"positions", "width"}), derived::worked({}, std::move(lines))};
}

Stage similarity_step(const std::string& name, const std::string& key, const Formula& formula,
                      const Tensor<double>& similarity) {
  return {name, formula, to_array(similarity, steps::pair_axes),
          derived::product_with_transpose("encoding", key)};
}

MistakeRun off_by_one(RandomStream&) {
  const Tensor<double> from_zero = encoding_from(0);
  const Tensor<double> from_one = encoding_from(1);
  MistakeRun run;
  run.right = matmul(from_zero, transpose(from_zero));
  run.wrong = matmul(from_zero, transpose(from_one));
  run.right_error = displacement(run.right);
  run.wrong_error = displacement(run.wrong);
  const auto r = [](const char* place) { return formula::sub(formula::sym("r"), formula::sym(place)); };
  const auto dot = [&r](const char* key) { return formula::row({r("m"), formula::sym("·"), r(key)}); };
  run.steps = {encoding_step("encoding", from_zero, 0),
               similarity_step("right", "encoding", dot("n"), run.right),
               encoding_step("wrong_encoding", from_one, 1),
               similarity_step("wrong", "wrong_encoding", dot("n+1"), run.wrong)};
  return run;
}

}  // namespace

std::vector<Mistake> position_mistakes() {
  return {
      {"off-by-one",
       {"位置が 1 つずれている", "positions off by one"},
       {"位置が 1 つずれる：最も似るのは 1 つ前の位置",
        "Positions off by one: each is most similar to the one before"},
       {"クエリの位置は 0 から、キーの位置は 1 から数えています（キャッシュを使う復号でよく起こります）。",
        "Queries count their positions from 0, keys from 1: common when decoding with a cache."},
       {"各位置は自分ではなく 1 つ前の位置に最も似ます。形状も行の和も正しいままです。",
        "Each position is most similar to the one before it instead of itself. Shapes and sums stay right."},
       "pos = np.arange(L)",
       "pos = np.arange(1, L + 1)  # keys only",
       "most_similar_to_itself",
       {"どの位置も自分自身に最も似ている", "every position is most similar to itself"},
       0.0,
       {"位置の差は整数", "a difference of positions is a whole number"},
       {{"クエリの位置", "Query position"},
        {"キーの位置", "Key position"},
        {"内積", "Dot product"},
        Palette::viridis,
        1,
        RowNames::numbers,
        {},
        Framed::largest_of_row},
       off_by_one,
       Inputs::fixed}};
}

}  // namespace attnlab
