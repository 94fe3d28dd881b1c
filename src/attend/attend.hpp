// Attention over tensors that someone brings along, of any size: what `attnlab attend` computes.
#pragma once

#include "attend/projections.hpp"
#include "core/image.hpp"
#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// Where a tensor came from, for the report's table: "Q", "q.npy", (4, 128, 64), "float16".
struct InputFile {
  Text role;
  std::string file;
  std::vector<std::size_t> shape;
  std::string type;
};

/// What was given beside the numbers.
struct InputFacts {
  bool mask_is_boolean = false;     // it was made of truth values
  std::vector<std::string> labels;  // of the queries, or none
  std::vector<std::string> key_labels;
  std::vector<InputFile> files;
  std::vector<Text> recognised;  // sentences: how the weights were read, and why so
  std::shared_ptr<const Image> picture;
};

/// A mask as it was read: truth values, written as 0 and 1, or numbers that are added to the scores.
template <class T>
struct InputMask {
  std::string name;  // for messages: the file
  Tensor<T> values;  // (..., queries, keys)
  bool is_boolean = false;
};

template <class T>
struct AttendInputs : InputFacts {
  Tensor<T> query;                 // (..., queries, width), of two axes or more, like key and value; X when
                                   // tokens read one another
  std::optional<Tensor<T>> key;    // (..., keys, width); nothing: X
  std::optional<Tensor<T>> value;  // (..., keys, width); nothing: X
  std::optional<LayerWeights<T>> weights;
  std::optional<Tensor<T>> mask;    // additive: 0 or -inf, or any bias; (..., queries, keys)
  std::vector<InputMask<T>> masks;  // whose axes are yet to be found, and which are then added to `mask`
  std::vector<Text> warnings;       // about the files

  const Tensor<T>& key_tokens() const { return key ? *key : query; }
  const Tensor<T>& value_tokens() const { return value ? *value : query; }
};

/// Adds it to the inputs' mask: each hides what it hides. Throws Error (failed) for NaN and +inf, (usage) for
/// shapes that do not broadcast with one another.
template <class T>
void add_mask(const InputMask<T>& provided, TrueMeans meaning, AttendInputs<T>& inputs);

/// The limits between the two ways to compute. Up to the first, all stages are kept and may be explained;
/// beyond it weights are streamed and never in memory together, unless --weights keep asks for them.
constexpr std::size_t most_weights_kept = std::size_t{1} << 22U;
constexpr std::size_t most_weights_wanted = std::size_t{1} << 26U;

/// The report without its name and parameters: trace, statistics per head, figures. Throws Error (usage) for
/// shapes that do not fit together, naming the switch under which they would; Error (failed) for rows without
/// a readable key under --masked-row error.
template <class T>
Report attend(AttendInputs<T> inputs, const AttendSettings& settings, const Context& context);

}  // namespace attnlab
