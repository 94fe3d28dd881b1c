#include "results/check/difference_text.hpp"

#include <fmt/format.h>

namespace attnlab {

std::string difference_text(double difference) {
  return difference < most_rounding ? fmt::format("< {:g}", most_rounding)
                                    : fmt::format("{:.2g}", difference);
}

}  // namespace attnlab
