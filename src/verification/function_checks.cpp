// One reader per file of data/reference/attention: its inputs in, its stages compared.
#include "verification/function_checks.hpp"

#include <algorithm>
#include <exception>
#include <map>

#include "attention/additive.hpp"
#include "attention/multi_head.hpp"
#include "attention/positional.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/softmax.hpp"
#include "verification/comparer.hpp"
#include "verification/layer_file_checks.hpp"
#include "verification/random_checks.hpp"
#include "verification/stored_array.hpp"

namespace attnlab {
namespace {

void append(std::vector<VerifyCheck>& checks, const std::vector<VerifyCheck>& more) {
  checks.insert(checks.end(), more.begin(), more.end());
}

// --- softmax.json

template <class T>
std::vector<VerifyCheck> softmax_case(const StoredJson& one) {
  const auto scores = stored_tensor<T>(one.at("scores"));
  Comparer<T> comparer("softmax", one.at(dtype_name<T>), one.at("name").get<std::string>(),
                       tolerance_for<T>(largest_magnitude(numbers_of(scores))));
  comparer.compare("softmax", softmax(scores));
  comparer.compare("softmax_naive", softmax_naive(scores));
  comparer.compare("softmax_global_maximum", softmax_global_maximum(scores));
  return comparer.all_compared();
}

std::vector<VerifyCheck> softmax_file(const StoredJson& file) {
  std::vector<VerifyCheck> checks;
  for (const StoredJson& one : file) {
    append(checks, softmax_case<float>(one));
    append(checks, softmax_case<double>(one));
  }
  return checks;
}

// --- scaled_dot_product.json

template <class T>
std::vector<VerifyCheck> attention_case(const StoredJson& one) {
  AttentionOptions<T> options;
  if (!one.at("scale").is_null()) options.scale = one.at("scale").get<T>();
  if (!one.at("mask").is_null()) options.mask = stored_tensor<T>(one.at("mask"));
  const AttentionStages<T> stages =
      scaled_dot_product_attention(stored_tensor<T>(one.at("query")), stored_tensor<T>(one.at("key")),
                                   stored_tensor<T>(one.at("value")), options);
  const StoredJson& stored = one.at(dtype_name<T>);
  Comparer<T> comparer(
      "scaled_dot_product", stored, one.at("name").get<std::string>(),
      tolerance_of_chain<T>(stored, largest_magnitude(stored_array(stored.at("scores")).data)));
  comparer.compare("raw_scores", stages.raw_scores);
  comparer.compare("scores", stages.scores);
  comparer.compare("masked", stages.masked);
  comparer.compare("weights", stages.weights);
  comparer.compare("output", stages.output);
  return comparer.all_compared();
}

std::vector<VerifyCheck> attention_file(const StoredJson& file) {
  std::vector<VerifyCheck> checks;
  for (const StoredJson& one : file) {
    append(checks, attention_case<float>(one));
    append(checks, attention_case<double>(one));
  }
  return checks;
}

// --- multi_head.json

template <class T>
std::vector<VerifyCheck> general_heads(const StoredJson& general) {
  const auto read = [&](const char* name) { return stored_tensor<T>(general.at(name)); };
  AttentionOptions<T> options;
  options.mask = read("mask");
  MultiHeadWeights<T> weights;
  weights.query = read("w_q");
  weights.key = read("w_k");
  weights.value = read("w_v");
  weights.output = read("w_o");
  const MultiHeadStages<T> stages =
      multi_head_attention(weights, read("query"), read("key"), read("value"), options);
  // Sums over d_model, d_k, the keys and the joined heads.
  const std::size_t terms = weights.query.shape()[1] + weights.query.shape()[2] +
                            stages.attention.weights.shape().back() + weights.output.shape()[0];
  const double largest = largest_magnitude(numbers_of(stages.attention.scores));
  Comparer<T> comparer("multi_head", general.at(dtype_name<T>),
                       "3 heads, d_k 2, d_v 3, batch 2, one mask per head",
                       std::max(tolerance_for<T>(largest), rounding_of<T>(terms, largest)));
  comparer.compare("weights", stages.attention.weights);
  comparer.compare("output", stages.output);
  return comparer.all_compared();
}

/// The article's own runs in that file are runs of `self-attention` and `heads`, compared in full there.
std::vector<VerifyCheck> multi_head_file(const StoredJson& file) {
  std::vector<VerifyCheck> checks = general_heads<float>(file.at("general"));
  append(checks, general_heads<double>(file.at("general")));
  return checks;
}

// --- positional.json

std::vector<VerifyCheck> positional_file(const StoredJson& file) {
  std::vector<VerifyCheck> checks;
  for (const StoredJson& one : file.at("sinusoidal")) {
    const auto positions = one.at("positions").get<std::size_t>();
    const auto width = one.at("width").get<std::size_t>();
    const StoredJson stored = {{"encoding", one.at("encoding")}};
    Comparer<double> comparer("sinusoidal", stored, std::to_string(positions) + " x " + std::to_string(width),
                              tolerance_for<double>());
    comparer.compare("encoding", sinusoidal_encoding(positions, width, one.at("base").get<double>()));
    append(checks, comparer.all_compared());
  }
  StoredJson rotary = file.at("rotary");
  const auto x = stored_tensor<double>(rotary.at("x"));
  rotary.erase("x");
  Comparer<double> comparer("rotary", rotary, "2 x 3 x 6", tolerance_for<double>());
  comparer.compare("interleaved", rotary_encoding(x, 10000.0, RotaryPairing::interleaved));
  comparer.compare("halves", rotary_encoding(x, 10000.0, RotaryPairing::halves));
  append(checks, comparer.all_compared());
  return checks;
}

// --- additive.json

/// NumPy's stages in float64; float32 is compared with them, too.
template <class T>
std::vector<VerifyCheck> additive_case(const StoredJson& one) {
  const AdditiveWeights<T> weights{stored_tensor<T>(one.at("w_hidden")), stored_tensor<T>(one.at("w_score"))};
  const AdditiveStages<T> stages =
      additive_attention(weights, stored_tensor<T>(one.at("query")), stored_tensor<T>(one.at("key")),
                         stored_tensor<T>(one.at("value")));
  // The inputs have more digits than a float: tanh passes their rounding on to the scores.
  const double largest = 10.0;
  Comparer<T> comparer("additive", one.at("stages"), one.at("name").get<std::string>(),
                       tolerance_of_chain<T>(one.at("stages"), largest));
  comparer.compare("hidden", stages.hidden);
  comparer.compare("scores", stages.scores);
  comparer.compare("weights", stages.weights);
  comparer.compare("output", stages.output);
  return comparer.all_compared();
}

std::vector<VerifyCheck> additive_file(const StoredJson& file) {
  std::vector<VerifyCheck> checks;
  for (const StoredJson& one : file) {
    append(checks, additive_case<float>(one));
    append(checks, additive_case<double>(one));
  }
  return checks;
}

using Reader = std::vector<VerifyCheck> (*)(const StoredJson&);

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> table{
      {"attention/additive.json", additive_file},
      {"attention/softmax.json", softmax_file},
      {"attention/scaled_dot_product.json", attention_file},
      {"attention/multi_head.json", multi_head_file},
      {"attention/positional.json", positional_file},
      {"attention/layer_norm.json", check_layer_norm_file},
      {"attention/transformer_layer.json", check_transformer_layer_file},
      {"random/numpy_random.json", check_numpy_random},
      {"random/torch_random.json", check_torch_random},
  };
  return table;
}

}  // namespace

std::vector<VerifyCheck> check_functions(const std::string& path, std::string_view json) {
  const auto reader = readers().find(path);
  if (reader == readers().end()) {
    return {failed_check(Section::functions, path, "",
                         {"data/reference のこのファイルを読む関数がありません",
                          "nothing reads this file of data/reference"})};
  }
  try {
    return reader->second(StoredJson::parse(json));
  } catch (const std::exception& error) {
    return {failed_check(Section::functions, path, "", Text::same(error.what()))};
  }
}

}  // namespace attnlab
