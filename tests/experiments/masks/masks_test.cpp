// The masks experiment: NumPy's numbers, what -inf promises, what a finite mask leaks, and rows without keys.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "core/constants.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "experiments/masks/masks.hpp"

namespace attnlab {
namespace {

Report masks(const Flags& flags) { return run_with(masks_experiment(), flags); }

void check_invariants(const Report& report, std::size_t count) {
  CHECK(report.invariants.size() == count);
  check_invariants_hold(report);
}

/// A copy: the report may be a temporary.
HeatMap heat_map(const Report& report, const std::string& name, std::size_t panel) {
  return std::get<HeatMap>(figure(report, name).panels.at(panel).content);
}

std::size_t lines_of(const Stage& one) { return one.derivation.worked.size(); }

}  // namespace

TEST_CASE("masks agree with NumPy") {
  for (const char* name :
       {"default", "together", "nothing-to-read", "uniform", "zero", "leaking", "float16"}) {
    check_reference(masks_experiment(), std::string("masks/") + name + ".json");
  }
  check_form(masks({}));
}

TEST_CASE("every invariant of a mask holds whatever the flags") {
  check_invariants(masks({}), 5);
  check_invariants(masks({{"seed", "11"}, {"queries", "5"}, {"keys", "9"}, {"mask", "causal,window:1"}}), 5);
  check_invariants(masks({{"queries", "9"}, {"keys", "5"}, {"masked-row", "zero"}}), 5);
  check_invariants(masks({{"hidden", "-1e5"}, {"magnitude", "1e6"}, {"mask", "padding:2"}}), 5);
  check_invariants(masks({{"queries", "128"}, {"keys", "128"}, {"width", "2"}, {"rng", "torch"}}), 5);
  check_invariants(masks({{"queries", "1"}, {"keys", "1"}}), 5);
}

TEST_CASE("with -inf nothing leaks whatever the size of the scores") {
  for (const char* magnitude : {"1e-6", "1", "1e5", "1e12"}) {
    const Report report = masks({{"magnitude", magnitude}});
    for (const double leak : values(report, "leak")) CHECK(leak == 0.0);
  }
}

// Row 0 reads key 0 alone; its best hidden score is larger by the gap of 1.194.
TEST_CASE("a mask of -1e5 leaks when a hidden score is 1e5 larger") {
  const Report plain = masks({});
  const std::vector<double>& scores = values(plain, "scores");
  const double gap = *std::max_element(scores.begin() + 1, scores.begin() + 6) - scores[0];
  CHECK(scalar(masks({{"hidden", "-1e5"}}), "largest_leak") == 0.0);
  const Report below = masks({{"hidden", "-1e5"}, {"magnitude", std::to_string((1e5 - 40.0) / gap)}});
  const Report above = masks({{"hidden", "-1e5"}, {"magnitude", std::to_string((1e5 + 40.0) / gap)}});
  CHECK(scalar(below, "largest_leak") < 1e-12);
  CHECK(scalar(above, "largest_leak") > 1.0 - 1e-12);
  CHECK(scalar(masks({{"hidden", "-1e9"}, {"magnitude", "1e6"}}), "largest_leak") == 0.0);
  CHECK(scalar(masks({{"hidden", "-1e9"}, {"magnitude", "1e10"}}), "largest_leak") == 1.0);
  CHECK(scalar(masks({{"hidden", "float16"}, {"magnitude", "7e4"}}), "largest_leak") == 1.0);
}

TEST_CASE("a row without keys is NaN with a note unless the user chooses") {
  const Flags tall{{"queries", "6"}, {"keys", "4"}};
  const Report report = masks(tall);
  CHECK(scalar(report, "rows_without_keys") == 2.0);
  CHECK(contains(paragraphs(report, Role::note), "queries 0, 1 may attend to no key"));
  CHECK(contains(paragraphs(report, Role::note), "NaN"));
  CHECK(paragraphs(masks({}), Role::note).empty());

  Flags zero = tall;
  zero["masked-row"] = "zero";
  const Report zeros = masks(zero);
  for (std::size_t i = 0; i < 8; ++i) CHECK(values(zeros, "weights")[i] == 0.0);
  for (std::size_t i = 0; i < 16; ++i) CHECK(values(zeros, "output")[i] == 0.0);
  CHECK(lines_of(stage(zeros, "weights_causal")) == 6);  // no softmax gives these rows

  // adding a finite number to a whole row changes no softmax: the mask is gone
  Flags finite = tall;
  finite["hidden"] = "-1e5";
  const Report unmasked = masks(finite);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(values(unmasked, "weights")[i] ==
          doctest::Approx(values(unmasked, "weights_none")[i]).epsilon(1e-9));
  }
  CHECK(contains(paragraphs(unmasked, Role::note), "those without a mask"));
}

