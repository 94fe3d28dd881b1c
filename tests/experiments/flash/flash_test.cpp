// A row tile by tile: NumPy's numbers, many rows with masks and large scores, what leaving the factors out
// does, the streaming kernel, and refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "attention/streaming/streaming_attention.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

constexpr double hides = -std::numeric_limits<double>::infinity();

/// Its first keys, a tile of its own, and about a third of the others are masked.
std::vector<double> any_mask(std::size_t keys, std::mt19937& stream) {
  std::vector<double> mask(keys, 0.0);
  const std::size_t first = stream() % keys;
  for (std::size_t i = 0; i < keys; ++i)
    if (i < first / 2 || stream() % 3 == 0) mask[i] = hides;
  mask[stream() % keys] = 0.0;
  return mask;
}

struct Row {
  Flags flags;
  std::vector<double> mask;
  Report run() const { return run_with(flash_experiment(), flags, {own("mask", {mask.size()}, mask)}); }
};

/// Of up to 16 keys: the plain row's own sum is then good to an ulp.
std::vector<Row> many_rows() {
  std::mt19937 stream(5);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < 300; ++i) {
    const std::size_t keys = 1 + stream() % 16;
    const std::string tile = std::to_string(1 + stream() % keys);
    const char* magnitude = std::vector<const char*>{"0.01", "1", "2", "1000", "1000000"}[i % 5];
    rows.push_back({{{"keys", std::to_string(keys)},
                     {"tile", tile},
                     {"magnitude", magnitude},
                     {"seed", std::to_string(i)},
                     {"length", "128"}},
                    any_mask(keys, stream)});
  }
  return rows;
}

}  // namespace

TEST_CASE("flash agrees with FlashAttention's algorithm 1 in NumPy, and with loads and stores counted") {
  check_reference(flash_experiment(), "flash/default.json");
  check_reference(flash_experiment(), "flash/masked.json");
}

TEST_CASE(
    "of any scores and masks the tiles give the plain row within 2 ulp, and without the factors they do not") {
  std::size_t rescaled = 0;
  for (const Row& row : many_rows()) {
    const Report report = row.run();
    CAPTURE(row.flags);
    CHECK(scalar(report, "ulps") <= 2.0);
    CHECK(report.invariants.at(0).error <= report.invariants.at(0).tolerance);
    for (const double number : values(report, "output")) CHECK(std::isfinite(number));
    if (scalar(report, "rescalings") == 0.0) continue;
    // unless all that stood before the last rise is too small to count
    const double ulp = scalar(report, "error_without_factors") / std::numeric_limits<double>::epsilon();
    const Numbers& factor = values(report, "factor");
    const bool counts = std::all_of(factor.begin(), factor.end(),
                                    [](double f) { return f == 0.0 || (f > 1e-3 && f < 0.9) || f == 1.0; });
    if (!counts) continue;
    ++rescaled;
    CHECK(ulp > 1e3 * report.invariants.at(0).tolerance);
  }
  CHECK(rescaled > 10);
}

TEST_CASE("after each tile the output is attention over the keys so far") {
  const Report report = run_with(flash_experiment(), {{"keys", "23"}, {"tile", "5"}, {"seed", "7"}});
  const std::vector<double> seen = values(report, "masked");
  for (std::size_t tile = 0; tile < 5; ++tile) {
    std::vector<double> mask(23, 0.0);
    for (std::size_t key = 5 * (tile + 1); key < 23; ++key) mask[key] = hides;
    const Report part = Row{{{"keys", "23"}, {"tile", "23"}, {"seed", "7"}}, mask}.run();
    CHECK(disagreement(row_of(report, "tile_output", tile), values(part, "plain"), 1e-14) == "");
  }
}

TEST_CASE("the streaming kernel gives the same row") {
  const Report report = run_with(flash_experiment(), {{"keys", "300"}, {"width", "8"}, {"tile", "7"}});
  const auto matrix = [&](const char* name, std::size_t rows) {
    Tensor<double> tensor = Tensor<double>::from_shape({rows, std::size_t{8}});
    std::copy(values(report, name).begin(), values(report, name).end(), tensor.begin());
    return tensor;
  };
  const Tensor<double> output =
      streaming_attention(matrix("query", 1), matrix("key", 300), matrix("value", 300)).output;
  CHECK(disagreement(values(report, "output"), Numbers(output.begin(), output.end()), 1e-12) == "");
}

TEST_CASE("tiles that do not fit the row are refused in one line") {
  const auto refusal = [](const Flags& flags) { return usage_error(flash_experiment(), flags); };
  CHECK(refusal({{"tile", "13"}}) == "--tile 13 is too large: the row has 12 keys; choose at most 12");
  CHECK(contains(refusal({{"tile", "0"}}), "--tile must be a whole number from 1"));
  CHECK(refusal({{"after", "4"}}) == "--after 4 is too large: the row has 3 tiles; choose at most 3");
  CHECK(refusal({{"hidden", "12"}}) == "--hidden 12 is too large: the row has 12 keys; choose at most 11");
  CHECK(usage_error(flash_experiment(), {}, {own("mask", {2}, {hides, hides})}) != "");
}

}  // namespace attnlab
