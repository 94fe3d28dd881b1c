// The card of a model: what its configuration says, without its weights.
#pragma once

#include "experiments/cache/cache_shape.hpp"
#include "experiments/framework/tape.hpp"
#include "model/card/parameter_count.hpp"

namespace attnlab {

/// What is known of it. A family of which only the heads are known has no architecture and no parameters.
struct ModelCard {
  Tape tape;
  std::string type;  // "llama"
  Config config;     // under Hugging Face's keys
  std::optional<KnownFamily> family = {};
  std::optional<ParameterCount> parameters = {};
  std::optional<CacheShape> cache = {};
  std::vector<Text> unread = {};  // why not

  std::size_t layers() const;
  std::size_t heads() const;
  std::size_t kv_heads() const;
};

/// Of a folder, a config.json, or any file that open_checkpoint() knows.
ModelCard card_of(const Checkpoint& checkpoint);

/// 124439808 as "124,439,808".
std::string with_commas(std::size_t number);

/// Blocks from the embedding to the words, and which queries share a key.
Figure architecture_figure(const ModelCard& card);

/// `model ... --figure architecture` or `--figure cache`.
const Experiment& card_experiment();

}  // namespace attnlab
