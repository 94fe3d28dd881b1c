// The variants of heads: the documents' numbers, their traces recomputed, and the flags that each one takes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "attention/matmul.hpp"
#include "attention/shape.hpp"
#include "attention/softmax.hpp"
#include "core/constants.hpp"
#include "core/formula.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

const std::vector<std::string>& variants() {
  static const std::vector<std::string> names{"article", "parity", "book", "course", "notebook"};
  return names;
}

Report report_of(const std::string& variant, Flags flags = {}) {
  flags["variant"] = variant;
  return run_with(heads_experiment(), flags);
}

Tensor<double> tensor_of(const Report& report, const std::string& name) {
  const Array& array = stage(report, name).array;
  Tensor<double> tensor = Tensor<double>::from_shape(array.shape);
  std::copy(array.data.begin(), array.data.end(), tensor.begin());
  return tensor;
}

/// (..., heads, length, width) to (..., length, heads * width), index by index.
Tensor<double> joined(const Tensor<double>& heads) {
  const Shape shape = shape_of(heads);
  const std::size_t rank = shape.size();
  const std::size_t count = shape[rank - 3];
  const std::size_t length = shape[rank - 2];
  const std::size_t width = shape[rank - 1];
  Shape result_shape(shape.begin(), shape.end() - 3);
  result_shape.insert(result_shape.end(), {length, count * width});
  Tensor<double> result = Tensor<double>::from_shape(result_shape);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::size_t column = i % width;
    const std::size_t token = i / width % length;
    const std::size_t head = i / width / length % count;
    const std::size_t batch = i / width / length / count;
    result.data()[((batch * length + token) * count + head) * width + column] = heads.data()[i];
  }
  return result;
}

/// (..., length, heads * width) to (..., heads, length, width), index by index.
Tensor<double> split(const Tensor<double>& side_by_side, std::size_t heads) {
  const Shape shape = shape_of(side_by_side);
  const std::size_t length = shape[shape.size() - 2];
  const std::size_t width = shape.back() / heads;
  Shape result_shape(shape.begin(), shape.end() - 2);
  result_shape.insert(result_shape.end(), {heads, length, width});
  Tensor<double> result = Tensor<double>::from_shape(result_shape);
  for (std::size_t i = 0; i < side_by_side.size(); ++i) {
    const std::size_t column = i % width;
    const std::size_t head = i / width % heads;
    const std::size_t token = i / width / heads % length;
    const std::size_t batch = i / width / heads / length;
    result.data()[((batch * heads + head) * length + token) * width + column] = side_by_side.data()[i];
  }
  return result;
}

/// The stage from its operands, by its derivation.
Tensor<double> recomputed(const Report& report, const Derivation& how) {
  using Operation = Derivation::Operation;
  const Tensor<double> first = tensor_of(report, how.operands.at(0));
  if (how.operation == Operation::softmax) return softmax(first);
  if (how.operation == Operation::join_heads) return joined(first);
  if (how.operation == Operation::split_heads) return split(first, static_cast<std::size_t>(how.number));
  if (how.operation == Operation::scaled) return first * how.number;
  const Tensor<double> second = tensor_of(report, how.operands.at(1));
  if (how.operation == Operation::product) return matmul(first, second);
  if (how.operation == Operation::product_with_transpose) return matmul(first, attnlab::transpose(second));
  if (how.operation == Operation::sum) return first + second;
  if (how.operation == Operation::difference) return first - second;
  throw std::logic_error("an operation that this test does not know");
}

/// Every stage with a formula has a derivation from earlier stages, which gives its numbers.
void check_recomputed(const Report& report) {
  check_derivations(report);
  for (const Stage& one : report.stages) {
    INFO(report.experiment, " ", one.name);
    if (one.derivation.operation == Derivation::Operation::given) continue;
    if (one.name == "weight_on_other_heads") continue;  // worked: NumPy's numbers are in expected.toml
    const Tensor<double> again = recomputed(report, one.derivation);
    CHECK(shape_of(again) == one.array.shape);
    const double allowed = one.array.dtype == DType::float32 ? tolerance32() : tolerance64();
    CHECK(disagreement(one.array.data, values_of(again), allowed) == "");
  }
}

}  // namespace

