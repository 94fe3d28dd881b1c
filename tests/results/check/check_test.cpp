// A student's array against the trace: what agrees, how closely, and which mistake explains what does not.
#include "results/check/check.hpp"
#include "core/constants.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "results/check/mistake.hpp"
#include "results/check/student.hpp"
#include "results/derivation/recomputed_trace.hpp"

using attnlab::Array;
using attnlab::Check;
using attnlab::Closeness;
using attnlab::compare;
using attnlab::Comparison;
using attnlab::DType;
using attnlab::infinity;
using attnlab::NamedArray;
using attnlab::not_a_number;
using attnlab::Stage;
using derived = attnlab::derived;
using Storage = NamedArray::Storage;
using namespace attnlab::student;

namespace {

using Shape = std::vector<std::size_t>;

// --- A student's own attention, with a switch for each mistake ---------------------------------------------

const Matrix query{{1, 2}, {0.5, -1}, {2, 0.25}};
const Matrix key{{0.5, 1}, {-1, 0.75}, {1.5, -0.5}};
const Matrix value{{1, 0, 2}, {0, 3, 1}, {-1, 1, 0.5}};
const Matrix causal{{0, -infinity, -infinity}, {0, 0, -infinity}, {0, 0, 0}};

const Matrix raw_scores = times(query, transposed(key));
const double scale = 1.0 / std::sqrt(2.0);
const Matrix scores = scaled(raw_scores, scale);
const Matrix masked = plus(scores, causal);
const Matrix weights = softmax(masked);

std::vector<Stage> attention_trace() {
  const auto submitted = [](const std::string& name, const Matrix& matrix) {
    return Stage{name, {}, array_of(matrix)};
  };
  const auto stage = [](const std::string& name, const Matrix& matrix, attnlab::Derivation derivation) {
    return Stage{name, attnlab::formula::sym("S"), array_of(matrix, {"queries", "keys"}),
                 std::move(derivation)};
  };
  return {submitted("query", query),
          submitted("key", key),
          submitted("value", value),
          submitted("mask", causal),
          stage("raw_scores", raw_scores, derived::product_with_transpose("query", "key")),
          stage("scores", scores, derived::scaled("raw_scores", scale)),
          stage("masked", masked, derived::sum("scores", "mask")),
          stage("weights", weights, derived::softmax("masked")),
          stage("output", times(weights, value), derived::product("weights", "value"))};
}

NamedArray file_of(const Matrix& matrix) { return {"", array_of(matrix), Storage::float64, {}}; }

std::string diagnosis_of(const std::string& stage, const Matrix& matrix) {
  const Check check = attnlab::check_stage(attention_trace(), stage, file_of(matrix));
  CHECK(!agrees(check));
  return check.diagnosis ? check.diagnosis->name + " at " + check.diagnosis->stage : "";
}

NamedArray written(Numbers numbers, double half_unit) {
  NamedArray array{"", {{numbers.size()}, {}, std::move(numbers)}, Storage::text, {}};
  array.half_units.assign(array.array.data.size(), half_unit);
  return array;
}

NamedArray stored(Numbers numbers, Storage storage) {
  return {"", {{numbers.size()}, {}, std::move(numbers)}, storage, {}};
}

Array vector_of(Numbers numbers) { return {{numbers.size()}, {}, std::move(numbers)}; }

}  // namespace

TEST_CASE("the trace of the test agrees with its own recomputation") {
  const std::vector<Stage> trace = attention_trace();
  const std::vector<Stage> again = attnlab::recomputed(trace);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    CAPTURE(trace[i].name);
    CHECK(agrees(attnlab::check_stage(again, trace[i].name, {"", trace[i].array, Storage::float64, {}})));
  }
}

TEST_CASE("a mistake upstream explains every stage below it") {
  const Matrix unscaled = softmax(plus(raw_scores, causal));
  CHECK(diagnosis_of("scores", raw_scores) == "not-scaled at scores");
  CHECK(diagnosis_of("weights", unscaled) == "not-scaled at scores");
  CHECK(diagnosis_of("output", times(unscaled, value)) == "not-scaled at scores");
}

