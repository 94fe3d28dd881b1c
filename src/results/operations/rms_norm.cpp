// x / √(mean x² + eps) · gain, over stretches as long as the gain.
#include "results/operations/operation.hpp"

#include "results/operations/loops.hpp"

namespace attnlab {
namespace {

using formula::fraction;
using formula::root;
using formula::row;
using formula::sup;
using formula::sym;

Array computed_rms_norm(const Operands& of) {
  const std::vector<double>& gain = of.b.data;
  const std::size_t width = gain.size();
  if (width == 0 || last_axis("rms_norm", of.a) % width != 0) {
    refuse_shapes("rms_norm", of.a.shape, of.b.shape);
  }
  Array result{of.a.shape, of.a.axes, of.a.data};
  for (std::size_t start = 0; start < result.data.size(); start += width) {
    double* const row = result.data.data() + start;
    const double squares = std::inner_product(row, row + width, row, 0.0);
    const double by = std::sqrt(squares / static_cast<double>(width) + of.number);
    for (std::size_t i = 0; i < width; ++i) row[i] = row[i] / by * gain[i];
  }
  return result;
}

/// The mean square of each stretch that a shown entry belongs to, then the entries.
ExplanationLines explained_rms_norm(const Scene& scene) {
  const double* x = row_begin(scene.array(0), scene.row);
  const std::vector<double>& gain = scene.array(1).data;
  const std::size_t length = gain.size();
  const bool single = width_of(scene.array(0)) == length;
  const auto name_of_stretch = [&](std::size_t stretch) {
    return single ? sym("m") : formula::sub(sym("m"), sym(std::to_string(stretch)));
  };
  const auto squares_of = [&](std::size_t stretch) {
    const double* begin = x + stretch * length;
    std::vector<double> squares(length);
    std::transform(begin, begin + length, begin, squares.begin(), std::multiplies<>());
    return squares;
  };
  const auto mean_of = [&](std::size_t stretch) {
    const std::vector<double> squares = squares_of(stretch);
    return std::accumulate(squares.begin(), squares.end(), 0.0) / static_cast<double>(length);
  };
  ExplanationLines lines;
  std::set<std::size_t> stretches;
  for (const std::size_t column : shown_entries(width_of(scene.stage.array)).places) {
    const std::size_t stretch = column / length;
    if (!stretches.insert(stretch).second) continue;
    const Written sum = joined(shown_terms(squares_of(stretch)), "+", [&](std::size_t k) {
      return Written{sup(written_in_brackets(x[stretch * length + k]).formula, sym("2")), false};
    });
    lines.push_back(Chain{name_of_stretch(stretch),
                          {{relation(false), fraction(sum.formula, sym(std::to_string(length)))},
                           result_link(mean_of(stretch), false)}});
  }
  const Written eps = written(scene.stage.derivation.number);
  return with_entries(std::move(lines), scene, [&](std::size_t column) -> Working {
    const Source source = source_of(scene, 0, column);
    const Formula gain_name = element_name(scene.name(1), Index{column % length});
    const Formula m = name_of_stretch(column / length);
    const Formula symbolic =
        row({fraction(source.name, root(row({m, sym("+"), sym("ε")}))), sym("·"), gain_name});
    const Formula divisor = root(row({written(mean_of(column / length)).formula, sym("+"), eps.formula}));
    const Formula numbers = row({fraction(written(source.value).formula, divisor), sym("·"),
                                 written_in_brackets(gain[column % length]).formula});
    return {{{"=", symbolic}, {relation(false), numbers}}};
  });
}

Text rms_norm_in_words(const Derivation& how) {
  if (how.number < 1e-9) {
    return text("{0} を、{1} の長さごとに √(2 乗の平均) で割り、{1} を掛ける",
                "{0} over √(mean square) of each stretch as long as {1}, times {1}", how.operands[0],
                how.operands[1]);
  }
  return text("{0} を、{1} の長さごとに √(2 乗の平均 + {2}) で割り、{1} を掛ける",
              "{0} over √(mean square + {2}) of each stretch as long as {1}, times {1}", how.operands[0],
              how.operands[1], fmt::format("{:.8g}", how.number));
}

}  // namespace

const OperationKind rms_norm_kind(Operation::rms_norm, 2, computed_rms_norm, explained_rms_norm,
                                  "rms_norm({0}, {1}, eps={2})", "", "", "", nullptr, rms_norm_in_words);

}  // namespace attnlab
