// The vectors experiment: the book's numbers, what symmetry demands, and the effect of one long vector.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {
namespace {

bool has_figure(const Report& report, const std::string& name) {
  return std::any_of(report.figures.begin(), report.figures.end(),
                     [&name](const Figure& candidate) { return candidate.name == name; });
}

const Arrows& key_arrows(const Report& report, const std::string& name, std::size_t panel) {
  return std::get<Arrows>(std::get<Chart>(figure(report, name).panels.at(panel).content).layers.at(1));
}

std::size_t labelled(const Arrows& arrows) {
  return static_cast<std::size_t>(
      std::count_if(arrows.arrows.begin(), arrows.arrows.end(),
                    [](const Arrow& arrow) { return !arrow.label.en().empty(); }));
}

const HeatMap& term(const Report& report, const std::string& name, const std::string& id) {
  for (const auto& candidate : std::get<MatrixEquation>(figure(report, name).panels.at(0).content).terms) {
    const auto* matrix = std::get_if<MatrixTerm>(&candidate);
    if (matrix != nullptr && matrix->map.id == id) return matrix->map;
  }
  throw std::out_of_range("no term " + id);
}

}  // namespace

TEST_CASE("the terminal shows what the book prints") {
  const Report report = run_with(vectors_experiment(), {});
  for (const Language language : {Language::ja, Language::en}) {
    const std::string text = to_terminal(report.body, language, Colouring::plain);
    CHECK(contains(text, "[0.31564538 0.31564537]"));
    CHECK(contains(text, "(10,)"));
    CHECK(contains(text, "(3, 2)"));
    CHECK(contains(text, "(3, 10)"));
    CHECK(contains(text, "[1. 1. 1.]"));
  }
}

TEST_CASE("vectors agrees with the book's code in NumPy") {
  check_reference(vectors_experiment(), "vectors/default.json");
  check_reference(vectors_experiment(), "vectors/several.json");
  check_reference(vectors_experiment(), "vectors/scaled.json");
}

TEST_CASE("turning the query by one key turns the weights with it") {
  const Report before = run_with(vectors_experiment(), {{"query-angle", "45"}});
  const Report after = run_with(vectors_experiment(), {{"query-angle", "81"}});
  Numbers turned = values(after, "weights");
  std::rotate(turned.begin(), turned.begin() + 1, turned.end());
  CHECK(disagreement(turned, values(before, "weights"), tolerance64()) == "");
}

TEST_CASE("the weight falls with the angle to the query") {
  const Report report = run_with(vectors_experiment(), {{"count", "36"}, {"query-angle", "-75"}});
  const Numbers& weights = values(report, "weights");
  const Numbers& vectors = values(report, "vectors");
  const Numbers& query = values(report, "queries");
  for (std::size_t i = 0; i < 36; ++i) {
    for (std::size_t j = 0; j < 36; ++j) {
      const double nearer = query[0] * vectors[2 * i] + query[1] * vectors[2 * i + 1];
      const double other = query[0] * vectors[2 * j] + query[1] * vectors[2 * j + 1];
      if (nearer > other + 1e-9) CHECK(weights[i] > weights[j]);
    }
  }
}

TEST_CASE("very many vectors give the output that the integral around the circle gives") {
  // The integral of exp(cos t) cos t over that of exp(cos t), along the query: I1(1) / I0(1).
  const double length = std::cyl_bessel_i(1.0, 1.0) / std::cyl_bessel_i(0.0, 1.0);
  const Report report = run_with(vectors_experiment(), {{"count", "1000"}, {"query-angle", "30"}});
  const Numbers& output = values(report, "output");
  CHECK(output[0] == doctest::Approx(length * std::sqrt(3.0) / 2.0).epsilon(1e-12));
  CHECK(output[1] == doctest::Approx(length / 2.0).epsilon(1e-12));
}

TEST_CASE("every query of several gets the answer that it gets alone") {
  const Report several = run_with(vectors_experiment(), {{"queries", "45,-17,90"}});
  CHECK(stage(several, "output").array.shape == std::vector<std::size_t>{3, 2});
  CHECK(stage(several, "weights").array.shape == std::vector<std::size_t>{3, 10});
  const std::vector<std::string> angles{"45", "-17", "90"};
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const Report alone = run_with(vectors_experiment(), {{"query-angle", angles[i]}});
    for (const char* name : {"weights", "output", "long_weights", "long_output"}) {
      CHECK(disagreement(row_of(several, name, i), row_of(alone, name, 0), tolerance64()) == "");
    }
  }
}

TEST_CASE("lengthening multiplies the odds of a weight by exp of the added score") {
  for (const char* flag : {"v4:5", "5:5", "v1:0", "10:2.5"}) {
    INFO(flag);
    const Report report = run_with(vectors_experiment(), {{"long", flag}});
    const std::string text = flag;
    const auto index = static_cast<std::size_t>(std::stoi(text.substr(text[0] == 'v' ? 1 : 0))) - 1;
    const double length = std::stod(text.substr(text.find(':') + 1));
    const Numbers& vectors = values(report, "vectors");
    const double score = (vectors[2 * index] + vectors[2 * index + 1]) / std::sqrt(2.0);
    const double before = values(report, "weights")[index];
    const double after = values(report, "long_weights")[index];
    CHECK(after / (1 - after) ==
          doctest::Approx(before / (1 - before) * std::exp((length - 1) * score)).epsilon(1e-12));
    CHECK(scalar(report, "long_weight_before") == before);
    CHECK(scalar(report, "long_weight_after") == after);
  }
}

