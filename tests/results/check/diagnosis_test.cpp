// Mistakes as students make them, each computed here without the tool: every one is recognised by its result.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "results/check/check.hpp"
#include "results/check/student.hpp"
#include "results/derivation/recomputed_trace.hpp"

using attnlab::Array;
using attnlab::Check;
using attnlab::Derivation;
using attnlab::NamedArray;
using attnlab::Stage;
using derived = attnlab::derived;
using namespace attnlab::student;

namespace {

using Shape = std::vector<std::size_t>;
using Heads = std::vector<Matrix>;

// --- A layer of two heads on three tokens, as the student computes it --------------------------------------

const Matrix tokens{{1, -0.5, 0.25, 2}, {0.5, 1.5, -1, 0}, {-2, 0.75, 1, 0.5}};
// One matrix for both heads: columns 0 and 1 are those of head 0.
const Matrix w_query{{0.5, 1, -0.25, 0}, {1, 0, 0.75, -1}, {0, 0.5, 1, 0.25}, {-0.5, 0.25, 0, 1}};
const Matrix w_key{{1, 0, 0.5, -0.5}, {0.25, 1, 0, 1}, {-1, 0.5, 0.25, 0}, {0, -0.75, 1, 0.5}};
const Matrix w_value{{0, 1, 1, 0.5}, {1, -0.5, 0, 0.25}, {0.5, 0, -1, 1}, {0.25, 1, 0.5, 0}};
const Matrix w_output{{1, 0, 0.5, 0}, {0, -1, 0.25, 1}, {0.5, 1, 0, -0.5}, {0.75, 0, 1, 0.25}};
const Matrix future_masked{{0, -infinity, -infinity}, {0, 0, -infinity}, {0, 0, 0}};

Heads split(const Matrix& joined) {
  Heads heads(2, Matrix(joined.size(), Numbers(2)));
  for (std::size_t head = 0; head < 2; ++head) {
    for (std::size_t row = 0; row < joined.size(); ++row) {
      for (std::size_t i = 0; i < 2; ++i) heads[head][row][i] = joined[row][2 * head + i];
    }
  }
  return heads;
}

/// P.reshape(2, 3, 2): the numbers in their order, whatever they belong to.
Heads split_by_reshape(const Matrix& joined) {
  Numbers numbers;
  for (const Numbers& row : joined) numbers.insert(numbers.end(), row.begin(), row.end());
  Heads heads(2, Matrix(joined.size(), Numbers(2)));
  std::size_t next = 0;
  for (Matrix& head : heads) {
    for (Numbers& row : head) {
      for (double& entry : row) entry = numbers[next++];
    }
  }
  return heads;
}

Matrix join(const Heads& heads) {
  Matrix joined = heads[0];
  for (std::size_t row = 0; row < joined.size(); ++row) {
    joined[row].insert(joined[row].end(), heads[1][row].begin(), heads[1][row].end());
  }
  return joined;
}

Matrix join_by_reshape(const Heads& heads) {
  Numbers numbers;
  for (const Matrix& head : heads) {
    for (const Numbers& row : head) numbers.insert(numbers.end(), row.begin(), row.end());
  }
  Matrix joined(3, Numbers(4));
  for (std::size_t i = 0; i < 12; ++i) joined[i / 4][i % 4] = numbers[i];
  return joined;
}

Heads each(const Heads& left, const Heads& right,
           const std::function<Matrix(const Matrix&, const Matrix&)>& f) {
  return {f(left[0], right[0]), f(left[1], right[1])};
}

/// The scores of one head before the mask.
Matrix scores_of(const Matrix& diagnosed_query, const Matrix& diagnosed_key) {
  return scaled(times(diagnosed_query, transposed(diagnosed_key)), 1.0 / std::sqrt(2.0));
}

Matrix causal_weights(const Matrix& diagnosed_query, const Matrix& diagnosed_key) {
  return softmax(plus(scores_of(diagnosed_query, diagnosed_key), future_masked));
}

const Heads diagnosed_query = split(times(tokens, w_query));
const Heads diagnosed_key = split(times(tokens, w_key));
const Heads diagnosed_value = split(times(tokens, w_value));
const Heads diagnosed_scores = each(diagnosed_query, diagnosed_key, scores_of);
const Heads diagnosed_weights = each(diagnosed_query, diagnosed_key, causal_weights);
const Heads head_output = each(diagnosed_weights, diagnosed_value, times);

// --- The same layer as the tool's trace --------------------------------------------------------------------

Array array_of(const Heads& heads, std::vector<std::string> axes = {}) {
  Array array{{2, heads[0].size(), heads[0][0].size()}, std::move(axes), {}};
  for (const Matrix& head : heads) {
    for (const Numbers& row : head) array.data.insert(array.data.end(), row.begin(), row.end());
  }
  return array;
}
using attnlab::student::array_of;

Stage submitted(const std::string& name, Array array) { return {name, {}, std::move(array)}; }

Stage made(const std::string& name, Array array, Derivation how) {
  return {name, attnlab::formula::sym("S"), std::move(array), std::move(how)};
}

std::vector<Stage> layer() {
  const std::vector<std::string> pair{"heads", "queries", "keys"};
  const Matrix concat = join(head_output);
  return {
      submitted("x", array_of(tokens)),
      submitted("w_query", array_of(split(w_query))),
      submitted("w_key", array_of(split(w_key))),
      submitted("w_value", array_of(split(w_value))),
      submitted("w_output", array_of(w_output)),
      submitted("mask", array_of(future_masked)),
      made("query", array_of(diagnosed_query), derived::product("x", "w_query")),
      made("key", array_of(diagnosed_key), derived::product("x", "w_key")),
      made("value", array_of(diagnosed_value), derived::product("x", "w_value")),
      made("raw_scores",
           array_of(each(diagnosed_query, diagnosed_key,
                         [](const Matrix& q, const Matrix& k) { return times(q, transposed(k)); }),
                    pair),
           derived::product_with_transpose("query", "key")),
      made("scores", array_of(diagnosed_scores, pair), derived::scaled("raw_scores", 1.0 / std::sqrt(2.0))),
      made("masked",
           array_of({plus(diagnosed_scores[0], future_masked), plus(diagnosed_scores[1], future_masked)},
                    pair),
           derived::sum("scores", "mask")),
      made("weights", array_of(diagnosed_weights, pair), derived::softmax("masked")),
      made("head_output", array_of(head_output), derived::product("weights", "value")),
      made("concat", array_of(concat), derived::join_heads("head_output")),
      made("output", array_of(times(concat, w_output)), derived::product("concat", "w_output"))};
}

/// As in the experiment `scaling`: the same scores with and without 1/√d.
std::vector<Stage> unscaled_and_scaled() {
  const Matrix single{{1.0, -2.0, 0.5, 3.0}};
  const Array dots{{4}, {"keys"}, single[0]};
  const auto vector = [](const Matrix& row) {
    Array array = array_of(row, {});
    array.shape = {row[0].size()};
    return array;
  };
  return {
      submitted("query", {{9}, {}, Numbers(9, 1.0)}), submitted("scores", dots),
      made("weights", vector(softmax(single)), derived::softmax("scores")),
      made("scores_scaled", vector(scaled(single, 1.0 / 3.0)), derived::scaled("scores", 1.0 / 3.0)),
      made("weights_scaled", vector(softmax(scaled(single, 1.0 / 3.0))), derived::softmax("scores_scaled"))};
}

// --- What is said of a wrong array -------------------------------------------------------------------------

Check check(const std::vector<Stage>& trace, const std::string& stage, const Array& array) {
  return attnlab::check_stage(trace, stage, NamedArray{"", array, NamedArray::Storage::float64, {}});
}

std::string diagnosis(const std::vector<Stage>& trace, const std::string& stage, const Array& array) {
  const Check result = check(trace, stage, array);
  CHECK(!agrees(result));
  return result.diagnosis ? result.diagnosis->name + " at " + result.diagnosis->stage : "";
}

template <class Wrong>
std::string diagnosis(const std::string& stage, const Wrong& wrong) {
  return diagnosis(layer(), stage, array_of(wrong));
}

/// What the rest of the layer makes of these weights.
Matrix output_of(const Heads& some_weights) {
  return times(join(each(some_weights, diagnosed_value, times)), w_output);
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the student's layer is the tool's") {
  const std::vector<Stage> trace = layer();
  const std::vector<Stage> again = attnlab::recomputed(trace);
  for (const Stage& stage : trace) {
    CAPTURE(stage.name);
    CHECK(agrees(check(again, stage.name, stage.array)));
  }
}

TEST_CASE("a forgotten output matrix is recognised") {
  CHECK(diagnosis("output", join(head_output)) == "not-multiplied at output");
}

TEST_CASE("heads that reshape alone has split are recognised in every stage after it") {
  const Heads q = split_by_reshape(times(tokens, w_query));
  const Heads k = split_by_reshape(times(tokens, w_key));
  const Heads v = split_by_reshape(times(tokens, w_value));
  const std::string found = "split-without-transpose at query";
  CHECK(diagnosis("query", q) == found);
  CHECK(diagnosis("value", v) == "split-without-transpose at value");
  CHECK(diagnosis("weights", each(q, k, causal_weights)) == found);
  const Heads outputs = each(each(q, k, causal_weights), v, times);
  CHECK(diagnosis("output", times(join(outputs), w_output)) == found);
  CHECK(diagnosis("output", times(join_by_reshape(outputs), w_output)) ==
        "split-and-joined-without-transpose at query");
  CHECK(diagnosis("output", times(join_by_reshape(head_output), w_output)) ==
        "reshaped-without-transpose at concat");
}

TEST_CASE("the same is recognised where one matrix serves all heads") {
  const Matrix projected = times(tokens, w_query);
  const std::vector<Stage> trace{
      submitted("projected", array_of(projected)),
      made("query", array_of(diagnosed_query), derived::split_heads("projected", 2))};
  CHECK(agrees(check(attnlab::recomputed(trace), "query", array_of(diagnosed_query))));
  CHECK(diagnosis(trace, "query", array_of(split_by_reshape(projected))) ==
        "split-without-transpose at query");
}

TEST_CASE("a softmax over the heads is recognised") {
  Heads wrong = diagnosed_scores;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double sum = std::exp(diagnosed_scores[0][i][j]) + std::exp(diagnosed_scores[1][i][j]);
      for (std::size_t head = 0; head < 2; ++head)
        wrong[head][i][j] = std::exp(diagnosed_scores[head][i][j]) / sum;
    }
  }
  std::vector<Stage> trace = layer();
  trace[12].derivation = derived::softmax("scores");  // without a mask, which would make 0/0 of it
  trace[12].array =
      array_of({softmax(diagnosed_scores[0]), softmax(diagnosed_scores[1])}, {"heads", "queries", "keys"});
  const Check result = check(trace, "weights", array_of(wrong));
  REQUIRE(result.diagnosis);
  CHECK(result.diagnosis->name == "softmax-wrong-axis");
  CHECK(says(result.diagnosis->what.en(), "along the heads axis"));
}

