// Layer and RMS normalisation: a wrong divisor, a wrong axis, or the other of the two.
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;
using Shape = std::vector<std::size_t>;
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

/// Both at once, as in the Annotated Transformer.
double deviation_of_sample(double variance, double count, double eps) {
  return std::sqrt(variance * count / (count - 1.0)) + eps;
}

/// The usual numbers that stand for eps.
std::vector<Way> with_other_eps(const Site& site) {
  std::vector<Way> ways;
  for (const double eps : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-12}) {
    if (std::abs(eps - site.stage().derivation.number) < 1e-3 * eps) continue;
    Derivation wrong = site.stage().derivation;
    wrong.number = eps;
    ways.push_back({[wrong](const Operands& of) { return computed(wrong, of); }, fmt::format("{:g}", eps)});
  }
  return ways;
}

/// The whole matrix as one row.
Array normed_as_one_row(const Site& site, const Operands& of) {
  const std::size_t rank = of[0]->shape.size();
  if (rank < 2 || of[0]->shape[rank - 2] < 2) throw ShapeMismatch("no rows");
  Shape shape(of[0]->shape.begin(), of[0]->shape.end() - 1);
  shape.back() *= of[0]->shape.back();
  const Array flat = reshaped(*of[0], shape);
  return reshaped(computed(site.stage().derivation, {&flat}), of[0]->shape);
}

/// A + LN(B) for LN(A + B).
std::vector<Way> with_norm_before_sum(const Site& site) {
  std::vector<Way> ways;
  const Stage& sum = site.operand(0);
  if (sum.derivation.operation != Operation::sum) return ways;
  const Operands parts = operands_of(sum, *site.trace);
  for (const std::size_t normed : {1U, 0U}) {
    ways.push_back({[site, parts, normed](const Operands& of) {
                      Operands operands = of;
                      operands[0] = parts[normed];
                      const Array norm = computed(site.stage().derivation, operands);
                      return computed(derived::sum("a", "b"), {parts[1 - normed], &norm});
                    },
                    sum.derivation.operands[normed]});
  }
  return ways;
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
      {"not-normed", {Operation::layer_norm, Operation::rms_norm}, [](const Array& x) { return x; }},
      other_divisor("annotated-layer-norm", deviation_of_sample),
      other_divisor(
          "annotated-layer-norm",
          [](double variance, double count, double) { return deviation_of_sample(variance, count, 1e-6); }),
      {"norm-before-sum", {Operation::layer_norm, Operation::rms_norm}, with_norm_before_sum},
      {"norm-of-whole-matrix", {Operation::layer_norm}, normed_as_one_row},
      other_divisor("eps-missing", [](double variance, double, double) { return std::sqrt(variance); }),
      {"norm-wrong-axis", {Operation::layer_norm}, along_columns},
      other_rms_norm(
          "no-gain", [](double) { return 1.0; }, 1.0),
      other_rms_norm(
          "gain-plus-one", [](double gamma) { return 1.0 + gamma; }, 1.0),
      other_rms_norm(
          "eps-missing", [](double gamma) { return gamma; }, 0.0),
      {"other-eps", {Operation::layer_norm, Operation::rms_norm}, with_other_eps},
      {"layer-norm", {Operation::rms_norm}, centred}};
  return list;
}

}  // namespace attnlab
