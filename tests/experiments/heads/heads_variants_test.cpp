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
#include "results/report/terminal.hpp"

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
    if (one.derivation.operation == Derivation::Operation::input) continue;
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

namespace {

/// A mask of that shape that hides the last key.
InputArray hiding_last_key(const Shape& shape) {
  std::vector<double> numbers(element_count(shape), 0.0);
  for (std::size_t i = shape.back() - 1; i < numbers.size(); i += shape.back()) numbers[i] = -infinity;
  return own("mask", shape, numbers);
}

}  // namespace

TEST_CASE("every variant takes a mask of any shape that broadcasts to its scores") {
  struct Scores {
    std::string variant;
    std::size_t batch;  // 0: no axis
    std::size_t queries;
    std::size_t keys;
  };
  for (const Scores& one : std::vector<Scores>{
           {"article", 0, 6, 6}, {"book", 2, 3, 4}, {"course", 2, 5, 5}, {"notebook", 1, 7, 7}}) {
    const auto [variant, batch, queries, keys] = one;
    std::vector<Shape> shapes{
        {keys},          {1, keys},          {queries, keys},       {1, queries, keys},
        {4, 1, keys},    {4, queries, keys}, {1, 1, queries, keys}, {1, 4, queries, keys},
        {1, 1, 1, keys}, {1, 4, 1, keys}};
    if (batch > 0)
      shapes.insert(shapes.end(), {{batch, 1, 1, keys}, {batch, 4, queries, keys}, {batch, queries, keys}});
    std::optional<Tensor<double>> first;
    for (const Shape& shape : shapes) {
      INFO(one.variant << " " << printed(shape));
      const Report report = run_with(heads_experiment(), {{"variant", variant}}, {hiding_last_key(shape)});
      CHECK(violations(report.invariants).empty());
      const Tensor<double> weights = tensor_of(report, "weights");
      if (!first) first = weights;
      CHECK(weights == *first);
      for (std::size_t i = 0; i < weights.size(); ++i)
        CHECK((weights.flat(i) == 0.0) == (i % keys == keys - 1));
    }
  }
}

TEST_CASE("a mask may hide other keys in every entry of the batch") {
  const std::vector<double> last_and_first{0, 0, 0, -infinity, -infinity, 0, 0, 0};
  for (const Shape& shape : {Shape{2, 1, 1, 4}, Shape{2, 4}}) {
    const Report report =
        run_with(heads_experiment(), {{"variant", "book"}}, {own("mask", shape, last_and_first)});
    CHECK(report.warnings.empty());
    CHECK(stage(report, "mask").array.shape == Shape{2, 1, 3, 4});
    const Tensor<double> weights = tensor_of(report, "weights");
    for (std::size_t i = 0; i < weights.size(); ++i)
      CHECK((weights.flat(i) == 0.0) == (i % 4 == (i < weights.size() / 2 ? 3 : 0)));
  }
}

TEST_CASE(
    "a mask says how many keys there are, where nothing else does, and its caption is not the course's") {
  const Report report = run_with(heads_experiment(), {{"variant", "course"}}, {hiding_last_key({7, 7})});
  CHECK(stage(report, "x").array.shape == Shape{2, 7, 16});
  CHECK_FALSE(contains(figure(report, "weights").caption.en(), "attends back"));
  const Report course = report_of("course");
  CHECK(contains(figure(course, "weights").caption.en(), "attends back"));
}

TEST_CASE("a mask that fits two places is named with both, one that fits none with the scores") {
  const Report open =
      run_with(heads_experiment(), {{"variant", "book"}, {"tokens", "2"}}, {hiding_last_key({2, 4})});
  REQUIRE(open.warnings.size() == 1);
  CHECK(
      open.warnings.front().en() ==
      "--input mask=mask.npy of shape (2, 4) fits (queries,keys) and (batch,keys): taken as (queries,keys); for "
      "(batch,keys) give it the shape (2, 1, 1, 4)");
  CHECK(
      usage_error(heads_experiment(), {{"variant", "notebook"}}, {hiding_last_key({3, 7, 7})}) ==
      "--input mask=mask.npy of shape (3, 7, 7) does not broadcast to the scores (1, 4, 7, 7); from the last axis on, "
      "give each the scores' length or 1");
}

TEST_CASE("a mask that leaves a query without a key is refused") {
  const InputArray mask = own("mask", {2, 2}, {0, 0, -infinity, -infinity});
  CHECK_THROWS_WITH_AS(run_with(heads_experiment(), {{"variant", "course"}}, {mask}),
                       doctest::Contains("masks every key of query 1"), Error);
}