TEST_CASE("the comparison with nn.MultiheadAttention agrees") {
  check_reference(heads_experiment(), "heads/parity.json");
  const Report report = report_of("parity");
  CHECK(scalar(report, "largest_difference") < 1e-8);
  CHECK(scalar(report, "largest_difference") > 0.0);  // PyTorch's own numbers, not ours
}

TEST_CASE("the textbook's layer agrees with PyTorch") {
  check_reference(heads_experiment(), "heads/book.json");
  check_reference(heads_experiment(), "heads/book_small.json");
}

TEST_CASE("the notebook's layer agrees with PyTorch") {
  check_reference(heads_experiment(), "heads/notebook.json");
  check_reference(heads_experiment(), "heads/notebook_small.json");
}

TEST_CASE("the course's layer agrees with NumPy") {
  check_reference(heads_experiment(), "heads/course.json");
  check_reference(heads_experiment(), "heads/course_scaled.json");
}

TEST_CASE("every variant has its form and its invariants hold") {
  for (const std::string& variant : variants()) {
    INFO(variant);
    const Report report = report_of(variant);
    check_form(report);
    check_invariants_hold(report, 4);
  }
}

TEST_CASE("every stage of every variant follows from earlier stages") {
  for (const std::string& variant : variants()) check_recomputed(report_of(variant));
  check_recomputed(report_of("course", {{"scale", "none"}, {"tokens", "3"}, {"heads", "2"}}));
  check_recomputed(report_of("article", {{"rng", "torch"}, {"scale", "2.5"}, {"heads", "1"}}));
  check_recomputed(run_with(self_attention_experiment(), {}));
  check_recomputed(run_with(self_attention_experiment(), {{"scale", "none"}, {"rng", "torch"}}));
}

TEST_CASE("the smallest and the largest sizes work") {
  for (const std::string& variant : variants()) {
    if (variant == "parity") continue;  // its sizes are fixed
    INFO(variant);
    check_invariants_hold(report_of(variant, {{"tokens", "1"}, {"width", "1"}, {"heads", "1"}}), 4);
    check_invariants_hold(report_of(variant, {{"tokens", "2"}, {"width", "16"}, {"heads", "16"}}), 4);
    check_invariants_hold(report_of(variant, {{"tokens", "128"}, {"width", "64"}}), 4);
  }
  check_invariants_hold(report_of("notebook", {{"width", "1024"}, {"heads", "16"}}), 4);
}

TEST_CASE("every variant names its inputs as the page lists them") {
  for (const std::string& variant : variants()) {
    INFO(variant);
    const Report report = report_of(variant);
    CHECK(has_stage(report, "x") == (variant != "book"));
    CHECK(has_stage(report, "query_input") == (variant == "book"));
    for (const char* name : {"query", "key", "value", "weights", "output"}) CHECK(has_stage(report, name));
  }
}

TEST_CASE("the textbook's layer maps three queries over four keys to three outputs") {
  const Report report = report_of("book");
  CHECK(stage(report, "weights").array.shape == Shape{2, 4, 3, 4});
  CHECK(stage(report, "output").array.shape == Shape{2, 3, 16});
  const Report longer = report_of("book", {{"keys", "9"}, {"tokens", "5"}});
  CHECK(stage(longer, "weights").array.shape == Shape{2, 4, 5, 9});
}

TEST_CASE("the course's mask differs by head and hides what lies ahead") {
  const Report report = report_of("course");
  const Tensor<double> weights = tensor_of(report, "weights");
  CHECK(stage(report, "mask").array.shape == Shape{1, 4, 5, 5});
  for (std::size_t head = 0; head < 4; ++head) {
    for (std::size_t query = 0; query < 5; ++query) {
      for (std::size_t key = 0; key < 5; ++key) {
        const bool readable = key <= query && query <= key + head + 1;
        CHECK((weights(1, head, query, key) > 0.0) == readable);
      }
    }
  }
}

