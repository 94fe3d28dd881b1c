#include "random/python_random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/constants.hpp"

namespace attnlab {

double PythonRandom::uniform() {
  const std::uint32_t high = engine_();
  return unit_interval(high, engine_());
}

double PythonRandom::gauss(double deviation) {
  if (kept_) {
    const double normal = *kept_;
    kept_.reset();
    return normal * deviation;
  }
  const double angle = uniform() * (2.0 * pi);
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  kept_ = std::sin(angle) * radius;
  return std::cos(angle) * radius * deviation;
}

std::uint32_t PythonRandom::below(std::uint32_t count) {
  unsigned bits = 0;
  while (bits < 32U && (count >> bits) != 0U) ++bits;
  std::uint32_t drawn = engine_() >> (32U - bits);
  while (drawn >= count) drawn = engine_() >> (32U - bits);
  return drawn;
}

std::size_t PythonRandom::choice(const std::vector<double>& weights) {
  std::vector<double> sums(weights.size());
  std::partial_sum(weights.begin(), weights.end(), sums.begin());
  const double drawn = uniform() * sums.back();
  return static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end() - 1, drawn) - sums.begin());
}

}  // namespace attnlab
