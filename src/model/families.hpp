// What differs between families of models: src/model/families.toml and a model's configuration, read.
#pragma once

#include "attention/positional.hpp"
#include "attention/rotary_scaling.hpp"
#include "core/sentences.hpp"
#include "model/checkpoint/checkpoint.hpp"

namespace attnlab {

enum class NormType { layer, rms };

/// Before each sub-layer, after each addition, before both sub-layers at once, which then read the same
/// tokens, or nowhere.
enum class NormPosition { pre, post, parallel, none };

/// What is added to a token for its place.
enum class PlaceTable { none, learned, sinusoidal };

enum class MlpActivation { gelu, gelu_tanh, relu, silu };

struct ModelRotary {
  RotaryPairing pairing = RotaryPairing::halves;
  double base = 10000.0;
  std::size_t width = 0;  // of each head that turns
  RotaryScaling scaling = {};
  std::vector<double> factors = {};  // of each pair's wavelength, where the file has them (GGUF)
};

/// A model before it has numbers: the record that drives the block.
struct Architecture {
  std::string family;  // "llama"
  std::string type;    // "qwen2", as config.json says
  std::size_t layers = 0;
  std::size_t width = 0;
  std::size_t heads = 0;
  std::size_t kv_heads = 0;
  std::size_t head_width = 0;
  std::size_t hidden = 0;
  std::size_t vocabulary = 0;
  std::size_t positions = 0;       // that the model was made for, and those before the first
  std::size_t first_position = 0;  // its place in the table of learned ones
  NormType norm = NormType::layer;
  NormPosition norm_position = NormPosition::pre;
  float eps = 1e-5F;
  bool gain_from_one = false;    // the gain of a norm is 1 + what is stored
  bool norms_all_heads = false;  // queries and keys are normed over all heads at once, not head by head
  MlpActivation activation = MlpActivation::gelu;
  std::size_t experts = 0;       // MLPs of a layer, among which a router chooses; 0: one, without a router
  std::size_t experts_read = 0;  // by a token
  PlaceTable places = PlaceTable::none;
  std::optional<ModelRotary> rotary;
  std::optional<ModelRotary> window_rotary = {};  // of the layers with a window, where they turn otherwise
  std::vector<bool> turns = {};                   // layer by layer, where some have no positions (NoPE)
  std::vector<double> alibi_slopes = {};          // one a head; none: no linear biases
  std::size_t window = 0;                         // keys that a query reads, its own among them; 0: all
  std::vector<bool> has_window = {};              // layer by layer, where some have it and some not
  bool is_causal = true;
  bool scales = true;             // scores by 1 / sqrt(score_width)
  std::size_t score_width = 0;    // the width of a head, or another one that the configuration says
  double score_cap = 0.0;         // c: scores become c tanh(x / c); 0: they stay
  double logit_cap = 0.0;         // likewise of the logits
  bool scales_embedding = false;  // by sqrt(width)
  bool out_in = true;             // how matrices are stored
  bool by_group = false;          // a joint matrix's columns: queries that share a key, the key and its value
  bool is_tied = false;           // the last matrix is the embedding: no other one is stored
  bool has_attention_biases = false;           // says the configuration: they must be there
  std::vector<std::string> unknown_keys = {};  // of it, "key = 3": they may change the result
  bool says_words = true;  // those that it reads; else it answers in others, which are not looked at

  /// Keys that a query of that layer reads, its own among them; 0: all.
  std::size_t window_of(std::size_t layer) const;
  /// Nothing where its queries and keys do not turn.
  const ModelRotary* rotary_of(std::size_t layer) const;
};

/// The tensors' names of a family, by what they are for: "embedding", "query".
struct TensorNames {
  std::string prefix;  // may stand before every name
  std::string layer;   // "h.{}."
  std::map<std::string, std::string> of;
  std::vector<std::string> harmless;  // ends of names

  /// "h.3.attn.c_attn.weight", without the prefix; "" for what the family has not.
  std::string name_of(const std::string& role, std::optional<std::size_t> number_of_layer) const;

  /// Whether the row has that role, and whether it lists that type under that name ("head_norms").
  bool has(const std::string& role) const { return !name_of(role, std::nullopt).empty(); }
  bool lists(const std::string& key, const std::string& type) const;
  bool has_gate() const { return has("gate") || has("gate_up"); }
};

/// "h.3.attn.c_attn.bias" of "h.3.attn.c_attn.weight".
std::string bias_name(const std::string& weight);

/// The tensors of a checkpoint under the names of a family, with its prefix or without, and under those that
/// norms have in the first checkpoints of BERT: gamma and beta.
class TensorIndex {
 public:
  TensorIndex(const Checkpoint& checkpoint, const TensorNames& names);

  /// Nothing where there is none of that name.
  const StoredTensor* find(const std::string& name) const;

  /// Whether a last matrix is stored that is another one than the embedding.
  bool has_separate_head(const TensorNames& names) const;

 private:
  std::string prefix_;
  std::map<std::string, const StoredTensor*> by_name_;
};

struct KnownFamily {
  Architecture architecture;
  TensorNames names;
};

/// Throws Error (failed) naming the configuration and the key: for another model_type, with those that are
/// known; for what this block does not do; for sizes that do not fit together.
KnownFamily family_of(const Checkpoint& checkpoint);

/// "new_key = 3": keys of the configuration of which nothing is known (src/model/keys.toml), so that they may
/// change the result. Those of `read` the family computes. Throws Error (failed) naming a key that is known
/// to change it, with its value.
std::vector<std::string> unknown_keys(const Checkpoint& checkpoint, const std::vector<std::string>& read);

/// Of a text of so many tokens.
RotaryTurns rotary_turns(const ModelRotary& rotary, std::size_t length);

}  // namespace attnlab
