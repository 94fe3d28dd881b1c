#include "results/derivation/derivation.hpp"

#include "results/report/array.hpp"

namespace attnlab {

Factor times(double number) { return {number, false, fmt::format(" * {}", python_repr(number))}; }

Factor over(std::size_t count) { return {static_cast<double>(count), true, fmt::format(" / {}", count)}; }

Factor over_root(std::size_t count) {
  return {std::sqrt(static_cast<double>(count)), true, fmt::format(" / math.sqrt({})", count)};
}

}  // namespace attnlab