TEST_CASE("heads of another width than d_model / heads") {
  const Report wide = report_of("book", {{"head-width", "16"}});  // d_v = d_model: code 2.2.10 as printed
  CHECK(stage(wide, "weight_query").array.shape == Shape{64, 16});
  CHECK(stage(wide, "concat").array.shape == Shape{2, 3, 64});
  CHECK(stage(wide, "weight_output").array.shape == Shape{16, 64});
  CHECK(stage(wide, "output").array.shape == Shape{2, 3, 16});
  CHECK(contains(paragraphs(wide, Role::note), "n_heads * d_v = 64 inputs (d_v = d_model"));
  CHECK(contains(paragraphs(report_of("book"), Role::note),
                 "n_heads * d_v = 16 inputs (not n_heads * d_model)"));
  for (const std::string variant : {"article", "book", "course", "notebook"}) {
    for (const char* width : {"1", "3", "16"}) {
      INFO(variant << " " << width);
      const Report report = report_of(variant, {{"head-width", width}, {"heads", "3"}});  // no divisor of 16
      CHECK(violations(report.invariants).empty());
      check_derivations(report);
    }
  }
  // NumPy: the article's listing with (4, 16, 16) weights
  const Report article = report_of("article", {{"head-width", "16"}});
  const std::vector<double> output{0.1317721535538828, 0.06352334710621865, 0.02742191103111418,
                                   0.23874971547603385};
  for (std::size_t i = 0; i < output.size(); ++i)
    CHECK(values(article, "output")[i] == doctest::Approx(output[i]).epsilon(1e-12));
  CHECK(values(article, "weights")[0] == doctest::Approx(0.18892290550790192).epsilon(1e-12));
  const Report shapes = report_of("course", {{"head-width", "3"}});
  CHECK(contains(figure(shapes, "shapes").caption.en(), "D the width of a head."));
  const auto& diagram = std::get<Diagram>(figure(shapes, "shapes").panels.at(0).content);
  CHECK(diagram.nodes.at(1).text.en() == "N × L × (H·D) = (2, 5, 12)");
  CHECK(contains(usage_error(heads_experiment(), {{"variant", "parity"}, {"head-width", "4"}}), "is fixed"));
}

TEST_CASE("programs end with the classes of the document, where these can what the run does") {
  const auto torch = [](const std::string& variant, const Flags& flags = {}) {
    return report_of(variant, flags).program.torch_ending;
  };
  CHECK(contains(torch("book"), "self.attention = ScaledDotProductAttention()"));
  CHECK(contains(torch("book", {{"scale", "none"}}), "self.attention = DotProductAttention()"));
  CHECK(contains(torch("book", {{"head-width", "16"}}), "class AttentionHead"));
  CHECK(contains(torch("course"), "class SimpleMultiHeadAttention"));
  CHECK(contains(torch("notebook"), "class MultiHeadAttention"));
  CHECK(contains(torch("article"), "nn.MultiheadAttention"));
  CHECK(contains(report_of("article").program.numpy_ending, "class MultiHeadAttention"));
  CHECK(torch("book", {{"scale", "0.3"}}).empty());
  CHECK(torch("notebook", {{"head-width", "3"}}).empty());
  const auto masked = [](const char* variant) {
    return run_with(heads_experiment(), {{"variant", variant}}, {own("mask", {1, 1}, {0})});
  };
  CHECK(masked("book").program.torch_ending.empty());
  CHECK(masked("article").program.numpy_ending.empty());
  CHECK(contains(masked("article").program.torch_ending, "attn_mask=mask"));
  CHECK(contains(masked("notebook").program.torch_ending, "attention(tokens, tokens, tokens, mask)"));
}

TEST_CASE("weights of one's own say how wide a head is") {
  const Report report =
      run_with(heads_experiment(), {}, {own("w_query", {4, 16, 3}, std::vector<double>(192, 0.1))});
  CHECK(stage(report, "w_key").array.shape == Shape{4, 16, 3});
  CHECK(stage(report, "concat").array.shape == Shape{6, 12});
}