TEST_CASE("a plain number counts from 1 as v4 does and none makes no vector long") {
  const Report named = run_with(vectors_experiment(), {{"long", "v4:5"}});
  const Report plain = run_with(vectors_experiment(), {{"long", "4:5"}});
  CHECK(values(named, "long_weights") == values(plain, "long_weights"));
  const Report none = run_with(vectors_experiment(), {{"long", "none"}});
  CHECK_THROWS_AS(stage(none, "long_weights"), std::out_of_range);
  CHECK_FALSE(has_figure(none, "long"));
}

TEST_CASE("the report tells that a vector on the other side would lose weight") {
  const std::string text = paragraphs(run_with(vectors_experiment(), {}), Role::text);
  CHECK(contains(text, "With v4 (index 3, 108°) of length 5, its weight goes from 0.1244 to 0.4661."));
  CHECK(contains(text,
                 "With v5 (index 4, 144°) of length 5 instead, its weight would go from 0.0675 to 0.0373"));
  CHECK(contains(text, "dot product with the query is negative"));
}

TEST_CASE("two keys equally near share the largest weight in words and pictures") {
  const Report report = run_with(vectors_experiment(), {{"query-angle", "54"}});
  CHECK(values(report, "weights")[1] == doctest::Approx(values(report, "weights")[2]).epsilon(1e-14));
  CHECK(scalar(report, "largest_index") == 1.0);
  CHECK(contains(paragraphs(report, Role::say), "those at 36° and 72°, share the largest weight"));
  CHECK(contains(paragraphs(report, Role::text), "v2 (index 1, 36°) and v3 (index 2, 72°)"));
  CHECK(contains(figure(report, "bars").title.en(), "36° and 72°"));
  const Report one = run_with(vectors_experiment(), {{"query-angle", "53"}});
  CHECK(contains(paragraphs(one, Role::say), "the one at 36°, has the largest weight"));
}

TEST_CASE("scores too close to tell apart are said to give equal weights") {
  const Report report = run_with(vectors_experiment(), {{"scale", "1e-300"}});
  CHECK(contains(paragraphs(report, Role::say), "10 keys share the largest weight, 0.1."));
}

TEST_CASE("the report names vectors as the figures do and gives their index") {
  const Report report = run_with(vectors_experiment(), {});
  CHECK(
      contains(paragraphs(report, Role::text), "The largest weight, 0.2121, is that of v2 (index 1, 36°)."));
}

TEST_CASE("a vector beside one of negative score gains because its own is positive") {
  const Report report = run_with(vectors_experiment(), {{"long", "v6:5"}});
  CHECK(contains(paragraphs(report, Role::text), "dot product with the query is positive"));
}

TEST_CASE("one query given as a list is the only one shown") {
  const Report report = run_with(vectors_experiment(), {{"queries", "10"}});
  CHECK(term(report, "queries", "queries").values.rows == 1);
  CHECK(contains(paragraphs(report, Role::text), "queries: 10°\n"));
  CHECK(contains(paragraphs(report, Role::text), "shape of the output: (1, 2)"));
}

TEST_CASE("the default scale is 1 over the root of 2") {
  const Report scaled = run_with(vectors_experiment(), {{"scale", "default"}});
  const Report number = run_with(vectors_experiment(), {{"scale", "0.7071067811865476"}});
  CHECK(disagreement(values(scaled, "weights"), values(number, "weights"), tolerance64()) == "");
  const Report unscaled = run_with(vectors_experiment(), {});
  CHECK(scalar(scaled, "largest_weight") < scalar(unscaled, "largest_weight"));
}

TEST_CASE("two or three vectors have no fourth to lengthen") {
  const Report three = run_with(vectors_experiment(), {{"count", "3"}});
  CHECK_FALSE(has_figure(three, "long"));
  CHECK(contains(usage_error(vectors_experiment(), {{"count", "3"}, {"long", "v4:5"}}), "v1 to v3"));
}

TEST_CASE("a long vector that does not exist is refused with the form") {
  for (const char* text :
       {"v11:5", "0:5", "v4", "v4:", ":5", "v4:-1", "v4:1001", "v4:5x", "4:nan", "vv4:5", "-4:5"}) {
    INFO(text);
    CHECK(contains(usage_error(vectors_experiment(), {{"long", text}}), "such as v4:5"));
  }
}

TEST_CASE("one query and several exclude each other") {
  CHECK(
      usage_error(vectors_experiment(), {{"queries", "1,2"}, {"query-angle", "45"}}) ==
      "--query-angle and --queries exclude each other; give --query-angle 45 for one query or --queries 45,0,90 for several");
}

