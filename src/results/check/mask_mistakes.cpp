// Masks: other cells hidden than should be, or hidden by a number that does not hide.
#include "core/constants.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;

Array with_mask(const Array& scores, const Array& mask) {
  return computed(derived::sum("scores", "mask"), {&scores, &mask});
}

/// The hidden cells of the scores through `hidden(score)`, the others as they are.
template <class Hidden>
Array with_hidden(const Array& scores, const Array& mask, Hidden hidden) {
  Array result =
      with_mask(scores, by_values(mask, [](double value) { return is_masking(value) ? 0.0 : value; }));
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    double& score = result.data[i];
    if (is_masking(mask.data[broadcast_source(i, result.shape, mask.shape)])) score = hidden(score);
  }
  return result;
}

double lowest_of(const Array& mask) { return *std::min_element(mask.data.begin(), mask.data.end()); }

Array inverted(const Array& mask) {
  return by_values(mask, [lowest = lowest_of(mask)](double value) { return value == 0.0 ? lowest : 0.0; });
}

/// Every query sees so many keys more. Only of a mask whose queries see the first keys up to some boundary,
/// as a causal one's do.
Array with_boundary(const Array& mask, std::ptrdiff_t more) {
  if (more == 0) throw ShapeMismatch("the same boundary");
  return by_rows(mask, [more, lowest = lowest_of(mask)](double* row, std::size_t length) {
    double* const end = row + length;
    double* const boundary = std::find_if(row, end, is_masking);
    if (!std::all_of(boundary, end, is_masking)) throw ShapeMismatch("no boundary");
    double* const moved = row + std::clamp<std::ptrdiff_t>(boundary - row + more, 0, end - row);
    std::fill(row, moved, 0.0);
    std::fill(moved, end, lowest);
  });
}

/// By how many rows there are more than columns.
std::ptrdiff_t surplus(const Array& mask) {
  if (mask.shape.size() < 2) throw ShapeMismatch("no matrix");
  return static_cast<std::ptrdiff_t>(mask.shape[mask.shape.size() - 2]) -
         static_cast<std::ptrdiff_t>(mask.shape.back());
}

/// Which operand of a sum is the mask; nothing where none is, or both.
std::optional<std::size_t> mask_operand(const Site& site) {
  const bool first = is_mask(site.operand(0).array);
  if (first == is_mask(site.operand(1).array)) return std::nullopt;
  return first ? 0 : 1;
}

bool hides_a_row(const Array& mask) {
  bool hides = false;
  by_rows(mask, [&hides](const double* row, std::size_t length) {
    hides = hides || std::all_of(row, row + length, is_masking);
  });
  return hides;
}

/// Scores under another mask. A row that is hidden whole becomes NaN by -inf; by -1e9 it becomes what it was,
/// or in float32, where the score is lost beside it, the even share.
std::vector<Way> with_other_mask(const Site& site, Array (*changed)(const Array& mask)) {
  if (operation_of(site.stage()) == Operation::input) {
    if (!is_mask(site.stage().array)) return {};
    return {{[site, changed](const Operands&) { return changed(site.stage().array); }}};
  }
  const std::optional<std::size_t> at = mask_operand(site);
  if (!at) return {};
  const auto by = [&](const std::function<double(double)>& hidden) {
    return Way{[at, changed, hidden](const Operands& of) {
      const Array mask = changed(*of[*at]);
      if (!hides_a_row(mask)) throw ShapeMismatch("no row hidden whole");
      return with_hidden(*of[1 - *at], mask, hidden);
    }};
  };
  return {{[at, changed](const Operands& of) { return with_mask(*of[1 - *at], changed(*of[*at])); }},
          by([](double score) { return score - 1e9; }),
          by([](double) { return -1e9; })};
}

/// The right cells hidden by a number that does not hide: it is added, or stands in place of the score.
std::vector<Way> with_number(const Site& site, const std::vector<double>& numbers) {
  const std::optional<std::size_t> at = mask_operand(site);
  std::vector<Way> ways;
  if (!at) return ways;
  for (const double number : numbers) {
    for (const double kept : {0.0, 1.0}) {
      if (number == 0.0 && kept == 1.0) continue;
      ways.push_back({[at, number, kept](const Operands& of) {
                        return with_hidden(*of[1 - *at], *of[*at],
                                           [&](double score) { return kept * score + number; });
                      },
                      fmt::format("{:g}", number)});
    }
  }
  return ways;
}

UsualMistake other_mask(const char* id, Array (*changed)(const Array& mask)) {
  return {id, {Operation::sum, Operation::input}, [changed](const Site& site) {
            return with_other_mask(site, changed);
          }};
}

UsualMistake other_number(const char* id, std::vector<double> numbers) {
  return {id, {Operation::sum}, [numbers = std::move(numbers)](const Site& site) {
            return with_number(site, numbers);
          }};
}

}  // namespace

bool is_masking(double value) { return value <= -1e4; }

bool is_mask(const Array& array) {
  bool masks = false;
  bool lets_through = false;
  for (const double value : array.data) {
    if (value != 0.0 && !is_masking(value)) return false;
    (value == 0.0 ? lets_through : masks) = true;
  }
  return masks && lets_through;
}

Array with_causal_mask(const Array& scores, Corner corner) {
  const std::size_t rank = scores.shape.size();
  if (rank < 2 || (corner == Corner::bottom_right && scores.shape[rank - 2] == scores.shape[rank - 1])) {
    throw ShapeMismatch("no other causal mask");
  }
  const std::size_t rows = scores.shape[rank - 2];
  const std::size_t columns = scores.shape[rank - 1];
  Array result = scores;
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    const std::size_t row = i / columns % rows + (corner == Corner::bottom_right ? columns : rows);
    if (i % columns + rows > row) result.data[i] = -infinity;
  }
  return result;
}

const std::vector<UsualMistake>& mask_mistakes() {
  static const std::vector<UsualMistake> list{
      other_mask("mask-inverted", inverted),
      other_number("masked-score-zero", {0.0}),
      other_mask("mask-off-by-one.many", [](const Array& mask) { return with_boundary(mask, 1); }),
      other_mask("mask-off-by-one.few", [](const Array& mask) { return with_boundary(mask, -1); }),
      other_mask("mask-in-another-corner.left",
                 [](const Array& mask) { return with_boundary(mask, surplus(mask)); }),
      other_mask("mask-in-another-corner.right",
                 [](const Array& mask) { return with_boundary(mask, -surplus(mask)); }),
      {"mask-forgotten",
       {Operation::sum},
       [](const Site& site, const Operands& of) { return *of[1 - mask_operand(site).value()]; },
       [](const Site& site) { return mask_operand(site).has_value(); }},
      other_mask("mask-transposed", transposed),
      other_number("mask-too-weak", {-1.0, -10.0, -100.0, -1000.0}),
      other_number("mask-sign", {1.0, 1e9, infinity})};
  return list;
}

}  // namespace attnlab
