// How libraries, papers and the documents name and store the weights of an attention layer:
// src/attend/conventions.toml, read.
#pragma once

#include <array>

#include "attend/settings.hpp"

namespace attnlab {

/// What a tensor of a layer is for. `joint` holds W_Q, W_K and W_V in one.
enum class WeightRole {
  query,
  key,
  value,
  output,
  joint,
  query_bias,
  key_bias,
  value_bias,
  output_bias,
  joint_bias,
  query_norm,
  key_norm
};
constexpr std::size_t weight_roles = 12;

/// How a matrix is stored: tokens @ W or tokens @ W.T. An open one is as its shape says, and a square one as
/// most files of that name are.
enum class StoredLayout { in_out, out_in, open_in_out, open_out_in };

Text name_of(JointOrder order);

/// Names as they stand in the table: lower case, alternatives, `{}` for the number of a head.
using NamePatterns = std::vector<std::string>;

struct Convention {
  std::string id;
  Text source = Text::none();
  std::array<NamePatterns, weight_roles> names;  // by WeightRole; empty where it has none
  NamePatterns needs;                            // one of them must be there
  NamePatterns lacks;                            // none of them may
  StoredLayout layout = StoredLayout::in_out;
  bool heads_inside = false;  // matrices of three axes are (in, heads, width)
  JointOrder order = JointOrder::blocks;
  bool order_is_open = false;  // where heads share keys: libraries of these names differ
  bool scales = true;          // by 1 / sqrt(d_k)
  std::string rotary;          // "halves", "pairs" or ""

  const NamePatterns& of(WeightRole role) const { return names[static_cast<std::size_t>(role)]; }
};

/// A tensor that is no weight and yet changes the result.
struct ChangingTensor {
  NamePatterns names;
  Text what = Text::none();
  bool directly = false;    // only right behind the layer's prefix
  std::string unless = {};  // "rope", "mask": the flag that takes care of it
};

/// Models that turn queries and keys by rotary positions.
struct RotaryModels {
  NamePatterns types;  // model_type of config.json
  std::string pairing;
  double part = 1.0;  // of each head, where the file does not say it
};

/// In the order in which they are tried.
const std::vector<Convention>& conventions();
const std::vector<ChangingTensor>& changing_tensors();
const std::vector<RotaryModels>& rotary_models();

/// For `attend --conventions`: every convention with its names, layout and source.
std::string conventions_text(Language language);

}  // namespace attnlab
