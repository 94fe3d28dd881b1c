// Rotary positions beyond the length that was trained on: how each way changes the frequencies.
#pragma once

#include "core/text.hpp"

namespace attnlab {

/// What a configuration says of it; each way takes what it needs.
struct RotaryScaling {
  std::string method = "default";        // a row of rotary_methods()
  double factor = 1.0;                   // s: by how much the context grows
  double positions = 0.0;                // L: the length that was trained on
  double low = 1.0;                      // llama3: turns over L below which a pair is slowed fully
  double high = 4.0;                     // llama3: and above which not at all
  double beta_slow = 1.0;                // yarn: likewise
  double beta_fast = 32.0;               // yarn
  bool truncate = true;                  // yarn: the ramp begins and ends at whole pairs
  std::optional<double> attention = {};  // the attention factor, where it is given
  double mscale = 0.0;                   // yarn: DeepSeek's, 0 where not given
  double mscale_all = 0.0;
  std::vector<double> short_factors = {};  // longrope: what divides each frequency up to length L,
  std::vector<double> long_factors = {};   // and beyond
};

/// By how much each pair turns from one position to the next, and what queries and keys are multiplied with.
struct RotaryTurns {
  std::vector<double> frequencies;
  double attention = 1.0;
};

/// One way, under the name that it has in rope_scaling.
struct RotaryMethod {
  std::string name;
  Text title;
  const char* source;
  /// The frequency of a pair i that would be base^(-2i/width), for `length` tokens; base > 1.
  double (*frequency)(std::size_t pair, double base, std::size_t width, std::size_t length,
                      const RotaryScaling& scaling);
  /// The attention factor where none is given.
  double (*attention)(const RotaryScaling& scaling);
};

/// default, linear, ntk, dynamic, llama3, yarn, longrope: THE table.
const std::vector<RotaryMethod>& rotary_methods();

/// Of a row's name; nullptr for another.
const RotaryMethod* rotary_method(const std::string& name);

/// For a sequence of `length` tokens, of the first `width` coordinates of a head. The method must be a
/// row's; longrope's lists have width / 2 numbers. Throws Error (usage) for an odd width.
RotaryTurns rotary_turns(double base, std::size_t width, std::size_t length, const RotaryScaling& scaling);

}  // namespace attnlab