TEST_CASE("the figure of shapes tells H from D, whatever the run") {
  const Report report = report_of("article", {});
  REQUIRE(stage(report, "w_query").array.shape == Shape{4, 16, 4});
  const auto& diagram = std::get<Diagram>(figure(report, "shapes").panels.at(0).content);
  CHECK(diagram.nodes.at(2).text.en() == "N.. × L × H × D = (6, 2, 8)");
  CHECK(diagram.nodes.at(3).text.en() == "N.. × H × L × D = (2, 6, 8)");
  CHECK(contains(figure(report, "shapes").caption.en(), "H = D = 4"));
}

TEST_CASE("the attention function is drawn with the shapes of the run's own arrays") {
  for (const std::string& variant : variants()) {
    INFO(variant);
    const Report report = report_of(variant);
    const auto& diagram = std::get<Diagram>(figure(report, "inputs").panels.at(0).content);
    const auto shows = [&](const char* id, const char* array) {
      const auto node = std::find_if(diagram.nodes.begin(), diagram.nodes.end(),
                                     [id](const Node& one) { return one.id == id; });
      REQUIRE(node != diagram.nodes.end());
      CHECK(contains(node->text.en(), "= " + shape_text(stage(report, array).array.shape)));
    };
    shows("query", "query");
    shows("key", "key");
    shows("value", "value");
    shows("output", "head_output");
    if (variant == "course") shows("mask", "mask");
    CHECK(diagram.edges.size() == 6);
  }
}

TEST_CASE("the roles of W_O are told without English names in Japanese") {
  const Report report = report_of("article", {});
  for (const Panel& panel : figure(report, "roles").panels) {
    for (const auto& term : std::get<MatrixEquation>(panel.content).terms) {
      const auto* matrix = std::get_if<MatrixTerm>(&term);
      if (matrix == nullptr) continue;
      const std::string name = to_terminal(matrix->name);
      CHECK_FALSE(contains(name, "oncat"));
      CHECK_FALSE(contains(name, "utput"));
      CHECK_FALSE(contains(name, "head"));
    }
  }
}

TEST_CASE("the shapes told are those computed") {
  const Report report = report_of("course", {{"tokens", "3"}, {"width", "12"}, {"heads", "2"}});
  const std::vector<ShapeStep> steps = shape_pipeline(2, 3, 12, 2);
  REQUIRE(steps.size() == 8);
  CHECK(steps[0].shape == stage(report, "x").array.shape);
  CHECK(steps[1].shape == stage(report, "projected_query").array.shape);
  CHECK(steps[3].shape == stage(report, "query").array.shape);
  CHECK(steps[4].shape == stage(report, "head_output").array.shape);
  CHECK(steps[6].shape == stage(report, "concat").array.shape);
  CHECK(steps[7].shape == stage(report, "output").array.shape);
  CHECK(shape_pipeline(1, 1024, 768, 12)[3].shape == Shape{1, 12, 1024, 64});
  CHECK(attention_shapes(1024, 512)[2].shape == Shape{1024, 1024});
}

TEST_CASE("a broken layer breaks an invariant") {
  const Arguments arguments(heads_experiment().parameters);
  const auto error_of = [](const HeadsRun& run, const std::string& name) {
    for (const Invariant& one : invariants(run)) {
      if (one.name == name) return holds(one) ? 0.0 : one.error;
    }
    throw std::out_of_range(name);
  };
  HeadsRun run = HeadsRun::compute(arguments, quiet_context());
  std::swap(run.stages.concat(0, 0), run.stages.concat(0, 4));  // a number of head 0 for one of head 1
  CHECK(error_of(run, "concat_holds_the_heads") > 0.0);
  CHECK(error_of(run, "output_sums_the_heads") > 0.0);
  run.stages.attention.weights(0, 0, 0) = not_a_number;
  CHECK(error_of(run, "weights_sum_to_one") > 0.0);
  run.projected.query(2, 3) += 0.1;
  CHECK(error_of(run, "one_matrix_equals_heads") > 0.0);
}

