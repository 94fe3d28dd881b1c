#include "attend/picture.hpp"

#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>

#include "core/named.hpp"
#include "experiments/framework/heat_maps.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_other_tokens = 16;  // that are looked for before a square of patches

std::optional<std::size_t> side_of_square(std::size_t patches) {
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(patches))));
  return side > 1 && side * side == patches ? std::optional(side) : std::nullopt;
}

/// What is laid over the picture, and what it is called: a row of weights (keys).
struct Reading {
  std::string id;
  Text name;
  std::vector<double> weights;
};

/// (layers, heads, tokens, tokens), of whatever stands before the heads taken together as layers.
Tensor<double> kept_weights(const AttendRun& run) {
  const Stage* stage = find_named(run.stages, "weights");
  if (stage == nullptr) refuse_attend("picture_streams");
  const std::size_t heads = run.has_heads ? run.heads : 1;
  const std::size_t layers = run.summaries.size() / heads;
  return to_tensor(stage->array.data, {layers, heads, run.queries, run.keys});
}

/// The row of a query in matrix number `matrix`.
std::vector<double> row_of(const Tensor<double>& weights, std::size_t matrix, std::size_t query) {
  const std::size_t queries = weights.shape()[weights.dimension() - 2];
  const std::size_t keys = weights.shape().back();
  const double* begin = weights.data() + (matrix * queries + query) * keys;
  return {begin, begin + keys};
}

Reading mean_reading(AttendRun& run, const Tensor<double>& weights, std::size_t reader) {
  if (!run.has_heads) refuse_attend("no_heads_to_mean");
  const Tensor<double> mean = xt::mean(weights, {1});  // (layers, queries, keys)
  Array array = to_array(mean, axes_of(3, {"queries", "keys"}));
  if (run.batch.size() == 1) {
    array.shape.erase(array.shape.begin());
    array.axes.erase(array.axes.begin());
  }
  run.stages.push_back({"mean_weights", formula::call("mean", formula::sym("A")), std::move(array),
                        derived::worked({"weights"}, {}, "weights.mean(axis=-3)")});
  if (run.dtype == DType::float32) run.stages.back().derivation.rounding = rounding_in_float32;
  return {"mean", attend_sentence("mean_reading", {{"heads", run.heads}}),
          row_of(mean, run.settings.entry, reader)};
}

Reading rollout_reading(AttendRun& run, const Tensor<double>& weights, std::size_t reader) {
  const std::size_t layers = weights.shape()[0];
  if (layers < 2 || !run.has_heads) refuse_attend("one_layer");
  if (run.queries != run.keys) refuse_attend("no_self_attention");
  const Tensor<double> rollout = attention_rollout(weights);
  const std::string code = fmt::format(
      "np.linalg.multi_dot((0.5 * weights.mean(axis=-3).reshape({0}, {1}, {1}) + 0.5 * np.eye({1}))[::-1])",
      layers, run.keys);
  run.stages.push_back({"rollout", formula::read("Ã"), to_array(rollout, {"queries", "keys"}),
                        derived::worked({"weights"}, {}, code)});
  if (run.dtype == DType::float32) run.stages.back().derivation.rounding = rounding_in_float32;
  return {"rollout", attend_sentence("rollout_reading", {{"layers", layers}}), row_of(rollout, 0, reader)};
}

std::vector<Reading> readings_of(AttendRun& run, const Tensor<double>& weights, std::size_t reader) {
  switch (run.settings.picture->reading) {
    case ReadingOf::mean: return {mean_reading(run, weights, reader)};
    case ReadingOf::rollout: return {rollout_reading(run, weights, reader)};
    default: break;
  }
  std::vector<Reading> readings;
  for (const ShownMatrix& shown : shown_matrices(run))
    readings.push_back({std::to_string(shown.index), shown.name, row_of(weights, shown.index, reader)});
  return readings;
}

/// The reading with the largest weight on a patch; nothing where none has one.
const Reading* sharpest_of(const std::vector<Reading>& readings, const PatchGrid& grid) {
  const Reading* sharpest = nullptr;
  double largest = 0.0;
  for (const Reading& reading : readings) {
    const std::optional<MostRead> most = most_read(grid, reading.weights);
    if (!most || most->weight <= largest) continue;
    largest = most->weight;
    sharpest = &reading;
  }
  return sharpest;
}

/// The reader among the keys; none of them where queries and keys are not the same tokens.
std::size_t reader_among_keys(const AttendRun& run, std::size_t reader) {
  return run.queries == run.keys ? reader : run.keys;
}

Text picture_title(const AttendRun& run, const std::vector<Reading>& readings, const PatchGrid& grid,
                   std::size_t reader) {
  const Text who =
      run.queries == run.keys ? name_of_reader(grid, reader) : text("クエリ {} ", "Query {}", reader);
  const Reading* sharpest = sharpest_of(readings, grid);
  if (sharpest == nullptr) return attend_sentence("reads_no_patch", {{"reader", who}});
  const MostRead most = *most_read(grid, sharpest->weights);
  return attend_sentence("reads_patch", {{"reader", who},
                                         {"patch", place_of_patch(grid, most.token)},
                                         {"percent", percent(most.weight)},
                                         {"name", sharpest->name}});
}

Text title_over(const Reading& reading, const PatchGrid& grid) {
  const std::optional<MostRead> most = most_read(grid, reading.weights);
  if (!most) return reading.name;
  return attend_sentence("reading_title", {{"name", reading.name}, {"percent", percent(most->weight)}});
}

