// `draw`: weights that exist already, of every shape, and what is said of them. The numbers are made by hand:
// which is the largest is known.
#include <doctest/doctest.h>

#include <cmath>

#include "attend/draw_experiment.hpp"
#include "attending.hpp"
#include "core/constants.hpp"
#include "experiments/framework/caption_checks.hpp"
#include "experiments/framework/reports.hpp"
#include "io/folder.hpp"
#include "io/report_files.hpp"
#include "plotting/layout/label_checks.hpp"
#include "plotting/layout/layout.hpp"

namespace attnlab {
namespace {

using test::Folder;

/// A folder with "w.npy" in it.
struct Saved {
  Folder folder;
  std::string file = (folder / "w.npy").string();

  Saved(const Shape& shape, const std::vector<double>& numbers) {
    test::put(file, array_npy({shape, std::vector<std::string>(shape.size(), "axis"), numbers}));
  }

  Report drawn(const Typed& flags = {}) const {
    Arguments arguments(draw_experiment().parameters);
    arguments.set("weights", file);
    for (const auto& [name, text] : flags) arguments.set(name, text);
    return run(draw_experiment(), arguments);
  }
  std::string refusal(const Typed& flags = {}) const {
    return usage_message([&] { drawn(flags); });
  }
};

const std::vector<double> three{0.5, 0.3, 0.2, 0.125, 0.75, 0.125, 0.25, 0.25, 0.5};

std::vector<double> twice(const std::vector<double>& numbers) {
  std::vector<double> all = numbers;
  all.insert(all.end(), numbers.rbegin(), numbers.rend());
  return all;
}

const HeatMap& map_of(const Figure& figure, std::size_t panel) {
  return std::get<HeatMap>(figure.panels.at(panel).content);
}

const Bars& bars_of(const Figure& figure, std::size_t panel) {
  return std::get<Bars>(std::get<Chart>(figure.panels.at(panel).content).layers.front());
}

}  // namespace

TEST_CASE("A matrix of weights is drawn with its labels, and the title names the largest weight") {
  const Report report = Saved({3, 3}, three).drawn({{"labels", "the,cat,sat"}});
  REQUIRE(report.figures.size() == 3);
  CHECK(report.figures.back().name == "arcs");
  CHECK(report.figures.back().title.en() == report.figures.front().title.en());
  const Figure& maps = report.figures.front();
  CHECK(maps.name == "weights");
  CHECK(maps.title.en() == "The largest weight: “cat” → “cat”, 0.75");
  CHECK(maps.title.ja() == "最大の注意度：「cat」 → 「cat」、0.75");
  CHECK(map_of(maps, 0).values.values == three);
  CHECK(map_of(maps, 0).column_labels[2].in(Language::en) == "sat");
  const std::vector<bool>& marked = map_of(maps, 0).marked;
  CHECK(std::count(marked.begin(), marked.end(), true) == 1);
  CHECK(marked[4]);
  CHECK(bars_of(report.figures.at(1), 0).values == std::vector<double>{0.125, 0.75, 0.125});
  CHECK(bars_of(report.figures.at(1), 0).marked == 1);
  CHECK(report.warnings.empty());
  CHECK(stage(report, "weights").array.data == three);
  CHECK(stage(report, "weights").array.shape == Shape{3, 3});
}

TEST_CASE("Keys alone are one query, whose labels name the keys") {
  const Report report = Saved({3}, {0.2, 0.3, 0.5}).drawn({{"labels", "a,b,c"}});
  CHECK(report.figures.front().name == "row");
  CHECK(report.figures.front().title.en() == "The largest weight: “c”, 0.50");
  CHECK(Saved({3}, {0.2, 0.3, 0.5}).refusal({{"labels", "a,b"}}) ==
        "--labels has 2 labels, but 3 are needed; give one label for each token, separated by commas, or the "
        "lines of a file that exists");
}

TEST_CASE("Heads, layers and the axis of a batch of one are found in the shape") {
  const std::vector<double> two_heads = twice(three);
  for (const Shape& shape : {Shape{2, 3, 3}, Shape{1, 2, 3, 3}, Shape{1, 1, 2, 3, 3}}) {
    const Report report = Saved(shape, two_heads).drawn();
    CHECK(report.figures.front().panels.size() == 2);
    CHECK(report.figures.front().title.en() == "The largest weight: Token 1 → Token 1, 0.75 (head 0)");
    CHECK(stage(report, "weights").array.shape == Shape{2, 3, 3});
  }
  CHECK(Saved({2, 3, 3}, two_heads).drawn({{"head", "1"}}).figures.front().title.ja() ==
        "最大の注意度：トークン 1 → トークン 1、0.75（ヘッド 1）");
  std::vector<double> layers = twice(two_heads);  // (3, 2, 3, 2): three layers of two heads
  const Saved stacked({3, 1, 2, 3, 2}, layers);
  const Report last = stacked.drawn({{"layer", "2"}});
  CHECK(stage(last, "weights").array.shape == Shape{2, 3, 2});
  CHECK(stage(last, "weights").array.data == std::vector<double>(layers.end() - 12, layers.end()));
  CHECK(contains(last.figures.front().caption.en(), "Layer 2 of 3"));
  CHECK(contains(last.figures.front().title.en(), "(layer 2, head "));
  CHECK(contains(stacked.refusal({{"layer", "3"}}), "there is no --layer 3; they go from 0 to 2"));
  CHECK(contains(stacked.refusal({{"head", "2"}}), "there is no --head 2; they go from 0 to 1"));
}

TEST_CASE("The bars are of the query that is named, by its label or its place") {
  const Saved saved({3, 3}, three);
  const std::vector<double> last{0.25, 0.25, 0.5};
  CHECK(bars_of(saved.drawn({{"query", "2"}}).figures.at(1), 0).values == last);
  const Report named = saved.drawn({{"query", "sat"}, {"labels", "the,cat,sat"}});
  CHECK(bars_of(named.figures.at(1), 0).values == last);
  CHECK(named.figures.at(1).title.en() == "“sat”: largest weight 0.50, on “sat”");
  CHECK(contains(saved.refusal({{"query", "3"}}), "no place from 0 to 2"));
}

TEST_CASE("A query with a single key is not what the title speaks of, unless all are") {
  const Report causal = Saved({2, 2}, {1, 0, 0.25, 0.75}).drawn();
  CHECK(causal.figures.front().title.en() == "The largest weight: Token 1 → Token 1, 0.75");
  CHECK(contains(causal.figures.front().caption.en(), "leaves out queries with a single key"));
  const Report hard = Saved({2, 2}, {0, 1, 1, 0}).drawn();
  CHECK(hard.figures.front().title.en() == "The largest weight: Token 0 → Token 1, 1.00");
  CHECK(!contains(hard.figures.front().caption.en(), "leaves out"));
}

TEST_CASE("What is no weights is drawn, and said") {
  const Report odd = Saved({2, 2}, {-1, 3, 0.5, 0.5}).drawn();
  CHECK(map_of(odd.figures.front(), 0).values.values == std::vector<double>{-1, 3, 0.5, 0.5});
  CHECK(map_of(odd.figures.front(), 0).scale.low == -3.0);  // red and blue around 0
  CHECK(map_of(odd.figures.front(), 0).scale.high == 3.0);
  CHECK(odd.figures.front().title.en() == "The largest number: Token 0 → Token 1, 3.00");
  REQUIRE(odd.warnings.size() == 1);
  CHECK(
      odd.warnings.front().en() ==
      "not all of 'w.npy' are weights: 1 number below 0 (least -1), 1 of 2 rows do not sum to 1 (row 0: 2); "
      "they are drawn as they are");
  CHECK(contains(odd.figures.front().caption.ja(), "注意度ではない数がある：負の数が 1 個"));
  const Report nan = Saved({2, 2}, {not_a_number, not_a_number, 0.25, 0.75}).drawn();
  CHECK(contains(nan.warnings.front().en(), ": 2 NaN;"));
  CHECK(nan.figures.front().title.en() == "The largest number: Token 1 → Token 1, 0.75");
  CHECK(Saved({1, 2}, {not_a_number, not_a_number}).drawn().figures.front().title.en() == "All of it is NaN");
  CHECK(Saved({1, 2}, {0.5004, 0.5004}).drawn().warnings.empty());  // as float16 rounds
  CHECK(Saved({1, 2}, {0.501, 0.501}).drawn().warnings.size() == 1);
}

TEST_CASE("Shapes that are none of weights are refused, and labels that do not fit") {
  CHECK(contains(Saved({0, 3}, {}).refusal(), "has the shape (0, 3), which is none of weights"));
  CHECK(contains(Saved({2, 2, 1, 1, 1}, std::vector<double>(4, 1.0)).refusal(), "(2, 2, 1, 1, 1)"));
  CHECK(contains(Saved({3, 3}, three).refusal({{"labels", "a,b"}}), "--labels has 2 labels, but 3 are"));
  CHECK(contains(Saved({2, 3}, {1, 0, 0, 0, 1, 0}).refusal({{"key-labels", "a,b"}}),
                 "--key-labels has 2 labels, but 3 are"));
  CHECK(contains(usage_message([] { run(draw_experiment(), Arguments(draw_experiment().parameters)); }),
                 "draw needs a file of weights"));
}

TEST_CASE("600 words are drawn in blocks, each as large as its largest weight") {
  std::vector<double> weights(600 * 600, 0.5 / 599);
  for (std::size_t i = 0; i < 600; ++i) weights[i * 600 + i] = 0.5;
  const Report report = Saved({600, 600}, weights).drawn();
  const Matrix& map = map_of(report.figures.front(), 0).values;
  CHECK(map.rows == 512);
  for (std::size_t cell = 0; cell < map.rows; ++cell) CHECK(map.at(cell, cell) == 0.5);
  CHECK(map.at(0, 511) == 0.5 / 599);
  CHECK(contains(report.figures.front().caption.en(), "Each cell: the largest of up to 2 × 2 weights"));
  const Report mean = Saved({600, 600}, weights).drawn({{"pool", "mean"}});
  CHECK(map_of(mean.figures.front(), 0).values.at(0, 511) == doctest::Approx(0.5 / 599));
}

TEST_CASE("The figures of draw lie on their pages without complaint, in both languages and themes") {
  std::vector<Report> reports{Saved({3, 3}, three).drawn({{"labels", "the,cat,吾輩"}}),
                              Saved({3}, {0.2, 0.3, 0.5}).drawn(), Saved({2, 3, 3}, twice(three)).drawn(),
                              Saved({2, 2}, {-1, 3, 0.5, not_a_number}).drawn()};
  reports.push_back(Saved({6, 40, 40}, std::vector<double>(6 * 40 * 40, 1.0 / 40)).drawn());
  reports.push_back(Saved({1, 2}, {0, 0}).drawn());
  for (const Report& report : reports) {
    for (const Figure& figure : report.figures) {
      for (const Language language : {Language::ja, Language::en}) {
        for (const Theme theme : {Theme::light, Theme::dark}) {
          INFO(figure.name, " ", figure.title.in(language));
          const Layout layout = lay_out(figure, {language, theme, figure.page});
          CHECK(layout.warnings.empty());
          CHECK(wrong_words(figure, layout.list) == "");
          check_labels(layout.list);
        }
      }
    }
  }
}

}  // namespace attnlab
