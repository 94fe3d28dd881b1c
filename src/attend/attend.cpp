// Chooses between the textbook's way, which keeps every stage, and streaming, which keeps none.
#include "attend/attend.hpp"

#include "attend/picture.hpp"
#include "attend/run.hpp"
#include "attention/hidden_values.hpp"
#include "attention/softmax.hpp"
#include "attention/weight_layout.hpp"
#include "core/counted.hpp"

namespace attnlab {
namespace {

// --- Whether weights are kept

/// How many weights there will be. Shapes that do not fit are refused by attention itself.
double weight_count(const Shape& query, const Shape& key, const Shape& mask) {
  Shape batch = joined_heads(batch_of(query), batch_of(key)).value_or(Shape{});
  if (mask.size() > 2) batch = broadcast(batch, batch_of(mask)).value_or(batch);
  double count = static_cast<double>(query[query.size() - 2]) * static_cast<double>(key[key.size() - 2]);
  for (const std::size_t size : batch) count *= static_cast<double>(size);
  return count;
}

/// (..., L, D) with an axis of heads before the length.
Shape with_heads(Shape tokens, std::size_t heads) {
  tokens.insert(tokens.end() - 2, heads);
  return tokens;
}

bool keeps_weights(double count, const AttendSettings& settings) {
  if (settings.keeping == Keeping::stream) return false;
  const bool wanted = settings.keeping == Keeping::keep || settings.picture;
  if (wanted && count > static_cast<double>(most_weights_wanted))
    refuse_attend("too_many_weights", {{"count", count}, {"most", most_weights_wanted}});
  return wanted || count <= static_cast<double>(most_weights_kept);
}

/// Finds the masks' axes among those of the scores, and whether the weights are kept.
template <class T>
void prepare_scores(const Shape& query, const Shape& key, bool has_heads, AttendInputs<T>& inputs,
                    AttendRun& run) {
  place_masks(inputs, run.settings, score_shape(query, key, has_heads));
  const Shape mask = inputs.mask ? shape_of(*inputs.mask) : Shape{};
  run.weights_kept = keeps_weights(weight_count(query, key, mask), run.settings);
}

// --- What is attended to

template <class T>
HeadTensors<T> projected_heads(AttendInputs<T>& inputs, AttendRun& run) {
  const LayerWeights<T>& weights = *inputs.weights;
  prepare_scores(with_heads(shape_of(inputs.query), weights.heads),
                 with_heads(shape_of(inputs.key_tokens()), weights.kv_heads), true, inputs, run);
  return Trace<T>{run}.projected_heads(inputs);
}

// --- Masks

template <class T>
ScoreOptions<T> score_options(const AttendInputs<T>& inputs, const AttendRun& run) {
  ScoreOptions<T> options;
  options.scale = static_cast<T>(run.scale);
  options.readable = run.settings.readable;
  options.mask = inputs.mask;
  if (run.settings.alibi) options.slopes = alibi_slopes<T>(run.heads);
  return options;
}

void require_padding(const AttendRun& run) {
  if (run.settings.readable.padded <= run.keys) return;
  refuse_attend("padding", {{"padded", run.settings.readable.padded}, {"keys", run.keys}});
}

/// Everything that is added to the scores, as one tensor; nothing when nothing is.
template <class T>
std::optional<Tensor<T>> dense_mask(const ScoreOptions<T>& options, std::size_t queries, std::size_t keys) {
  const ReadableKeys& rule = options.readable;
  std::optional<Tensor<T>> mask = options.mask;
  const auto join = [&](const Tensor<T>& other) { mask = mask ? Tensor<T>(*mask + other) : other; };
  if (rule.causal || rule.reach || rule.padded > 0) {
    join(additive_mask<T>(readable_mask(rule, queries, keys), -std::numeric_limits<T>::infinity()));
  }
  if (!options.slopes.empty()) {
    Tensor<T> bias = alibi_bias(options.slopes, queries, keys, rule.alignment);
    if (options.slopes.size() == 1) bias.reshape(Shape{queries, keys});
    join(bias);
  }
  return mask;
}

// --- The map

KeyRange drawn_range(const std::optional<KeyRange>& wanted, std::size_t length, const std::string& flag) {
  if (!wanted) return {0, length};
  const KeyRange range{wanted->begin, std::min(wanted->end, length)};
  if (range.begin < range.end) return range;
  refuse_attend("range", {{"flag", flag},
                          {"begin", wanted->begin},
                          {"last", length - 1},
                          {"end", std::min<std::size_t>(length, 64)}});
}

// --- Rows without a key

/// What the scores' shape and the masks say: a summary per matrix, and the rows without a key, which
/// --masked-row error refuses.
void take_rows(AttendRun& run, Shape batch, RowFlags nothing_read) {
  run.batch = std::move(batch);
  run.nothing_read = std::move(nothing_read);
  run.summaries.resize(run.nothing_read.size() / run.queries);
  if (run.summaries.empty()) refuse_attend("no_matrix", {{"shape", printed(run.batch)}});
  if (run.settings.masked_row || count_without_keys(run) == 0) return;
  const Text rows = flagged_rows(run, run.nothing_read);
  refuse_failed(
      text("参照できるキーのない行があります：{}", "there are rows without any visible key: {}", rows),
      {"マスクを確かめるか、--masked-row に nan, zero, uniform を指定してください",
       "check the mask, or choose --masked-row nan, zero or uniform"});
}

MaskedRow masked_row(const AttendRun& run) { return run.settings.masked_row.value_or(MaskedRow::nan); }

// --- The two ways

/// What is hidden reaches neither weights nor output, as it does not while streaming: where NaN or infinity
/// is among what the textbook adds and multiplies, its stages are made anew.
template <class T>
void keep_hidden_out(const std::optional<Tensor<T>>& mask, const Tensor<T>& value, AttendRun& run,
                     AttentionStages<T>& stages) {
  if (all_finite(stages.scores) && all_finite(value)) return;
  if (mask) stages.masked = hide_scores(std::move(stages.masked), *mask);
  const T hidden = -std::numeric_limits<T>::infinity();
  run.hides_odd = std::find(stages.masked.begin(), stages.masked.end(), hidden) != stages.masked.end();
  if (!run.hides_odd) return;
  stages.weights = softmax(stages.masked);
  stages.output = visible_product(stages.weights, stages.masked, value);
}

/// Textbook: every stage in memory, and streaming beside it as a proof.
template <class T>
Tensor<T> attend_keeping(const HeadTensors<T>& heads, const ScoreOptions<T>& options, AttendRun& run) {
  const std::optional<Tensor<T>> mask = dense_mask(options, run.queries, run.keys);
  const std::size_t group = heads.heads / heads.kv_heads;  // 1 without heads
  const Tensor<T> value = repeat_heads(heads.value, group);
  AttentionStages<T> stages =
      scaled_dot_product_attention(heads.query, repeat_heads(heads.key, group), value, {options.scale, mask});
  keep_hidden_out(mask, value, run, stages);
  take_rows(run, batch_of(shape_of(stages.weights)), rows_that_read_nothing(stages.masked));
  if (count_without_keys(run) > 0 && masked_row(run) != MaskedRow::nan) {
    stages.weights = with_masked_rows(stages.weights, stages.masked, masked_row(run));
    stages.output = visible_product(stages.weights, stages.masked, value);
  }
  run.map = map_size(run);
  run.summaries = summarise_weights(stages.weights, run.nothing_read, run.map, masked_row(run),
                                    run.settings.readable.alignment);
  if (mask) {
    run.hidden.reserve(stages.masked.size());
    for (const T score : stages.masked) run.hidden.push_back(score == -std::numeric_limits<T>::infinity());
  }
  const StreamingAttention<T> streamed =
      streaming_attention(heads.query, heads.key, heads.value, options, masked_row(run));
  const Trace<T> trace{run};
  trace.add_invariants(stages, streamed.output);
  trace.add_attention(stages, mask);
  return stages.output;
}

/// Any length: two passes over the scores, of which no more than a tile per thread is in memory.
template <class T>
Tensor<T> attend_streaming(const HeadTensors<T>& heads, const ScoreOptions<T>& options, AttendRun& run,
                           const Context& context) {
  StreamingAttention<T> streamed =
      streaming_attention(heads.query, heads.key, heads.value, options, masked_row(run), context.for_each);
  take_rows(run, ScoreTiles<T>(heads.query, heads.key, options).batch(),
            rows_that_read_nothing(streamed.rows));
  run.map = map_size(run);
  run.summaries = summarise_weights(heads.query, heads.key, options, streamed.rows, run.map, masked_row(run),
                                    context.for_each);
  return std::move(streamed.output);
}

std::optional<Text> why_no_program(const AttendRun& run) {
  if (!run.weights_kept) {
    return Text{"注意度を残さない計算は --code のプログラムに書けません（--weights keep なら書けます）",
                "--code writes no program of a run that keeps no weights; with --weights keep it does"};
  }
  if (run.hides_odd) {
    return Text{
        "NumPy では 0 × NaN が NaN なので、マスクの陰に NaN や ∞ がある計算は --code のプログラムに書けません",
        "--code writes no program where a mask hides NaN or infinity: in NumPy 0 times NaN is NaN"};
  }
  return std::nullopt;
}

}  // namespace

MapSize map_size(const AttendRun& run) {
  const bool single = run.settings.head.has_value() || run.summaries.size() == 1 || run.batch.empty();
  const std::size_t most = single ? 512 : 192;
  MapSize size;
  size.queries = drawn_range(run.settings.rows, run.queries, "rows");
  size.keys = drawn_range(run.settings.columns, run.keys, "columns");
  // Cells of one shape: as many rows of them as the lengths have in proportion, and at least one.
  const std::size_t rows = size.queries.end - size.queries.begin;
  const std::size_t columns = size.keys.end - size.keys.begin;
  const double each = std::max(1.0, static_cast<double>(std::max(rows, columns)) / static_cast<double>(most));
  const auto cells = [each](std::size_t length) {
    return std::max<std::size_t>(1,
                                 static_cast<std::size_t>(std::lround(static_cast<double>(length) / each)));
  };
  size.cell_rows = cells(rows);
  size.cell_columns = cells(columns);
  size.pool = run.settings.pool;
  return size;
}

void require_labels(const std::vector<std::string>& labels, std::size_t count, const std::string& flag) {
  if (labels.empty() || labels.size() == count) return;
  refuse_attend("labels", {{"flag", flag}, {"labels", counted(labels.size(), "label")}, {"count", count}});
}

void check_labels(AttendRun& run) {
  require_labels(run.labels, run.queries, "labels");
  require_labels(run.key_labels, run.keys, "key-labels");
  if (run.key_labels.empty() && run.labels.size() == run.keys) run.key_labels = run.labels;
}

template <class T>
Report attend(AttendInputs<T> inputs, const AttendSettings& settings, const Context& context) {
  AttendRun run;
  run.settings = settings;
  run.dtype = std::is_same_v<T, float> ? DType::float32 : DType::float64;

  take_norms(inputs, settings);
  const bool projects = inputs.weights.has_value();
  HeadTensors<T> heads = projects ? projected_heads(inputs, run) : input_heads(inputs, settings);
  run.norms = inputs.weights && (inputs.weights->query_norm || inputs.weights->key_norm);
  if (!projects) prepare_scores(shape_of(heads.query), shape_of(heads.key), heads.has_heads, inputs, run);
  static_cast<InputFacts&>(run) = static_cast<const InputFacts&>(inputs);
  const HeadCounts& counts = heads;
  static_cast<HeadCounts&>(run) = counts;
  run.queries = heads.query.shape()[heads.query.dimension() - 2];
  run.keys = heads.key.shape()[heads.key.dimension() - 2];
  run.key_width = heads.query.shape().back();
  if (run.queries == 0) refuse_attend("no_query");
  require_padding(run);
  check_labels(run);
  const T usual = T(1) / std::sqrt(static_cast<T>(run.key_width));
  if (projects && !inputs.weights->scales && settings.scale_text == "default") {
    run.settings.scale = 1.0;
    run.settings.scale_text = "none";
  }
  run.scale = run.settings.scale.value_or(static_cast<double>(usual)) / settings.temperature;

  const Trace<T> trace{run};
  trace.add_heads(heads, inputs);
  if (settings.rotary) trace.rotate(heads);
  const ScoreOptions<T> options = score_options(inputs, run);
  const Tensor<T> output =
      run.weights_kept ? attend_keeping(heads, options, run) : attend_streaming(heads, options, run, context);
  if (options.mask) {
    run.finitely_hidden =
        rows_under_numbers(*options.mask, settings.readable, run.batch, run.queries, run.keys);
  }
  const bool joins = heads.in_width;
  heads = {};
  trace.add_output(inputs, output, joins);

  Report report;
  report.body = attend_body(run);
  report.figures = {attend_weights_figure(run), attend_statistics_figure(run)};
  if (std::optional<Figure> arcs = attend_arcs_figure(run)) report.figures.push_back(std::move(*arcs));
  report.warnings = attend_warnings(run);
  report.warnings.insert(report.warnings.begin(), inputs.warnings.begin(), inputs.warnings.end());
  if (settings.picture) add_picture(run, report);
  report.invariants = run.invariants;
  for (Stage& stage : statistic_stages(run)) run.stages.push_back(std::move(stage));
  report.stages = std::move(run.stages);
  report.program.missing = why_no_program(run);
  report.scalars = {{"scale", run.scale},
                    {"rows_without_keys", static_cast<double>(count_without_keys(run))}};
  return report;
}

template Report attend(AttendInputs<float>, const AttendSettings&, const Context&);
template Report attend(AttendInputs<double>, const AttendSettings&, const Context&);

}  // namespace attnlab
