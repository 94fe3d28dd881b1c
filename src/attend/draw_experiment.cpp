// `draw` as an experiment: weights that exist already, looked at and drawn; nothing is computed of them.
#include "attend/draw_experiment.hpp"

#include "attend/attend_files.hpp"
#include "attend/drawn.hpp"
#include "attend/saved_layer.hpp"
#include "core/constants.hpp"
#include "core/counted.hpp"
#include "core/number_order.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/heat_maps.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "io/file_bytes.hpp"

namespace attnlab {
namespace {

// --- The file

std::shared_ptr<const OpenedFiles> open_drawn_file(const Arguments& arguments) {
  const ReadsBelow files_folder(arguments.sources.folder);
  if (!arguments.is_set("weights")) refuse_attend("no_weights");
  const std::string& file = arguments.text("weights");
  const auto files = std::make_shared<AttendFiles>();
  files->names.push_back(file_of(file));
  files->inputs.push_back({"weights", file, only_tensor(open_tensors(file), "weights", "draw ")});
  files->labels = read_labels(arguments, "labels", *files);
  files->key_labels = read_labels(arguments, "key-labels", *files);
  return files;
}

const AttendFiles& files_of(const Arguments& arguments) {
  return *std::static_pointer_cast<const AttendFiles>(arguments.sources.files);
}

/// (layers, heads, queries, keys), of which an array may lack the first ones. Axes of length 1 before the
/// heads, such as that of a batch, are left out.
Shape drawn_shape(const OpenedInput& input) {
  const Shape& stored = input.tensor.shape;
  Shape shape = stored;
  while (shape.size() > 3) {
    const auto single = std::find(shape.begin(), shape.end() - 3, 1);
    if (single == shape.end() - 3) break;
    shape.erase(single);
  }
  const std::size_t count = element_count(stored);
  if (shape.empty() || shape.size() > 4 || count == 0)
    refuse_attend("drawn_shape", {{"file", quotation(input.file)}, {"shape", printed(stored)}});
  if (count > most_weights_wanted)
    refuse_attend("many_drawn",
                  {{"file", quotation(input.file)}, {"count", count}, {"most", most_weights_wanted}});
  shape.insert(shape.begin(), 4 - shape.size(), 1);
  return shape;
}

// --- What is drawn of it

std::size_t place_below(std::size_t count, const std::string& flag, std::size_t place) {
  if (place >= count) refuse_attend("no_place", {{"flag", flag}, {"place", place}, {"last", count - 1}});
  return place;
}

/// Each cell the largest of its numbers, or their mean.
Tensor<double> pooled_map(const double* numbers, const AttendRun& run) {
  const MapSize& size = run.map;
  const auto cell_of = [](std::size_t place, KeyRange range, std::size_t cells) {
    return (place - range.begin) * cells / (range.end - range.begin);
  };
  const bool is_mean = size.pool == Pool::mean;
  const double nothing = is_mean ? 0.0 : -infinity;
  Tensor<double> map({size.cell_rows, size.cell_columns}, nothing);
  Tensor<double> counts({size.cell_rows, size.cell_columns}, 0.0);
  for (std::size_t query = size.queries.begin; query < size.queries.end; ++query) {
    for (std::size_t key = size.keys.begin; key < size.keys.end; ++key) {
      const std::size_t row = cell_of(query, size.queries, size.cell_rows);
      const std::size_t column = cell_of(key, size.keys, size.cell_columns);
      const double number = numbers[query * run.keys + key];
      map(row, column) = is_mean ? map(row, column) + number : larger(map(row, column), number);
      ++counts(row, column);
    }
  }
  return is_mean ? Tensor<double>(map / counts) : map;
}

/// "1 number below 0 (least -1)", "3 of 9 rows do not sum to 1 (row 0: 2.5)": rows of all heads are counted.
std::vector<Text> faults_of(const Tensor<double>& weights) {
  constexpr double tolerance = 1e-3;  // of weights in float16
  std::size_t nans = 0;
  std::size_t below = 0;
  std::vector<std::pair<std::size_t, double>> odd;  // rows, and what they sum to: not NaN, of which is told
  const std::size_t rows = weights.size() / weights.shape().back();
  const double* number = weights.data();
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0.0;
    for (const double* const end = number + weights.shape().back(); number < end; ++number) {
      sum += *number;
      nans += std::isnan(*number) ? 1U : 0U;
      below += *number < 0.0 ? 1U : 0U;
    }
    if (std::abs(sum - 1.0) > tolerance) odd.emplace_back(row, sum);
  }
  std::vector<Text> faults;
  if (nans > 0) faults.push_back(attend_sentence("nan_numbers", {{"count", nans}}));
  if (below > 0)
    faults.push_back(attend_sentence(
        "numbers_below", {{"count", counted(below, "number")}, {"least", extremes(weights).low}}));
  if (!odd.empty())
    faults.push_back(attend_sentence(
        "odd_sums",
        {{"count", odd.size()}, {"rows", rows}, {"row", odd.front().first}, {"sum", odd.front().second}}));
  return faults;
}

/// The place of a number, or of the first query with that label; by default that of the largest weight.
std::size_t query_of(const Arguments& arguments, const DrawnWeights& drawn) {
  if (!arguments.is_set("query")) return drawn.largest ? drawn.largest->query : 0;
  const std::string& typed = arguments.text("query");
  const std::vector<std::string>& labels = drawn.run.labels;
  const auto label = std::find(labels.begin(), labels.end(), typed);
  if (label != labels.end()) return static_cast<std::size_t>(label - labels.begin());
  const auto place = number_from<std::size_t>(typed);
  if (place && *place < drawn.run.queries) return *place;
  refuse_attend("no_drawn_query", {{"query", quotation(typed)}, {"last", drawn.run.queries - 1}});
}

void take_labels(const AttendFiles& files, DrawnWeights& drawn) {
  const bool name_keys = drawn.is_row && files.key_labels.empty();  // of one query, who needs no name
  if (name_keys) require_labels(files.labels, drawn.run.keys, "labels");
  if (!name_keys) drawn.run.labels = files.labels;
  drawn.run.key_labels = name_keys ? files.labels : files.key_labels;
  check_labels(drawn.run);
}

DrawnWeights drawn_weights(const Arguments& arguments) {
  const AttendFiles& files = files_of(arguments);
  const OpenedInput& input = files.inputs.front();
  const Shape shape = drawn_shape(input);
  DrawnWeights drawn;
  drawn.layers = shape[0];
  drawn.layer = place_below(drawn.layers, "layer", arguments.is_set("layer") ? arguments.count("layer") : 0);
  drawn.is_row = input.tensor.shape.size() == 1;
  const std::size_t each = shape[1] * shape[2] * shape[3];
  const Tensor<double> all = load<double>(input.tensor);
  drawn.weights = Tensor<double>::from_shape({shape[1], shape[2], shape[3]});
  std::copy_n(all.data() + drawn.layer * each, each, drawn.weights.data());

  AttendRun& run = drawn.run;
  run.settings = drawn_settings(arguments);
  run.has_heads = shape[0] * shape[1] > 1;
  run.heads = shape[1];
  run.batch = run.has_heads ? Shape{run.heads} : Shape{};
  run.queries = shape[2];
  run.keys = shape[3];
  if (run.settings.head) place_below(run.heads, "head", *run.settings.head);
  if (!run.has_heads) run.settings.head.reset();
  take_labels(files, drawn);
  run.files.push_back(input_file({"注意度", "weights"}, input.file, input.tensor));
  run.summaries.resize(run.heads);
  run.map = map_size(run);
  for (std::size_t head = 0; head < run.heads; ++head)
    run.summaries[head].map = pooled_map(drawn.weights.data() + head * run.queries * run.keys, run);

  drawn.faults = faults_of(drawn.weights);
  const std::size_t first = run.settings.head.value_or(0);
  drawn.largest = largest_weight(drawn, {first, first + shown_matrices(run).size()}, run.map.queries);
  drawn.query = query_of(arguments, drawn);
  return drawn;
}

// --- The report

Table largest_table(const DrawnWeights& drawn) {
  constexpr std::size_t most_rows = 32;
  Table table{{{"ヘッド", "Head"}, {"クエリ", "Query"}, {"キー", "Key"}, {"最大の値", "Largest"}}};
  for (std::size_t head = 0; head < std::min(drawn.run.heads, most_rows); ++head) {
    const auto of = largest_weight(drawn, {head, head + 1}, {0, drawn.run.queries});
    if (!of) continue;
    table.rows.push_back({std::to_string(head), token_name(drawn.run.labels, of->query),
                          token_name(drawn.run.key_labels, of->key), fmt::format("{:.4g}", of->value)});
  }
  return table;
}

Report run_draw(const Arguments& arguments, const Context& /*context*/) {
  const DrawnWeights drawn = drawn_weights(arguments);
  Array array = to_array(drawn.weights, {"heads", "queries", "keys"});
  if (!drawn.run.has_heads) {
    array.shape.erase(array.shape.begin());
    array.axes.erase(array.axes.begin());
  }
  const Figure maps = drawn_maps_figure(drawn);
  Report report;
  report.figures = {maps, drawn_row_figure(drawn)};
  if (drawn.is_row) std::swap(report.figures.front(), report.figures.back());
  if (drawn.faults.empty()) {  // a line is as wide as a share
    if (std::optional<Figure> arcs = attend_arcs_figure(drawn.run)) {
      arcs->title = maps.title;
      report.figures.push_back(std::move(*arcs));
    }
  }
  report.body = {Paragraph{Role::heading, attend_sentence("drawn_heading")}, files_table(drawn.run),
                 largest_table(drawn), Values{{"注意度", "weights"}, array},
                 Paragraph{Role::say, text("{}。", "{}.", report.figures.front().title)}};
  report.stages = {input("weights", array)};
  report.program.missing = attend_sentence("no_drawn_program");
  if (drawn.largest) report.scalars = {{"largest_weight", drawn.largest->value}};
  if (!drawn.faults.empty())
    report.warnings.push_back(attend_sentence(
        "no_weights_in",
        {{"file", quotation(drawn.run.files.front().file)}, {"faults", listed(drawn.faults)}}));
  if (const auto doubt = doubt_of(files_of(arguments).inputs.front().tensor, drawn.run.files.front().file))
    report.warnings.push_back(*doubt);
  return report;
}

// --- The declaration

std::vector<Parameter> draw_parameters() {
  std::vector<Parameter> parameters{
      parameter(
          "weights", FileKind{"FILE[:NAME]"}, "",
          "注意度の配列：(キー)、(クエリ, キー)、(ヘッド, クエリ, キー)、(層, ヘッド, クエリ, キー)。長さ 1 のバッチの軸があってもかまいません",
          "the weights: (keys), (queries, keys), (heads, queries, keys) or (layers, heads, queries, keys); an axis of a batch of one does no harm"),
      parameter("layer", IntegerKind{{0, 4095}}, "", "描く層。0 から数えます（既定値は 0）",
                "the layer that is drawn, counted from 0 (default: 0)"),
      parameter(
          "query", SyntaxKind{"WORD|PLACE"}, "",
          "図 row に描くクエリ：ラベルか、0 から数えた位置（既定値は最大の注意度の行）",
          "the query of figure row: a label, or a place counted from 0 (default: that of the largest weight)")};
  for (const Parameter& one : attend_parameters()) {
    static const std::set<std::string> shared{"labels", "key-labels", "head", "rows", "columns", "pool"};
    if (shared.count(one.name) > 0) parameters.push_back(one);
  }
  return parameters;
}

/// A page turns over the layers, where there are several.
std::vector<DeclaredSlider> layers_of_file(Arguments& arguments) {
  if (!arguments.is_set("weights") || is_stream(file_of(arguments.text("weights")))) return {};
  if (!arguments.sources.files) arguments.sources.files = open_drawn_file(arguments);
  const std::size_t layers = drawn_shape(files_of(arguments).inputs.front()).front();
  if (layers < 2) return {};
  if (!arguments.is_set("layer")) arguments.set("layer", "0");
  constexpr std::size_t most_layers = 64;
  return {{fmt::format("layer=0:{}:{}", layers - 1, std::min(layers, most_layers))}};
}

}  // namespace

const Experiment& draw_experiment() {
  static const Experiment draw = [] {
    Experiment experiment{"draw",
                          {"手持ちの注意度（output_attentions など）を、語を付けて図にする",
                           "weights that exist already (output_attentions, an array of yours), with labels"},
                          {"手持ちのファイル", "your own files"},
                          draw_parameters(),
                          run_draw,
                          {"weights"}};
    experiment.kind = ExperimentKind::user_files;
    experiment.open = open_drawn_file;
    experiment.sliders_of = layers_of_file;
    return experiment;
  }();
  return draw;
}

}  // namespace attnlab
