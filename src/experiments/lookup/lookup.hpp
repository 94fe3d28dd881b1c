// The lookup experiment: a dictionary asked hard, for one value, and soft, for the mean of all by nearness.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// Slides, "query, key, value": family names are the keys, given names the values.
constexpr std::size_t entries = 4;
const Text& key_name(std::size_t entry);
const Text& value_name(std::size_t entry);

/// t temperatures, 4 keys.
struct LookupRun {
  Tape tape;
  Tensor<double> keys;             // (4, 2) at 0°, 90°, 180°, 270°
  Tensor<double> values;           // (4, 2) the same four
  Tensor<double> query;            // (2)
  Tensor<double> scores;           // (4)  q Kᵀ
  Tensor<double> temperature;      // (t) rising
  Tensor<double> tempered;         // (t, 4)  q Kᵀ / T
  Tensor<double> weights;          // (t, 4)
  Tensor<double> output;           // (t, 2)
  Tensor<double> hard_weights;     // (4) one-hot; equal shares where several keys are the nearest
  std::vector<std::size_t> found;  // the nearest key; two of them half-way between
  bool equals_key = false;         // the query: else no entry of a dictionary is its
  Text query_name = Text::none();
  Text found_name = Text::none();  // of the values found: "鷗外", or "鷗外」と「敦"
  std::size_t plain = 0;           // the temperature nearest to 1, that is to plain softmax, by its logarithm
  std::size_t last = 0;            // the hottest
  // The weight of the first key found: at the first temperature, the plain one and the last.
  double cold_weight = 0.0;
  double plain_weight = 0.0;
  double hot_weight = 0.0;
  // The same with the query 20° beside the key whose name was given, for the figure: on the key itself its
  // path would be a straight line under its words. Empty where an angle or an array was given.
  std::shared_ptr<const LookupRun> beside = {};

  static LookupRun compute(const Arguments& arguments, const Context& context);
};

std::vector<Invariant> invariants(const LookupRun& run);
std::vector<Block> body(const LookupRun& run, const std::vector<Stage>& stages);
/// The output moving from one value to the mean, with the weights by temperature; the dictionary, hard and
/// soft.
std::vector<Figure> figures(const LookupRun& run);

}  // namespace attnlab