TEST_CASE("a wrong scale is told from a missing one") {
  CHECK(diagnosis_of("weights", softmax(plus(scaled(raw_scores, 0.5), causal))) == "scaled-twice at scores");
  CHECK(diagnosis_of("scores", scaled(raw_scores, std::sqrt(2.0))) == "scale-inverted at scores");
  CHECK(diagnosis_of("scores", scaled(raw_scores, 1.0 / std::sqrt(3.0))) == "scale-of-wrong-width at scores");
}

TEST_CASE("a wrong scale is sought where there is one before a stage that changes nothing") {
  std::vector<Stage> trace = attention_trace();
  trace[3].array.data.assign(9, 0.0);
  trace[6] = {"masked", attnlab::formula::sym("S"), array_of(scores), derived::scaled("scores", 1.0)};
  trace[7].array = array_of(softmax(scores));
  const Check twice = attnlab::check_stage(trace, "weights", file_of(softmax(scaled(raw_scores, 0.5))));
  REQUIRE(twice.diagnosis);
  CHECK(twice.diagnosis->stage == "scores");
  trace[5] = {"scores", attnlab::formula::sym("S"), array_of(raw_scores), derived::scaled("raw_scores", 1.0)};
  trace[6].array = array_of(raw_scores);
  trace[7].array = array_of(softmax(raw_scores));
  const Check needless = attnlab::check_stage(trace, "weights", file_of(softmax(scores)));
  REQUIRE(needless.diagnosis);
  CHECK(needless.diagnosis->name == "needlessly-scaled");
}

TEST_CASE("a softmax that went wrong is recognised") {
  const std::string at = " at weights";
  CHECK(diagnosis_of("weights", transposed(weights)) == "transposed" + at);
  CHECK(diagnosis_of("weights", transposed(softmax(transposed(masked)))) == "softmax-wrong-axis" + at);
  CHECK(diagnosis_of("weights", exponentials(masked)) == "not-normalised" + at);
  CHECK(diagnosis_of("weights", masked) == "no-softmax" + at);
  CHECK(diagnosis_of("weights", softmax(weights)) == "softmax-twice" + at);
  Matrix whole = exponentials(masked);
  double sum = 0.0;
  for (const Numbers& row : whole) {
    for (const double entry : row) sum += entry;
  }
  CHECK(diagnosis_of("weights", scaled(whole, 1.0 / sum)) == "softmax-whole-matrix" + at);
}

TEST_CASE("a mask that went wrong is recognised") {
  Matrix inverted = causal;
  for (Numbers& row : inverted) {
    for (double& entry : row) entry = entry == 0.0 ? -infinity : 0.0;
  }
  CHECK(diagnosis_of("masked", plus(scores, inverted)) == "mask-inverted at masked");
  CHECK(diagnosis_of("weights", softmax(scores)) == "mask-forgotten at masked");
  CHECK(diagnosis_of("weights", softmax(plus(scores, transposed(causal)))) == "mask-transposed at masked");
  Matrix late = softmax(scores);
  for (std::size_t i = 0; i < late.size(); ++i) {
    for (std::size_t j = i + 1; j < late[i].size(); ++j) late[i][j] = 0.0;
  }
  CHECK(diagnosis_of("output", times(late, value)) == "mask-after-softmax at weights");
}

TEST_CASE("operands that were swapped or transposed are recognised") {
  CHECK(diagnosis_of("raw_scores", times(key, transposed(query))) == "operands-swapped at raw_scores");
  CHECK(diagnosis_of("output", times(value, weights)) == "operands-swapped at output");
  CHECK(diagnosis_of("output", times(weights, transposed(value))) == "operand-transposed at output");
  CHECK(diagnosis_of("output", times(transposed(weights), value)) == "operand-transposed at output");
}

TEST_CASE("what no known mistake gives has no diagnosis and says where it is worst") {
  Matrix wrong = weights;
  wrong[1][0] += 0.01;
  wrong[2][2] -= 0.25;
  const Check check = attnlab::check_stage(attention_trace(), "weights", file_of(wrong));
  CHECK(!agrees(check));
  CHECK(!check.diagnosis);
  CHECK(check.comparison.worst == 8);
  CHECK(check.comparison.wrong == 2);
  CHECK(check.comparison.largest_error == doctest::Approx(0.25));
}

