// Softmax: along another axis, without its maximum, its exponential or its sum, of other scores.
#include "core/constants.hpp"
#include "results/check/check.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;

double largest_of(const double* values, std::size_t count) {
  return *std::max_element(values, values + count);
}

void exponentiate(double* values, std::size_t count, double shift) {
  std::transform(values, values + count, values, [shift](double x) { return std::exp(x - shift); });
}

void divide_by_sum(double* values, std::size_t count) {
  const double sum = std::accumulate(values, values + count, 0.0);
  for (std::size_t i = 0; i < count; ++i) values[i] /= sum;
}

double rounded_to_float(double value) { return static_cast<double>(static_cast<float>(value)); }

/// Of exponentials rounded to the type in which the stage was computed: that decides when they overflow.
Array shifted_softmax(const Array& scores, double shift, DType dtype) {
  return by_rows(scores, [&](double* row, std::size_t length) {
    exponentiate(row, length, shift);
    if (dtype == DType::float32) std::transform(row, row + length, row, rounded_to_float);
    divide_by_sum(row, length);
  });
}

Array shares_of(const Array& terms) { return computed(derived::row_share("terms"), {&terms}); }

Array softmax_of_whole_matrix(const Array& scores) {
  const std::size_t rank = scores.shape.size();
  if (rank < 2) throw ShapeMismatch("no matrix");
  std::vector<std::size_t> shape(scores.shape.begin(), scores.shape.end() - 2);
  shape.push_back(scores.shape[rank - 2] * scores.shape[rank - 1]);
  return reshaped(softmax_of(reshaped(scores, shape)), scores.shape);
}

template <Array (*function)(const Array&)>
std::vector<Way> along_another_axis(const Site& site) {
  std::vector<Way> ways;
  const Array& scores = site.operand(0).array;
  for (std::size_t axis = 2; axis <= scores.shape.size(); ++axis) {
    ways.push_back({[axis](const Operands& of) { return along_axis(*of[0], axis, function); },
                    axis_name(scores, axis), axis_name(scores, 1)});
  }
  return ways;
}

/// The scores that a mask was added to; nullptr where none was.
const Array* unmasked_scores(const Site& site) {
  const Stage& masked = site.operand(0);
  if (masked.derivation.operation != Operation::sum) return nullptr;
  const Operands parts = operands_of(masked, *site.trace);
  const bool is_first = is_mask(*parts[0]);
  if (is_first == is_mask(*parts[1])) return nullptr;
  return parts[is_first ? 1 : 0];
}

/// The softmax of the scores as they were before the mask, which hides only what it gave.
std::vector<Way> with_late_mask(const Site& site) {
  const Array* scores = unmasked_scores(site);
  if (scores == nullptr || scores->shape != site.operand(0).array.shape) return {};
  return {{[scores](const Operands& of) {
    Array unmasked = *of[0];
    for (std::size_t i = 0; i < unmasked.data.size(); ++i) {
      if (is_masking(unmasked.data[i])) unmasked.data[i] = scores->data[i];
    }
    Array weights = softmax_of(unmasked);
    for (std::size_t i = 0; i < weights.data.size(); ++i) {
      if (is_masking(of[0]->data[i])) weights.data[i] = 0.0;
    }
    return weights;
  }}};
}

std::vector<Way> with_needless_mask(const Site& site) {
  if (unmasked_scores(site) != nullptr) return {};
  std::vector<Way> ways;
  for (const Corner corner : {Corner::top_left, Corner::bottom_right}) {
    ways.push_back({[corner](const Operands& of) { return softmax_of(with_causal_mask(*of[0], corner)); }});
  }
  return ways;
}