TEST_CASE("the seed and the stream change the numbers") {
  for (const char* variant : {"article", "course", "notebook"}) {
    INFO(variant);
    const Report usual = report_of(variant);
    const Report seeded = report_of(variant, {{"seed", "1"}});
    CHECK(values(usual, "x") != values(seeded, "x"));
    const std::string weights = std::string("article") == variant ? "w_query" : "weight_query";
    CHECK(values(usual, weights) != values(seeded, weights));
  }
  const Report numpy = report_of("course", {{"rng", "numpy"}});
  const Report torch = report_of("course", {{"rng", "torch"}});
  CHECK(values(numpy, "x") != values(torch, "x"));
}

TEST_CASE("flags that make no sense for a variant are refused with a remedy") {
  for (const char* flag : {"tokens", "width", "heads", "seed"}) {
    const std::string message = usage_error(heads_experiment(), {{"variant", "parity"}, {flag, "4"}});
    CHECK(contains(message, "--" + std::string(flag) + " is fixed"));
  }
  CHECK(contains(usage_error(heads_experiment(), {{"variant", "parity"}, {"rng", "torch"}}), "is fixed"));
  CHECK(contains(usage_error(heads_experiment(), {{"keys", "5"}}), "--keys belongs to --variant book"));
  CHECK(contains(usage_error(heads_experiment(), {{"variant", "book"}, {"labels", "neko"}}), "--labels"));
  for (const char* variant : {"book", "notebook"}) {
    CHECK(contains(usage_error(heads_experiment(), {{"variant", variant}, {"rng", "numpy"}}), "--rng torch"));
    CHECK(usage_error(heads_experiment(), {{"variant", variant}, {"rng", "torch"}}).empty());
  }
  for (const char* variant : {"article", "book", "course", "notebook"}) {
    CHECK(contains(usage_error(heads_experiment(), {{"variant", variant}, {"heads", "5"}, {"width", "16"}}),
                   "d_model 16 cannot be split over 5 heads"));
  }
}

TEST_CASE("every variant begins with its document's picture and has all of them") {
  const std::vector<std::string> first{"weights", "parity", "blocks", "shapes", "weights"};
  for (std::size_t i = 0; i < variants().size(); ++i) {
    const Report report = report_of(variants()[i]);
    CHECK(report.figures.front().name == first[i]);
    for (const char* name : {"weights", "output", "blocks", "shapes", "roles", "inputs"})
      figure(report, name);
  }
}

TEST_CASE("the textbook's two heads are joined to six numbers and narrowed to four") {
  const Report report = report_of("article");
  const auto& adjusting = std::get<MatrixEquation>(figure(report, "roles").panels.at(0).content);
  CHECK(std::get<MatrixTerm>(adjusting.terms.front()).values.values == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(std::get<MatrixTerm>(adjusting.terms.back()).values.values == std::vector<double>{5, 7, 9, 2.5});
}

TEST_CASE("the parts of all heads and the bias add up to the output") {
  for (const std::string& variant : variants()) {
    INFO(variant);
    const Report report = report_of(variant);
    const auto& mixing = std::get<MatrixEquation>(figure(report, "roles").panels.at(1).content);
    const auto& parts = std::get<MatrixTerm>(mixing.terms.front()).values;
    const auto& output = std::get<MatrixTerm>(mixing.terms.back()).values;
    for (std::size_t column = 0; column < parts.columns; ++column) {
      double sum = has_stage(report, "bias_output") ? values(report, "bias_output")[column] : 0.0;
      for (std::size_t head = 0; head < parts.rows; ++head) sum += parts.at(head, column);
      CHECK(std::abs(sum - output.at(0, column)) < 1e-6);
    }
  }
}

}  // namespace attnlab
