// Temperature: softmax(s / T) goes from the one key with the largest score to an even share for all.
#pragma once

#include "experiments/framework/room.hpp"

namespace attnlab {

struct TemperatureRun {
  Tape tape;
  Tensor<double> scores;       // (1, keys)
  Tensor<double> temperature;  // (temperatures, 1), rising by equal factors
  Tensor<double> weights;      // (temperatures, keys)
  Tensor<double> largest;      // (temperatures)
  Tensor<double> entropy;      // (temperatures)
  static TemperatureRun compute(const Arguments& arguments, const Context& context);
};
std::vector<Invariant> invariants(const TemperatureRun& run);

}  // namespace attnlab