/// What the scores were multiplied with on their way to the softmax, with or without a mask after it; NaN
/// where that is not known.
std::optional<double> scale_of(const std::vector<Stage>& trace, const Stage& scores) {
  const Derivation& how = scores.derivation;
  if (how.operation == Operation::scaled) {
    if (how.number != 1.0) return how.number;
    return scale_of(trace, trace[index_of(trace, how.operands[0])]).value_or(1.0);
  }
  if (how.operation == Operation::worked && how.as == Operation::worked) return not_a_number;
  std::optional<double> scale;
  if (how.operation != Operation::sum) return scale;
  for (const std::string& operand : how.operands) {
    const Stage& part = trace[index_of(trace, operand)];
    if (!scale && !is_mask(part.array)) scale = scale_of(trace, part);
  }
  return scale;
}

std::vector<Way> with_late_scale(const Site& site) {
  const double scale = scale_of(*site.trace, site.operand(0)).value_or(1.0);
  if (!std::isfinite(scale) || scale == 1.0) return {};
  return {{[scale](const Operands& of) {
    const auto times_scale = [scale](double x) { return x * scale; };
    return by_values(softmax_of(by_values(*of[0], [scale](double x) { return x / scale; })), times_scale);
  }}};
}

/// Scores over the temperature of each row.
bool are_tempered(const Stage& scores) {
  const Derivation& how = scores.derivation;
  return how.operands.size() == 2 &&
         how.code == how.operands[0] + " / " + how.operands[1] + "[:, np.newaxis]";
}

/// Row i of a vector's copies through `function(value, temperature i)`.
template <class Function>
Array by_temperature(const Array& like, const Operands& of, Function function) {
  Array rows = like;
  const std::size_t length = of[0]->data.size();
  for (std::size_t i = 0; i < rows.data.size(); ++i)
    rows.data[i] = function(of[0]->data[i % length], of[1]->data[i / length]);
  return rows;
}

std::vector<Way> with_late_temperature(const Site& site) {
  const Stage& scores = site.operand(0);
  if (!are_tempered(scores)) return {};
  return {{[site, of = operands_of(scores, *site.trace)](const Operands&) {
    const Array weights = softmax_of(*of[0]);
    return by_temperature(site.stage().array, {&weights, of[1]}, std::divides<>());
  }}};
}

/// x / x.sum(-1), which divides column j by the sum of row j; the maximum of the own row, none, or that of
/// row j is subtracted before.
std::vector<Way> without_keepdims(const Site& site) {
  enum class Maximum { own, none, of_column };
  std::vector<Way> ways;
  if (site.stage().array.shape.size() != 2) return ways;
  for (const Maximum maximum : {Maximum::own, Maximum::none, Maximum::of_column}) {
    ways.push_back({[maximum](const Operands& of) {
      const std::size_t n = of[0]->shape.back();
      if (n == 0 || of[0]->shape.front() != n) throw ShapeMismatch("no square");
      std::vector<double> largest;
      for (std::size_t i = 0; i < n; ++i) largest.push_back(largest_of(&of[0]->data[i * n], n));
      Array terms = *of[0];
      std::vector<double> sums(n, 0.0);
      for (std::size_t i = 0; i < terms.data.size(); ++i) {
        const std::size_t row = maximum == Maximum::own ? i / n : i % n;
        terms.data[i] = std::exp(terms.data[i] - (maximum == Maximum::none ? 0.0 : largest[row]));
        sums[i / n] += terms.data[i];
      }
      for (std::size_t i = 0; i < terms.data.size(); ++i) terms.data[i] /= sums[i % n];
      return terms;
    }});
  }
  return ways;
}

/// Powers of 2 or 10 for exp, or the scores' sign turned.
Way of_scores_times(double factor, const char* base = "") {
  const auto multiplied = [factor](double x) { return x == -infinity ? x : factor * x; };
  return {[multiplied](const Operands& of) { return softmax_of(by_values(*of[0], multiplied)); }, base};
}

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

/// The same for every key, or for every one that may be seen; all for the largest.
template <class Keeps>
Array even_shares(const Array& scores, Keeps keeps) {
  return by_rows(scores, [&](double* row, std::size_t length) {
    const double largest = largest_of(row, length);
    for (std::size_t i = 0; i < length; ++i) row[i] = keeps(row[i], largest) ? 1.0 : 0.0;
    divide_by_sum(row, length);
  });
}

