// Every SVG as a browser shows it, beside our own PNG of the same size.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/shell.hpp"
#include "picture.hpp"
#include "programs.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

// At 240 dpi every figure's own page has whole pixels; others Chromium stretches a little. In the PNG Cairo
// moves each letter to the nearest pixel: the finer those are, the less that shows.
constexpr double dpi = 240.0;
constexpr double pixels_per_css_pixel = dpi / 96.0;

/// The figure in Chromium, pixel by pixel as in our PNG.
Picture screenshot(const fs::path& svg, const Picture& expected) {
  const fs::path png = fs::path(svg).replace_extension(".shot.png");
  const double width = static_cast<double>(expected.width) / pixels_per_css_pixel;
  const double height = static_cast<double>(expected.height) / pixels_per_css_pixel;
  const fs::path profile = svg.parent_path() / "profile";
  run_program(fmt::format(
      "chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor={} --user-data-dir={} --window-size={:.0f},{:.0f} --screenshot={} {}",
      pixels_per_css_pixel, shell_path(profile), std::ceil(width), std::ceil(height), shell_path(png),
      shell_path("file://" + svg.string())));
  REQUIRE(fs::exists(png));
  return cropped(read_png(png.string()), expected.width, expected.height);
}

struct Limits {
  double whole = 0.0;
  double worst = 0.0;
};

/// Prints the largest difference of all figures.
void check_every_figure(const std::vector<std::string>& options, const Limits& limits) {
  if (!is_installed("chromium")) return;
  const Workplace place;
  std::vector<std::string> words = {"all", "--format", "png,svg", "--dpi", fmt::format("{}", dpi), "--quiet"};
  words.insert(words.end(), options.begin(), options.end());
  REQUIRE(place.run(words).exit_code == 0);
  Difference largest{0.0, 0.0};
  std::string in_whole;
  std::string in_a_square;
  for (const fs::path& svg : files_with(place.path("figures"), ".svg")) {
    const std::string name = svg.stem().string();
    CAPTURE(name);
    const Picture expected = read_png(fs::path(svg).replace_extension(".png").string());
    const Difference difference = compare(expected, screenshot(svg, expected));
    CHECK(difference.whole < limits.whole);
    CHECK(difference.worst < limits.worst);
    if (difference.whole >= largest.whole) in_whole = name;
    if (difference.worst >= largest.worst) in_a_square = name;
    largest = {std::max(largest.whole, difference.whole), std::max(largest.worst, difference.worst)};
  }
  MESSAGE(fmt::format("largest mean difference {:.3f} % in {}; in a square of 32 pixels {:.1f} % in {}",
                      100.0 * largest.whole, in_whole, 100.0 * largest.worst, in_a_square));
}

// Half a pixel more or less is a tenth of a square full of small strokes; a letter lost is a quarter.
constexpr Limits outlines{0.008, 0.16};
// The browser sets the text itself, in the same fonts: two dense letters half a pixel aside are more than a
// fifth.
constexpr Limits text{0.010, 0.24};

}  // namespace

TEST_CASE("Chromium shows every English SVG as our PNG") { check_every_figure({"--lang", "en"}, outlines); }

TEST_CASE("Chromium shows every Japanese SVG as our PNG") { check_every_figure({"--lang", "ja"}, outlines); }

TEST_CASE("Chromium sets the text of every English SVG as our PNG has it") {
  check_every_figure({"--lang", "en", "--svg-text"}, text);
}

TEST_CASE("Chromium sets the text of every Japanese SVG as our PNG has it") {
  check_every_figure({"--lang", "ja", "--svg-text"}, text);
}

}  // namespace attnlab