TEST_CASE("the alignment decides what the first and the last query read") {
  const Report corner = masks({{"queries", "2"}, {"keys", "5"}});
  const Report top = masks({{"queries", "2"}, {"keys", "5"}, {"alignment", "top-left"}});
  const std::vector<double> none{0, 0, 0, 0, -infinity, 0, 0, 0, 0, 0};
  CHECK(values(corner, "mask_causal") == none);
  const double x = -infinity;
  CHECK(values(top, "mask_causal") == std::vector<double>{0, x, x, x, x, 0, 0, x, x, x});
  // reported by a reader: all 45 pairs were hidden
  const Report both =
      masks({{"queries", "5"}, {"keys", "9"}, {"mask", "causal,window:2"}, {"alignment", "top-left"}});
  const std::vector<double> mask = values(both, "mask");
  CHECK(std::count(mask.begin(), mask.end(), 0.0) == 12);  // 1, 2, 3, 3 and 3 keys
  CHECK(std::none_of(values(both, "weights").begin(), values(both, "weights").end(),
                     [](double weight) { return std::isnan(weight); }));
}

TEST_CASE("masks are put together by commas and refused when they make no sense") {
  const MaskChoice choice = parse_mask("window:3,causal", 6);
  CHECK(choice.causal);
  CHECK(choice.window);
  CHECK_FALSE(choice.padding);
  CHECK(choice.reach == 3);
  CHECK(parse_mask("padding", 7).padded == 2);
  for (const char* wrong : {"causal,", ",causal", "causal,causal", "none,causal", "causal:2", "padding:-1",
                            "padding:x", "window:1.5", "window:9999999", "diagonal", "padding:2,padding:1"}) {
    INFO(wrong);
    CHECK(contains(usage_error(masks_experiment(), {{"mask", wrong}}), "is no mask"));
  }
  CHECK(usage_error(masks_experiment(), {{"mask", "padding:7"}}) ==
        "--mask padding:7 masks more than the 6 keys there are; use padding:6 at most, or more --keys");
}

TEST_CASE("the figure strikes out what is hidden and frames what leaks") {
  const HeatMap causal = heat_map(masks({}), "weights", 1);
  REQUIRE(causal.hidden.size() == 36);
  for (std::size_t query = 0; query < 6; ++query) {
    for (std::size_t key = 0; key < 6; ++key) CHECK(causal.hidden[query * 6 + key] == (key > query));
  }
  const Report leaking = masks({{"hidden", "-1e5"}, {"magnitude", "1e5"}});
  CHECK(contains(figure(leaking, "weights").title.en(), "still get up to 1"));
  CHECK(contains(paragraphs(leaking, Role::say), "leaks"));
}

TEST_CASE("a mask that is asked for is drawn alone, and the title says no more than it shows") {
  const auto weights = [](const Flags& flags) {
    const Report report = masks(flags);
    return Figure(figure(report, "weights"));
  };
  CHECK(weights({}).panels.size() == 4);
  for (const char* mask : {"causal", "padding:2", "causal,window:1"}) {
    CAPTURE(mask);
    const Report report = masks({{"mask", mask}});
    REQUIRE(figure(report, "weights").panels.size() == 1);
    CHECK(heat_map(report, "weights", 0).values.values == values(report, "weights"));
    CHECK(contains(figure(report, "weights").caption.en(), "Hatched"));
  }
  const Figure none = weights({{"mask", "none"}});
  CHECK_FALSE(contains(none.caption.en(), "Hatched"));
  CHECK(none.title.en() == "No key is masked: each row sums to 1");
  CHECK(contains(weights({{"queries", "6"}, {"keys", "4"}}).title.en(), "each row with a visible key sums"));
}

TEST_CASE("the demonstrations of unequal lengths are the runs of those lengths") {
  const HeatMap map = heat_map(masks({}), "alignment", 0);
  const Report same = masks({{"queries", "4"}, {"keys", "6"}});
  CHECK(map.values.values == values(same, "weights_causal"));
  const Report tall = masks({{"queries", "6"}, {"keys", "4"}, {"masked-row", "uniform"}});
  CHECK(heat_map(masks({}), "masked-row", 2).values.values == values(tall, "weights_causal"));
}

TEST_CASE("the smallest and the largest run are finished without complaint") {
  for (const Flags& flags : {Flags{{"queries", "1"}, {"keys", "1"}, {"mask", "padding:1"}},
                             Flags{{"queries", "1"}, {"keys", "2"}, {"width", "1"}},
                             Flags{{"queries", "2"}, {"keys", "1"}, {"magnitude", "1e-6"}},
                             Flags{{"queries", "128"}, {"keys", "128"}, {"width", "1024"}}}) {
    check_form(masks(flags));
  }
}

TEST_CASE("a mask of one's own may have any shape that broadcasts to the scores") {
  const std::vector<double> last{0, 0, 0, 0, 0, -infinity};
  const Report padding = run_with(masks_experiment(), {{"mask", "padding:1"}});
  for (const std::vector<std::size_t>& shape : {std::vector<std::size_t>{6}, {1, 6}, {1, 1, 1, 6}}) {
    const Report report = run_with(masks_experiment(), {}, {own("mask", shape, last)});
    CHECK(stage(report, "mask").array.shape == std::vector<std::size_t>{6, 6});
    CHECK(values(report, "weights") == values(padding, "weights"));
  }
  CHECK(contains(usage_error(masks_experiment(), {}, {own("mask", {5}, {0, 0, 0, 0, 0})}), "scores (6, 6)"));
}

}  // namespace attnlab