std::vector<Way> with_needless_scale(const Site& site) {
  if (scale_of(*site.trace, site.operand(0))) return {};
  return for_each_root(site, [](double root, const Operands& of) {
    return softmax_of(by_values(*of[0], [root](double score) { return score / root; }));
  });
}

}  // namespace

Array softmax_of(const Array& scores) { return computed(derived::softmax("scores"), {&scores}); }

const std::vector<UsualMistake>& softmax_mistakes() {
  using At = const Site&;
  using Of = const Operands&;
  using Scores = const Array&;
  static const UsualMistake::Operations softmax{Operation::softmax};
  static const std::vector<UsualMistake> list{
      {"softmax-wrong-axis", softmax, along_another_axis<softmax_of>},
      {"softmax-wrong-axis", {Operation::row_share}, along_another_axis<shares_of>},
      {"softmax-whole-matrix", softmax, softmax_of_whole_matrix},
      {"not-normalised", softmax,
       [](Scores scores) { return computed(derived::exponential("scores"), {&scores}); }},
      {"not-normalised", softmax,
       [](Scores scores) {
         return by_rows(scores, [](double* row, std::size_t length) {
           exponentiate(row, length, largest_of(row, length));
         });
       }},
      {"no-exponential", softmax, [](Scores scores) { return by_rows(scores, divide_by_sum); }},
      {"no-softmax", softmax, [](Scores scores) { return scores; }},
      {"softmax-twice", softmax, [](Scores scores) { return softmax_of(softmax_of(scores)); }},
      {"log-softmax", softmax,
       [](Scores scores) { return by_values(softmax_of(scores), [](double x) { return std::log(x); }); }},
      {"mask-after-softmax", softmax, with_late_mask},
      {"needless-mask", softmax, with_needless_mask},
      {"needlessly-scaled", softmax, with_needless_scale},
      {"scaled-after-softmax", softmax, with_late_scale},
      {"scaled-after-softmax.temperature", softmax, with_late_temperature},
      {"temperature-multiplied",
       {Operation::worked},
       [](At site, Of of) { return by_temperature(site.stage().array, of, std::multiplies<>()); },
       [](At site) { return are_tempered(site.stage()); }},
      {"keepdims-forgotten", softmax, without_keepdims},
      {"sigmoid-for-softmax", softmax, [](Scores scores) { return by_values(scores, logistic); }},
      {"sigmoid-for-softmax", softmax,
       [](Scores scores) { return by_rows(by_values(scores, logistic), divide_by_sum); }},
      {"softmax-of-negative", softmax, [](At) { return std::vector<Way>{of_scores_times(-1.0)}; }},
      {"powers-of-another-base", softmax,
       [](At) {
         return std::vector<Way>{of_scores_times(std::log(2.0), "2"), of_scores_times(std::log(10.0), "10")};
       }},
      {"hard-maximum", softmax,
       [](Scores scores) {
         return even_shares(scores, [](double score, double largest) { return score == largest; });
       }},
      {"uniform-weights", softmax,
       [](Scores scores) { return even_shares(scores, [](double, double) { return true; }); }},
      {"uniform-weights", softmax,
       [](Scores scores) {
         return even_shares(scores, [](double score, double) { return !is_masking(score); });
       }},
      {"global-maximum", softmax,
       [](At site, Of of) {
         const std::vector<double>& scores = of[0]->data;
         if (scores.empty()) throw ShapeMismatch("no scores");
         return shifted_softmax(*of[0], largest_of(scores.data(), scores.size()), site.stage().array.dtype);
       }},
      {"no-maximum", softmax,
       [](At site, Of of) { return shifted_softmax(*of[0], 0.0, site.stage().array.dtype); }}};
  return list;
}

}  // namespace attnlab
