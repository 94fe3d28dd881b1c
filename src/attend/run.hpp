// One run of `attend` as plain values: what the trace, the words and the figures are made of.
#pragma once

#include "attend/attend.hpp"
#include "attend/sentence.hpp"
#include "attention/scaled_dot_product.hpp"

namespace attnlab {

// --- From what was given to one query, key and value matrix per head (heads.cpp)

/// With `has_heads` the axis before the length is that of the heads, and keys and values may have fewer of
/// them.
struct HeadCounts {
  bool has_heads = false;
  std::size_t heads = 1;
  std::size_t kv_heads = 1;
};

/// Query (..., queries, d_k), key (..., keys, d_k) and value (..., keys, d_v).
template <class T>
struct HeadTensors : HeadCounts {
  Tensor<T> query;
  Tensor<T> key;
  Tensor<T> value;
  bool in_width = false;  // they shared the width, and so will their outputs
};

/// Makes the weights' gains those that multiply (--norm-gain). Throws Error (usage) for gains of other
/// lengths than one head or all of them, and for an --norm-eps or --norm-gain that nothing takes.
template <class T>
void take_norms(AttendInputs<T>& inputs, const AttendSettings& settings);

/// The projections cut into heads.
template <class T>
HeadTensors<T> cut_into_heads(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                              const LayerWeights<T>& weights);

/// Tensors that are given per head, or are to be cut along their width. Throws Error (usage) when they do not
/// fit, with the layout under which they would. Takes the tensors out of `inputs`: long ones are kept once.
template <class T>
HeadTensors<T> input_heads(AttendInputs<T>& inputs, const AttendSettings& settings);

/// The masks of files with the axes of the scores, added to the inputs' mask (mask_axes.cpp). Where a shape
/// fits several axes NumPy's way is taken, with a warning; where it fits none it is left for attention to
/// refuse.
template <class T>
void place_masks(AttendInputs<T>& inputs, const AttendSettings& settings, const ScoreShape& scores);

/// The rows all of whose keys are covered by large negative numbers, which hide nothing: what hides is -inf.
/// One flag per query of every matrix of `batch`; none where there is no such row.
template <class T>
RowFlags rows_under_numbers(const Tensor<T>& mask, const ReadableKeys& rule, const Shape& batch,
                            std::size_t queries, std::size_t keys);

/// By how much queries and keys turn: (queries, pairs) and (keys, pairs).
struct RotaryAngles {
  RotaryTurns turns;
  std::int64_t first = 0;  // position of the first query
  Tensor<double> query;
  Tensor<double> key;
};

/// Positions of keys count from 0, those of queries as a causal mask is aligned. Throws Error (usage) for a
/// width that is odd or more than the heads'.
RotaryAngles rotary_angles(const Rotary& rotary, CausalAlignment alignment, const Shape& query,
                           const Shape& key);

// --- The run

struct AttendRun : InputFacts, HeadCounts {
  AttendSettings settings;
  DType dtype = DType::float64;
  Shape batch;  // of the scores, the axis of heads included
  std::size_t queries = 0;
  std::size_t keys = 0;
  std::size_t key_width = 0;
  double scale = 1.0;  // what multiplied the scores, temperature included
  bool norms = false;  // of queries or keys, by the weights
  bool weights_kept = false;
  bool hides_odd = false;  // NaN or infinity, which NumPy's sums and products would let through
  std::vector<Stage> stages;
  std::vector<WeightSummary> summaries;  // one per matrix, batch in row-major order
  RowFlags nothing_read;                 // one per query of every matrix
  RowFlags finitely_hidden;              // likewise: see rows_under_numbers()
  std::vector<bool> hidden;              // one per weight, where weights are kept: a mask hides it
  MapSize map;
  std::vector<Invariant> invariants;
};

/// Cells that a page shows apart from one another: fewer where many maps share it.
MapSize map_size(const AttendRun& run);

/// Throws Error (usage) for another number of labels, unless there are none.
void require_labels(const std::vector<std::string>& labels, std::size_t count, const std::string& flag);

/// Those of the queries and keys; keys take the queries' labels where they have none and as many.
void check_labels(AttendRun& run);

/// Head `h` of the entry that is shown, or entry by entry where there are no heads.
struct ShownMatrix {
  std::size_t index = 0;  // among the summaries
  Text name;              // "Head 3"
};
constexpr std::size_t most_shown = 48;  // that a page has room for

/// The matrices of tables and figures. Throws Error (usage) for a head or an entry that is not there.
std::vector<ShownMatrix> shown_matrices(const AttendRun& run);
/// Without --head: every head of the entry.
std::vector<ShownMatrix> all_matrices(const AttendRun& run);
/// The first most_shown of them.
std::vector<ShownMatrix> as_many_as_fit(std::vector<ShownMatrix> matrices);

/// "Entry 2 of the batch: ", where the heads of one entry stand for a batch of several; else empty.
Text of_entry(const AttendRun& run);

/// "query 3 of head 0", or the label; the first few of the rows that are flagged.
Text flagged_rows(const AttendRun& run, const RowFlags& flags);
std::size_t count_without_keys(const AttendRun& run);

/// One of the six numbers per head.
struct Statistic {
  std::string stage;  // "entropy"
  std::string code;   // of each query in NumPy; {} stands where the place of the first one goes
  Text column;        // of the table
  Text name;
  std::string letter;  // H
  double WeightStatistics::*of;
};
const std::vector<Statistic>& statistics();

// --- Parts of the report ---------------------------------------------------------------------------------

/// The trace (stages.cpp): every tensor on the way from the tokens to the output, and how it came about;
/// without weights the output alone.
template <class T>
struct Trace {
  AttendRun& run;

