// Multi-head attention: several small attentions read the same tokens, each in its own way.
#include "experiments/heads/heads.hpp"

#include <sstream>

#include "core/embedded_file.hpp"
#include "experiments/framework/learned_sentence.hpp"

namespace attnlab {
namespace {

/// ("batch", ...) before the axes of a run that has a batch axis.
Axes axes(const HeadsRun& run, Axes rest) {
  if (is_batched(run)) rest.insert(rest.begin(), "batch");
  return rest;
}

Formula head_scores(const HeadsRun& run) {
  return scaled_scores(run.scale_text, formula::read("Q_i K_i^T"), "d_k");
}

void show(HeadsRun& run, const std::string& name, Axes axes) {
  run.tape.input(name, run.drawn.at(name), std::move(axes));
}

/// x W + b, or x Wᵀ + b of a matrix as nn.Linear keeps it; without b where none was drawn.
struct LinearLayer {
  std::string name;  // query
  char letter;       // Q
  std::string tokens;
  std::string product;  // its formula
  std::string result;
  Axes axes;
};

void apply(HeadsRun& run, const LinearLayer& layer) {
  const std::string bias = "bias_" + layer.name;
  const bool has_bias = run.drawn.count(bias) > 0;
  const std::string product = has_bias ? "linear_" + layer.name : layer.result;
  if (has_bias) show(run, bias, {layer.axes.back()});
  if (is_batched(run)) {
    run.tape.product_with_transpose(product, layer.product, layer.tokens, "weight_" + layer.name, layer.axes);
  } else {
    run.tape.product(product, layer.product, layer.tokens, "w_" + layer.name, layer.axes);
  }
  if (has_bias)
    run.tape.sum(layer.result, fmt::format("{} + b_{}", layer.product, layer.letter), product, bias);
}

/// One matrix per head, in the letters of the article's eq. 8.
void project_per_head(HeadsRun& run) {
  show(run, "x", {"tokens", "d_model"});
  for (const HeadsSide& side : heads_sides)
    show(run, fmt::format("w_{}", side.name), {"heads", "d_model", "width"});
  show(run, "w_output", {"heads_width", "d_model"});
  for (const auto& [name, letter, rows] : heads_sides)
    apply(run, {name, letter, "x", fmt::format("X W_{}^i", letter), name, {"heads", rows, "width"}});
}

/// One linear layer for all heads, and its result cut into them.
void project_at_once(HeadsRun& run) {
  if (run.variant == HeadsVariant::book) {
    for (const HeadsSide& side : heads_sides)
      show(run, tokens_of(run, side), {"batch", side.rows, "d_model"});
  } else {
    show(run, "x", {"batch", "tokens", "d_model"});
  }
  for (const HeadsSide& side : heads_sides) {
    const auto& [name, letter, rows] = side;
    const std::string tokens = tokens_of(run, side);
    const std::string product = fmt::format("{} W_{}^T", tokens == "x" ? 'X' : letter, letter);
    const std::string projected = fmt::format("projected_{}", name);
    show(run, fmt::format("weight_{}", name), {"heads_width", "d_model"});
    apply(run, {name, letter, tokens, product, projected, {"batch", rows, "heads_width"}});
    run.tape.split_heads(name, fmt::format("heads(P_{})", letter), projected, run.heads,
                         {"batch", "heads", rows, "width"});
  }
}

/// Written out per head (article), or in one letter per stage where the batch axis leaves less room.
RecordedAttention recorded_attention(const HeadsRun& run) {
  const bool short_formulas = is_batched(run);
  RecordedAttention recorded;
  recorded.product = "Q_i K_i^T";
  recorded.scores = head_scores(run);
  recorded.weights = formula::call("softmax", short_formulas ? formula::read("S_i") : head_scores(run));
  recorded.output = short_formulas ? formula::read("A_i V_i") : head_formula(run);
  recorded.output_name = "head_output";
  if (run.mask) {
    recorded.mask = "mask";
    recorded.user_mask = run.mask;
    recorded.masked = "S_i + M_i";
    recorded.weights = formula::call("softmax", formula::read("S_i + M_i"));
  }
  return recorded;
}

void mix_by_output(HeadsRun& run) {
  const bool transposed = is_batched(run);
  if (transposed) show(run, "weight_output", {"d_model", "heads_width"});
  apply(run, {"output", 'O', "concat", transposed ? "Concat W_O^T" : "Concat W_O", "output",
              axes(run, {"queries", "d_model"})});
  run.output = run.tape.numbers_of("output");
}

/// What nn.MultiheadAttention gives in the article's comparison, written by
/// data/reference/make_heads_reference.py with PyTorch 1.13: float32, kept as double. in_proj_weight holds
/// W_Q, W_K, W_V of all heads, out_proj.weight is W_O transposed.
Tensor<double> stored_by_pytorch(const EmbeddedFile& file, Tensor<double> shape) {
  std::istringstream numbers{std::string(file.text)};
  for (double& value : shape) {
    float number = 0.0F;
    numbers >> number;
    value = number;
  }
  return shape;
}

void show_pytorch(HeadsRun& run) {
  run.pytorch_output = stored_by_pytorch(heads_pytorch_files().at(0), run.output);
  run.pytorch_weights = stored_by_pytorch(heads_pytorch_files().at(1), run.attention.weights);
  run.tape.input("pytorch_weights", run.pytorch_weights, {"heads", "queries", "keys"});
  run.tape.input("pytorch_output", run.pytorch_output, {"queries", "d_model"});
}

/// The article's NumPy takes the weights as they were drawn, and X that the listing has rounded.
Tensor<double> output_in_float64(const HeadsRun& run) {
  const Tensor<double> x = run.tape.numbers_of("x");
  const MultiHeadWeights<double> weights{run.drawn.at("w_query"), run.drawn.at("w_key"),
                                         run.drawn.at("w_value"), run.drawn.at("w_output")};
  return multi_head_attention(weights, x, x, x).output;
}

}  // namespace

HeadsRun HeadsRun::compute(const Arguments& arguments, const Context& /*context*/) {
  HeadsRun run = drawn_variant(arguments);
  run.is_documents = are_defaults(arguments);
  is_batched(run) ? project_at_once(run) : project_per_head(run);
  attend(run);
  return run;
}

void attend(HeadsRun& run) {
  Tape& tape = run.tape;
  run.query = tape.numbers_of("query");
  run.key = tape.numbers_of("key");
  run.value = tape.numbers_of("value");
  run.attention =
      tape.attention("query", "key", "value", parse_scale(run.scale_text), recorded_attention(run));
  run.concat =
      tape.join_heads("concat", is_batched(run) ? formula::read("Concat(head_i)") : concat_formula(run),
                      "head_output", axes(run, {"queries", "heads_width"}));
  mix_by_output(run);
  const Tensor<double>& weights = run.attention.weights;
  run.data = extremes(weights.dimension() == 4 ? Tensor<double>(xt::view(weights, 0))
                                               : weights);  // of a batch the first
  const bool is_compared = run.variant == HeadsVariant::parity;
  if (is_compared) show_pytorch(run);
  if (can_be_mixed(run)) measure_mixing(run);
  if (!is_compared) return;
  run.float64_output = output_in_float64(run);
  tape.compute_in(DType::float64);
  tape.difference("difference",
                  formula::row({formula::sym("output"), formula::sym(" − "), formula::sym("pytorch_output")}),
                  "output", "pytorch_output");
}

std::string tokens_of(const HeadsRun& run, const HeadsSide& side) {
  return run.variant == HeadsVariant::book ? fmt::format("{}_input", side.name) : "x";
}

Formula head_formula(const HeadsRun& run) {
  Formula scores = head_scores(run);
  if (run.mask) scores = formula::row({scores, formula::sym(" + "), formula::read("M_i")});
  return formula::row({formula::call("softmax", scores), formula::read("V_i")});
}

Formula concat_formula(const HeadsRun& run) {
  if (run.heads == 1) return formula::read("Concat(head_0)");
  return formula::read(fmt::format("Concat(head_0,{}head_{})", run.heads == 2 ? "" : "…,", run.heads - 1));
}

bool is_batched(const HeadsRun& run) {
  return run.variant == HeadsVariant::book || run.variant == HeadsVariant::course ||
         run.variant == HeadsVariant::notebook;
}

std::size_t batch_size(const HeadsRun& run) {
  return is_batched(run) ? run.drawn.at(tokens_of(run, heads_sides[0])).shape().front() : 0;
}

std::size_t joined_width(const HeadsRun& run) { return run.heads * run.width; }

Matrix weights_of_head(const HeadsRun& run, std::size_t head) {
  const std::size_t cells = run.queries * run.keys;
  const double* first = run.attention.weights.data() + head * cells;
  return {run.queries, run.keys, {first, first + cells}};
}

std::size_t favourite_key(const HeadsRun& run, std::size_t head, std::size_t query) {
  return largest_in_row(run.attention.weights, head * run.queries + query);
}

std::size_t disagreements(const HeadsRun& run) {
  std::size_t count = 0;
  for (std::size_t query = 0; query < run.queries; ++query) {
    const std::size_t favourite = favourite_key(run, 0, query);
    std::size_t head = 1;
    while (head < run.heads && favourite_key(run, head, query) == favourite) ++head;
    if (head < run.heads) ++count;
  }
  return count;
}

Tensor<double> contributions(const HeadsRun& run) {
  const Tensor<double> w_output = is_batched(run) ? attnlab::transpose(run.tape.numbers_of("weight_output"))
                                                  : run.tape.numbers_of("w_output");
  Tensor<double> shares({run.heads, run.d_model}, 0.0);
  for (std::size_t row = 0; row < joined_width(run); ++row)  // concat holds head after head
    xt::view(shares, row / run.width) += run.concat.data()[row] * xt::view(w_output, row);
  return shares;
}

std::optional<Tensor<double>> output_bias(const HeadsRun& run) {
  if (!run.tape.has("bias_output")) return std::nullopt;
  return run.tape.numbers_of("bias_output");
}

std::size_t shown_query(const HeadsRun& run) {
  return run.variant == HeadsVariant::model ? run.queries - 1 : 0;
}

Text query_name(const HeadsRun& run) {
  return run.variant == HeadsVariant::book ? Text{"クエリ 0", "Query 0"}
                                           : Text::same(run.labels[shown_query(run)]);
}

Text key_name(const HeadsRun& run, std::size_t key) {
  return run.variant == HeadsVariant::book ? text("キー {0}", "Key {0}", key) : Text::same(run.labels[key]);
}

std::size_t shared_start(const HeadsRun& run) {
  const Tensor<double>& x = run.drawn.at("x");
  const Tensor<double>& w_query = run.drawn.at("w_query");
  const std::size_t length = std::min(x.size(), w_query.size());
  std::size_t shared = 0;
  while (shared < length && w_query.flat(shared) == x.flat(shared) * 0.1) ++shared;
  return shared;
}

namespace {

Report heads_report(const Arguments& arguments, const Context& context) {
  const auto run = run_of<HeadsRun>(arguments, context);
  Report report = report_from(run);
  report.program.numpy_ending = numpy_class(run);
  report.program.torch_ending = torch_classes(run);
  return report;
}

}  // namespace

Experiment heads_experiment() {
  return Experiment{
      "heads",
      {"ヘッドごとに違う注意度を並べて見る", "the weights of all heads, side by side"},
      {"記事 式 (7), (8)、教科書 図2.2.15・コード2.2.10、講座 Task 2、ノートブック",
       "article eq. 7 and 8, textbook fig. 2.2.15, code 2.2.10, course task 2, notebook"},
      {variant_parameter(),
       parameter(
           "tokens", IntegerKind{{1, 128}}, "",
           "トークンの個数。既定値は article 6、book 3（クエリ）、course 5、notebook 7",
           "number of tokens; default 6 in the article, 3 queries in the book, 5 in the course, 7 in the notebook"),
       parameter("keys", IntegerKind{{1, 128}}, "", "book のキーの個数。既定値は 4",
                 "keys of the book; default 4"),
       parameter("width", IntegerKind{{1, 1024}}, "", "モデルの次元 d_model。既定値は 16、notebook は 128",
                 "width d_model; default 16, in the notebook 128"),
       parameter("heads", IntegerKind{{1, 16}}, "", "ヘッドの個数（d_model の約数）。既定値は 4",
                 "number of heads, a divisor of the width; default 4"),
       parameter(
           "head-width", IntegerKind{{1, 1024}}, "",
           "1 つのヘッドの次元 d_k = d_v。既定値は d_model / ヘッド数。d_model にすると教科書のコード2.2.10 のまま",
           "width of a head, d_k = d_v; default d_model / heads; with d_model, textbook code 2.2.10 runs as printed"),
       labels_parameter(), scale_parameter("default"),
       parameter("seed", IntegerKind{{0, 4294967295}}, "", "乱数の種。既定値は article 42、ほかは 0",
                 "random seed; default 42 in the article, else 0"),
       parameter("rng", ChoiceKind{{"numpy", "torch"}}, "",
                 "乱数列：np.random.RandomState か torch.manual_seed。既定値は文書のもの",
                 "random numbers of np.random.RandomState or torch.manual_seed; default: the document's")},
      heads_report}
      .with_inputs({{"x", {"tokens", "width"}},
                    {"x", {"batch", "tokens", "width"}},
                    {"query_input", {"batch", "tokens", "width"}},
                    {"key_input", {"batch", "keys", "width"}},
                    {"value_input", {"batch", "keys", "width"}},
                    {"w_query", {"heads", "width", "head-width"}},
                    {"weight_query", {"heads × head-width", "width"}},
                    {"w_key", {"heads", "width", "head-width"}},
                    {"weight_key", {"heads × head-width", "width"}},
                    {"w_value", {"heads", "width", "head-width"}},
                    {"weight_value", {"heads × head-width", "width"}},
                    {"w_output", {"heads × head-width", "width"}},
                    {"weight_output", {"width", "heads × head-width"}},
                    {"bias_query", {"heads × head-width"}},
                    {"bias_key", {"heads × head-width"}},
                    {"bias_value", {"heads × head-width"}},
                    {"bias_output", {"width"}},
                    {"mask", {"...", "queries", "keys"}, true}})
      .with_sliders({{"scale=0.05:20:log:33"}});
}

}  // namespace attnlab