TEST_CASE("a hidden score of 0 is recognised") {
  Heads wrong = diagnosed_scores;
  for (Matrix& head : wrong) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = i + 1; j < 3; ++j) head[i][j] = 0.0;
    }
    head = softmax(head);
  }
  CHECK(diagnosis("weights", wrong) == "masked-score-zero at masked");
  CHECK(diagnosis("output", output_of(wrong)) == "masked-score-zero at masked");
}

TEST_CASE("a causal mask that is off by one is recognised in both directions") {
  const auto wrong = [](int diagonal) {  // np.triu(..., k=diagonal) is hidden
    Heads result = diagnosed_scores;
    for (Matrix& head : result) {
      for (int i = 0; i < 3; ++i) {
        double sum = 0.0;
        for (int j = 0; j < 3; ++j) {
          double& entry = head[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
          entry = j >= i + diagonal ? 0.0 : std::exp(entry);
          sum += entry;
        }
        for (double& entry : head[static_cast<std::size_t>(i)]) entry /= sum;
      }
    }
    return result;
  };
  const Check many = check(layer(), "weights", array_of(wrong(2)));
  REQUIRE(many.diagnosis);
  CHECK(many.diagnosis->name == "mask-off-by-one");
  CHECK(says(many.diagnosis->what.en(), "one key too many"));
  const Check few = check(layer(), "weights", array_of(wrong(0)));  // row 0 is 0/0
  REQUIRE(few.diagnosis);
  CHECK(few.diagnosis->name == "mask-off-by-one");
  CHECK(says(few.diagnosis->what.en(), "one key too few"));
}

TEST_CASE("keys in place of values are recognised") {
  const Heads wrong = each(diagnosed_weights, diagnosed_key, times);
  CHECK(diagnosis("head_output", wrong) == "wrong-operand at head_output");
  const Check result = check(layer(), "output", array_of(times(join(wrong), w_output)));
  REQUIRE(result.diagnosis);
  CHECK(result.diagnosis->stage == "head_output");
  CHECK(result.diagnosis->what.en() == "key stands in place of value");
}

TEST_CASE("a matrix of another projection is recognised") {
  CHECK(diagnosis("query", split(times(tokens, w_key))) == "wrong-operand at query");
}

TEST_CASE("a scale where there must be none is recognised") {
  const std::vector<Stage> trace = unscaled_and_scaled();
  Array wrong = array_of(softmax(scaled({{1.0, -2.0, 0.5, 3.0}}, 1.0 / std::sqrt(9.0))));
  wrong.shape = {4};
  const Check result = check(trace, "weights", wrong);
  REQUIRE(result.diagnosis);
  CHECK(result.diagnosis->name == "needlessly-scaled");
  CHECK(says(result.diagnosis->what.en(), "√9"));
}

TEST_CASE("a stage that was taken for another is named") {
  const std::vector<Stage> trace = unscaled_and_scaled();
  const Check result = check(trace, "scores", trace[3].array);
  REQUIRE(result.diagnosis);
  CHECK(result.diagnosis->name == "another-stage");
  CHECK(result.diagnosis->what.en() == "this is scores_scaled, not scores");
}

TEST_CASE("a result that lacks several steps is named by the last that was made") {
  const Check result = check(layer(), "output", array_of(tokens));
  REQUIRE(result.diagnosis);
  CHECK(result.diagnosis->name == "steps-missing");
  CHECK(says(result.diagnosis->what.en(), "this is still x"));
}

TEST_CASE("dropout that was left on is recognised with its probability") {
  Heads wrong = diagnosed_weights;
  for (Matrix& head : wrong) head = scaled(head, 1.0 / (1.0 - 0.2));
  wrong[0][2][1] = 0.0;
  wrong[1][1][0] = 0.0;
  const Check result = check(layer(), "weights", array_of(wrong));
  REQUIRE(result.diagnosis);
  CHECK(result.diagnosis->name == "dropout");
  CHECK(says(result.diagnosis->what.en(), "p = 0.2 is still on: 2 of 18 values are 0"));
  wrong[1][2][0] *= 1.01;
  CHECK(diagnosis("weights", wrong).empty());
}

TEST_CASE("values that are too large without a zero among them are no dropout") {
  Heads wrong = diagnosed_weights;
  for (Matrix& head : wrong) head = scaled(head, 1.25);
  CHECK(diagnosis("weights", wrong) == "times-too-large at weights");
}
