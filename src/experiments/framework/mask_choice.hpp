// `--mask causal,window:2`: which masks are put together, and how far each reaches.
#pragma once

#include "attention/masks.hpp"
#include "experiments/framework/parameter.hpp"

namespace attnlab {

/// One entry per mask that --mask can name; a key is readable when all of those chosen let it be.
struct MaskChoice {
  bool causal = false;
  bool padding = false;
  bool window = false;
  std::size_t padded = 0;  // how many of the last keys are padding; a third of the keys unless given
  std::size_t reach = 1;   // keys to either side in the window
};

/// `--mask none|causal|padding:N|window:N,...`
Parameter mask_parameter(const std::string& default_text);

/// Reads "none", or names separated by commas, each at most once. "padding" and "window" may go without their
/// number. Throws Error (usage) for anything else, and when more keys are padded than there are.
MaskChoice parse_mask(const std::string& text, std::size_t keys);

/// All chosen masks together; no mask when none is chosen.
BooleanMask combined_mask(const MaskChoice& choice, std::size_t queries, std::size_t keys,
                          CausalAlignment alignment);

}  // namespace attnlab
