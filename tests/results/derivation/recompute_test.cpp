// Stages computed again from their operands: every operation on a case worked by hand, with NumPy's shapes.
#include "core/constants.hpp"
#include "results/derivation/recomputed_trace.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using attnlab::Array;
using attnlab::computed;
using attnlab::Derivation;
using attnlab::DType;
using attnlab::recomputed;
using attnlab::ShapeMismatch;
using attnlab::Stage;
using derived = attnlab::derived;

namespace {

using Shape = std::vector<std::size_t>;
using Numbers = std::vector<double>;
using attnlab::infinity;
using attnlab::not_a_number;

Array array(Shape shape, Numbers data) { return {std::move(shape), {}, std::move(data)}; }

Array of_one(const Derivation& derivation, const Array& operand) { return computed(derivation, {&operand}); }

Array of_two(const Derivation& derivation, const Array& left, const Array& right) {
  return computed(derivation, {&left, &right});
}

Stage provided(std::string name, Shape shape, Numbers data) {
  return {std::move(name), {}, array(std::move(shape), std::move(data))};
}

Stage derived_stage(std::string name, Array array, Derivation derivation) {
  return {std::move(name), attnlab::formula::sym("S"), std::move(array), std::move(derivation)};
}

void check_close(const Array& got, const Numbers& expected) {
  REQUIRE(got.data.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(got.data[i] == doctest::Approx(expected[i]));
}

}  // namespace

TEST_CASE("a product of matrices sums over the inner axis") {
  const Array left = array({2, 3}, {1, 2, 3, 4, 5, 6});
  const Array right = array({3, 2}, {1, 0, 0, 1, 2, 2});
  const Array result = of_two(derived::product("a", "b"), left, right);
  CHECK(result.shape == Shape{2, 2});
  CHECK(result.data == Numbers{7, 8, 16, 17});
}

TEST_CASE("a product with the transpose pairs rows with rows") {
  const Array queries = array({2, 3}, {1, 2, 3, 4, 5, 6});
  const Array keys = array({4, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1});
  const Array result = of_two(derived::product_with_transpose("q", "k"), queries, keys);
  CHECK(result.shape == Shape{2, 4});
  CHECK(result.data == Numbers{1, 2, 3, 6, 4, 5, 6, 15});
}

TEST_CASE("a vector is a row on the left and a column on the right") {
  const Array matrix = array({2, 3}, {1, 2, 3, 4, 5, 6});
  const Array three = array({3}, {1, 0, -1});
  const Array two = array({2}, {1, 10});
  CHECK(of_two(derived::product("m", "v"), matrix, three).data == Numbers{-2, -2});
  CHECK(of_two(derived::product("m", "v"), matrix, three).shape == Shape{2});
  CHECK(of_two(derived::product("v", "m"), two, matrix).data == Numbers{41, 52, 63});
  CHECK(of_two(derived::product_with_transpose("v", "m"), three, matrix).data == Numbers{-2, -2});
  CHECK(of_two(derived::product_with_transpose("m", "v"), matrix, three).data == Numbers{-2, -2});
  const Array scalar = of_two(derived::product("v", "v"), three, three);
  CHECK(scalar.shape.empty());
  CHECK(scalar.data == Numbers{2});
}

TEST_CASE("the axes before the matrix broadcast") {
  const Array left = array({2, 1, 1, 2}, {1, 2, 3, 4});      // two batches, one head
  const Array right = array({3, 2, 1}, {1, 0, 0, 1, 1, 1});  // three heads
  const Array result = of_two(derived::product("a", "b"), left, right);
  CHECK(result.shape == Shape{2, 3, 1, 1});
  CHECK(result.data == Numbers{1, 2, 3, 3, 4, 7});
}

TEST_CASE("a product over nothing is zero and without rows it is empty") {
  const Array zero = of_two(derived::product("a", "b"), array({2, 0}, {}), array({0, 2}, {}));
  CHECK(zero.data == Numbers{0, 0, 0, 0});
  const Array empty =
      of_two(derived::product("a", "b"), array({0, 2}, {}), array({2, 3}, {1, 2, 3, 4, 5, 6}));
  CHECK(empty.shape == Shape{0, 3});
  CHECK(empty.data.empty());
}

TEST_CASE("sums and differences broadcast from the last axis") {
  const Array matrix = array({2, 2}, {1, 2, 3, 4});
  CHECK(of_two(derived::sum("a", "b"), matrix, array({2}, {10, 20})).data == Numbers{11, 22, 13, 24});
  CHECK(of_two(derived::sum("a", "b"), array({2, 1}, {10, 20}), matrix).data == Numbers{11, 12, 23, 24});
  CHECK(of_two(derived::difference("a", "b"), matrix, array({}, {1})).data == Numbers{0, 1, 2, 3});
  CHECK(of_two(derived::sum("a", "b"), array({2, 1}, {1, 2}), array({1, 3}, {0, 10, 20})).data ==
        Numbers{1, 11, 21, 2, 12, 22});
  CHECK(of_two(derived::sum("s", "mask"), array({2}, {1, 2}), array({2}, {0, -infinity})).data ==
        Numbers{1, -infinity});
}

TEST_CASE("softmax is taken along the last axis and survives large scores") {
  // softmax(0, ln 3) = (1/4, 3/4); a constant changes nothing
  const Array scores = array({2, 2}, {0, std::log(3.0), 1000, 1000 + std::log(3.0)});
  check_close(of_one(derived::softmax("s"), scores), {0.25, 0.75, 0.25, 0.75});
}

TEST_CASE("softmax gives a masked key exactly nothing and a row without keys NaN") {
  const Array masked = of_one(derived::softmax("s"), array({2, 2}, {5, -infinity, -infinity, -infinity}));
  CHECK(masked.data[0] == 1.0);
  CHECK(masked.data[1] == 0.0);
  CHECK(std::isnan(masked.data[2]));
  const Array spoilt = of_one(derived::softmax("s"), array({3}, {1, not_a_number, 2}));
  for (const double weight : spoilt.data) CHECK(std::isnan(weight));
}

TEST_CASE("the element-wise operations follow their definitions") {
  CHECK(of_one(derived::scaled("a", 0.5), array({3}, {1, -2, 3})).data == Numbers{0.5, -1, 1.5});
  check_close(of_one(derived::exponential("a"), array({2}, {0, std::log(5.0)})), {1, 5});
  CHECK(of_one(derived::power("a", 2.0), array({4}, {-1, 0, 3, -infinity})).data == Numbers{0.5, 1, 8, 0});
  CHECK(of_one(derived::row_share("a"), array({2, 2}, {1, 3, 5, 0})).data == Numbers{0.25, 0.75, 1, 0});
  CHECK(of_one(derived::relu("a"), array({3}, {-1, 0, 2})).data == Numbers{0, 0, 2});
  CHECK(std::isnan(of_one(derived::relu("a"), array({1}, {not_a_number})).data[0]));
  // tanh(ln 3) = (3 - 1/3) / (3 + 1/3) = 0.8
  check_close(of_one(derived::tanh("a"), array({2}, {0, std::log(3.0)})), {0, 0.8});
}

TEST_CASE("layer normalisation divides by the root of the variance") {
  // 1, 2, 3, 4: mean 2.5, variance 1.25 (ddof 0), so that the first is -1.5 / sqrt(1.25 + eps)
  const Array result = of_one(derived::layer_norm("x", 0.0), array({1, 4}, {1, 2, 3, 4}));
  const double deviation = std::sqrt(1.25);
  check_close(result, {-1.5 / deviation, -0.5 / deviation, 0.5 / deviation, 1.5 / deviation});
  // eps stands under the root: variance 1 and eps 3 halve the row
  check_close(of_one(derived::layer_norm("x", 3.0), array({2}, {4, 6})), {-0.5, 0.5});
}

TEST_CASE("RMS normalisation takes each stretch as long as its gain") {
  // Mean squares 4 and 16; with eps 12 the roots are 4 and √28.
  const Array x = array({1, 4}, {2, -2, 4, 4});
  const Array gain = array({2}, {3, 0.5});
  check_close(of_two(derived::rms_norm("x", "g", 0.0), x, gain), {3, -0.5, 3, 0.5});
  check_close(of_two(derived::rms_norm("x", "g", 12.0), x, gain),
              {1.5, -0.25, 12 / std::sqrt(28.0), 2 / std::sqrt(28.0)});
  CHECK_THROWS_AS(of_two(derived::rms_norm("x", "g", 0.0), array({1, 3}, {1, 2, 3}), gain), ShapeMismatch);
}

TEST_CASE("rotary pairs turn by their angles, and the rest of the width stays") {
  // A quarter turn sends (a, b) to (-b, a), half a turn to (-a, -b).
  const double quarter = std::acos(0.0);
  const Array x = array({2, 1, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const Array angles = array({1, 2}, {quarter, 2 * quarter});
  check_close(of_two(derived::rotary_pairs("x", "a"), x, angles), {-2, 1, -3, -4, 5, -7, 6, -8, -9, 10});
  check_close(of_two(derived::rotary_halves("x", "a"), x, angles), {-3, -2, 1, -4, 5, -8, -7, 6, -9, 10});
  const Array of_other_positions = array({2, 2}, {0, 0, 0, 0});
  CHECK_THROWS_AS(of_two(derived::rotary_pairs("x", "a"), x, of_other_positions), ShapeMismatch);
  CHECK_THROWS_AS(of_two(derived::rotary_halves("x", "a"), x, array({1, 3}, {0, 0, 0})), ShapeMismatch);
}

TEST_CASE("joined heads stand side by side in each row") {
  // two heads of two rows and two columns, in one batch
  const Array heads = array({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Array joined = of_one(derived::join_heads("h"), heads);
  CHECK(joined.shape == Shape{1, 2, 4});
  CHECK(joined.data == Numbers{1, 2, 5, 6, 3, 4, 7, 8});
}

TEST_CASE("heads that are split take their columns and joining gives them back") {
  // row 0: 1 2 | 5 6, row 1: 3 4 | 7 8
  const Array side_by_side = array({1, 2, 4}, {1, 2, 5, 6, 3, 4, 7, 8});
  const Array heads = of_one(derived::split_heads("p", 2), side_by_side);
  CHECK(heads.shape == Shape{1, 2, 2, 2});
  CHECK(heads.data == Numbers{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(of_one(derived::join_heads("h"), heads).data == side_by_side.data);
}

TEST_CASE("a stack of transposed factors is a stack of products") {
  const Array left = array({2, 1, 2}, {1, 2, 3, 4});
  const Array right = array({2, 3, 2}, {1, 0, 0, 1, 1, 1, 2, 0, 0, 2, 1, -1});
  const Array result = of_two(derived::product_with_transpose("q", "k"), left, right);
  CHECK(result.shape == Shape{2, 1, 3});
  CHECK(result.data == Numbers{1, 2, 3, 6, 8, -1});
}

TEST_CASE("entropy removes the last axis") {
  const Array weights = array({2, 2}, {0.5, 0.5, 1, 0});
  const Array entropies = of_one(derived::row_entropy("w"), weights);
  CHECK(entropies.shape == Shape{2});
  check_close(entropies, {std::log(2.0), 0});
}

TEST_CASE("a trace is computed again from its inputs alone") {
  const std::vector<Stage> trace{
      provided("query", {1, 2}, {1, 2}),
      provided("key", {2, 2}, {1, 0, 0, 1}),
      derived_stage("raw_scores", array({1, 2}, {99, 99}), derived::product_with_transpose("query", "key")),
      derived_stage("scores", array({1, 2}, {99, 99}), derived::scaled("raw_scores", 2.0)),
      derived_stage("twice", array({2}, {3, 4}), derived::worked({"scores"}, {})),
  };
  const std::vector<Stage> again = recomputed(trace);
  CHECK(again[2].array.data == Numbers{1, 2});
  CHECK(again[3].array.data == Numbers{2, 4});
  CHECK(again[4].array.data == Numbers{3, 4});
  CHECK(recomputed(trace[3], trace).data == Numbers{198, 198});
}

TEST_CASE("a stage keeps its axes and its type") {
  Stage tenth = derived_stage("tenth", array({1}, {0}), derived::scaled("one", 0.1));
  tenth.array.dtype = DType::float32;
  tenth.array.axes = {"keys"};
  const Array result = recomputed(tenth, {provided("one", {1}, {1}), tenth});
  CHECK(result.data[0] == static_cast<double>(0.1F));
  CHECK(result.dtype == DType::float32);
  CHECK(result.axes == std::vector<std::string>{"keys"});
}

TEST_CASE("an operand that is unknown or listed later is a mistake of the program") {
  const Stage later = provided("later", {1}, {1});
  const Stage early = derived_stage("early", array({1}, {1}), derived::scaled("later", 1.0));
  CHECK_THROWS_WITH_AS(recomputed({early, later}), doctest::Contains("later"), std::logic_error);
  CHECK_THROWS_WITH_AS(recomputed({early}), doctest::Contains("early"), std::logic_error);
  const Stage worked = derived_stage("worked", array({1}, {1}), derived::worked({"nothing"}, {}));
  CHECK_THROWS_WITH_AS(recomputed({worked}), doctest::Contains("nothing"), std::logic_error);
  const Stage alone = derived_stage("alone", array({}, {1}), derived::product("later", "later"));
  CHECK(recomputed({later, alone}).size() == 2);
}

TEST_CASE("shapes that do not fit are a mistake of the program") {
  const Array two_three = array({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK_THROWS_AS(of_two(derived::product("a", "b"), two_three, two_three), ShapeMismatch);
  CHECK_THROWS_AS(of_two(derived::sum("a", "b"), two_three, array({2}, {1, 2})), ShapeMismatch);
  CHECK_THROWS_AS(of_two(derived::product("a", "b"), array({}, {1}), two_three), ShapeMismatch);
  CHECK_THROWS_AS(of_one(derived::join_heads("a"), two_three), ShapeMismatch);
  CHECK_THROWS_AS(of_one(derived::split_heads("a", 2), two_three), ShapeMismatch);
  CHECK_THROWS_AS(of_one(derived::split_heads("a", 0), two_three), ShapeMismatch);
  CHECK_THROWS_AS(of_one(derived::softmax("a"), array({}, {1})), ShapeMismatch);
  CHECK_THROWS_AS(of_one(derived::product("a", "b"), two_three), std::logic_error);
  const Stage wrong = derived_stage("wrong", array({3}, {0, 0, 0}), derived::row_entropy("matrix"));
  CHECK_THROWS_WITH_AS(recomputed({provided("matrix", {2, 1}, {1, 2}), wrong}), doctest::Contains("wrong"),
                       ShapeMismatch);
}
