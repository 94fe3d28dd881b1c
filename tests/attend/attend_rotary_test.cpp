// Rotary positions and the norms of queries and keys in `attend`: where positions begin, and what is refused.
// PyTorch's numbers for them are in data/reference/attend, for which verify_test.cpp looks.
#include <doctest/doctest.h>

#include <string>

#include "agreement.hpp"
#include "attending.hpp"
#include "attention/positional.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

AttendInputs<double> turning(std::size_t queries, std::size_t keys) {
  AttendInputs<double> inputs;
  inputs.query = drawn<double>(1, {queries, 4});
  inputs.key = drawn<double>(2, {keys, 4});
  inputs.value = drawn<double>(3, {keys, 4});
  return inputs;
}

AttendInputs<double> with_norms(std::size_t of_query, std::size_t of_key) {
  AttendInputs<double> inputs;
  inputs.query = drawn<double>(4, {5, 6});
  LayerWeights<double> weights;
  weights.heads = 4;
  weights.kv_heads = 2;
  weights.query = drawn<double>(5, {6, 12});
  weights.key = drawn<double>(6, {6, 6});
  weights.value = drawn<double>(7, {6, 6});
  weights.query_norm = drawn<double>(8, {of_query});
  weights.key_norm = drawn<double>(9, {of_key});
  inputs.weights = weights;
  return inputs;
}

}  // namespace

TEST_CASE("the last query of a cache stands at the last key, or the first at the first") {
  const AttendInputs<double> inputs = turning(2, 6);
  Tensor<double> padded = Tensor<double>::from_shape({6, 4});  // the two queries at places 4 and 5
  padded.fill(0.0);
  std::copy_n(inputs.query.data(), 8, padded.data() + 16);
  const Tensor<double> turned = rotary_encoding(padded, 100.0, RotaryPairing::halves);
  const Report report = attended(inputs, {{"rope", "halves"}, {"rope-base", "100"}});
  const std::vector<double> at_end(turned.data() + 16, turned.data() + 24);
  CHECK(disagreement(values(report, "query"), at_end, tolerance64()) == "");
  CHECK(values(report, "query_positions") == std::vector<double>{4, 5});
  CHECK(values(report, "key_positions") == std::vector<double>{0, 1, 2, 3, 4, 5});

  const Typed corner{{"rope", "halves"}, {"rope-base", "100"}, {"alignment", "top-left"}};
  const Tensor<double> at_start = rotary_encoding(inputs.query, 100.0, RotaryPairing::halves);
  const Report first = attended(inputs, corner);
  CHECK(disagreement(values(first, "query"), values_of(at_start), tolerance64()) == "");
}

TEST_CASE("scores of turned queries and keys depend on distances alone") {
  // As many queries as keys, all of them the same: a score for each distance.
  AttendInputs<double> inputs = turning(5, 5);
  for (std::size_t i = 4; i < 20; ++i) {
    inputs.query.flat(i) = inputs.query.flat(i % 4);
    inputs.key->flat(i) = inputs.key->flat(i % 4);
  }
  const Report report = attended(inputs, {{"rope", "pairs"}});
  const std::vector<double>& scores = values(report, "scores");
  for (std::size_t i = 1; i < 5; ++i) {
    for (std::size_t j = 1; j < 5; ++j) {
      CHECK(std::abs(scores[i * 5 + j] - scores[(i - 1) * 5 + j - 1]) < 1e-14);
    }
  }
  CHECK(std::abs(scores[0] - scores[1]) > 1e-3);
}

TEST_CASE("widths that cannot turn and gains that fit no head are refused") {
  const auto refused = [](const AttendInputs<double>& inputs, const Typed& flags) {
    return usage_message([&] { attended(inputs, flags); });
  };
  CHECK(refused(turning(3, 3), {{"rope", "pairs"}, {"rope-width", "6"}}) ==
        "--rope-width 6 is more than a head's width 4; use an even number up to 4");
  CHECK(refused(turning(3, 3), {{"rope", "pairs"}, {"rope-width", "3"}}).find("an odd width 3") == 0);
  CHECK(refused(turning(3, 3), {{"norm-eps", "1e-5"}}) ==
        "--norm-eps, but the weights have neither a q_norm nor a k_norm; leave out --norm-eps");
  CHECK(refused(turning(3, 3), {{"norm-gain", "plus-one"}}) ==
        "--norm-gain, but the weights have neither a q_norm nor a k_norm; leave out --norm-gain");
  CHECK(
      refused(with_norms(6, 3), {}) ==
      "the RMS norm of the queries has 6 gains, but a head is 3 wide and all of them 12; check --heads and --kv-heads");
  CHECK(refused(with_norms(12, 12), {}).find("the RMS norm of the keys has 12 gains") == 0);
  CHECK_NOTHROW(attended(with_norms(12, 3), {{"norm-eps", "0"}}));
  CHECK_NOTHROW(attended(with_norms(3, 6), {}));
}

}  // namespace attnlab