TEST_CASE("the shape decides whether a first line 0, 1, 2 numbers the columns of a table") {
  const Array counted{{2, 3}, {}, {0, 1, 2, 3, 4, 5}};
  const std::vector<Stage> trace{{"counted", {}, counted}};
  const auto table = [](std::vector<double> data, double half_unit) {
    const Shape shape{data.size() / 3, 3};
    const std::vector<double> half_units(data.size(), half_unit);
    return NamedArray{"", {shape, {}, std::move(data)}, Storage::text, half_units};
  };
  CHECK(agrees(attnlab::check_stage(trace, "counted", table({0, 1, 2, 3, 4, 5}, 0.5))));  // a row of its own
  CHECK(agrees(attnlab::check_stage(trace, "counted", table({0, 1, 2, 0, 1, 2, 3, 4, 5}, 0.5))));
  CHECK(!attnlab::check_stage(trace, "counted", table({0, 1, 2, 0, 1, 2, 3, 4, 5}, 0.05)).shape_fits);
  CHECK(!attnlab::check_stage(trace, "counted", table({1, 2, 3, 0, 1, 2, 3, 4, 5}, 0.5)).shape_fits);
  CHECK(!attnlab::check_stage(trace, "counted", table({0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}, 0.5)).shape_fits);
}

TEST_CASE("the global maximum makes small rows NaN") {
  const Array rows{{2, 2}, {}, {1000, 999, 0, -1}};
  const double big = 1.0 / (1.0 + std::exp(-1.0));
  const std::vector<Stage> trace{{"scores", {}, rows},
                                 {"weights",
                                  attnlab::formula::sym("A"),
                                  {{2, 2}, {}, {big, 1 - big, big, 1 - big}},
                                  derived::softmax("scores")}};
  const Check check =
      attnlab::check_stage(trace, "weights", file_of({{big, 1 - big}, {not_a_number, not_a_number}}));
  CHECK(!agrees(check));
  REQUIRE(check.diagnosis);
  CHECK(check.diagnosis->name == "global-maximum");
  CHECK(check.comparison.largest_error == infinity);
}

TEST_CASE("layer norm and joined heads have their own mistakes") {
  const Array row = vector_of({1, 2, 3, 4});  // mean 2.5, variance 1.25
  const auto normalised = [](double divisor) {
    return Numbers{-1.5 / divisor, -0.5 / divisor, 0.5 / divisor, 1.5 / divisor};
  };
  const std::vector<Stage> trace{
      {"x", {}, row},
      {"norm", attnlab::formula::sym("N"), vector_of(normalised(std::sqrt(1.25 + 1e-5))),
       derived::layer_norm("x", 1e-5)},
      {"heads", {}, {{2, 2, 1}, {}, {1, 2, 3, 4}}},
      {"joined", attnlab::formula::sym("J"), {{2, 2}, {}, {1, 3, 2, 4}}, derived::join_heads("heads")}};
  const auto name = [&](const std::string& stage, const NamedArray& submitted) {
    const Check check = attnlab::check_stage(trace, stage, submitted);
    return check.diagnosis ? check.diagnosis->name : "";
  };
  CHECK(name("norm", stored(normalised(std::sqrt(1.25 * 4 / 3 + 1e-5)), Storage::float64)) ==
        "variance-of-sample");
  CHECK(name("norm", stored(normalised(std::sqrt(std::sqrt(1.25) + 1e-5)), Storage::float64)) ==
        "root-of-deviation");
  CHECK(name("norm", stored(normalised(std::sqrt(1.25) + 1e-5), Storage::float64)) == "eps-outside-root");
  const double square = std::sqrt(30.0 / 4 + 1e-5);
  CHECK(name("norm", stored({1 / square, 2 / square, 3 / square, 4 / square}, Storage::float64)) ==
        "rms-norm");
  CHECK(name("joined", file_of({{1, 2}, {3, 4}})) == "reshaped-without-transpose");
}

