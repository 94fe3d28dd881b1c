// The tape: what a line computes, what it tells, and the names that it takes.
#include "experiments/framework/tape.hpp"

#include <doctest/doctest.h>

#include "core/constants.hpp"
#include "core/named.hpp"

namespace attnlab {
namespace {

/// A (2, 3) and a vector (3), by hand: A v = (1·1 + 2·0 + 3·2, 4·1 + 5·0 + 6·2) = (7, 16).
Tape tape_of_two() {
  Tape tape;
  tape.input("a", {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}, {"rows", "columns"});
  tape.input("v", Tensor<double>{1.0, 0.0, 2.0}, {"columns"});
  return tape;
}

const Stage& last(const Tape& tape) { return tape.stages().back(); }

}  // namespace

TEST_CASE("a vector is a column on the right of a product and a row on its left") {
  Tape tape = tape_of_two();
  CHECK(tape.product("right", "A v", "a", "v", {"rows"}) == Tensor<double>{7.0, 16.0});
  CHECK(tape.product_with_transpose("left", "v A^T", "v", "a", {"rows"}) == Tensor<double>{7.0, 16.0});
  CHECK(tape.product("both", "v v", "v", "v", {})() == 5.0);
  CHECK(tape.product_with_transpose("all", "A A^T", "a", "a", {"rows", "rows"}) ==
        Tensor<double>{{14.0, 32.0}, {32.0, 77.0}});
}

TEST_CASE("a line tells what it computed, from what, and by default along the axes of its first operand") {
  Tape tape = tape_of_two();
  const Tensor<double> half = tape.scaled("half", "\\frac{A}{2}", "a", times(0.5));
  CHECK(half == Tensor<double>{{0.5, 1.0, 1.5}, {2.0, 2.5, 3.0}});
  CHECK(last(tape).name == "half");
  CHECK(to_terminal(last(tape).formula) == "A / 2");
  CHECK(last(tape).array.axes == Axes{"rows", "columns"});
  CHECK(last(tape).array.data == std::vector<double>{0.5, 1.0, 1.5, 2.0, 2.5, 3.0});
  CHECK(last(tape).derivation.operation == Derivation::Operation::scaled);
  CHECK(last(tape).derivation.operands == std::vector<std::string>{"a"});
  CHECK(last(tape).derivation.number == 0.5);
}

TEST_CASE("behind a prefix stand stages, their operands and the names in their code, and no others") {
  Tape tape = tape_of_two();
  tape.prefix_names("twin_");
  CHECK_THROWS_AS(tape.numbers_of("a"), std::logic_error);  // that of before has no prefix
  tape.input("a", {{1.0, 2.0}}, {"rows", "columns"});
  tape.scaled("half", "\\frac{A}{2}", "a", times(0.5));
  CHECK(last(tape).name == "twin_half");
  CHECK(last(tape).derivation.operands == std::vector<std::string>{"twin_a"});
  tape.step("both", "", {{1.0, 2.0}}, {"rows", "columns"},
            derived::worked({"a"}, {}, "np.abs(a + half.a) + alpha(a)"));
  CHECK(last(tape).derivation.code == "np.abs(twin_a + twin_half.a) + alpha(twin_a)");
}

TEST_CASE("a name that no stage has is a mistake of the room") {
  Tape tape = tape_of_two();
  CHECK_THROWS_AS(tape.sum("s", "A + B", "a", "b"), std::logic_error);
  CHECK(tape.stages().size() == 2);
}

TEST_CASE("attention tells its stages in order, each from the one before") {
  Tape tape;
  tape.input("q", {{1.0, 0.0}}, {"queries", "width"});
  tape.input("k", {{1.0, 0.0}, {0.0, 1.0}}, {"keys", "width"});
  RecordedAttention recorded;
  recorded.suffix = "_1";
  const AttentionStages<double> stages = tape.attention("q", "k", "k", std::nullopt, recorded);
  CHECK(names_of(tape.stages()) ==
        std::vector<std::string>{"q", "k", "raw_scores_1", "scores_1", "weights_1", "output_1"});
  CHECK(stages.scores(0, 0) == doctest::Approx(1.0 / std::sqrt(2.0)).epsilon(1e-15));
  CHECK(find_named(tape.stages(), "scores_1")->derivation.number == 1.0 / std::sqrt(2.0));
  CHECK(find_named(tape.stages(), "weights_1")->derivation.operands == std::vector<std::string>{"scores_1"});
  CHECK(find_named(tape.stages(), "weights_1")->array.axes == Axes{"queries", "keys"});
  CHECK(last(tape).array.axes == Axes{"queries", "width"});

  recorded.masked = "S + M";
  recorded.suffix = "_2";
  recorded.mask = "mask_2";
  recorded.user_mask = Tensor<double>{{0.0, -1.0}};
  CHECK(tape.attention("q", "k", "k", 0.5, recorded).masked == Tensor<double>{{0.5, -1.0}});
  const std::vector<std::string> names = names_of(tape.stages());
  CHECK(std::vector<std::string>(names.begin() + 6, names.end()) ==
        std::vector<std::string>{"raw_scores_2", "scores_2", "mask_2", "masked_2", "weights_2", "output_2"});
}

TEST_CASE("arrays are of the type in which the tape computes, and so are their numbers") {
  const double most = 16777216.0;  // 2^24, the first float32 whose successor is 2 away: 2^24 + 1 rounds to it
  const auto sums = [&](DType type) {
    Tape tape;
    tape.compute_in(type);
    tape.input("a", Tensor<double>{most, 1.0}, {"n"});
    tape.input("b", Tensor<double>{1.0, 1.0}, {"n"});
    CHECK(last(tape).array.dtype == type);
    return std::vector<double>{
        tape.product("dot", "a b", "a", "b", {})(), tape.sum("sum", "a + b", "a", "b")(0),
        tape.input("odd", Tensor<double>{most + 1.0}, {"n"})(0), tape.numbers_of("odd")(0)};
  };
  CHECK(sums(DType::float64) == std::vector<double>{most + 1.0, most + 1.0, most + 1.0, most + 1.0});
  CHECK(sums(DType::float32) == std::vector<double>(4, most));
}

TEST_CASE("attention in float32 is that of float32 numbers, behind a mask on the tape") {
  Tape tape;
  tape.compute_in(DType::float32);
  tape.input("q", {{1.0, 0.0}}, {"queries", "width"});
  tape.input("k", {{0.0, 0.0}, {0.0, 0.0}, {5.0, 0.0}}, {"keys", "width"});
  tape.input("mask", {{0.0, 0.0, -infinity}}, {"queries", "keys"});
  tape.input("v", {{16777216.0, 0.0}, {2.0, 0.0}, {7.0, 0.0}}, {"keys", "width"});
  RecordedAttention recorded;
  recorded.mask = "mask";
  recorded.masked = "S + M";
  const AttentionStages<double> stages = tape.attention("q", "k", "v", 1.0, recorded);
  CHECK(stages.weights == Tensor<double>{{0.5, 0.5, 0.0}});
  CHECK(stages.output(0, 0) == 8388608.0 + 1.0);  // half of 2^24 + 2, which float32 holds
  CHECK(last(tape).array.dtype == DType::float32);
}

TEST_CASE("ReLU cuts off what is negative, and a layer norm has mean 0 and almost variance 1") {
  Tape tape;
  tape.input("x", Tensor<double>{-1.0, 3.0}, {"width"});  // mean 1, variance 4
  CHECK(tape.relu("cut", "max(0, X)", "x") == Tensor<double>{0.0, 3.0});
  const Tensor<double> normed = tape.layer_norm("normed", "LN(X)", "x");
  CHECK(normed(0) == doctest::Approx(-2.0 / std::sqrt(4.0 + 1e-5)).epsilon(1e-15));
  CHECK(normed(1) == doctest::Approx(2.0 / std::sqrt(4.0 + 1e-5)).epsilon(1e-15));
  CHECK(last(tape).derivation.number == 1e-5);
}

TEST_CASE("heads are cut out of the width and joined again") {
  Tape tape = tape_of_two();
  tape.input("x", {{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 8.0}}, {"tokens", "heads_width"});
  const Axes cut{"heads", "tokens", "width"};
  CHECK(tape.split_heads("heads", "heads(X)", "x", 2, cut) ==
        Tensor<double>{{{1.0, 2.0}, {5.0, 6.0}}, {{3.0, 4.0}, {7.0, 8.0}}});
  CHECK(last(tape).derivation.number == 2.0);
  CHECK(tape.join_heads("joined", "Concat", "heads", {"tokens", "heads_width"}) == tape.numbers_of("x"));
  CHECK(tape.has("joined"));
  CHECK_FALSE(tape.has("twin_joined"));
}

}  // namespace attnlab
