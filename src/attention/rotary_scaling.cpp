// Frequencies for a longer context than was trained on, as their papers and Hugging Face's
// modeling_rope_utils.py write them.
#include "attention/rotary_scaling.hpp"

#include "attention/positional.hpp"
#include "core/constants.hpp"
#include "core/named.hpp"

namespace attnlab {
namespace {

double plain_frequency(std::size_t pair, double base, std::size_t width) {
  return std::pow(base, -static_cast<double>(2 * pair) / static_cast<double>(width));
}

/// Slowed down by the factor s where `kept` is 0, and not at all where it is 1.
double partly_slowed(double frequency, double kept, double factor) {
  return frequency * (kept + (1.0 - kept) / factor);
}

/// Of the base times growth^(d / (d - 2)): the slowest pair is slowed down by just that growth.
double with_larger_base(std::size_t pair, double base, std::size_t width, double growth) {
  if (pair == 0) return 1.0;
  const auto d = static_cast<double>(width);
  return plain_frequency(pair, base * std::pow(growth, d / (d - 2.0)), width);
}

double linear(std::size_t pair, double base, std::size_t width, std::size_t /*length*/,
              const RotaryScaling& scaling) {
  return plain_frequency(pair, base, width) / scaling.factor;
}

double ntk(std::size_t pair, double base, std::size_t width, std::size_t /*length*/,
           const RotaryScaling& scaling) {
  return with_larger_base(pair, base, width, scaling.factor);
}

/// NTK by as much as the sequence is too long.
double dynamic(std::size_t pair, double base, std::size_t width, std::size_t length,
               const RotaryScaling& scaling) {
  const double longer = std::max(1.0, static_cast<double>(length) / scaling.positions);
  return with_larger_base(pair, base, width, scaling.factor * longer - (scaling.factor - 1.0));
}

/// By how often the pair turns over the length that was trained on.
double llama3(std::size_t pair, double base, std::size_t width, std::size_t /*length*/,
              const RotaryScaling& scaling) {
  const double frequency = plain_frequency(pair, base, width);
  const double turns = scaling.positions * frequency / (2.0 * pi);
  const double kept = std::clamp((turns - scaling.low) / (scaling.high - scaling.low), 0.0, 1.0);
  return partly_slowed(frequency, kept, scaling.factor);
}

/// A ramp over the pairs, between those that turn beta_fast and beta_slow times.
double yarn(std::size_t pair, double base, std::size_t width, std::size_t /*length*/,
            const RotaryScaling& scaling) {
  const auto d = static_cast<double>(width);
  const auto pair_that_turns = [&](double times) {
    return d * std::log(scaling.positions / (times * 2.0 * pi)) / (2.0 * std::log(base));
  };
  double first = pair_that_turns(scaling.beta_fast);
  double last = pair_that_turns(scaling.beta_slow);
  if (scaling.truncate) {
    first = std::floor(first);
    last = std::ceil(last);
  }
  first = std::max(first, 0.0);
  last = std::min(last, d - 1.0);
  if (first == last) last += 0.001;
  const double slowed = std::clamp((static_cast<double>(pair) - first) / (last - first), 0.0, 1.0);
  return partly_slowed(plain_frequency(pair, base, width), 1.0 - slowed, scaling.factor);
}

/// A factor of its own for each pair, found by a search.
double longrope(std::size_t pair, double base, std::size_t width, std::size_t length,
                const RotaryScaling& scaling) {
  const bool is_long = static_cast<double>(length) > scaling.positions;
  return plain_frequency(pair, base, width) / (is_long ? scaling.long_factors : scaling.short_factors)[pair];
}

double no_attention_factor(const RotaryScaling& /*scaling*/) { return 1.0; }

double yarn_attention(const RotaryScaling& scaling) {
  const auto of = [&](double mscale) {
    return scaling.factor <= 1.0 ? 1.0 : 0.1 * mscale * std::log(scaling.factor) + 1.0;
  };
  const bool is_deepseeks = scaling.mscale != 0.0 && scaling.mscale_all != 0.0;
  return is_deepseeks ? of(scaling.mscale) / of(scaling.mscale_all) : of(1.0);
}

double longrope_attention(const RotaryScaling& scaling) {
  if (scaling.factor <= 1.0) return 1.0;
  return std::sqrt(1.0 + std::log(scaling.factor) / std::log(scaling.positions));
}

}  // namespace

const std::vector<RotaryMethod>& rotary_methods() {
  static const std::vector<RotaryMethod> table{
      {"default",
       {"そのまま", "as trained"},
       "Su et al. 2021",
       [](std::size_t pair, double base, std::size_t width, std::size_t, const RotaryScaling&) {
         return plain_frequency(pair, base, width);
       },
       no_attention_factor},
      {"linear", {"位置の補間", "interpolation"}, "Chen et al. 2023", linear, no_attention_factor},
      {"ntk", Text::same("NTK"), "bloc97 2023", ntk, no_attention_factor},
      {"dynamic", {"動的 NTK", "dynamic NTK"}, "emozilla 2023", dynamic, no_attention_factor},
      {"llama3", Text::same("Llama 3"), "Grattafiori et al. 2024", llama3, no_attention_factor},
      {"yarn", Text::same("YaRN"), "Peng et al. 2023", yarn, yarn_attention},
      {"longrope", Text::same("LongRoPE"), "Ding et al. 2024", longrope, longrope_attention}};
  return table;
}

const RotaryMethod* rotary_method(const std::string& name) { return find_named(rotary_methods(), name); }

RotaryTurns rotary_turns(double base, std::size_t width, std::size_t length, const RotaryScaling& scaling) {
  const RotaryMethod* method = rotary_method(scaling.method);
  if (method == nullptr) throw std::logic_error("no way to scale rotary positions is " + scaling.method);
  require_pairs(width);
  RotaryTurns turns;
  for (std::size_t pair = 0; pair < width / 2; ++pair)
    turns.frequencies.push_back(method->frequency(pair, base, width, length, scaling));
  turns.attention = scaling.attention.value_or(method->attention(scaling));
  return turns;
}

}  // namespace attnlab