TEST_CASE("RMS norms and rotations have their own mistakes") {
  const double quarter = std::acos(0.0);
  const Array turned{{1, 4}, {}, {-3, -4, 1, 2}};  // (1, 3) and (2, 4), a quarter turn each
  const double m = std::sqrt(7.5 + 0.5);
  const std::vector<Stage> trace{
      {"x", {}, {{1, 4}, {}, {1, 2, 3, 4}}},
      {"angles", {}, {{1, 2}, {}, {quarter, quarter}}},
      {"gain", {}, vector_of({2, 2, 2, 2})},
      {"turned", attnlab::formula::sym("T"), turned, derived::rotary_halves("x", "angles")},
      {"norm",
       attnlab::formula::sym("N"),
       {{1, 4}, {}, {2 / m, 4 / m, 6 / m, 8 / m}},
       derived::rms_norm("x", "gain", 0.5)}};
  const auto name = [&](const std::string& stage, const Numbers& row) {
    const Check check = attnlab::check_stage(trace, stage, file_of({row}));
    return check.diagnosis ? check.diagnosis->name : "";
  };
  CHECK(name("turned", {-2, 1, -4, 3}) == "other-pairs");
  CHECK(name("turned", {3, 4, -1, -2}) == "turned-backwards");
  CHECK(name("turned", {1, 2, 3, 4}) == "not-turned");
  CHECK(name("norm", {1 / m, 2 / m, 3 / m, 4 / m}) == "no-gain");
  CHECK(name("norm", {3 / m, 6 / m, 9 / m, 12 / m}) == "gain-plus-one");
  const double without_eps = std::sqrt(7.5);
  CHECK(name("norm", {2 / without_eps, 4 / without_eps, 6 / without_eps, 8 / without_eps}) == "eps-missing");
  const double centred = std::sqrt(1.25 + 0.5);
  CHECK(name("norm", {-3 / centred, -1 / centred, 1 / centred, 3 / centred}) == "layer-norm");
}

TEST_CASE("what is off by little is no mistake, though a mistake lie a little nearer") {
  std::size_t named = 0;
  for (double eps = 1e-9; eps < 1e-2; eps *= 1.1) {
    CAPTURE(eps);
    const auto norm = [](double by) { return Numbers{1 / by, 2 / by, 3 / by, 4 / by}; };
    const Numbers right = norm(std::sqrt(7.5 + eps));
    const Numbers without = norm(std::sqrt(7.5));
    const std::vector<Stage> trace{
        {"x", {}, vector_of({1, 2, 3, 4})},
        {"gain", {}, vector_of({1, 1, 1, 1})},
        {"norm", attnlab::formula::sym("N"), vector_of(right), derived::rms_norm("x", "gain", eps)}};
    Numbers between;
    for (std::size_t i = 0; i < 4; ++i) between.push_back(0.4 * right[i] + 0.6 * without[i]);
    CHECK(!attnlab::check_stage(trace, "norm", stored(between, Storage::float64)).diagnosis);
    if (attnlab::check_stage(trace, "norm", stored(without, Storage::float64)).diagnosis) ++named;
  }
  CHECK(named > 20);
}

TEST_CASE("a causal mask in the other corner is recognised where the lengths differ") {
  const Matrix narrow{{1, 2}, {0.5, -1}};  // 2 queries, 3 keys
  const Matrix raw = times(narrow, transposed(key));
  const Matrix bottom_right{{0, 0, -infinity}, {0, 0, 0}};
  const Matrix top_left{{0, -infinity, -infinity}, {0, 0, -infinity}};
  const auto name = [&](const Matrix& right, const Matrix& wrong) {
    const std::vector<Stage> trace{
        {"scores", {}, array_of(raw)},
        {"mask", {}, array_of(right)},
        {"masked", attnlab::formula::sym("M"), array_of(plus(raw, right)), derived::sum("scores", "mask")},
        {"weights", attnlab::formula::sym("A"), array_of(softmax(plus(raw, right))),
         derived::softmax("masked")}};
    const Check check = attnlab::check_stage(trace, "weights", file_of(softmax(plus(raw, wrong))));
    return check.diagnosis ? check.diagnosis->name + ": " + check.diagnosis->what.en() : "";
  };
  // With one key more than queries the corner is one step away: both mistakes give the same.
  CHECK(name(bottom_right, top_left).find("touches the top left corner") != std::string::npos);
  CHECK(name(top_left, bottom_right).find("touches the bottom right corner") != std::string::npos);
}

