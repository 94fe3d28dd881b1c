// Mistakes as engineers make them in a layer of their own, computed here by plain loops without the tool:
// each is recognised in the weights and from the output alone, and nobody is accused without a reason.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "attending.hpp"
#include "results/check/check.hpp"
#include "results/check/student.hpp"

namespace attnlab::engineer {
namespace {

using student::Matrix;
using student::times;
using student::transposed;
using Heads = std::vector<Matrix>;

constexpr std::size_t tokens = 7;
constexpr std::size_t heads = 4;
constexpr std::size_t width = 6;
constexpr std::size_t model = heads * width;  // square matrices: only values tell a transposed one

enum class Turning { none, pairs, halves };

/// How someone's program differs from the right one.
struct Habits {
  Turning query = Turning::none;
  Turning key = Turning::none;
  Turning value = Turning::none;
  double direction = 1.0;
  double base = 10000.0;
  std::size_t kv_heads = heads;
  bool tiled = false;
  bool transposes_query_key = false;
  bool leaves_out_query_key = false;
  double scale = 1.0 / std::sqrt(6.0);
  std::function<double(double score, std::size_t query, std::size_t key)> mask;
  std::function<std::size_t(std::size_t head, std::size_t i)> split;  // the column of a projection
  std::function<std::size_t(std::size_t head, std::size_t i)> join;
  bool softmax_over_queries = false;
};

/// Numbers that look random, from a generator of the test's own.
Matrix numbers(std::size_t seed, std::size_t rows, std::size_t columns, double size) {
  std::uint64_t state = 88172645463325252ULL + 7919 * seed;
  Matrix result(rows, std::vector<double>(columns));
  for (std::vector<double>& row : result) {
    for (double& entry : row) {
      state ^= state << 13U;
      state ^= state >> 7U;
      state ^= state << 17U;
      entry = size * (static_cast<double>(state % 2000001) / 1e6 - 1.0);
    }
  }
  return result;
}

Matrix x() { return numbers(1, tokens, model, 1.5); }
Matrix w_query() { return numbers(2, model, model, 0.5); }
Matrix w_key(std::size_t kv_heads) { return numbers(3, model, kv_heads * width, 0.5); }
Matrix w_value(std::size_t kv_heads) { return numbers(4, model, kv_heads * width, 0.5); }
Matrix w_output() { return numbers(5, model, model, 0.5); }

/// The vectors of one head, turned by their positions.
Matrix turned(Matrix vectors, Turning turning, const Habits& habits) {
  for (std::size_t position = 0; position < vectors.size() && turning != Turning::none; ++position) {
    std::vector<double>& row = vectors[position];
    for (std::size_t i = 0; i < width / 2; ++i) {
      double& a = row[turning == Turning::pairs ? 2 * i : i];
      double& b = row[turning == Turning::pairs ? 2 * i + 1 : i + width / 2];
      const double omega = std::pow(habits.base, -2.0 * static_cast<double>(i) / static_cast<double>(width));
      const double angle = habits.direction * static_cast<double>(position) * omega;
      const double first = a * std::cos(angle) - b * std::sin(angle);
      b = a * std::sin(angle) + b * std::cos(angle);
      a = first;
    }
  }
  return vectors;
}

Heads split(const Matrix& projected, std::size_t count, const Habits& habits) {
  Heads result(count, Matrix(tokens, std::vector<double>(width)));
  for (std::size_t head = 0; head < count; ++head) {
    for (std::size_t row = 0; row < tokens; ++row) {
      for (std::size_t i = 0; i < width; ++i) {
        result[head][row][i] = projected[row][habits.split ? habits.split(head, i) : head * width + i];
      }
    }
  }
  return result;
}

struct Result {
  Heads weights;
  Matrix output;
};

Result computed_by_hand(const Habits& habits) {
  const std::size_t kv_heads = habits.kv_heads;
  const auto projected = [&](const Matrix& matrix) {
    if (habits.leaves_out_query_key) return x();
    return times(x(), habits.transposes_query_key ? transposed(matrix) : matrix);
  };
  const Heads query = split(projected(w_query()), heads, habits);
  const Heads key = split(projected(w_key(kv_heads)), kv_heads, habits);
  const Heads value = split(times(x(), w_value(kv_heads)), kv_heads, habits);
  Result result;
  Matrix concat(tokens, std::vector<double>(model));
  for (std::size_t head = 0; head < heads; ++head) {
    const std::size_t shared = habits.tiled ? head % kv_heads : head / (heads / kv_heads);
    const Matrix q = turned(query[head], habits.query, habits);
    const Matrix k = turned(key[shared], habits.key, habits);
    Matrix scores = student::scaled(times(q, transposed(k)), habits.scale);
    for (std::size_t i = 0; i < tokens && habits.mask; ++i) {
      for (std::size_t j = 0; j < tokens; ++j) scores[i][j] = habits.mask(scores[i][j], i, j);
    }
    if (habits.softmax_over_queries) scores = transposed(scores);
    for (std::vector<double>& row : scores) {  // stable, as -1e9 in a whole row needs
      double most = -std::numeric_limits<double>::infinity();
      for (const double score : row) most = std::max(most, score);
      for (double& score : row) score -= most;
    }
    Matrix weights = student::softmax(scores);
    if (habits.softmax_over_queries) weights = transposed(weights);
    const Matrix output = times(weights, turned(value[shared], habits.value, habits));
    for (std::size_t row = 0; row < tokens; ++row) {
      for (std::size_t i = 0; i < width; ++i) {
        concat[row][habits.join ? habits.join(head, i) : head * width + i] = output[row][i];
      }
    }
    result.weights.push_back(weights);
  }
  result.output = times(concat, w_output());
  return result;
}

Tensor<double> tensor_of(const Matrix& matrix) {
  Tensor<double> tensor = Tensor<double>::from_shape({matrix.size(), matrix.front().size()});
  std::size_t next = 0;
  for (const std::vector<double>& row : matrix) {
    for (const double entry : row) tensor.data()[next++] = entry;
  }
  return tensor;
}

Report layer(const Typed& flags, std::size_t kv_heads = heads) {
  AttendInputs<double> inputs;
  inputs.query = tensor_of(x());
  LayerWeights<double> weights;
  weights.heads = heads;
  weights.kv_heads = kv_heads;
  weights.query = tensor_of(w_query());
  weights.key = tensor_of(w_key(kv_heads));
  weights.value = tensor_of(w_value(kv_heads));
  weights.output = tensor_of(w_output());
  inputs.weights = weights;
  return attended(inputs, flags);
}

Array array_of(const Heads& of) {
  Array array{{of.size(), tokens, tokens}, {}, {}};
  for (const Matrix& head : of) {
    for (const std::vector<double>& row : head) array.data.insert(array.data.end(), row.begin(), row.end());
  }
  return array;
}

std::string reported(const Report& report, const std::string& stage, const Array& array) {
  const Check check = check_stage(report.stages, stage, {"", array, NamedArray::Storage::float64, {}});
  if (agrees(check)) return "agrees";
  return check.diagnosis ? check.diagnosis->name : "nothing";
}

/// Named in the weights, where they show it, and from the output alone.
void check_named(const Report& report, const Habits& wrong, const std::string& name) {
  CAPTURE(name);
  const Result result = computed_by_hand(wrong);
  const std::string of_weights = reported(report, "weights", array_of(result.weights));
  CHECK((of_weights == name || of_weights == "agrees"));
  CHECK(reported(report, "output", student::array_of(result.output)) == name);
}

double causal(double score, std::size_t query, std::size_t key) { return key > query ? -infinity : score; }

Habits plain() { return {}; }

Habits masked() {
  Habits habits;
  habits.mask = causal;
  return habits;
}

Habits rotary(std::size_t kv_heads) {
  Habits habits = masked();
  habits.query = habits.key = Turning::halves;
  habits.kv_heads = kv_heads;
  return habits;
}

const Typed rotary_flags{{"rope", "halves"}, {"mask", "causal"}};

}  // namespace

TEST_CASE("whoever computes the layer right is told so") {
  for (const std::size_t kv_heads : {heads, heads / 2}) {
    const Report report = layer(rotary_flags, kv_heads);
    const Result right = computed_by_hand(rotary(kv_heads));
    CHECK(reported(report, "weights", array_of(right.weights)) == "agrees");
    CHECK(reported(report, "output", student::array_of(right.output)) == "agrees");
  }
  CHECK(reported(layer({}), "output", student::array_of(computed_by_hand(plain()).output)) == "agrees");
}

TEST_CASE("rotations that went wrong are named, also where heads share keys") {
  for (const std::size_t kv_heads : {heads, heads / 2}) {
    CAPTURE(kv_heads);
    const Report report = layer(rotary_flags, kv_heads);
    const auto named = [&](const std::string& name, const std::function<void(Habits&)>& change) {
      Habits wrong = rotary(kv_heads);
      change(wrong);
      check_named(report, wrong, name);
    };
    named("other-pairs", [](Habits& wrong) { wrong.query = wrong.key = Turning::pairs; });
    named("not-turned", [](Habits& wrong) { wrong.query = wrong.key = Turning::none; });
    named("not-turned", [](Habits& wrong) { wrong.key = Turning::none; });
    named("turned-backwards", [](Habits& wrong) { wrong.direction = -1.0; });
    named("values-turned", [](Habits& wrong) { wrong.value = Turning::halves; });
    named("other-base", [](Habits& wrong) { wrong.base = 500000.0; });
    named("other-base", [](Habits& wrong) { wrong.base = 1000.0; });
    named("exponent", [](Habits& wrong) { wrong.base = 1e8; });
    named("mask-forgotten", [](Habits& wrong) { wrong.mask = nullptr; });
    named("not-scaled", [](Habits& wrong) { wrong.scale = 1.0; });
  }
}

TEST_CASE("shared heads that are tiled instead of repeated are named") {
  Habits wrong = rotary(heads / 2);
  wrong.tiled = true;
  check_named(layer(rotary_flags, heads / 2), wrong, "heads-tiled");
}

TEST_CASE("matrices of queries and keys that are both wrong are named together") {
  const Report report = layer({});
  Habits wrong = plain();
  wrong.transposes_query_key = true;
  check_named(report, wrong, "operand-transposed");
  const Array output = student::array_of(computed_by_hand(wrong).output);
  const Check check = check_stage(report.stages, "output", {"", output, NamedArray::Storage::float64, {}});
  REQUIRE(check.diagnosis);
  CHECK(check.diagnosis->what.en().find("w_query, w_key") == 0);
  wrong = plain();
  wrong.leaves_out_query_key = true;
  check_named(report, wrong, "not-multiplied");
}

TEST_CASE("masks are named by which cells they hide and by what number") {
  const Report report = layer({{"mask", "causal"}});
  const auto named = [&](const std::string& name,
                         const std::function<double(double, std::size_t, std::size_t)>& mask) {
    Habits wrong = plain();
    wrong.mask = mask;
    check_named(report, wrong, name);
  };
  const auto hidden_by = [](double number, bool adds, int diagonal) {
    return [=](double score, std::size_t query, std::size_t key) {
      const bool hides = static_cast<int>(key) >= static_cast<int>(query) + diagonal;
      return hides ? (adds ? score : 0.0) + number : score;
    };
  };
  named("mask-forgotten", nullptr);
  for (const bool adds : {true, false}) {
    named("mask-off-by-one", hidden_by(-1e9, adds, 0));
    named("mask-off-by-one", hidden_by(-1e9, adds, 2));
    // nearer than -1e9 for what may be seen, beside which scores are rounded otherwise
    named("mask-sign", hidden_by(1e9, adds, 1));
    named("mask-too-weak", hidden_by(-10.0, adds, 1));
  }
  named("masked-score-zero", hidden_by(0.0, false, 1));
  for (const double number : {-1e9, -infinity}) {
    named("mask-inverted", [number](double score, std::size_t query, std::size_t key) {
      return key > query ? score : number;
    });
    named("mask-transposed", [number](double score, std::size_t query, std::size_t key) {
      return key < query ? number : score;
    });
  }
  Array filled = stage(report, "masked").array;
  for (double& score : filled.data) score = std::isinf(score) ? -1e9 : score;
  CHECK(reported(report, "masked", filled) == "masked-with-a-number");
}

TEST_CASE("a mask where none belongs is named") { check_named(layer({}), masked(), "needless-mask"); }

TEST_CASE("heads in another order, interleaved, or on another axis are named") {
  const Report report = layer({});
  const auto interleaved = [](std::size_t head, std::size_t i) { return i * heads + head; };
  Habits wrong = plain();
  wrong.split = interleaved;
  check_named(report, wrong, "split-interleaved");
  wrong = plain();
  wrong.join = interleaved;
  check_named(report, wrong, "joined-interleaved");
  wrong = plain();
  wrong.join = [](std::size_t head, std::size_t i) { return (heads - 1 - head) * width + i; };
  check_named(report, wrong, "heads-in-another-order");
  wrong.split = wrong.join = interleaved;
  CHECK(reported(report, "output", student::array_of(computed_by_hand(wrong).output)) ==
        "split-and-joined-interleaved");

  const Result right = computed_by_hand(plain());
  Array last{{tokens, tokens, heads}, {}, {}};
  for (std::size_t query = 0; query < tokens; ++query) {
    for (std::size_t key = 0; key < tokens; ++key) {
      for (const Matrix& head : right.weights) last.data.push_back(head[query][key]);
    }
  }
  CHECK(reported(report, "weights", last) == "axes-in-another-order");
  Heads other = right.weights;
  std::swap(other[0], other[2]);
  CHECK(reported(report, "weights", array_of(other)) == "heads-in-another-order");
}

TEST_CASE("of two mistakes at once both are said") {
  const Report report = layer(rotary_flags, heads / 2);
  Habits wrong = rotary(heads / 2);
  wrong.scale = 1.0;
  wrong.mask = nullptr;
  check_named(report, wrong, "not-scaled+mask-forgotten");
  wrong = rotary(heads / 2);
  wrong.query = wrong.key = Turning::none;
  wrong.tiled = true;
  check_named(report, wrong, "not-turned+heads-tiled");
  wrong = plain();
  wrong.scale = 1.0;
  wrong.softmax_over_queries = true;
  check_named(layer({}), wrong, "not-scaled+softmax-wrong-axis");
}

}  // namespace attnlab::engineer