TEST_CASE("arrows carry the weights and few labels when there are many") {
  const Report ten = run_with(vectors_experiment(), {});
  const Arrows& arrows = key_arrows(ten, "arrows", 0);
  REQUIRE(arrows.arrows.size() == 10);
  REQUIRE(arrows.scale.has_value());
  for (std::size_t i = 0; i < 10; ++i) CHECK(arrows.arrows[i].value == values(ten, "weights")[i]);
  CHECK(arrows.arrows[1].label.en() == "v2  0.212");
  CHECK(labelled(arrows) == 10);
  const Report many = run_with(vectors_experiment(), {{"count", "100"}});
  CHECK(labelled(key_arrows(many, "arrows", 0)) == 2);
}

TEST_CASE("equal and long vectors share one colour scale that holds every weight") {
  const Report report = run_with(vectors_experiment(), {});
  const Figure& drawn = figure(report, "long");
  REQUIRE(drawn.shared_scale.has_value());
  for (const std::size_t panel : {0U, 1U}) {
    const Arrows& arrows = key_arrows(report, "long", panel);
    REQUIRE(arrows.scale.has_value());
    CHECK(arrows.scale->high == drawn.shared_scale->high);
    for (const Arrow& arrow : arrows.arrows) CHECK(arrow.value.value() <= drawn.shared_scale->high);
    CHECK(labelled(arrows) == 1);
  }
  CHECK(contains(drawn.title.en(), "from 0.124 to 0.466"));
}

TEST_CASE("the matrix picture is a product that comes out") {
  const Report report = run_with(vectors_experiment(), {{"query-angle", "200"}});
  const Matrix& a = term(report, "matrix", "weights").values;
  const Matrix& v = term(report, "matrix", "values").values;
  const Matrix& o = term(report, "matrix", "output").values;
  REQUIRE(a.columns == v.rows);
  for (std::size_t column = 0; column < 2; ++column) {
    double sum = 0.0;
    for (std::size_t key = 0; key < v.rows; ++key) sum += a.at(0, key) * v.at(key, column);
    CHECK(o.at(0, column) == doctest::Approx(sum).epsilon(1e-13));
  }
}

TEST_CASE("the picture of several queries shows softmax of the product by rows") {
  const Report report = run_with(vectors_experiment(), {});
  const Matrix& q = term(report, "queries", "queries").values;
  const Matrix& k = term(report, "queries", "keys").values;
  const Matrix& a = term(report, "queries", "weights").values;
  REQUIRE(q.rows == 3);
  REQUIRE(k.columns == 10);
  for (std::size_t row = 0; row < q.rows; ++row) {
    Numbers exponentials;
    for (std::size_t key = 0; key < k.columns; ++key) {
      exponentials.push_back(std::exp(q.at(row, 0) * k.at(0, key) + q.at(row, 1) * k.at(1, key)));
    }
    const double total = std::accumulate(exponentials.begin(), exponentials.end(), 0.0);
    for (std::size_t key = 0; key < k.columns; ++key) {
      CHECK(a.at(row, key) == doctest::Approx(exponentials[key] / total).epsilon(1e-13));
    }
  }
}

TEST_CASE("matrices too fine to see are left out with a note") {
  const Report report = run_with(vectors_experiment(), {{"count", "33"}});
  CHECK_FALSE(has_figure(report, "matrix"));
  CHECK_FALSE(has_figure(report, "queries"));
  CHECK(contains(paragraphs(report, Role::note), "32 vectors"));
  CHECK(has_figure(run_with(vectors_experiment(), {{"count", "32"}}), "matrix"));
}

TEST_CASE("the picture in words has arrows as wide as their weights which sum to 1") {
  const Report report = run_with(vectors_experiment(), {});
  const auto& diagram = std::get<Diagram>(figure(report, "idea").panels.at(0).content);
  REQUIRE(diagram.edges.size() == 4);
  double widths = 0.0;
  for (const Edge& edge : diagram.edges) widths += edge.weight;
  for (const Edge& edge : diagram.edges) {
    CHECK(std::abs(std::stod(diagram.nodes[edge.to].note.en()) - edge.weight / widths) <= 0.005);
  }
}

TEST_CASE("vectors of one's own, all of length 1") {
  const std::vector<double> provided{1, 0, 0, 1, 0.6, -0.8, 0, 1};
  const Report report = run_with(vectors_experiment(), {}, {own("vectors", {4, 2}, provided)});
  check_invariants_hold(report);
  CHECK(values(report, "vectors") == provided);
  const std::vector<double>& weights = values(report, "weights");
  CHECK(weights[0] == doctest::Approx(weights[1]));  // 45 degrees from each
  CHECK(weights[3] == doctest::Approx(weights[1]));
  CHECK(weights[2] / weights[0] == doctest::Approx(std::exp(-1.2 / std::sqrt(2.0))));  // scores -0.2/√2, 1/√2
  CHECK(usage_error(vectors_experiment(), {}, {own("vectors", {2, 2}, {1, 0, 3, 4})}) ==
        "--input vectors: v2 has length 5; give vectors of length 1; --long makes one of them longer");
}

}  // namespace attnlab