TEST_CASE("sinusoidal positions in another order are recognised") {
  const auto encoding = [](std::size_t first,
                           const std::function<double(double angle, std::size_t i)>& wave) {
    Matrix rows(5, Numbers(6));
    for (std::size_t p = 0; p < 5; ++p) {
      for (std::size_t i = 0; i < 6; ++i) {
        const auto pair = static_cast<double>(i / 2);
        rows[p][i] = wave(static_cast<double>(p + first) / std::pow(10000.0, 2.0 * pair / 6.0), i);
      }
    }
    return rows;
  };
  const auto usual = [](double angle, std::size_t i) {
    return i % 2 == 0 ? std::sin(angle) : std::cos(angle);
  };
  const auto swapped = [](double angle, std::size_t i) {
    return i % 2 == 0 ? std::cos(angle) : std::sin(angle);
  };
  const Matrix right = encoding(0, usual);
  Matrix halves = right;
  for (std::size_t p = 0; p < 5; ++p) {
    for (std::size_t i = 0; i < 3; ++i) {
      halves[p][i] = right[p][2 * i];
      halves[p][3 + i] = right[p][2 * i + 1];
    }
  }
  const Matrix tokens(5, Numbers{1, 2, 3, 4, 5, 6});
  const std::vector<Stage> trace{
      {"embedded", {}, array_of(tokens)},
      {"positions", attnlab::formula::sym("R"), array_of(right), derived::worked({}, {})},
      {"x", attnlab::formula::sym("X"), array_of(plus(tokens, right)),
       derived::sum("embedded", "positions")}};
  const auto name = [&](const Matrix& wrong) {
    const Check check = attnlab::check_stage(trace, "x", file_of(plus(tokens, wrong)));
    return check.diagnosis ? check.diagnosis->name : "";
  };
  CHECK(name(encoding(1, usual)) == "positions-from-one");
  CHECK(name(encoding(0, swapped)) == "sine-and-cosine-swapped");
  CHECK(name(halves) == "sine-and-cosine-in-halves");
  const auto with_exponent = [](const std::function<double(std::size_t i)>& exponent, double base) {
    Matrix rows(5, Numbers(6));
    for (std::size_t p = 0; p < 5; ++p) {
      for (std::size_t i = 0; i < 6; ++i) {
        const double angle = static_cast<double>(p) / std::pow(base, exponent(i));
        rows[p][i] = i % 2 == 0 ? std::sin(angle) : std::cos(angle);
      }
    }
    return rows;
  };
  const auto pair = [](std::size_t i) { return static_cast<double>(i / 2); };
  CHECK(name(with_exponent([&](std::size_t i) { return 4.0 * pair(i) / 6.0; }, 1e4)) == "exponent");
  CHECK(name(with_exponent([&](std::size_t i) { return pair(i) / 6.0; }, 1e4)) == "exponent");
  CHECK(name(with_exponent([&](std::size_t i) { return 2.0 * pair(i) / 6.0; }, 1e3)) == "other-base");
  CHECK(name(with_exponent([](std::size_t i) { return static_cast<double>(i) / 6.0; }, 1e4)) ==
        "frequency-of-each-column");
}

TEST_CASE("every mistake of the catalogue has its words in both languages, with the same values") {
  const attnlab::MistakeValues words{"LEFT", "RIGHT", 0.25, "VALUE", "OTHER"};
  std::size_t mistakes = 0;
  for (const auto* list :
       {&attnlab::product_mistakes(), &attnlab::mask_mistakes(), &attnlab::softmax_mistakes(),
        &attnlab::norm_mistakes(), &attnlab::position_mistakes(), &attnlab::head_mistakes()}) {
    for (const attnlab::UsualMistake& mistake : *list) {
      CAPTURE(mistake.id);
      const attnlab::Text reported = attnlab::mistake_text(mistake.id, words);
      CHECK(reported.ja() != reported.en());
      for (const char* value : {"LEFT", "RIGHT", "0.25", "VALUE", "OTHER"}) {
        CHECK((reported.ja().find(value) == std::string::npos) ==
              (reported.en().find(value) == std::string::npos));
      }
      ++mistakes;
    }
  }
  CHECK(mistakes > 60);
}

TEST_CASE("weights averaged over the heads are recognised") {
  const std::vector<Stage> trace{{"weights", {}, {{2, 2, 2}, {}, {0.5, 0.5, 0.25, 0.75, 1, 0, 0.5, 0.5}}}};
  const Check check = attnlab::check_stage(trace, "weights", file_of({{0.75, 0.25}, {0.375, 0.625}}));
  REQUIRE(check.diagnosis);
  CHECK(check.diagnosis->name == "averaged-over-heads");
}

