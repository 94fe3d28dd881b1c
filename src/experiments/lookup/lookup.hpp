// The lookup experiment in parts: what it computes, and the figures that show it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/tensor.hpp"
#include "core/text.hpp"
#include "plotting/figure/figure.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// Slides, "query, key, value": family names are the keys, given names the values.
constexpr std::size_t entries = 4;
const Text& key_name(std::size_t entry);
const Text& value_name(std::size_t entry);

/// t temperatures, 4 keys.
struct LookupRun {
  Tensor<double> keys;             // (4, 2) at 0°, 90°, 180°, 270°
  Tensor<double> values;           // (4, 2) the same four
  Tensor<double> query;            // (2)
  Tensor<double> scores;           // (4)  q Kᵀ
  Tensor<double> temperature;      // (t) rising
  Tensor<double> tempered;         // (t, 4)  q Kᵀ / T
  Tensor<double> weights;          // (t, 4)
  Tensor<double> output;           // (t, 2)
  Tensor<double> hard_weights;     // (4) one-hot; equal shares where several keys are the nearest
  Tensor<double> hard_output;      // (2)
  std::vector<std::size_t> found;  // the nearest key; two of them half-way between
  Text query_name;
};

/// The names of the values that the hard lookup finds: "鷗外", or "鷗外と敦".
Text found_values(const LookupRun& run);

/// The weight of the first found key at temperature `index`.
double weight_of_found(const LookupRun& run, std::size_t index);

/// Where T = 1, that is plain softmax, would stand: the temperature nearest to it on a logarithmic scale.
std::size_t plain_softmax(const LookupRun& run);

std::vector<Invariant> lookup_invariants(const LookupRun& run);
std::vector<Block> lookup_body(const LookupRun& run);

/// The plane with the output moving from one value to the mean, and the weights by temperature.
Figure lookup_figure(const LookupRun& run);

/// The dictionary as boxes and arrows: hard beside soft.
Figure dictionary_figure(const LookupRun& run);

}  // namespace attnlab
