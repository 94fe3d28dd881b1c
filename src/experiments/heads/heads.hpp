// What a run of multi-head attention holds, and what its trace, its words and its figures ask of it.
#pragma once

#include "attention/weight_layout.hpp"
#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// Whose code is followed: the article's class, its comparison with PyTorch, the textbook, the course, the
/// notebook; or a layer of a trained model, whose queries, keys and values are what it begins with
/// (model/experiments).
enum class HeadsVariant { article, parity, book, course, notebook, model };

/// h heads of width d, d_model / h where nobody asks for another one. Batch dimensions: none (article,
/// parity, model) or one (the others). Everything is kept as double; `dtype` tells in what it was computed.
struct HeadsRun {
  Tape tape;
  HeadsVariant variant = HeadsVariant::article;
  DType dtype = DType::float64;
  std::map<std::string, Tensor<double>> drawn;  // tokens, weights and biases, before the trace shows them
  std::optional<Tensor<double>> mask;  // the course's, the user's or the model's: (..., h, queries, keys)
  Tensor<double> query;                // (..., h, queries, width)
  Tensor<double> key;                  // (..., h, keys, width)
  Tensor<double> value;                // (..., h, keys, width)
  AttentionStages<double> attention;   // weights (..., h, queries, keys)
  Tensor<double> concat;               // (..., queries, h width)
  Tensor<double> output;               // (..., queries, d_model)
  Tensor<double> mixing;               // (3)  by measure_mixing, where the heads could be mixed
  Tensor<double> float64_output;   // parity: the same layer in float64, as the article's NumPy computes it
  Tensor<double> pytorch_output;   // parity: what nn.MultiheadAttention gives, stored
  Tensor<double> pytorch_weights;  // parity: the same, (h, queries, keys)
  std::size_t queries = 0;
  std::size_t keys = 0;
  std::size_t heads = 0;
  std::size_t d_model = 0;
  std::size_t width = 0;  // of one head
  double scale = 1.0;     // what multiplied the scores
  std::string scale_text;
  Interval data;               // smallest and largest weight that is drawn
  bool has_user_mask = false;  // the user's
  std::vector<std::string> labels;
  bool labels_are_words = false;
  std::uint32_t seed = 0;
  std::string rng;            // "numpy" or "torch"
  bool is_documents = false;  // nothing was chosen: the article's

  /// Draws and computes. Throws Error (usage) for flags that make no sense together.
  static HeadsRun compute(const Arguments& arguments, const Context& context);
};

// --- heads.cpp

/// What the tokens become: its name, its letter in formulas, and what its rows are.
struct HeadsSide {
  const char* name;
  char letter;
  const char* rows;
};
constexpr std::array<HeadsSide, 3> heads_sides{
    {{"query", 'Q', "queries"}, {"key", 'K', "keys"}, {"value", 'V', "keys"}}};

/// The stage that is projected: "x", or the book's array for each side.
std::string tokens_of(const HeadsRun& run, const HeadsSide& side);

/// Goes on from the queries, keys and values on the tape to the output.
void attend(HeadsRun& run);

/// softmax(...) V of head i, and the heads joined.
Formula head_formula(const HeadsRun& run);
Formula concat_formula(const HeadsRun& run);

/// Whether the run has a batch axis and one matrix for all heads, as nn.Linear keeps it.
bool is_batched(const HeadsRun& run);
/// How many sequences; 0 without a batch axis.
std::size_t batch_size(const HeadsRun& run);

/// h d: of all heads side by side.
std::size_t joined_width(const HeadsRun& run);

// Of the first batch entry:

/// The weights of one head, (queries, keys).
Matrix weights_of_head(const HeadsRun& run, std::size_t head);
/// The key that a query of a head weighs most.
std::size_t favourite_key(const HeadsRun& run, std::size_t head, std::size_t query);
/// For how many queries the heads do not all have the same favourite key.
std::size_t disagreements(const HeadsRun& run);
/// What each head adds to the output of the first query: head_h W_O[h], (heads, d_model), and the bias of
/// all.
Tensor<double> contributions(const HeadsRun& run);
std::optional<Tensor<double>> output_bias(const HeadsRun& run);
/// The query that stands for all of them: the first; of a model, where the first reads itself alone, the
/// last.
std::size_t shown_query(const HeadsRun& run);
/// "Query 0", "Key 0" where the book has both, "Token 0", or the user's word.
Text query_name(const HeadsRun& run);
Text key_name(const HeadsRun& run, std::size_t key);

/// How many numbers of W_Q, from its first on, are 0.1 times the numbers of X.
std::size_t shared_start(const HeadsRun& run);

// --- variants.cpp

Parameter variant_parameter();

/// A run with the variant's sizes, as far as no flag gives others, and with its inputs, weights and mask,
/// drawn in the order of its document. Throws Error (usage) for flags that the variant does not take.
HeadsRun drawn_variant(const Arguments& arguments);

// --- invariants.cpp

std::vector<Scalar> scalars(const HeadsRun& run);
std::vector<Invariant> invariants(const HeadsRun& run);
// --- report.cpp

std::vector<Block> body(const HeadsRun& run, const std::vector<Stage>& stages);

/// One step of the way through the layer: its shape in letters and in numbers.
struct ShapeStep {
  Text step;
  std::string letters;
  std::vector<std::size_t> shape;
};
/// Course, task 2: the eight shapes from N x L x E back to N x L x E. A batch of 0 means no batch
/// axis: N.. stands for it in letters alone.
std::vector<ShapeStep> shape_pipeline(std::size_t batch, std::size_t length, std::size_t width,
                                      std::size_t heads, std::size_t width_of_head);
/// Course, task 1: the shapes inside the attention layer for one batch entry, (L, D).
std::vector<ShapeStep> attention_shapes(std::size_t length, std::size_t width);

// --- mixing.cpp: what the transpose keeps apart

/// Whether the heads could be mixed: several, over as many keys as queries.
bool can_be_mixed(const HeadsRun& run);
/// Puts on the tape the mean weight on rows of other heads, in the first batch entry and without a mask: (3)
/// with the transpose, with H kept behind L, reshaped without the transpose.
void measure_mixing(HeadsRun& run);
Table mixing_table(const HeadsRun& run);
/// Course, task 2: "H behind L mixes"; which rows meet in one attention.
Figure heads_mixing_figure(const HeadsRun& run);

// --- program_classes.cpp

/// Lines for PyTorch: the classes of the run's document with its weights, which must give its output; empty
/// where these classes lack what the run has (a mask, another scale or width).
std::string torch_classes(const HeadsRun& run);
/// The same for NumPy: the article's class.
std::string numpy_class(const HeadsRun& run);

// --- figures.cpp, diagrams.cpp

/// The picture that each document makes comes first.
std::vector<Figure> figures(const HeadsRun& run);
/// Textbook fig. 2.2.15: one head, and the heads joined, as boxes.
Figure heads_blocks_figure(const HeadsRun& run);
/// Course, task 2: heads with the roles that it gives them (grammar, meaning, distance).
Figure heads_views_figure(const HeadsRun& run);
/// Course, task 1: where the attention function stands in a layer.
Figure heads_place_figure();
/// Course, task 1: the inputs and the output of the attention function.
Figure heads_inputs_figure(const HeadsRun& run);
/// The shape pipeline of the course: out and back.
Figure heads_shapes_figure(const HeadsRun& run);

}  // namespace attnlab