Figure picture_figure(const AttendRun& run, const std::vector<Reading>& readings, const PatchGrid& grid,
                      std::size_t reader) {
  const std::shared_ptr<const Image> picture = fitted(*run.picture, grid);
  const std::size_t own = reader_among_keys(run, reader);
  std::vector<Panel> panels{
      {attend_sentence("picture"), picture_map(grid, picture, own, own == reader ? "reader" : "")}};
  double on_patches = 0.0;
  for (const Reading& reading : readings) {
    on_patches += weight_on_patches(grid, reading.weights) / static_cast<double>(readings.size());
    panels.push_back(
        {title_over(reading, grid), reading_map("read_" + reading.id, grid, picture, reading.weights, own)});
  }
  const Text title = picture_title(run, readings, grid, reader);
  const std::size_t columns = panels.size() <= 4   ? panels.size()
                              : panels.size() <= 8 ? (panels.size() + 1) / 2
                                                   : columns_of_maps(panels.size());
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  const double side = columns <= 2 ? 5.5 : 16.0 / static_cast<double>(columns);  // inches
  const bool rolls = run.settings.picture->reading == ReadingOf::rollout;
  const bool has_others = grid.size() < run.keys && 1.0 - on_patches >= 0.0005;  // not of NaN
  return Figure{"picture", title}
      .described(attend_sentence("picture_description", {{"title", title}, {"readings", readings.size()}}))
      .captioned(attend_sentence(
          "picture_caption",
          {{"others", has_others ? attend_sentence("other_tokens", {{"percent", percent(1.0 - on_patches)}})
                                 : Text::none()},
           {"rollout", rolls ? attend_sentence("rollout_source") : Text::none()}}))
      .all_panels(std::move(panels))
      .in_columns(columns)
      .sharing_axes()
      .on_page(side * static_cast<double>(columns), side * static_cast<double>(rows) + 1.7);
}

Table picture_table(const std::vector<Reading>& readings, const PatchGrid& grid) {
  Table table;
  for (const char* column : {"column_reading", "column_on_patches", "column_patch", "column_weight"})
    table.header.push_back(attend_sentence(column));
  for (const Reading& reading : readings) {
    const std::optional<MostRead> most = most_read(grid, reading.weights);
    table.rows.push_back({reading.name, fmt::format("{:.4f}", weight_on_patches(grid, reading.weights)),
                          most ? place_of_patch(grid, most->token) : Text::same("-"),
                          most ? fmt::format("{:.4f}", most->weight) : "-"});
  }
  return table;
}

/// Patches of most models are squares: where they are not, the picture was cut or squeezed before.
bool has_square_patches(const Image& picture, const PatchGrid& grid) {
  const double width = static_cast<double>(picture.columns) / static_cast<double>(grid.columns);
  const double height = static_cast<double>(picture.rows) / static_cast<double>(grid.rows);
  return std::abs(width / height - 1.0) < 0.02;
}

}  // namespace

PatchGrid patch_grid(const PictureSettings& settings, std::size_t keys) {
  if (settings.rows) {
    const std::size_t size = *settings.rows * *settings.columns;
    const std::size_t skip = settings.skip.value_or(keys > size ? keys - size : 0);
    if (size <= keys && skip <= keys - size) return {*settings.rows, *settings.columns, skip};
    refuse_attend("few_keys", {{"size", size}, {"skip", skip}, {"keys", keys}});
  }
  const std::size_t first = settings.skip.value_or(0);
  const std::size_t last = settings.skip.value_or(most_other_tokens);
  for (std::size_t skip = first; skip <= last && skip < keys; ++skip) {
    if (const std::optional<std::size_t> side = side_of_square(keys - skip)) return {*side, *side, skip};
  }
  refuse_attend("no_square", {{"keys", keys}});
}

std::size_t reader_over(const PatchGrid& grid, const PictureSettings& settings, std::size_t queries) {
  const std::size_t middle = grid.rows / 2 * grid.columns + grid.columns / 2;
  const std::size_t usual = grid.skip > 0 ? 0 : std::min(middle, queries - 1);
  const std::size_t reader = settings.reader.value_or(usual);
  if (reader < queries) return reader;
  refuse_attend("no_reader", {{"reader", reader}, {"last", queries - 1}});
}

void add_picture(AttendRun& run, Report& report) {
  const PatchGrid grid = patch_grid(*run.settings.picture, run.keys);
  const std::size_t reader = reader_over(grid, *run.settings.picture, run.queries);
  const std::vector<Reading> readings = readings_of(run, kept_weights(run), reader);
  report.figures.insert(report.figures.begin(), picture_figure(run, readings, grid, reader));
  const std::vector<Block> recorded{
      Paragraph{Role::heading, attend_sentence("over_picture")},
      Paragraph{Role::text, attend_sentence("over_picture_text", {{"rows", grid.rows},
                                                                  {"columns", grid.columns},
                                                                  {"skip", grid.skip},
                                                                  {"reader", reader}})},
      picture_table(readings, grid)};
  report.body.insert(report.body.end() - 1, recorded.begin(), recorded.end());
  if (run.picture->is_turned) report.warnings.push_back(attend_sentence("turned"));
  if (has_square_patches(*run.picture, grid)) return;
  report.warnings.push_back(attend_sentence("squeezed", {{"width", run.picture->columns},
                                                         {"height", run.picture->rows},
                                                         {"rows", grid.rows},
                                                         {"columns", grid.columns}}));
}

}  // namespace attnlab
