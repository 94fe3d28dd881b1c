// What a model's config.json says of rotary positions beyond the length trained on: rope_scaling, or
// rope_parameters since Transformers 5.
#pragma once

#include <nlohmann/json.hpp>

#include "attention/rotary_scaling.hpp"

namespace attnlab {

struct RotaryConfig {
  RotaryScaling scaling;
  std::string type = {};     // as it stands there, "yarn"
  std::string key = {};      // where: "rope_scaling"; "" where nothing rescales
  std::string missing = {};  // what it needs and has not, as a number above 0 or a list of them: "factor"
  bool is_known = true;
};

/// Nothing is thrown for a type that is not known, or one that lacks a number: is_known, missing.
RotaryConfig rotary_config(const nlohmann::json& config);

}  // namespace attnlab
