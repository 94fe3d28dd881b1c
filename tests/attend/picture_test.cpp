// What one query reads, laid over a picture.
#include "attend/picture.hpp"

#include "attending.hpp"
#include "core/named.hpp"

namespace attnlab {
namespace {

constexpr std::size_t tokens = 10;  // a class token and 3 x 3 patches

AttendInputs<double> inputs_over_picture(std::size_t layers) {
  AttendInputs<double> inputs;
  inputs.query = drawn<double>(1, {layers, 2, tokens, 4});
  inputs.key = drawn<double>(2, {layers, 2, tokens, 4});
  inputs.value = drawn<double>(3, {layers, 2, tokens, 4});
  inputs.picture = std::make_shared<const Image>(Image{6, 6, std::vector<std::uint8_t>(108, 200)});
  return inputs;
}

const HeatMap& picture_panel(const Report& report, std::size_t panel) {
  return std::get<HeatMap>(find_named(report.figures, "picture")->panels.at(panel).content);
}

const Array& array_in(const Report& report, const std::string& name) {
  const Stage* found = find_named(report.stages, name);
  REQUIRE_MESSAGE(found != nullptr, name);
  return found->array;
}

PatchGrid grid_among(std::size_t keys, const Typed& more = {}) {
  Typed typed = more;
  typed["image"] = "a.png";
  return patch_grid(*settings_of(typed).picture, keys);
}

TEST_CASE("patches are the square behind as few other tokens as possible, or what is typed") {
  const auto is = [](const PatchGrid& grid, std::size_t rows, std::size_t columns, std::size_t skip) {
    return grid.rows == rows && grid.columns == columns && grid.skip == skip;
  };
  CHECK(is(grid_among(197), 14, 14, 1));  // ViT-B/16 at 224 pixels
  CHECK(is(grid_among(196), 14, 14, 0));
  CHECK(is(grid_among(261), 16, 16, 5));  // DINOv2 with registers at 224 pixels
  CHECK(is(grid_among(7, {{"grid", "2x3"}}), 2, 3, 1));
  CHECK(is(grid_among(9, {{"grid", "2x3"}, {"skip", "2"}}), 2, 3, 2));
  CHECK(is(grid_among(11, {{"skip", "2"}}), 3, 3, 2));
  CHECK(usage_message([] { grid_among(3); }).find("no square") != std::string::npos);
  CHECK(usage_message([] { grid_among(10, {{"skip", "2"}}); }).find("no square") != std::string::npos);
  CHECK(usage_message([] {
          grid_among(9, {{"grid", "3x3"}, {"skip", "1"}});
        }).find("9 keys") != std::string::npos);
  CHECK(usage_message([] { grid_among(9, {{"grid", "99999x99999"}}); }).find("too few") != std::string::npos);
  for (const char* grid : {"3", "3x", "0x3", "3x3x3", "ax3", "-1x3"}) {
    INFO(grid);
    CHECK(usage_message([&] { grid_among(9, {{"grid", grid}}); }).find("cannot be") != std::string::npos);
  }
  CHECK(usage_message([] {
          settings_of({{"reader", "3"}});
        }).find("--reader needs --image") != std::string::npos);
}

TEST_CASE("without a wish the token before the patches reads, else the middle patch") {
  const PictureSettings settings;
  CHECK(reader_over({3, 3, 1}, settings, 10) == 0);
  CHECK(reader_over({3, 3, 0}, settings, 9) == 4);
  CHECK(reader_over({3, 3, 0}, settings, 2) == 1);
  PictureSettings typed;
  typed.reader = 10;
  CHECK(usage_message([&] { reader_over({3, 3, 1}, typed, 10); }).find("no query 10") != std::string::npos);
}

TEST_CASE("each head's map holds the query's weights on the patches, clear at the largest") {
  const Report report = attended(inputs_over_picture(1), {{"image", "a.png"}, {"reader", "6"}});
  REQUIRE(find_named(report.figures, "picture")->panels.size() == 3);
  const HeatMap& picture = picture_panel(report, 0);
  CHECK(picture.chooses == "reader");
  CHECK(picture.values.at(0, 0) == 1.0);  // the number of the token
  CHECK(picture.values.at(2, 2) == 9.0);
  const Array& weights = array_in(report, "weights");
  for (std::size_t head = 0; head < 2; ++head) {
    const HeatMap& map = picture_panel(report, head + 1);
    double largest = 0.0;
    for (std::size_t patch = 0; patch < 9; ++patch) {
      const double weight = weights.data[(head * tokens + 6) * tokens + 1 + patch];
      CHECK(map.values.values[patch] == weight);
      largest = std::max(largest, weight);
    }
    CHECK(map.scale.low == 0.0);
    CHECK(map.scale.high == largest);
    CHECK(map.picture != nullptr);
    CHECK(map.marked == std::vector<bool>{false, false, false, false, false, true, false, false, false});
  }
}

TEST_CASE("a query that is no token of the picture is no patch of it") {
  AttendInputs<double> inputs = inputs_over_picture(1);
  inputs.query = drawn<double>(4, {1, 2, 3, 4});
  const Report report = attended(inputs, {{"image", "a.png"}, {"reader", "2"}});
  CHECK(find_named(report.figures, "picture")->title.en().find("Query 2 attends most to") == 0);
  for (const std::size_t panel : {0U, 1U}) CHECK(picture_panel(report, panel).marked.empty());
  CHECK(picture_panel(report, 0).chooses.empty());
}

TEST_CASE("of patches that are no squares a warning tells") {
  const auto warnings = [](const Typed& typed) { return attended(inputs_over_picture(1), typed).warnings; };
  CHECK(warnings({{"image", "a.png"}}).empty());
  REQUIRE(warnings({{"image", "a.png"}, {"grid", "1x9"}}).size() == 1);
  CHECK(warnings({{"image", "a.png"}, {"grid", "1x9"}}).front().en().find("no squares") != std::string::npos);
}

TEST_CASE("the mean and the rollout are what their formulas say") {
  const Report mean =
      attended(inputs_over_picture(3), {{"image", "a.png"}, {"reading", "mean"}, {"entry", "2"}});
  const Array& weights = array_in(mean, "weights");
  const auto weight = [&](std::size_t layer, std::size_t head, std::size_t i, std::size_t k) {
    return weights.data[((layer * 2 + head) * tokens + i) * tokens + k];
  };
  for (std::size_t patch = 0; patch < 9; ++patch) {
    CHECK(picture_panel(mean, 1).values.values[patch] ==
          doctest::Approx((weight(2, 0, 0, 1 + patch) + weight(2, 1, 0, 1 + patch)) / 2.0).epsilon(1e-14));
  }
  // Abnar and Zuidema 2020, eq. 1, path by path: over all ways of one token per layer.
  const auto step = [&](std::size_t layer, std::size_t i, std::size_t k) {
    return 0.25 * (weight(layer, 0, i, k) + weight(layer, 1, i, k)) + (i == k ? 0.5 : 0.0);
  };
  const Report rollout = attended(inputs_over_picture(3), {{"image", "a.png"}, {"reading", "rollout"}});
  const Array& through = array_in(rollout, "rollout");
  double row = 0.0;
  for (std::size_t k = 0; k < tokens; ++k) {
    double sum = 0.0;
    for (std::size_t a = 0; a < tokens; ++a)
      for (std::size_t b = 0; b < tokens; ++b) sum += step(2, 0, a) * step(1, a, b) * step(0, b, k);
    CHECK(through.data[k] == doctest::Approx(sum).epsilon(1e-13));
    if (k > 0) CHECK(picture_panel(rollout, 1).values.values[k - 1] == through.data[k]);
    row += through.data[k];
  }
  CHECK(row == doctest::Approx(1.0).epsilon(1e-13));
}

TEST_CASE("weights that would be streamed are kept for a picture") {
  AttendInputs<float> inputs;  // 12 layers of 12 heads over 197 tokens: more than are kept without a wish
  inputs.query = drawn<float>(1, {12, 12, 197, 1});
  inputs.key = inputs.query;
  inputs.value = inputs.query;
  inputs.picture = std::make_shared<const Image>(Image{14, 14, std::vector<std::uint8_t>(588, 200)});
  const Report report = attended(inputs, {{"image", "a.png"}, {"entry", "11"}});
  CHECK(find_named(report.figures, "picture")->panels.size() == 13);
}

TEST_CASE("what cannot be laid over a picture is refused by name") {
  const auto message = [](std::size_t layers, const Typed& more) {
    Typed typed = more;
    typed["image"] = "a.png";
    return usage_message([&] { attended(inputs_over_picture(layers), typed); });
  };
  CHECK(message(1, {{"reading", "rollout"}}).find("two layers") != std::string::npos);
  CHECK(message(1, {{"weights", "stream"}}).find("streamed") != std::string::npos);
  CHECK(message(1, {{"reading", "mean"}, {"head", "1"}}).find("--head cannot choose") != std::string::npos);
  CHECK(message(1, {{"reader", "10"}}).find("no query 10") != std::string::npos);
}

TEST_CASE("titles follow from the weights: nothing read, an even share, a single patch") {
  const PatchGrid grid{2, 2, 1};
  CHECK_FALSE(most_read(grid, {1.0, 0.0, 0.0, 0.0, 0.0}));
  CHECK_FALSE(most_read(grid, {0.0, 0.5, std::nan(""), 0.5, 0.0}));
  CHECK(most_read(grid, {0.2, 0.2, 0.2, 0.2, 0.2})->weight == 0.2);
  CHECK(most_read(grid, {0.0, 0.0, 0.0, 1.0, 0.0})->token == 3);
  CHECK(weight_on_patches(grid, {0.2, 0.1, 0.3, 0.2, 0.2}) == doctest::Approx(0.8));
  CHECK(name_of_reader(grid, 0).en() == "Token 0");
  CHECK(name_of_reader(grid, 3).en() == "The patch in row 1, column 0");
}

TEST_CASE("a picture is fitted to its patches by the mean of what each pixel covers") {
  // Two columns, black and white, into three pixels: black, grey, white.
  const Image two{1, 2, {0, 0, 0, 255, 255, 255}};
  const std::shared_ptr<const Image> three = fitted(two, {1, 3, 0});
  REQUIRE(three->columns == 3);
  CHECK(static_cast<int>(three->samples[0]) == 0);
  CHECK(std::abs(static_cast<int>(three->samples[3]) - 128) <= 1);
  CHECK(static_cast<int>(three->samples[6]) == 255);
  const Image large{64, 64, std::vector<std::uint8_t>(64 * 64 * 3, 7)};
  CHECK(fitted(large, {2, 2, 0})->rows == 32);  // 16 pixels for each patch
  const std::shared_ptr<const Image> odd = fitted(large, {3, 3, 0});
  for (const std::uint8_t sample : odd->samples) CHECK(static_cast<int>(sample) == 7);
}

}  // namespace
}  // namespace attnlab
