// Mistakes at layer normalisation: a wrong divisor or a wrong axis.
#include <cmath>
#include <numeric>

#include "results/check/fault_site.hpp"

namespace attnlab::faults {
namespace {

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

Moments moments_of(const double* row, std::size_t length) {
  Moments moments;
  moments.mean = std::accumulate(row, row + length, 0.0) / static_cast<double>(length);
  for (std::size_t i = 0; i < length; ++i) moments.variance += std::pow(row[i] - moments.mean, 2.0);
  moments.variance /= static_cast<double>(length);
  return moments;
}

/// Layer normalisation with another divisor.
Array normalised(const Array& operand, const std::function<double(double variance, double count)>& divisor) {
  return by_rows(operand, [&](double* row, std::size_t length) {
    const Moments moments = moments_of(row, length);
    const double by = divisor(moments.variance, static_cast<double>(length));
    for (std::size_t i = 0; i < length; ++i) row[i] = (row[i] - moments.mean) / by;
  });
}

}  // namespace

void add_layer_norm_faults(Site& site) {
  const Array& operand = *site.operands[0];
  const double eps = site.stage.derivation.number;
  const auto add = [&](const std::string& name, const Text& what,
                       std::function<double(double variance, double count)> divisor) {
    site.add(name, what, [&operand, divisor = std::move(divisor)] { return normalised(operand, divisor); });
  };
  add("variance-of-sample",
      {"分散を n − 1 で割っています（n で割ります）", "the variance divides by n - 1 instead of n"},
      [eps](double variance, double count) { return std::sqrt(variance * count / (count - 1.0) + eps); });
  add("eps-outside-root", {"ε を根号の外で足しています", "eps is added outside the root"},
      [eps](double variance, double) { return std::sqrt(variance) + eps; });
  add("root-of-deviation",
      {"標準偏差の平方根で割っています（分散の平方根で割ります）",
       "it divides by the root of the standard deviation instead of the root of the variance"},
      [eps](double variance, double) { return std::sqrt(std::sqrt(variance) + eps); });
  add("no-root", {"分散の平方根でなく分散で割っています", "it divides by the variance instead of its root"},
      [eps](double variance, double) { return variance + eps; });
  add("not-divided",
      {"平均を引いただけで、標準偏差で割っていません",
       "the mean is subtracted, but nothing is divided by the standard deviation"},
      [](double, double) { return 1.0; });
  add("eps-missing", {"ε を足していません", "eps is not added"},
      [](double variance, double) { return std::sqrt(variance); });
  site.add("norm-wrong-axis",
           text("{} の軸に沿って正規化しています（{} の軸に沿って行います）",
                "it normalises along {} instead of {}", axis_name(operand, 2), axis_name(operand, 1)),
           [&operand, eps] {
             return along_axis(operand, 2, [eps](const Array& columns) {
               return computed(derived::layer_norm("columns", eps), {&columns});
             });
           });
}

}  // namespace attnlab::faults
