// The pooling experiment: NumPy's numbers, symmetry, hull and rank, and what the words read.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "attention/softmax.hpp"
#include "core/embedded_file.hpp"
#include "core/error.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "experiments/framework/traces.hpp"
#include "experiments/pooling/pooling.hpp"
#include "source_dir.hpp"

namespace attnlab {
namespace {

double distance(const std::vector<double>& a, const Tensor<double>& b) {
  return std::hypot(a[0] - b(0), a[1] - b(1));
}

}  // namespace

TEST_CASE("pooling agrees with the slides' formulas in NumPy") {
  check_reference(pooling_experiment(), "pooling/default.json");
  check_reference(pooling_experiment(), "pooling/wide.json");
}

TEST_CASE("Word2Vec picks the column of bank in either sentence and attention moves it") {
  const Report report = run_with(pooling_experiment(), {});
  const Tensor<double> bank = word_vector("bank", "bank");
  CHECK(values(report, "embedded") == std::vector<double>{bank(0), bank(0), bank(1), bank(1)});
  const Array& one_hot = stage(report, "one_hot").array;
  for (std::size_t sentence = 0; sentence < 2; ++sentence) {
    double sum = 0.0;
    for (std::size_t word = 0; word < one_hot.shape[0]; ++word) sum += one_hot.data[2 * word + sentence];
    CHECK(sum == 1.0);
  }
  CHECK(scalar(report, "bank_apart_word2vec") == 0.0);
  const std::vector<double>& river = values(report, "river_output");
  const std::vector<double>& money = values(report, "money_output");
  CHECK(scalar(report, "bank_apart_attention") ==
        doctest::Approx(std::hypot(river[0] - money[0], river[1] - money[1])).epsilon(1e-14));
}

TEST_CASE("what must hold of attention pooling holds for every seed and every size") {
  for (const Flags& flags : std::vector<Flags>{{},
                                               {{"seed", "1"}},
                                               {{"rng", "torch"}},
                                               {{"tokens", "2"}, {"width", "1"}},
                                               {{"tokens", "3"}, {"width", "8"}},
                                               {{"tokens", "64"}, {"width", "64"}}}) {
    const Report report = run_with(pooling_experiment(), flags);
    check_form(report);
    CHECK(report.invariants.size() == 13);
    check_invariants_hold(report);
  }
}

TEST_CASE("the scores of schemes 1 and 2 are symmetric and their weights are not") {
  const Report report = run_with(pooling_experiment(), {});
  CHECK(values(report, "asymmetry")[0] < 1e-12);
  CHECK(values(report, "asymmetry")[1] < 1e-12);
  CHECK(values(report, "asymmetry")[2] > 1.0);
  CHECK(scalar(report, "weight_asymmetry_1") > 0.1);
  CHECK(scalar(report, "weight_asymmetry_2") > 0.1);
}

TEST_CASE("the titles claim what these numbers show") {
  const Report usual = run_with(pooling_experiment(), {});
  CHECK(contains(figure(usual, "schemes").title.en(), "but not with QKV"));
  CHECK(contains(figure(usual, "weights").title.en(), "symmetric in no scheme"));
  const Report narrow = run_with(pooling_experiment(), {{"width", "1"}});
  CHECK(contains(figure(narrow, "schemes").title.en(), "symmetric in all schemes"));
  const Report sharp = run_with(pooling_experiment(), {{"tokens", "2"}, {"width", "64"}});
  CHECK(contains(figure(sharp, "weights").title.en(), "need not be symmetric"));
}

TEST_CASE("attention is linear in the values but not in the tokens") {
  CHECK(scalar(run_with(pooling_experiment(), {}), "nonlinearity") > 0.1);
}

TEST_CASE("a point outside the hull reaches beyond it and a mean does not") {
  const Tensor<double> triangle{{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}};
  CHECK(reach_beyond_hull(Tensor<double>{{0.25, 0.25}, {0.5, 0.5}}, triangle) <= 1e-15);
  CHECK(reach_beyond_hull(Tensor<double>{{0.25, 0.25}, {0.0, -0.1}}, triangle) ==
        doctest::Approx(0.1).epsilon(1e-12));
  // Inside the bounding box, outside the triangle.
  CHECK(reach_beyond_hull(Tensor<double>{{0.9, 0.9}, {0.0, 0.0}}, triangle) > 0.3);
}

TEST_CASE("attention moves bank nearer to river or to money and Word2Vec does not move it") {
  const Report report = run_with(pooling_experiment(), {});
  CHECK(values(report, "river_query") == values(report, "money_query"));
  const std::vector<double>& before = values(report, "river_query");
  const Tensor<double> river = word_vector("bank", "river");
  const Tensor<double> money = word_vector("bank", "money");
  CHECK(distance(values(report, "river_output"), river) < 0.7 * distance(before, river));
  CHECK(distance(values(report, "money_output"), money) < 0.7 * distance(before, money));
  CHECK(distance(values(report, "river_output"), money) > distance(before, money));
}

TEST_CASE("the second layer tells what it means and the first cannot") {
  Tape tape;
  const SentenceReadings read = read_sentences(tape);
  CHECK(weight_on(read.tired_0, "animal") ==
        doctest::Approx(weight_on(read.tired_0, "street")).epsilon(1e-14));
  CHECK(weight_on(read.wide_0, "animal") == doctest::Approx(weight_on(read.wide_0, "street")).epsilon(1e-14));
  CHECK(weight_on(read.tired_1, "animal") > 2.0 * weight_on(read.tired_1, "street"));
  CHECK(weight_on(read.wide_1, "street") > 2.0 * weight_on(read.wide_1, "animal"));
}

TEST_CASE("two heads read brush in two ways") {
  Tape tape;
  const SentenceReadings read = read_sentences(tape);
  CHECK(weight_on(read.head_0, "painted") > 0.5);
  CHECK(weight_on(read.head_1, "woman") > 0.5);
  CHECK(weight_on(read.head_0, "woman") < 0.1);
  CHECK(weight_on(read.head_1, "painted") < 0.1);
}

TEST_CASE("for name one head reads its subject and the other what is said of it") {
  const Report report = run_with(pooling_experiment(), {});
  // By hand: name is (1.2, 1.2). Axis 0: I and cat e^(1.2 * 2.8), name e^1.44, am e^0.36, six others e^0;
  // axis 1: none e^3.6, name e^1.44, yet e^1.2, am e^0.72, six others e^0.
  const double subject = 2.0 * std::exp(3.36);
  const double state = std::exp(3.6);
  CHECK(scalar(report, "name_on_subject") ==
        doctest::Approx(subject / (subject + std::exp(1.44) + std::exp(0.36) + 6.0)));
  CHECK(scalar(report, "name_on_none") ==
        doctest::Approx(state / (state + std::exp(1.44) + std::exp(1.2) + std::exp(0.72) + 6.0)));
  // Framed is what the title names.
  const auto& map = std::get<HeatMap>(figure(report, "neko").panels.front().content);
  CHECK(map.marked == std::vector<bool>{true,  false, true,  false, false, false, false, false, false, false,
                                        false, false, false, false, false, false, false, false, false, true});
}

TEST_CASE("the word vectors compiled in are those of the file") {
  std::ifstream file(source_dir() / "data" / "inputs" / "pooling_words.txt");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  CHECK(text.size() > 500);
  CHECK(text == input_files().front().text);
  CHECK(word_vector("bank", "river")(0) == 3.0);
  CHECK(word_vector("bank", "the")(0) == 0.0);
  CHECK(word_vector("brush", "river")(0) == 0.0);
}

TEST_CASE("every computed stage of pooling says how it came about") {
  check_derivations(run_with(pooling_experiment(), {}));
}

TEST_CASE("pooling refuses sizes out of range") {
  for (const Flags& flags : std::vector<Flags>{
           {{"tokens", "1"}}, {{"tokens", "65"}}, {{"width", "0"}}, {{"width", "65"}}, {{"labels", "a"}}}) {
    CHECK_FALSE(usage_error(pooling_experiment(), flags).empty());
  }
}

TEST_CASE("pooling of tokens of one's own: equal tokens read all alike") {
  const std::vector<double> tokens{1e3, -2, 3, 1e3, -2, 3};
  const Report report = run_with(pooling_experiment(), {}, {own("x", {2, 3}, tokens)});
  check_invariants_hold(report);
  for (const char* name : {"weights_1", "weights_2", "weights_qkv"}) {
    for (const double weight : values(report, name)) CHECK(weight == doctest::Approx(0.5));
  }
  CHECK(values(report, "x") == tokens);
  CHECK(contains(usage_error(pooling_experiment(), {{"width", "4"}}, {own("x", {2, 3}, tokens)}),
                 "contradicts --width 4"));
}

TEST_CASE("the hull of points has the outer ones, counter-clockwise, and a line has its ends") {
  const Tensor<double> square = {{1, 1}, {0, 0}, {0.5, 0.4}, {1, 0}, {0, 1}, {0.5, 0}};
  CHECK(convex_hull(square) == std::vector<std::size_t>{1, 3, 0, 4});
  CHECK(convex_hull(Tensor<double>{{0, 0}, {1, 2}, {3, 6}, {2, 4}}) == std::vector<std::size_t>{0, 2});
  CHECK(convex_hull(Tensor<double>{{2, 3}, {2, 3}}).size() == 1);
}

TEST_CASE("a point outside the hull is as far from it as its side, one inside is not outside") {
  const Tensor<double> triangle = {{0, 0}, {2, 0}, {0, 2}};
  const Tensor<double> points = {{2, 2}, {0.5, 0.5}, {1, -0.25}, {1, 1}};
  const std::vector<double> beyond = distances_beyond_hull(points, triangle);
  CHECK(beyond[0] == doctest::Approx(std::sqrt(2.0)));
  CHECK(beyond[1] < 0.0);
  CHECK(beyond[2] == doctest::Approx(0.25));
  CHECK(beyond[3] == doctest::Approx(0.0));
  // of a line, beside it and beyond its end
  const std::vector<double> of_line =
      distances_beyond_hull(Tensor<double>{{0.5, 0.5}, {0.5, 0.7}, {2, 2}}, Tensor<double>{{0, 0}, {1, 1}});
  CHECK(of_line[0] == doctest::Approx(0.0));
  CHECK(of_line[1] > 0.1);
  CHECK(of_line[2] > 0.9);
}

TEST_CASE("the furthest point from a line is measured square to it") {
  CHECK(furthest_from_line(Tensor<double>{{3, 4, 0}, {6, 8, 0}}, Tensor<double>{3, 4, 0}) < 1e-12);
  CHECK(furthest_from_line(Tensor<double>{{3, 4, 2}, {4, -3, 0}}, Tensor<double>{3, 4, 0}) ==
        doctest::Approx(5.0));
}

TEST_CASE("the title of the span counts the outputs in the hull, and the residual leaves the line") {
  const Report report = run_with(pooling_experiment(), {});
  CHECK(contains(figure(report, "span").title.en(), "100 of 100"));
  CHECK(scalar(report, "rank_of_line_output") == 1.0);
  CHECK(scalar(report, "rank_of_line_residual") == 4.0);
}

}  // namespace attnlab
