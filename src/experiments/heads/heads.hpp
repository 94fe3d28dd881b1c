// The heads experiment in parts: what it computes, how it is told, and the figures that show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attention/multi_head.hpp"
#include "attention/weight_layout.hpp"
#include "core/tensor.hpp"
#include "experiments/framework/parameter.hpp"
#include "plotting/figure/figure.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// Whose code is followed: the article's class, its comparison with PyTorch, the textbook, the course, the
/// notebook.
enum class HeadsVariant { article, parity, book, course, notebook };

/// h heads of width d = d_model / h. Batch dimensions: none (article, parity) or one (the others).
/// Everything is kept as double, which holds a float exactly; `dtype` tells in what it was computed.
struct HeadsRun {
  HeadsVariant variant = HeadsVariant::article;
  DType dtype = DType::float64;
  Tensor<double> query_input;        // (..., queries, d_model)
  Tensor<double> key_input;          // (..., keys, d_model); the queries' own array but in the book
  Tensor<double> value_input;        // (..., keys, d_model)
  MultiHeadWeights<double> weights;  // per head
  AttentionOptions<double> options;  // scale, and the course's mask (1, h, queries, keys)
  MultiHeadStages<double> stages;    // weights (..., h, queries, keys), output (..., queries, d_model)
  Projections<double> linear;        // all heads by one matrix, without bias: (..., length, h d)
  Projections<double> projected;     // the same with bias
  Tensor<double> linear_output;      // the output without bias
  Tensor<double> float64_output;     // parity: the same layer in float64, as the article's NumPy computes it
  std::size_t queries = 0;
  std::size_t keys = 0;
  std::size_t heads = 0;
  std::size_t d_model = 0;
  double scale = 1.0;  // what multiplied the scores
  std::string scale_text;
  Interval data;  // smallest and largest weight that is drawn
  std::vector<std::string> labels;
  bool labels_are_words = false;
  std::uint32_t seed = 0;
  std::string rng;  // "numpy" or "torch"
};

// --- The computation (heads_variants.cpp, heads_drawing.cpp, heads_measurements.cpp) ---------------------

std::vector<Parameter> heads_parameters();

/// Draws and computes. Throws Error (usage) for flags that make no sense together.
HeadsRun run_heads_variant(const Arguments& arguments);

/// Fills the inputs, the weights and the mask of a run whose variant, sizes and seed are set. `batch` is the
/// size of the batch axis, 0 for none. Throws Error (usage) when the heads do not divide the width.
void draw_heads(HeadsRun& run, std::size_t batch);

/// Whether the run has a batch axis and one matrix for all heads, as nn.Linear keeps it.
bool is_batched(const HeadsRun& run);

/// The weights of one head of the first batch entry, (queries, keys).
Matrix weights_of_head(const HeadsRun& run, std::size_t head);

/// The key that a query of a head weighs most (first batch entry).
std::size_t favourite_key(const HeadsRun& run, std::size_t head, std::size_t query);

/// For how many queries the heads do not all have the same favourite key (first batch entry).
std::size_t disagreements(const HeadsRun& run);

/// How many numbers of W_Q, from its first on, are 0.1 times the numbers of X.
std::size_t shared_start(const HeadsRun& run);

/// What each head adds to the output of the first query: head_h W_O[h], (heads, d_model).
Tensor<double> contributions(const HeadsRun& run);

/// Largest |output - nn.MultiheadAttention's|, for the parity run's output or float64_output.
double difference_from_pytorch(const Tensor<double>& output);

std::vector<Scalar> heads_scalars(const HeadsRun& run);
std::vector<Invariant> heads_invariants(const HeadsRun& run);

// --- Trace and words (heads_trace.cpp, heads_body.cpp, heads_tables.cpp) ---------------------------------

std::vector<Stage> heads_trace(const HeadsRun& run);
Formula head_formula(const HeadsRun& run);
Formula concat_formula(const HeadsRun& run);
std::vector<Block> heads_body(const HeadsRun& run, const std::vector<Stage>& stages);

constexpr std::size_t most_heads_in_table = 8;

/// The shape trace without its bookkeeping: biases and the steps that only add them.
Table heads_shape_trace(const std::vector<Stage>& stages);
/// Range, entropy and favourite of every head.
Table heads_table(const HeadsRun& run);
Table parity_table(const HeadsRun& run);
/// The way through the layer here and at a width of 768; attention here and for 1024 x 512; any batch.
std::vector<Table> course_tables(const HeadsRun& run);

/// One step of the way through the layer: its shape in letters and in numbers.
struct ShapeStep {
  Text step;
  std::string letters;
  std::vector<std::size_t> shape;
};
/// Course, task 2: the eight shapes from N x L x E back to N x L x E. A batch of 0 means no batch axis.
std::vector<ShapeStep> shape_pipeline(std::size_t batch, std::size_t length, std::size_t width,
                                      std::size_t heads);
/// Course, task 1: the shapes inside the attention layer for one batch entry, (L, D).
std::vector<ShapeStep> attention_shapes(std::size_t length, std::size_t width);

// --- Figures (heads_figures.cpp, heads_diagrams.cpp, heads_matrices.cpp)

/// Article's figure: one panel of weights per head, one colour scale.
Figure heads_weights_figure(const HeadsRun& run);
/// The joined heads beside the output, W_O between them.
Figure heads_output_figure(const HeadsRun& run);
/// PyTorch's output beside ours, and the difference.
Figure heads_parity_figure(const HeadsRun& run);
/// Textbook fig. 2.2.15: one head, and the heads joined, as boxes.
Figure heads_blocks_figure(const HeadsRun& run);
/// The shape pipeline of the course: out and back.
Figure heads_shapes_figure(const HeadsRun& run);
/// Textbook's concat((1, 2, 3), (4, 5, 6)).
Figure heads_concat_figure();
/// What W_O is for: it adjusts the width, and it mixes the heads.
Figure heads_roles_figure(const HeadsRun& run);

}  // namespace attnlab