  /// Projects the tokens: they, the weights, the biases and the projections become stages.
  HeadTensors<T> projected_heads(const AttendInputs<T>& inputs) const;

  /// The heads' vectors: cut from projections, or as they were given.
  void add_heads(const HeadTensors<T>& heads, const AttendInputs<T>& inputs) const;

  /// Turns queries and keys by their positions.
  void rotate(HeadTensors<T>& heads) const;

  /// From the scores to the weights. With shared key heads the products are not NumPy's broadcasting, so
  /// nothing is said of how they came about.
  void add_attention(const AttentionStages<T>& stages, const std::optional<Tensor<T>>& mask) const;

  /// The heads' results as they were given: per head, or joined and, with W_O, mixed.
  void add_output(const AttendInputs<T>& inputs, const Tensor<T>& head_output, bool joins) const;

  /// What must hold where the weights were kept: rows that read a key sum to 1, and streaming gives the same
  /// output. `run` knows its rows and its precision.
  void add_invariants(const AttentionStages<T>& stages, const Tensor<T>& streamed) const;
};

// Statistics, words and figures

/// "batch", or "batch_0", "batch_1", ... before the axes of the last dimensions.
std::vector<std::string> axes_of(std::size_t rank, const std::vector<std::string>& last);

std::vector<Stage> statistic_stages(const AttendRun& run);
Table files_table(const AttendRun& run);
Formula attend_scores_formula(const AttendRun& run);
std::vector<Block> attend_body(const AttendRun& run);
std::vector<Text> attend_warnings(const AttendRun& run);

/// "12", and "1.2" of less than a tenth.
std::string percent(double share);

/// The maps of the shown matrices, under that title.
Figure weight_maps(const AttendRun& run, const Text& title);
Figure attend_weights_figure(const AttendRun& run);
/// As lines between the tokens; nothing where a cell of the maps holds several weights.
std::optional<Figure> attend_arcs_figure(const AttendRun& run);
Figure attend_statistics_figure(const AttendRun& run);

}  // namespace attnlab
