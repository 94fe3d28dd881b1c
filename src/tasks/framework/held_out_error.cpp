// Three standard errors: of shares, and of means.
#include "tasks/framework/held_out_error.hpp"

namespace attnlab {
namespace {

constexpr double standard_errors = 3.0;  // the largest of a dozen differences seldom exceeds them by chance

/// With two right and two wrong answers added.
double share_with_four(double share, std::size_t answers) {
  return (share * static_cast<double>(answers) + 2.0) / (static_cast<double>(answers) + 4.0);
}

double variance_of_share(double share, std::size_t answers) {
  const double right = share_with_four(share, answers);
  return right * (1.0 - right) / (static_cast<double>(answers) + 4.0);
}

}  // namespace

double error_of_difference(double one, double other, std::size_t answers) {
  return standard_errors * std::sqrt(variance_of_share(one, answers) + variance_of_share(other, answers));
}

bool is_clearly_above(double more, double less, std::size_t answers, double lead) {
  const double difference = share_with_four(more, answers) - share_with_four(less, answers);
  return difference > error_of_difference(more, less, answers) && more - less >= lead;
}

MeanWithError mean_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() < 2) return {mean, std::numeric_limits<double>::infinity()};
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, standard_errors * std::sqrt(squares / (count - 1.0) / count)};
}

}  // namespace attnlab
