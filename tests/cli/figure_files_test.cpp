// Which figure goes into which file: the rules of -o, --output-dir, --format and --figure.
#include "products/figure_files.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "products/targets.hpp"

using attnlab::check_distinct;
using attnlab::Drawing;
using attnlab::Error;
using attnlab::Format;
using attnlab::OutputOptions;
using attnlab::OutputPlan;
using attnlab::plan_output;

namespace {

using Names = std::vector<std::string>;
const Names three = {"arrows", "bars", "matrix"};

/// "path:0,2 path:1": every file with the figures in it.
std::string summary(const OutputPlan& plan) {
  std::string text;
  for (const attnlab::PlannedFile& file : plan.files) {
    text += (text.empty() ? "" : " ") + file.path.string() + ":";
    for (std::size_t i = 0; i < file.figures.size(); ++i) {
      text += (i == 0 ? "" : ",") + std::to_string(file.figures[i]);
    }
  }
  return text;
}

OutputOptions to_files(std::vector<std::filesystem::path> files, const std::string& figure = "") {
  OutputOptions options;
  options.files = std::move(files);
  options.figure = figure;
  return options;
}

}  // namespace

TEST_CASE("a file is named after the experiment and the figure") {
  CHECK(summary(plan_output("scaling", {"scatter"}, {})) == "figures/scaling-scatter.png:0");
  CHECK(summary(plan_output("vectors", three, {})) ==
        "figures/vectors-arrows.png:0 figures/vectors-bars.png:1 figures/vectors-matrix.png:2");
}

TEST_CASE("a folder and formats replace the defaults") {
  OutputOptions options;
  options.folder = "slides/one";
  options.formats = {Format::svg, Format::pdf};
  CHECK(summary(plan_output("scaling", {"scatter"}, options)) ==
        "slides/one/scaling-scatter.svg:0 slides/one/scaling-scatter.pdf:0");
}

TEST_CASE("a figure chosen by name keeps the file name it has among all") {
  OutputOptions options;
  options.figure = "bars";
  CHECK(summary(plan_output("vectors", three, options)) == "figures/vectors-bars.png:1");
  options.figure = "all";
  CHECK(plan_output("vectors", three, options).files.size() == 3);
}

TEST_CASE("a file takes the main figure and the others are named") {
  const OutputPlan plan = plan_output("vectors", three, to_files({"out/x.png"}));
  CHECK(summary(plan) == "out/x.png:0");
  CHECK(plan.left_out == Names{"bars", "matrix"});
}

TEST_CASE("a file takes the figure chosen by name and then nothing is left out") {
  const OutputPlan plan = plan_output("vectors", three, to_files({"x.svg", "y.pdf"}, "matrix"));
  CHECK(summary(plan) == "x.svg:2 y.pdf:2");
  CHECK(plan.left_out.empty());
}

TEST_CASE("all figures put their names before the extension") {
  CHECK(summary(plan_output("vectors", three, to_files({"out/x.y.png"}, "all"))) ==
        "out/x.y-arrows.png:0 out/x.y-bars.png:1 out/x.y-matrix.png:2");
}

TEST_CASE("a pdf takes all figures as pages whether or not all was said") {
  const OutputPlan plan = plan_output("vectors", three, to_files({"x.pdf"}));
  CHECK(summary(plan) == "x.pdf:0,1,2");
  CHECK(plan.left_out.empty());
  CHECK(summary(plan_output("vectors", three, to_files({"x.pdf"}, "all"))) == "x.pdf:0,1,2");
}

TEST_CASE("no figure means no file") {
  OutputOptions options;
  options.drawing = Drawing::nothing;
  CHECK(plan_output("vectors", three, options).files.empty());
}

TEST_CASE("an unknown figure is refused with the names there are") {
  try {
    plan_output("vectors", three, to_files({"x.png"}, "bras"));
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == attnlab::ErrorKind::usage);
    CHECK(std::string(error.what()) ==
          "vectors has no figure 'bras'; did you mean bars? choose from arrows, bars, matrix, all");
    CHECK(error.message(attnlab::Language::ja).find("bars のことですか") != std::string::npos);
  }
}

TEST_CASE("the extension decides the format in any case of letters") {
  CHECK(attnlab::format_of("x.png") == Format::png);
  CHECK(attnlab::format_of("a.b/x.SVG") == Format::svg);
  CHECK(attnlab::format_of("x.tar.Pdf") == Format::pdf);
  for (const std::string file : {"x", "x.", "x.jpg", ".png", "x.png/", "", "png"}) {
    CAPTURE(file);
    CHECK_THROWS_AS(attnlab::format_of(file), Error);
  }
}

TEST_CASE("formats are listed with commas and repetition does no harm") {
  CHECK(attnlab::parse_formats("png,svg,png") == std::vector<Format>{Format::png, Format::svg});
  CHECK(attnlab::parse_formats("PDF") == std::vector<Format>{Format::pdf});
  for (const std::string text : {"", "png,", ",png", "png svg", "jpg", "png,jpg"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(attnlab::parse_formats(text), Error);
  }
}

TEST_CASE("an extension that names no format is refused") {
  CHECK_THROWS_AS(attnlab::format_of("x.jpg"), Error);
  CHECK_THROWS_AS(attnlab::format_of("x"), Error);
}

TEST_CASE("one file under two spellings is found") {
  CHECK_NOTHROW(check_distinct({"x.png", "x.svg", "y/x.png"}));
  CHECK_THROWS_AS(check_distinct({"x.png", "x.png"}), Error);
  CHECK_THROWS_AS(check_distinct({"x.png", "./x.png"}), Error);
  CHECK_THROWS_AS(check_distinct({"x.png", std::filesystem::absolute("x.png")}), Error);
}
