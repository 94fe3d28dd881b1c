// The heads experiment: the article's numbers, heads that work alone, and what the shared seed does.
#include <doctest/doctest.h>

#include <algorithm>

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/formula.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {

TEST_CASE("heads agree with the article's code in NumPy") {
  check_reference(heads_experiment(), "heads/default.json");
  check_reference(heads_experiment(), "heads/small.json");
}

TEST_CASE("the output is the heads side by side times W_O") {
  const std::size_t tokens = 4;
  const std::size_t heads = 3;
  const std::size_t d_k = 2;
  const std::size_t d_model = heads * d_k;
  const Report report =
      run_with(heads_experiment(), {{"tokens", "4"}, {"heads", "3"}, {"width", "6"}, {"seed", "8"}});
  check_form(report);
  const std::vector<double>& head_output = values(report, "head_output");  // (heads, tokens, d_k)
  const std::vector<double>& w_output = values(report, "w_output");        // (d_model, d_model)
  std::vector<double> expected(tokens * d_model, 0.0);
  for (std::size_t token = 0; token < tokens; ++token) {
    for (std::size_t head = 0; head < heads; ++head) {
      for (std::size_t i = 0; i < d_k; ++i) {
        for (std::size_t j = 0; j < d_model; ++j) {
          expected[token * d_model + j] +=
              head_output[(head * tokens + token) * d_k + i] * w_output[(head * d_k + i) * d_model + j];
        }
      }
    }
  }
  CHECK(disagreement(values(report, "output"), expected, tolerance64()) == "");
}

TEST_CASE("with even weights the share of other heads counts the rows that meet in an attention") {
  const std::vector<double> zero(4 * 16 * 4, 0.0);
  const Report report = run_with(heads_experiment(), {}, {own("w_query", {4, 16, 4}, zero)});
  const std::vector<double>& shares = values(report, "weight_on_other_heads");
  CHECK(shares[0] == 0.0);
  CHECK(shares[1] == doctest::Approx(3.0 / 4.0));  // H kept: 4 heads of one token
  // reshaped: six rows, of the heads 0 1 2 3 0 1 or 2 3 0 1 2 3, so that 2² + 2² + 1 + 1 of 36 pairs are
  // alike
  CHECK(shares[2] == doctest::Approx(1.0 - 10.0 / 36.0));
}

TEST_CASE("each line of the figure of mixing holds what meets in one attention") {
  const Report report = run_with(heads_experiment(), {});
  const Figure& shown = figure(report, "mixing");
  const auto line = [&shown](std::size_t panel, std::size_t row) {
    const auto& map = std::get<HeatMap>(shown.panels.at(panel).content);
    std::string text;
    for (std::size_t i = 0; i < map.values.columns; ++i) {
      text += fmt::format("{} h{} ", map.words.at(row * map.values.columns + i), map.values.at(row, i));
    }
    return text;
  };
  CHECK(line(0, 1) == "t0 h1 t1 h1 t2 h1 t3 h1 t4 h1 t5 h1 ");
  CHECK(line(1, 2) == "t2 h0 t2 h1 t2 h2 t2 h3 ");
  CHECK(line(2, 1) == "t1 h2 t1 h3 t2 h0 t2 h1 t2 h2 t2 h3 ");
}

TEST_CASE("heads of cross-attention and a single head are not mixed") {
  for (const Flags& flags : std::vector<Flags>{{{"variant", "book"}}, {{"heads", "1"}}}) {
    const Report report = run_with(heads_experiment(), flags);
    CHECK_FALSE(has_stage(report, "weight_on_other_heads"));
    for (const Figure& one : report.figures) CHECK(one.name != "mixing");
  }
}

TEST_CASE("the shared seed makes W_Q begin with a tenth of X") {
  const Report report = run_with(heads_experiment(), {});
  CHECK(scalar(report, "shared_start") == 96.0);
  const std::vector<double>& x = values(report, "x");
  const std::vector<double>& w_query = values(report, "w_query");
  REQUIRE(x.size() == 96);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(w_query[i] == x[i] * 0.1);
  CHECK(contains(paragraphs(report, Role::note), "first 96 numbers of W_Q"));
}

TEST_CASE("the note on the seed names the seed in use") {
  const Report report = run_with(heads_experiment(), {{"seed", "3"}});
  CHECK(contains(paragraphs(report, Role::note), "the same seed, here 3,"));
}

TEST_CASE("two heads are joined without dots") {
  const Report two = run_with(heads_experiment(), {{"heads", "2"}});
  CHECK(to_terminal(stage(two, "concat").formula) == "Concat(head₀, head₁)");
  const Report four = run_with(heads_experiment(), {});
  CHECK(contains(to_terminal(stage(four, "concat").formula), "…"));
}

TEST_CASE("a head count that does not divide the width is refused with a remedy") {
  CHECK(usage_error(heads_experiment(), {{"heads", "3"}}) ==
        "d_model 16 cannot be split over 3 heads; choose a divisor of 16");
}

TEST_CASE("every head has a panel on one scale") {
  const Report report = run_with(heads_experiment(), {{"heads", "8"}});
  const Figure& weights = figure(report, "weights");
  REQUIRE(weights.panels.size() == 8);
  REQUIRE(weights.shared_scale.has_value());
  CHECK(weights.shared_scale->low == 0.0);
  CHECK(weights.shared_scale->high == 1.0);
  for (std::size_t head = 0; head < 8; ++head) {
    const auto& map = std::get<HeatMap>(weights.panels[head].content);
    CHECK(map.values.at(5, 0) == values(report, "weights")[(head * 6 + 5) * 6]);
  }
}

TEST_CASE("the title and the words say whether all heads agree on the top key") {
  const Report several = run_with(heads_experiment(), {});
  const std::string count = std::to_string(static_cast<int>(scalar(several, "disagreements")));
  CHECK(contains(figure(several, "weights").title.en(), "the heads disagree"));
  CHECK(contains(figure(several, "weights").title.en(), "For all " + count + " queries"));
  CHECK(contains(paragraphs(several, Role::say), "For all " + count + " queries the heads do not agree"));
  const Report one_key = run_with(heads_experiment(), {{"tokens", "1"}});
  REQUIRE(scalar(one_key, "disagreements") == 0.0);
  CHECK(contains(figure(one_key, "weights").title.en(), "All heads agree"));
  CHECK(contains(paragraphs(one_key, Role::say), "all heads agree on the key"));
}

TEST_CASE(
    "heads have the course's roles, each an attention of its own, and the fourth box stands for the rest") {
  const auto boxes = [](const char* heads) {
    const Report report = run_with(heads_experiment(), {{"heads", heads}});
    std::vector<std::string> names;
    const auto& diagram = std::get<Diagram>(figure(report, "views").panels.front().content);
    for (const Edge& edge : diagram.edges) {
      const Node& from = diagram.nodes[edge.from];
      if (diagram.nodes[edge.to].text.en() == "Attention") names.push_back(from.text.en());
    }
    return names;
  };
  const std::vector<std::string> roles{"Head 0: grammar", "Head 1: meaning", "Head 2: distance"};
  std::vector<std::string> four = roles;
  four.emplace_back("Head 3: others");
  std::vector<std::string> eight = roles;
  eight.emplace_back("Heads 3 to 7: others");
  CHECK(boxes("2") == std::vector<std::string>{roles[0], roles[1]});
  CHECK(boxes("4") == four);
  CHECK(boxes("8") == eight);
  const Report one = run_with(heads_experiment(), {{"heads", "1"}});
  for (const Figure& shown : one.figures) CHECK(shown.name != "views");
}

TEST_CASE("one head cannot disagree with itself") {
  const Report report = run_with(heads_experiment(), {{"heads", "1"}});
  CHECK(scalar(report, "disagreements") == 0.0);
  CHECK(contains(paragraphs(report, Role::say), "With one head"));
  CHECK(figure(report, "weights").panels.size() == 1);
  CHECK(paragraphs(report, Role::misunderstanding).empty());  // nothing that could be cut into slices
}

TEST_CASE(
    "the first figure is a layer that has learned; its panels say what each head adds, and random weights that they are uniform") {
  const Report report = run_with(heads_experiment(), {});
  const Figure& sentence = report.figures.front();
  CHECK(sentence.name == "sentence");
  CHECK(sentence.title.en() == "Head 3: “tree” attends to “books”, 0.98");
  CHECK(sentence.title.ja() == "ヘッド 3：「毎日」は「作家」に注目する：0.98");
  REQUIRE(sentence.panels.size() == 4);
  CHECK(sentence.panels[3].title.en() == "Head 3 (0.085)");
  CHECK(contains(figure(report, "weights").caption.en(), "Untrained: almost uniform."));
  const Report sharp = run_with(heads_experiment(), {{"scale", "40"}});
  CHECK_FALSE(contains(figure(sharp, "weights").caption.en(), "Untrained"));
  CHECK(sharp.figures.front().name == "weights");
}

}  // namespace attnlab