TEST_CASE("two scales that are one number are both named") {
  // d_k = 2 and a model of width 4 = 2²: 1/d_k is 1/√4.
  std::vector<Stage> trace = attention_trace();
  trace.push_back({"wide", {}, {{1, 4}, {}, {1, 2, 3, 4}}});
  const Check check = attnlab::check_stage(trace, "scores", file_of(scaled(raw_scores, 0.5)));
  REQUIRE(check.diagnosis);
  CHECK(check.diagnosis->name == "scaled-twice");
  CHECK(check.diagnosis->what.en().find("or else it is divided by √4") != std::string::npos);
  CHECK(check.diagnosis->what.ja().find("または") != std::string::npos);
}

TEST_CASE("numbers that float16 holds agree as float16 where they are stored so, and at most to 2 %") {
  const Array expected = vector_of({0.1, 0.2, 0.7});
  const Numbers halves{0.0999755859375, 0.199951171875, 0.7001953125};
  CHECK(compare(stored(halves, Storage::float16), expected, 0).closeness == Closeness::float16);
  CHECK(compare(stored(halves, Storage::float16), expected, 0).agrees);
  CHECK(compare(stored(halves, Storage::float32), expected, 0).closeness == Closeness::rounded_float16);
  const Numbers computed{0.1002197265625, 0.199951171875, 0.7001953125};  // another number of float16's
  CHECK(compare(stored(computed, Storage::float16), expected, 0).agrees);
  CHECK_FALSE(compare(stored(computed, Storage::float32), expected, 0).agrees);
  CHECK_FALSE(compare(stored({0, 0, 1}, Storage::float64), expected, 1000).agrees);
  CHECK(compare(stored({0.1, 0.2, 0.713}, Storage::float16), expected, 1000).agrees);
  CHECK_FALSE(compare(stored({0.1, 0.2, 0.715}, Storage::float16), expected, 1000).agrees);
  CHECK_FALSE(compare(stored({0.1, 0.2, 0.715}, Storage::float32), expected, 1e9).agrees);
}

TEST_CASE("a mistake before a stage that cannot be computed again explains nothing after it") {
  std::vector<Stage> trace = attention_trace();
  trace[7].derivation = derived::worked({"masked"}, {});
  const Matrix unscaled = softmax(plus(raw_scores, causal));
  CHECK(!attnlab::check_stage(trace, "weights", file_of(unscaled)).diagnosis);
}

TEST_CASE("counts do not agree at the precision of float32") {
  const Array expected{{2}, {"lengths"}, {36096, 69797412864.0}, DType::float64};
  CHECK(compare(stored({36096, 69797412864.0}, Storage::float64), expected, 0).agrees);
  CHECK_FALSE(compare(stored({0, 69797412864.0}, Storage::float64), expected, 0).agrees);
}

TEST_CASE("float64 agrees to 1e-12 of the largest value and float32 to 1e-6") {
  const Array expected = vector_of({1000.5, 1});
  CHECK(compare(stored({1000.5, 1 + 0.9e-9}, Storage::float64), expected, 0).closeness == Closeness::float64);
  const Comparison single = compare(stored({1000.5, 1 + 0.9e-3}, Storage::float64), expected, 0);
  CHECK(single.agrees);
  CHECK(single.closeness == Closeness::float32);
  CHECK(!compare(stored({1000.5, 1 + 2e-3}, Storage::float64), expected, 0).agrees);
  CHECK(compare(stored({1000.5, 1 + 0.9e-3}, Storage::float32), expected, 0).agrees);
  CHECK(compare(stored({1000.5, 4}, Storage::float16), expected, 0).agrees);
  CHECK(!compare(stored({1000.5, 6}, Storage::float16), expected, 0).agrees);
  // eps64 (4 + 1e6) = 2.2e-10
  CHECK(compare(stored({1 + 2e-10}, Storage::float64), vector_of({1}), 1e6).closeness == Closeness::float64);
}

TEST_CASE("NaN and infinities must stand in the same places") {
  const Array expected = vector_of({not_a_number, infinity, 1});
  CHECK(compare(stored({not_a_number, infinity, 1}, Storage::float64), expected, 0).agrees);
  CHECK(!compare(stored({1, infinity, 1}, Storage::float64), expected, 0).agrees);
  CHECK(!compare(stored({not_a_number, -infinity, 1}, Storage::float64), expected, 0).agrees);
  CHECK(!compare(stored({not_a_number, infinity, not_a_number}, Storage::float64), expected, 0).agrees);
}

