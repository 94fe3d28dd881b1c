// What a model keeps of each token while it generates, from its config.json alone.
#pragma once

#include "core/text.hpp"

namespace attnlab {

/// What a layer caches. Keys and values of heads or a latent (MLA); none: a state of fixed size, the cache of
/// an earlier layer, or no attention at all.
struct CachedLayer {
  double numbers = 0.0;                                     // of each token
  double window = std::numeric_limits<double>::infinity();  // tokens that are kept, the last ones
};

struct CacheShape {
  std::string type = {};        // "qwen3": model_type
  std::size_t heads = 0;        // of queries
  std::size_t kv_heads = 0;     // 1 in MQA
  std::size_t key_width = 0;    // of a head; values may be narrower
  std::size_t value_width = 0;  // likewise
  std::size_t latent = 0;       // of MLA: what is kept of all heads together; 0: keys and values
  std::size_t rotary = 0;       // of MLA: beside it, the key that turns
  std::vector<CachedLayer> layers = {};
  std::size_t shared = 0;          // layers that read another layer's cache
  double of_source_token = 0.0;    // cross-attention: numbers of each token of the encoder, all layers
  std::size_t positions = 0;       // that the model was made for; 0: not said
  std::vector<Text> remarks = {};  // what the configuration leaves open, and how it was read

  bool is_latent() const { return latent > 0; }
  std::size_t windowed() const;
  std::size_t cached() const;  // layers with a cache of their own
  /// Of a token, in all layers: without windows; and what a token adds beyond all windows.
  double of_token() const;
  double of_later_token() const;
  /// After so many tokens, in all layers.
  double after(double tokens) const;
  /// Of a token, were every head to keep a key and a value of its own; and were all to share one.
  double with_all_heads() const;
  double with_one_head() const;
};

/// Reads the config.json of a Hugging Face model, or the text_config in it; `place` is what messages call it.
/// Every name that families in use give these numbers is known (cache.toml), with the defaults of their
/// classes. Throws Error (usage) naming the key: for one that is missing, no number, or contradicts another;
/// for models without a cache; for keys that change the cache in a way that is not known.
CacheShape cache_shape_of(const std::string& json, const std::string& place);

/// A model whose numbers come along.
struct CachePreset {
  std::string name;  // "llama-3-8b"
  std::string title;
  std::string source;
  bool is_drawn = false;  // beside others
  double reads = 0.0;     // parameters that a token is multiplied with; 0: unknown
  CacheShape shape;
};
const std::vector<CachePreset>& cache_presets();

}  // namespace attnlab