TEST_CASE("the figure of shapes tells H from D, whatever the run") {
  const Report report = report_of("article", {});
  REQUIRE(stage(report, "w_query").array.shape == Shape{4, 16, 4});
  const auto& diagram = std::get<Diagram>(figure(report, "shapes").panels.at(0).content);
  CHECK(diagram.nodes.at(2).text.en() == "N.. × L × H × D = (6, 2, 8)");
  CHECK(diagram.nodes.at(3).text.en() == "N.. × H × L × D = (2, 6, 8)");
  CHECK(contains(figure(report, "shapes").caption.en(), "H = D = 4"));
}

TEST_CASE(
    "the course's first diagram has the attention function in multi-head attention, and the FFN after it") {
  const Report report = report_of("course");
  const auto& diagram = std::get<Diagram>(figure(report, "place").panels.at(0).content);
  std::string way;  // each box has one arrow, to the next one
  std::size_t box = 0;
  for (const Edge& edge : diagram.edges) {
    REQUIRE(edge.from == box);
    way += diagram.nodes[box].text.en() + " > ";
    box = edge.to;
  }
  CHECK(way + diagram.nodes[box].text.en() ==
        "Token embeddings > Linear: Q, K, V > Split into heads > Attention function: here > Concat heads > "
        "Output layer > FFN > Next layer");
  std::string inside;
  for (const std::size_t node : diagram.enclosures.at(0).nodes) inside += diagram.nodes[node].id + " ";
  CHECK(inside == "place.linear place.split place.attention place.concat place.output ");
  for (const std::string& variant : variants()) {
    if (variant == "course") continue;
    for (const Figure& shown : report_of(variant).figures) CHECK(shown.name != "place");
  }
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
  const std::vector<ShapeStep> steps = shape_pipeline(2, 3, 12, 2, 6);
  REQUIRE(steps.size() == 8);
  CHECK(steps[0].shape == stage(report, "x").array.shape);
  CHECK(steps[1].shape == stage(report, "projected_query").array.shape);
  CHECK(steps[3].shape == stage(report, "query").array.shape);
  CHECK(steps[4].shape == stage(report, "head_output").array.shape);
  CHECK(steps[6].shape == stage(report, "concat").array.shape);
  CHECK(steps[7].shape == stage(report, "output").array.shape);
  CHECK(shape_pipeline(1, 1024, 768, 12, 64)[3].shape == Shape{1, 12, 1024, 64});
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
  std::swap(run.concat(0, 0), run.concat(0, 4));  // a number of head 0 for one of head 1
  CHECK(error_of(run, "concat_holds_the_heads") > 0.0);
  CHECK(error_of(run, "output_sums_the_heads") > 0.0);
  run.attention.weights(0, 0, 0) = not_a_number;
  CHECK(error_of(run, "weights_sum_to_one") > 0.0);
  run.query(0, 2, 3) += 0.1;
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

TEST_CASE(
    "every variant begins with its document's picture, the default with a sentence, and has all of them") {
  const std::vector<std::string> first{"sentence", "parity", "blocks", "shapes", "weights"};
  for (std::size_t i = 0; i < variants().size(); ++i) {
    const Report report = report_of(variants()[i]);
    CHECK(report.figures.front().name == first[i]);
    for (const char* name : {"weights", "blocks", "shapes", "roles", "inputs"}) figure(report, name);
  }
}

TEST_CASE("the textbook's two heads are joined to six numbers and narrowed to four") {
  const Report report = report_of("article");
  const auto& adjusting = std::get<MatrixEquation>(figure(report, "roles").panels.at(0).content);
  CHECK(std::get<MatrixTerm>(adjusting.terms.front()).map.values.values ==
        std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(std::get<MatrixTerm>(adjusting.terms.back()).map.values.values == std::vector<double>{5, 7, 9, 2.5});
}

TEST_CASE("the parts of all heads and the bias add up to the output") {
  for (const std::string& variant : variants()) {
    INFO(variant);
    const Report report = report_of(variant);
    const auto& mixing = std::get<MatrixEquation>(figure(report, "roles").panels.at(1).content);
    const auto& parts = std::get<MatrixTerm>(mixing.terms.front()).map.values;
    const auto& output = std::get<MatrixTerm>(mixing.terms.back()).map.values;
    for (std::size_t column = 0; column < parts.columns; ++column) {
      double sum = has_stage(report, "bias_output") ? values(report, "bias_output")[column] : 0.0;
      for (std::size_t head = 0; head < parts.rows; ++head) sum += parts.at(head, column);
      CHECK(std::abs(sum - output.at(0, column)) < 1e-6);
    }
  }
}

}  // namespace attnlab