TEST_CASE("an array of NaN alone was not rounded to any decimals") {
  const Comparison nothing =
      compare(stored({not_a_number, not_a_number}, Storage::float64), vector_of({0.25, 0.75}), 0);
  CHECK(!nothing.agrees);
  CHECK(nothing.closeness == Closeness::float64);
  CHECK(nothing.wrong == 2);
}

TEST_CASE("numbers written with few digits agree up to their rounding and no further") {
  const Array expected = vector_of({0.23456, 0.76544});
  const Comparison three = compare(written({0.235, 0.765}, 0.0005), expected, 0);
  CHECK(three.agrees);
  CHECK(three.closeness == Closeness::decimals);
  CHECK(three.decimals == 3);
  const Comparison one_wrong = compare(written({0.236, 0.765}, 0.0005), expected, 0);
  CHECK(!one_wrong.agrees);
  CHECK(one_wrong.wrong == 1);
  CHECK(compare(written({0.23456, 0.76544}, 0.000005), expected, 0).agrees);
  CHECK(compare(written({0.23, 0.77}, 0.005), expected, 0).decimals == 2);
  CHECK(!compare(written({0.24, 0.77}, 0.005), expected, 0).agrees);
  CHECK(!compare(written({0.2, 0.8}, 0.05), expected, 0).agrees);  // too few to tell right from wrong
  const Comparison rounded = compare(stored({0.235, 0.765}, Storage::float64), expected, 0);
  CHECK(rounded.closeness == Closeness::decimals);
  CHECK(rounded.decimals == 3);
  const auto single = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  CHECK(compare(stored({single(0.2346), single(0.7654)}, Storage::float32), expected, 0).decimals == 4);
  CHECK(!compare(stored({0.5, 0.5}, Storage::float64), expected, 0).agrees);
  CHECK(!compare(written({0.001, 0.002}, 0.0005), vector_of({0.0012, 0.0021}), 0).agrees);
}

TEST_CASE("rounded numbers agree however they are written: in full, or without zeros at the end") {
  const Array expected = vector_of({0.23456, 0.76544, 0.3, 0.0});
  const Numbers rounded{0.2346, 0.7654, 0.3, 0.0};
  NamedArray in_full = written(rounded, 0.0);  // 2.345999999999999919e-01, ..., 0.000000000000000000e+00
  in_full.half_units = {0.5e-19, 0.5e-19, 0.5e-19, 0.5e-18};
  NamedArray shortest = written(rounded, 0.0);  // 0.2346, 0.7654, 0.3, 0.0
  shortest.half_units = {0.5e-4, 0.5e-4, 0.05, 0.05};
  for (NamedArray submitted : {in_full, shortest}) {
    CHECK(compare(submitted, expected, 0).decimals == 4);
    CHECK(compare(submitted, expected, 0).agrees);
    submitted.array.data[1] = 0.7656;
    CHECK(compare(submitted, expected, 0).wrong == 1);
    submitted.array.data[1] = 0.7654;
    submitted.array.data[3] = 0.04;  // as far off as a lone decimal would allow
    CHECK_FALSE(compare(submitted, expected, 0).agrees);
  }
}

TEST_CASE("one significant digit agrees as far as it goes, which is said and is no agreement") {
  const Array expected = vector_of({0.137, 0.262, 0.35, 0.251});
  CHECK(compare(stored({0.14, 0.26, 0.35, 0.25}, Storage::float64), expected, 0.0).decimals == 2);
  const Comparison rounded = compare(written({0.1, 0.3, 0.4, 0.3}, 0.05), expected, 0.0);
  CHECK_FALSE(rounded.agrees);
  CHECK(rounded.decimals_needed == 2);
  for (const Numbers& wrong : {Numbers{0.16, 0.26, 0.35, 0.25}, Numbers{0.0, 0.0, 0.0, 0.0}}) {
    const Comparison comparison = compare(stored(wrong, Storage::float64), expected, 0.0);
    CHECK_FALSE(comparison.agrees);
    CHECK(comparison.decimals_needed == 0);
  }
}

