// Layer and RMS normalisation: a wrong divisor, a wrong axis, or the other of the two.
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;
using Divisor = double (*)(double variance, double count, double eps);

double mean_of(const double* row, std::size_t length) {
  return std::accumulate(row, row + length, 0.0) / static_cast<double>(length);
}

/// Layer normalisation with another divisor.
UsualMistake other_divisor(const char* id, Divisor divisor) {
  return {id, {Operation::layer_norm}, [divisor](const Site& site, const Operands& of) {
            return by_rows(*of[0], [&](double* row, std::size_t length) {
              const auto count = static_cast<double>(length);
              const double mean = mean_of(row, length);
              double squares = 0.0;
              for (std::size_t i = 0; i < length; ++i) squares += std::pow(row[i] - mean, 2.0);
              const double by = divisor(squares / count, count, site.stage().derivation.number);
              for (std::size_t i = 0; i < length; ++i) row[i] = (row[i] - mean) / by;
            });
          }};
}

Array normed_without_mean(const Site& site, const Operands& of) {
  if (of[0]->shape.empty()) throw ShapeMismatch("no rows");
  const Array ones{{of[0]->shape.back()}, {}, std::vector<double>(of[0]->shape.back(), 1.0)};
  return computed(derived::rms_norm("x", "ones", site.stage().derivation.number), {of[0], &ones});
}

std::vector<Way> along_columns(const Site& site) {
  const Array& operand = site.operand(0).array;
  return {{[site](const Operands& of) {
             return along_axis(*of[0], 2, [&](const Array& columns) {
               return computed(site.stage().derivation, {&columns});
             });
           },
           axis_name(operand, 2), axis_name(operand, 1)}};
}

/// An RMS norm with another gain for γ, and so many times its eps.
UsualMistake other_rms_norm(const char* id, double (*gain)(double gamma), double times_eps) {
  return {id, {Operation::rms_norm}, [gain, times_eps](const Site& site, const Operands& of) {
            Derivation wrong = site.stage().derivation;
            wrong.number *= times_eps;
            const Array gains = by_values(*of[1], gain);
            return computed(wrong, {of[0], &gains});
          }};
}

/// As long stretches as the gain, each without its mean.
Array centred(const Site& site, const Operands& of) {
  const Array stretches = reshaped(*of[0], {of[0]->data.size() / of[1]->data.size(), of[1]->data.size()});
  const Array without_mean = by_rows(stretches, [](double* row, std::size_t length) {
    const double mean = mean_of(row, length);
    for (std::size_t i = 0; i < length; ++i) row[i] -= mean;
  });
  const Array operand = reshaped(without_mean, of[0]->shape);
  return computed(site.stage().derivation, {&operand, of[1]});
}

}  // namespace

const std::vector<UsualMistake>& norm_mistakes() {
  static const std::vector<UsualMistake> list{
      other_divisor("variance-of-sample",
                    [](double variance, double count, double eps) {
                      return std::sqrt(variance * count / (count - 1.0) + eps);
                    }),
      other_divisor("eps-outside-root",
                    [](double variance, double, double eps) { return std::sqrt(variance) + eps; }),
      other_divisor("root-of-deviation",
                    [](double variance, double, double eps) { return std::sqrt(std::sqrt(variance) + eps); }),
      other_divisor("no-root", [](double variance, double, double eps) { return variance + eps; }),
      other_divisor("not-divided", [](double, double, double) { return 1.0; }),
      {"rms-norm", {Operation::layer_norm}, normed_without_mean},
      other_divisor("eps-missing", [](double variance, double, double) { return std::sqrt(variance); }),
      {"norm-wrong-axis", {Operation::layer_norm}, along_columns},
      other_rms_norm(
          "no-gain", [](double) { return 1.0; }, 1.0),
      other_rms_norm(
          "gain-plus-one", [](double gamma) { return 1.0 + gamma; }, 1.0),
      other_rms_norm(
          "eps-missing", [](double gamma) { return gamma; }, 0.0),
      {"layer-norm", {Operation::rms_norm}, centred}};
  return list;
}

}  // namespace attnlab