TEST_CASE("digits that a guess has as well tell nothing, unless it is right") {
  const auto decimals_needed = [](const Numbers& right, const Numbers& submitted) {
    const Comparison comparison = compare(written(submitted, 0.005), vector_of(right), 0.0);
    CHECK(comparison.agrees == (comparison.decimals_needed == 0));
    return comparison.decimals_needed;
  };
  CHECK(decimals_needed({0.252, 0.248, 0.2496, 0.2504}, {0.25, 0.25, 0.25, 0.25}) == 3);
  CHECK(decimals_needed({0.9961, 0.0034, 0.0005}, {1.0, 0.0, 0.0}) == 3);
  CHECK(decimals_needed({0.0, 0.3333, 0.3334, 0.3333}, {0.0, 0.33, 0.33, 0.33}) == 4);
  CHECK(decimals_needed({1.0 / 3, 1.0 / 3, 1.0 / 3}, {0.33, 0.33, 0.33}) == 0);
  CHECK(decimals_needed({0.0, 1.0, 1.0}, {0.0, 1.0, 1.0}) == 0);
}

TEST_CASE("a lone decimal among full digits is what it says; equal significant digits are a rounding") {
  const Array expected = vector_of({1.23456, 0.34, -infinity});
  NamedArray submitted = written({1.23456, 0.3, -infinity}, 0.5e-17);
  submitted.half_units[1] = 0.05;
  submitted.half_units[2] = 0.0;
  CHECK_FALSE(compare(submitted, expected, 0).agrees);
  submitted.array.data = {1.23, 0.340, -infinity};  // 1.23e+00, 3.40e-01
  submitted.half_units = {0.005, 0.0005, 0.0};
  CHECK(compare(submitted, expected, 0).closeness == Closeness::decimals);
  submitted.array.data[1] = 0.341;
  CHECK_FALSE(compare(submitted, expected, 0).agrees);
}

TEST_CASE("whole numbers are no rounded decimals") {
  CHECK(compare(stored({1, 0}, Storage::integers), vector_of({1, 0}), 0).agrees);
  CHECK(!compare(stored({1, 0}, Storage::integers), vector_of({0.9999, 0.0001}), 0).agrees);
}

TEST_CASE("axes of length one do not count and a table may hold flattened matrices") {
  NamedArray batch{"", {{1, 2, 3}, {}, Numbers(6, 0.0)}, Storage::float64, {}};
  CHECK(in_shape(batch, {2, 3}));
  CHECK(!in_shape(batch, {3, 2}));
  NamedArray table{"", {{4, 3}, {}, Numbers(12, 0.0)}, Storage::text, {}};
  CHECK(in_shape(table, {2, 2, 3}));
  CHECK(!in_shape(table, {3, 4}));
  table.storage = Storage::float64;
  CHECK(in_shape(table, {2, 2, 3}));
  const NamedArray flat{"", {{12}, {}, Numbers(12, 0.0)}, Storage::float64, {}};
  CHECK(in_shape(flat, {2, 2, 3}));
  CHECK(in_shape(flat, {3, 4}));
  CHECK(!in_shape(flat, {3, 3}));
  CHECK(in_shape(NamedArray{"", {{12, 1}, {}, Numbers(12, 0.0)}, Storage::text, {}},
                 {3, 4}));  // savetxt's column
}

TEST_CASE("without a name the stage that agrees is found and else the one that a mistake explains") {
  const std::vector<Stage> trace = attention_trace();
  CHECK(attnlab::check_by_shape(trace, file_of(scores))->stage.name == "scores");
  CHECK(attnlab::check_by_shape(trace, file_of(key))->stage.name == "key");
  const auto explained = attnlab::check_by_shape(trace, file_of(softmax(plus(raw_scores, causal))));
  CHECK(explained->stage.name == "weights");
  CHECK(explained->diagnosis->name == "not-scaled");
  Matrix near_weights = weights;
  near_weights[2][0] += 0.01;
  CHECK(attnlab::check_by_shape(trace, file_of(near_weights))->stage.name == "weights");
  CHECK(!attnlab::check_by_shape(trace, stored({1, 2, 3, 4, 5}, Storage::float64)));
}

TEST_CASE("another shape is compared with nothing but may be a transposed result") {
  const std::vector<Stage> trace = attention_trace();
  const Check check = attnlab::check_stage(trace, "key", file_of(transposed(key)));
  CHECK(!check.shape_fits);
  REQUIRE(check.diagnosis);
  CHECK(check.diagnosis->name == "transposed");
}
