// The mistakes by operation: each is the correct loop with one thing wrong.
#include "results/check/check.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;
using Operands = std::vector<const Array*>;

constexpr std::array<std::size_t, 2> both_operands{0, 1};

/// What every fault of one stage needs.
struct Site {
  const std::vector<Stage>& trace;
  std::size_t index;  // of the stage
  const Stage& stage;
  Operands operands;
  std::vector<Fault> faults;

  void add(std::string name, Text what, std::function<Array()> make) {
    const auto changed = [make = std::move(make)](const Operands&) { return make(); };
    faults.push_back({std::move(name), stage.name, std::move(what), {{index, changed}}});
  }
  /// Another operation, or other operands.
  void add(std::string name, Text what, const Derivation& how, const Operands& of) {
    add(std::move(name), std::move(what), [how, of] { return computed(how, of); });
  }
  const std::string& operand_name(std::size_t operand) const { return stage.derivation.operands[operand]; }
};

/// An operation along the last axis, carried out along another, counted from the back.
template <class Function>
Array along_axis(const Array& array, std::size_t from_back, Function function) {
  return swapped(function(swapped(array, from_back)), from_back);
}

/// `function` on each part of `length` values.
template <class Function>
Array by_parts(Array array, std::size_t length, Function function) {
  for (std::size_t start = 0; length > 0 && start < array.data.size(); start += length) {
    function(array.data.data() + start, length);
  }
  return array;
}

template <class Function>
Array by_rows(const Array& array, Function function) {
  if (array.shape.empty()) throw ShapeMismatch("no rows");
  return by_parts(array, array.shape.back(), function);
}

Array softmax_of(const Array& scores) {
  return computed(derived::softmax("scores"), {&scores});
}

double largest_of(const double* values, std::size_t count) {
  return *std::max_element(values, values + count);
}

/// The axis's name where there is one: "queries".
std::string axis_name(const Array& array, std::size_t from_back) {
  if (array.axes.size() < from_back) return "-" + std::to_string(from_back);
  return array.axes[array.axes.size() - from_back];
}

// --- Sums, products and scales: an operand left out, taken for another, or turned round; and masks

/// Far enough below 0 to stand for "never": -1e4, float16's -65504, -1e5, -1e9, -inf.
bool is_masking(double value) {
  return value <= -1e4;
}

/// 0 where a key may be seen, a very negative number where not, and both occur.
bool is_mask(const Array& array) {
  bool masks = false;
  bool lets_through = false;
  for (const double value : array.data) {
    if (value != 0.0 && !is_masking(value)) return false;
    (value == 0.0 ? lets_through : masks) = true;
  }
  return masks && lets_through;
}

Array inverted(Array mask) {
  const double lowest = *std::min_element(mask.data.begin(), mask.data.end());
  for (double& value : mask.data) value = value == 0.0 ? lowest : 0.0;
  return mask;
}

Array with_mask(const Array& scores, const Array& mask) {
  return computed(derived::sum("scores", "mask"), {&scores, &mask});
}

/// 0 in place of the scores that the mask hides.
Array with_zeros(const Array& scores, const Array& mask) {
  Array result = with_mask(scores, mask);
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    if (is_masking(mask.data[broadcast_source(i, result.shape, mask.shape)])) result.data[i] = 0.0;
  }
  return result;
}

/// Every query sees so many keys more. Only of a mask whose queries see the first keys up to some boundary,
/// as a causal one's do.
Array with_boundary(const Array& mask, std::ptrdiff_t more) {
  const double lowest = *std::min_element(mask.data.begin(), mask.data.end());
  return by_rows(mask, [more, lowest](double* row, std::size_t length) {
    double* const end = row + length;
    double* const boundary = std::find_if(row, end, is_masking);
    if (!std::all_of(boundary, end, is_masking)) throw ShapeMismatch("no boundary");
    double* const moved = row + std::clamp<std::ptrdiff_t>(boundary - row + more, 0, end - row);
    std::fill(row, moved, 0.0);
    std::fill(moved, end, lowest);
  });
}

/// One operand alone, as where W_O or a bias is forgotten; `what` names the other.
void add_missing_operand_faults(Site& site, const std::string& name,
                                const std::function<Text(const std::string& missing)>& what) {
  for (const std::size_t kept : both_operands) {
    const Array& alone = *site.operands[kept];
    if (alone.shape != site.stage.array.shape) continue;
    site.add(name, what(site.operand_name(1 - kept)), [&alone] { return alone; });
  }
}

/// One factor alone; or another array in a factor's place, as in A K for A V. Not one that the factor was
/// made of: there a step is missing, which is another mistake.
void add_factor_faults(Site& site) {
  add_missing_operand_faults(site, "not-multiplied", [](const std::string& missing) {
    return text("{} を掛けていません", "{} is not multiplied in", missing);
  });
  for (const std::size_t factor : both_operands) {
    const std::string& right = site.operand_name(factor);
    const std::vector<bool> makes_it = made_of(site.trace, index_of(site.trace, right));
    for (std::size_t other = 0; other < site.index; ++other) {
      const Stage& wrong = site.trace[other];
      if (makes_it[other] || wrong.array.shape != site.operands[factor]->shape) continue;
      Operands operands = site.operands;
      operands[factor] = &wrong.array;
      site.add("wrong-operand",
               {fmt::format("{} のところで {} を使っています", right, wrong.name),
                fmt::format("{} stands in place of {}", wrong.name, right)},
               site.stage.derivation, operands);
    }
  }
}

/// Of a softmax of masked scores: the mask came only after it.
void add_late_mask_fault(Site& site) {
  const Stage& masked = site.trace[index_of(site.trace, site.operand_name(0))];
  if (masked.derivation.operation != Operation::sum) return;
  const std::vector<const Array*> parts = operands_of(masked, site.trace);
  if (parts.size() != 2 || is_mask(*parts[0]) == is_mask(*parts[1])) return;
  const Array& scores = is_mask(*parts[0]) ? *parts[1] : *parts[0];
  const Array& sum = masked.array;
  if (scores.shape != sum.shape) return;
  site.add("mask-after-softmax",
           {"softmax の後でマスクしています（行の和が 1 になりません）",
            "the mask is applied after the softmax, so rows no longer sum to 1"},
           [&scores, &sum] {
             Array weights = softmax_of(scores);
             for (std::size_t i = 0; i < weights.data.size(); ++i) {
               if (is_masking(sum.data[i])) weights.data[i] = 0.0;
             }
             return weights;
           });
}

/// Of the sum of scores and the mask that is operand `mask_index`.
void add_mask_faults(Site& site, std::size_t mask_index) {
  const Array& mask = *site.operands[mask_index];
  const Array& scores = *site.operands[1 - mask_index];
  site.add(
      "mask-inverted",
      {"マスクが逆です（見てよいところを隠しています）", "the mask is inverted: it hides what may be seen"},
      [&mask, &scores] { return with_mask(scores, inverted(mask)); });
  site.add("masked-score-zero",
           {"隠すスコアを −∞ でなく 0 にしています（exp(0) = 1 なので注意度が残ります）",
            "hidden scores are set to 0 instead of -inf: exp(0) = 1 leaves them a weight"},
           [&mask, &scores] { return with_zeros(scores, mask); });
  site.add("mask-off-by-one",
           {"マスクの境界が 1 つずれています（見えるキーが 1 個多い）",
            "the mask's boundary is off by one: queries see one key too many"},
           [&mask, &scores] { return with_mask(scores, with_boundary(mask, 1)); });
  site.add("mask-off-by-one",
           {"マスクの境界が 1 つずれています（見えるキーが 1 個少ない）",
            "the mask's boundary is off by one: queries see one key too few"},
           [&mask, &scores] { return with_mask(scores, with_boundary(mask, -1)); });
  if (mask.shape.size() >= 2) {
    const auto queries = static_cast<std::ptrdiff_t>(mask.shape[mask.shape.size() - 2]);
    const auto more = queries - static_cast<std::ptrdiff_t>(mask.shape.back());
    const auto add_corner = [&](const Text& what, std::ptrdiff_t keys) {
      if (keys == 0) return;
      site.add("mask-in-another-corner", what,
               [&mask, &scores, keys] { return with_mask(scores, with_boundary(mask, keys)); });
    };
    add_corner(
        {"クエリとキーの数が違うとき、因果マスクを左上に合わせています（右下に合わせます）",
         "the causal mask touches the top left corner; with unequal lengths it must touch the bottom right"},
        more);
    add_corner({"クエリとキーの数が違うとき、因果マスクを右下に合わせています（左上に合わせます）",
                "the causal mask touches the bottom right corner; here it must touch the top left"},
               -more);
  }
  site.add("mask-forgotten", {"マスクを足していません", "the mask is not added"},
           [&scores] { return scores; });
  site.add("mask-transposed", {"マスクが転置されています", "the mask is transposed"},
           [&mask, &scores] { return with_mask(scores, transposed(mask)); });
}

void add_sum_faults(Site& site) {
  for (const std::size_t index : both_operands) {
    if (is_mask(*site.operands[index])) {
      add_mask_faults(site, index);
      return;
    }
  }
  add_missing_operand_faults(site, "not-added", [](const std::string& missing) {
    return text("{} を足していません", "{} is not added", missing);
  });
}

void add_difference_faults(Site& site) {
  site.add("sign", {"引く順が逆です", "the difference has the wrong sign"},
           derived::difference("right", "left"), {site.operands[1], site.operands[0]});
}

void add_product_faults(Site& site) {
  const Operands& operands = site.operands;
  const std::string& left = site.operand_name(0);
  const std::string& right = site.operand_name(1);
  site.add("operands-swapped", text("{} と {} の順が逆です", "{} and {} are swapped", left, right),
           derived::product("right", "left"), {operands[1], operands[0]});
  const Text out_in{"（nn.Linear は (出力, 入力) で保存します）", " (nn.Linear keeps it (out, in))"};
  site.add("operand-transposed",
           text("{} が転置されています{}", "{} is transposed{}", right,
                right.rfind("w_", 0) == 0 ? out_in : Text::none()),
           derived::product_with_transpose("left", "right"), operands);
  site.add("operand-transposed", text("{} が転置されています", "{} is transposed", left), [operands] {
    const Array wrong = transposed(*operands[0]);
    return computed(derived::product("left", "right"), {&wrong, operands[1]});
  });
  add_factor_faults(site);
}

void add_transposed_product_faults(Site& site) {
  const Operands& operands = site.operands;
  const std::string& left = site.operand_name(0);
  const std::string& right = site.operand_name(1);
  site.add("operands-swapped",
           text("{} と {} の役割が逆です（行がクエリ、列がキー）",
                "{} and {} have changed roles: rows are queries, columns are keys", left, right),
           derived::product_with_transpose("right", "left"), {operands[1], operands[0]});
  site.add("not-transposed", text("{} を転置していません", "{} is not transposed", right),
           derived::product("left", "right"), operands);
  add_factor_faults(site);
}

/// Every length that a wrong √d might have been taken of.
std::set<std::size_t> widths_in(const std::vector<Stage>& trace) {
  std::set<std::size_t> widths;
  for (const Stage& stage : trace) widths.insert(stage.array.shape.begin(), stage.array.shape.end());
  widths.erase(0);
  widths.erase(1);
  return widths;
}

void add_scale_faults(Site& site) {
  const double right = site.stage.derivation.number;
  const auto add = [&](const std::string& name, const Text& what, double wrong) {
    if (!std::isfinite(wrong) || std::abs(wrong - right) <= 1e-9 * std::abs(right)) return;
    site.add(name, what, derived::scaled("operand", wrong), site.operands);
  };
  const std::string& name = site.operand_name(0);
  add("not-scaled",
      text("{} にスケール {:.6g} を掛けていません", "{} is not scaled: it must be multiplied by {:.6g}", name,
           right),
      1.0);
  add("scaled-twice",
      {"スケールを 2 回掛けています（√d でなく d で割るのと同じ）",
       "the scale is applied twice, which is dividing by d instead of √d"},
      right * right);
  add("scale-inverted",
      {"スケールで割るところを掛けている（またはその逆）", "√d multiplies where it should divide"},
      1.0 / right);
  for (const std::size_t width : widths_in(site.trace)) {
    add("scale-of-wrong-width",
        text("√{} で割っています（掛けるべき数は {:.6g}）", "it is divided by √{}; the factor must be {:.6g}",
             width, right),
        1.0 / std::sqrt(static_cast<double>(width)));
  }
}

// --- Softmax: along another axis, without its maximum, its exponential or its sum, of other scores; and
// layer normalisation: a wrong divisor or a wrong axis

void exponentiate(double* values, std::size_t count, double shift) {
  std::transform(values, values + count, values, [shift](double x) { return std::exp(x - shift); });
}

void divide_by_sum(double* values, std::size_t count) {
  const double sum = std::accumulate(values, values + count, 0.0);
  for (std::size_t i = 0; i < count; ++i) values[i] /= sum;
}

double rounded_to_float(double value) {
  return static_cast<double>(static_cast<float>(value));
}

/// Of exponentials rounded to the type in which the stage was computed: that decides when they overflow.
Array shifted_softmax(const Array& scores, double shift, DType dtype) {
  return by_rows(scores, [&](double* row, std::size_t length) {
    exponentiate(row, length, shift);
    if (dtype == DType::float32) std::transform(row, row + length, row, rounded_to_float);
    divide_by_sum(row, length);
  });
}

Array softmax_of_whole_matrix(const Array& scores) {
  if (scores.shape.size() < 2) throw ShapeMismatch("no matrix");
  const std::size_t cells = scores.shape.back() * scores.shape[scores.shape.size() - 2];
  return by_parts(scores, cells, [](double* values, std::size_t count) {
    exponentiate(values, count, largest_of(values, count));
    divide_by_sum(values, count);
  });
}

void add_axis_faults(Site& site, const Array& scores) {
  if (scores.shape.size() < 2) return;
  for (std::size_t axis = 2; axis <= scores.shape.size(); ++axis) {
    site.add("softmax-wrong-axis",
             text("softmax を {} の軸に沿って取っています（{} の軸に沿って取ります。行の和が 1）",
                  "softmax runs along the {} axis; it must run along {}, so that rows sum to 1",
                  axis_name(scores, axis), axis_name(scores, 1)),
             [&scores, axis] { return along_axis(scores, axis, softmax_of); });
  }
  site.add("softmax-whole-matrix",
           {"softmax を行ごとでなく行列全体で取っています（全体の和が 1 になっています）",
            "softmax is taken over the whole matrix instead of each row: all values together sum to 1"},
           [&scores] { return softmax_of_whole_matrix(scores); });
}

void add_overflow_faults(Site& site, const Array& scores) {
  const DType dtype = site.stage.array.dtype;
  if (scores.data.empty()) return;
  site.add("global-maximum",
           {"行ごとの最大値でなく行列全体の最大値を引いています（小さい行が 0/0 = NaN になります）",
            "the maximum of the whole matrix is subtracted instead of each row's, so small rows underflow"},
           [&scores, dtype] {
             return shifted_softmax(scores, largest_of(scores.data.data(), scores.data.size()), dtype);
           });
  site.add("no-maximum",
           {"最大値を引かずに exp を計算しています（大きいスコアで桁あふれします）",
            "exp is taken without subtracting the maximum, and overflows"},
           [&scores, dtype] { return shifted_softmax(scores, 0.0, dtype); });
}

void add_normalisation_faults(Site& site, const Array& scores) {
  const Text not_normalised{"exp の和で割っていません（行の和が 1 になりません）",
                            "the exponentials are not divided by their sum"};
  site.add("not-normalised", not_normalised, derived::exponential("scores"), site.operands);
  site.add("not-normalised", not_normalised, [&scores] {
    return by_rows(
        scores, [](double* row, std::size_t length) { exponentiate(row, length, largest_of(row, length)); });
  });
  site.add("no-exponential",
           {"exp を取らずに、スコアをその和で割っています",
            "the scores are divided by their sum without taking exp"},
           [&scores] { return by_rows(scores, divide_by_sum); });
  site.add("no-softmax", {"softmax を取っていません", "no softmax is taken"}, [&scores] { return scores; });
  site.add("softmax-twice", {"softmax を 2 回取っています", "softmax is taken twice"},
           [&scores] { return softmax_of(softmax_of(scores)); });
  site.add("log-softmax", {"softmax の対数になっています", "it is the logarithm of the softmax"}, [&scores] {
    return by_rows(softmax_of(scores), [](double* row, std::size_t length) {
      for (std::size_t i = 0; i < length; ++i) row[i] = std::log(row[i]);
    });
  });
}

/// Whether the scores were scaled on their way to the softmax, with or without a mask after it.
bool is_scaled(const std::vector<Stage>& trace, const Stage& scores) {
  const Derivation& how = scores.derivation;
  if (how.operation == Operation::scaled) return true;
  return how.operation == Operation::sum &&
         std::any_of(how.operands.begin(), how.operands.end(), [&](const std::string& operand) {
           return is_scaled(trace, trace[index_of(trace, operand)]);
         });
}

void add_needless_scale_faults(Site& site, const Array& scores) {
  if (is_scaled(site.trace, site.trace[index_of(site.trace, site.operand_name(0))])) return;
  for (const std::size_t width : widths_in(site.trace)) {
    site.add("needlessly-scaled",
             text("スコアを √{} で割っています（ここでは割りません）",
                  "the scores are divided by √{}; here they must not be scaled", width),
             [&scores, width] {
               const double scale = 1.0 / std::sqrt(static_cast<double>(width));
               return softmax_of(computed(derived::scaled("scores", scale), {&scores}));
             });
  }
}

/// Layer normalisation with another divisor.
Array normalised(const Array& operand, const std::function<double(double variance, double count)>& divisor) {
  return by_rows(operand, [&](double* row, std::size_t length) {
    const auto count = static_cast<double>(length);
    const double mean = std::accumulate(row, row + length, 0.0) / count;
    double squares = 0.0;
    for (std::size_t i = 0; i < length; ++i) squares += std::pow(row[i] - mean, 2.0);
    const double by = divisor(squares / count, count);
    for (std::size_t i = 0; i < length; ++i) row[i] = (row[i] - mean) / by;
  });
}

void add_softmax_faults(Site& site) {
  const Array& scores = *site.operands[0];
  add_axis_faults(site, scores);
  add_normalisation_faults(site, scores);
  add_late_mask_fault(site);
  add_needless_scale_faults(site, scores);
  add_overflow_faults(site, scores);
}

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
  site.add("rms-norm",
           {"平均を引かずに、2 乗平均の平方根で割っています（RMS 正規化）",
            "it divides by the root mean square without subtracting the mean: RMS normalisation"},
           [&operand, eps] {
             return by_rows(operand, [eps](double* row, std::size_t length) {
               const double squares = std::inner_product(row, row + length, row, 0.0);
               const double by = std::sqrt(squares / static_cast<double>(length) + eps);
               for (std::size_t i = 0; i < length; ++i) row[i] /= by;
             });
           });
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

void add_rms_norm_faults(Site& site) {
  const Array& operand = *site.operands[0];
  const Array& gain = *site.operands[1];
  const double eps = site.stage.derivation.number;
  const Array ones{gain.shape, gain.axes, std::vector<double>(gain.data.size(), 1.0)};
  const auto norm = [eps](const Array& x, const Array& by, double added) {
    return computed(derived::rms_norm("x", "gain", eps + added), {&x, &by});
  };
  site.add("no-gain", {"γ を掛けていません", "it is not multiplied by γ"},
           [=, &operand] { return norm(operand, ones, 0.0); });
  site.add("gain-plus-one", {"γ でなく 1 + γ を掛けています", "it is multiplied by 1 + γ instead of γ"},
           [=, &operand, &gain] {
             Array more = gain;
             for (double& value : more.data) value += 1.0;
             return norm(operand, more, 0.0);
           });
  site.add("eps-missing", {"ε を足していません", "eps is not added"},
           [=, &operand, &gain] { return norm(operand, gain, -eps); });
  site.add("layer-norm",
           {"平均を引いています（レイヤ正規化。ここでは RMS 正規化）",
            "the mean is subtracted: layer norm, where RMS norm is meant"},
           [=, &operand, &gain] {
             const std::size_t width = gain.data.size();
             Array centred = by_parts(operand, width, [](double* row, std::size_t length) {
               const double mean = std::accumulate(row, row + length, 0.0) / static_cast<double>(length);
               for (std::size_t i = 0; i < length; ++i) row[i] -= mean;
             });
             return norm(centred, gain, 0.0);
           });
}

bool turns_pairs(const Stage& stage) {
  const Operation operation = stage.derivation.operation;
  return operation == Operation::rotary_pairs || operation == Operation::rotary_halves;
}

Derivation in_other_pairs(const Stage& stage) {
  Derivation other = stage.derivation;
  other.operation =
      other.operation == Operation::rotary_pairs ? Operation::rotary_halves : Operation::rotary_pairs;
  return other;
}

Text words_on_pairs(const Stage& stage) {
  return stage.derivation.operation == Operation::rotary_halves
             ? Text{"隣り合う座標を組にして回しています（ここでは前半と後半を組にします）",
                    "neighbouring coordinates are turned together; here those of the two halves are"}
             : Text{"前半と後半の座標を組にして回しています（ここでは隣り合う座標を組にします）",
                    "coordinates of the two halves are turned together; here neighbours are"};
}

void add_rotary_faults(Site& site) {
  const Array& operand = *site.operands[0];
  const Array& angles = *site.operands[1];
  const Derivation own = site.stage.derivation;
  site.add("other-pairs", words_on_pairs(site.stage), in_other_pairs(site.stage), site.operands);
  site.add("turned-backwards", {"逆向きに回しています", "it turns the other way round"},
           [=, &operand, &angles] {
             Array negative = angles;
             for (double& angle : negative.data) angle = -angle;
             return computed(own, {&operand, &negative});
           });
  site.add("not-turned", {"回していません", "nothing is turned"}, [&operand] { return operand; });
  site.add("positions-from-one",
           {"位置を 1 から数えています（0 から数えます）", "positions are counted from 1 instead of 0"},
           [=, &operand, &angles] {
             const std::size_t pairs = angles.shape[1];
             Array later = angles;  // the angles of a step are those between two positions
             if (angles.shape[0] < 2) throw ShapeMismatch("no step");
             for (std::size_t i = 0; i < later.data.size(); ++i) {
               later.data[i] += angles.data[pairs + i % pairs] - angles.data[i % pairs];
             }
             return computed(own, {&operand, &later});
           });
}

// --- Heads split from one another and joined again

/// The stages (..., heads, length, width) that one matrix for all heads gives when its columns are split, or
/// the heads' own matrices at once.
bool splits_heads(const Stage& stage, const std::vector<Stage>& trace) {
  const Derivation& how = stage.derivation;
  if (how.operation == Operation::split_heads) return true;
  const std::size_t rank = stage.array.shape.size();
  return how.operation == Operation::product && rank >= 3 &&
         trace[index_of(trace, how.operands[0])].array.shape.size() + 1 == rank;
}

Array reshaped(const Array& array, const std::vector<std::size_t>& shape) {
  Array result = array;
  result.shape = shape;
  return result;
}

Array split_by_reshape(const Derivation& how, const Operands& operands) {
  const Array right = computed(how, operands);
  return reshaped(computed(derived::join_heads("heads"), {&right}), right.shape);
}

void add_join_faults(Site& site) {
  const Array& operand = *site.operands[0];
  const std::vector<std::size_t>& shape = site.stage.array.shape;
  site.add("reshaped-without-transpose",
           {"ヘッドと位置の軸を入れ替えずにリシェイプしています（異なる位置が混ざります）",
            "the heads are joined by reshape without swapping the heads and length axes first"},
           [&operand, &shape] { return reshaped(operand, shape); });
}

// --- Sinusoidal positions: another order of the waves, or of the positions

/// The row one position further: every pair (sin, cos) turned by its own angle, which stands in row 1.
void turn(const double* angles, const double* row, std::size_t width, double* next) {
  for (std::size_t i = 0; i < width; i += 2) {
    next[i] = row[i] * angles[i + 1] + row[i + 1] * angles[i];
    next[i + 1] = row[i + 1] * angles[i + 1] - row[i] * angles[i];
  }
}

/// Pairs (sin, cos) of the positions 0, 1, 2, ...
bool is_sinusoidal(const Array& array) {
  if (array.shape.size() != 2 || array.shape[0] < 3 || array.shape[1] < 2 || array.shape[1] % 2 != 0)
    return false;
  const std::size_t width = array.shape[1];
  const double* rows = array.data.data();
  std::vector<double> next(width);
  for (std::size_t i = 0; i < width; ++i) {
    if (rows[i] != static_cast<double>(i % 2)) return false;
  }
  for (std::size_t row = 1; row + 1 < array.shape[0]; ++row) {
    turn(rows + width, rows + row * width, width, next.data());
    const auto differs = [](double a, double b) { return std::abs(a - b) > 1e-5; };
    const double* expected = rows + (row + 1) * width;
    for (std::size_t i = 0; i < width; ++i) {
      if (differs(next[i], expected[i])) return false;
    }
  }
  return true;
}

/// Column i from column `source(i)`.
Array with_columns(const Array& array, const std::function<std::size_t(std::size_t)>& source) {
  Array result = array;
  const std::size_t width = array.shape.back();
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    result.data[i] = array.data[i - i % width + source(i % width)];
  }
  return result;
}

void add_position_faults(Site& site) {
  const Array& encoding = site.stage.array;
  if (!is_sinusoidal(encoding)) return;
  const std::size_t width = encoding.shape[1];
  site.add("positions-from-one",
           {"位置を 1 から数えています（0 から数えます）", "positions are counted from 1 instead of 0"},
           [&encoding, width] {
             Array later = encoding;
             for (std::size_t start = 0; start < later.data.size(); start += width) {
               turn(encoding.data.data() + width, encoding.data.data() + start, width,
                    later.data.data() + start);
             }
             return later;
           });
  site.add("sine-and-cosine-swapped",
           {"sin と cos が逆です（偶数番目が sin、奇数番目が cos）",
            "sine and cosine are swapped: even columns are sines, odd ones cosines"},
           [&encoding] {
             return with_columns(encoding, [](std::size_t i) { return i % 2 == 0 ? i + 1 : i - 1; });
           });
  site.add("sine-and-cosine-in-halves",
           {"前半が sin、後半が cos になっています（ここでは 1 列おきに並べます）",
            "the sines stand in the first half and the cosines in the second; here they take turns"},
           [&encoding, width] {
             return with_columns(encoding, [half = width / 2](std::size_t i) {
               return i < half ? 2 * i : 2 * (i - half) + 1;
             });
           });
}

// --- By operation

void add_skipped_fault(Site& site, const std::string& function) {
  const Array& operand = *site.operands[0];
  site.add("no-" + function, text("{} を適用していません", "{} is not applied", function),
           [&operand] { return operand; });
}

void add_entropy_faults(Site& site) {
  const Array& right = site.stage.array;
  site.add("entropy-in-bits",
           {"底 2 の対数を使っています（自然対数を使います）",
            "the logarithm has base 2; the entropy here is in nats"},
           [&right] {
             Array bits = right;
             for (double& value : bits.data) value /= std::log(2.0);
             return bits;
           });
}

void add_faults(Site& site) {
  switch (site.stage.derivation.operation) {
    case Operation::product:
      return add_product_faults(site);
    case Operation::product_with_transpose:
      return add_transposed_product_faults(site);
    case Operation::sum:
      return add_sum_faults(site);
    case Operation::difference:
      return add_difference_faults(site);
    case Operation::scaled:
      return add_scale_faults(site);
    case Operation::softmax:
      return add_softmax_faults(site);
    case Operation::layer_norm:
      return add_layer_norm_faults(site);
    case Operation::rms_norm:
      return add_rms_norm_faults(site);
    case Operation::rotary_pairs:
    case Operation::rotary_halves:
      return add_rotary_faults(site);
    case Operation::join_heads:
      return add_join_faults(site);
    case Operation::exponential:
      return add_skipped_fault(site, "exp");
    case Operation::tanh:
      return add_skipped_fault(site, "tanh");
    case Operation::relu:
      return add_skipped_fault(site, "relu");
    case Operation::row_entropy:
      return add_entropy_faults(site);
    case Operation::given:
    case Operation::worked:
      return add_position_faults(site);
    case Operation::row_maximum:
    case Operation::split_heads:
    case Operation::measured:
      return;
  }
}

}  // namespace

std::vector<Fault> faults_at(const std::vector<Stage>& trace, std::size_t index) {
  const Stage& stage = trace[index];
  Site site{trace, index, stage, operands_of(stage, trace), {}};
  add_faults(site);
  if (stage.array.shape.size() >= 2) {
    site.add("transposed", {"結果が転置されています", "the result is transposed"},
             [&stage] { return transposed(stage.array); });
  }
  return site.faults;
}

std::vector<Fault> faults_at_several(const std::vector<Stage>& trace) {
  std::vector<Change> splits;
  std::vector<Change> joins;
  std::vector<std::string> names;
  std::vector<Change> rotations;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Stage& stage = trace[i];
    if (splits_heads(stage, trace)) {
      splits.push_back(
          {i, [&stage](const auto& operands) { return split_by_reshape(stage.derivation, operands); }});
      names.push_back(stage.name);
    } else if (stage.derivation.operation == Operation::join_heads) {
      joins.push_back(
          {i, [&stage](const auto& operands) { return reshaped(*operands[0], stage.array.shape); }});
    } else if (turns_pairs(stage)) {
      rotations.push_back(
          {i, [&stage](const auto& operands) { return computed(in_other_pairs(stage), operands); }});
    }
  }
  std::vector<Fault> faults;
  if (!rotations.empty()) {
    const Stage& first = trace[rotations.front().stage];
    faults.push_back({"other-pairs", first.name, words_on_pairs(first), rotations});
  }
  if (splits.empty()) return faults;
  const std::string split = joined(names, ", ");
  std::vector<Change> both = splits;
  both.insert(both.end(), joins.begin(), joins.end());
  faults.push_back({"split-without-transpose", names.front(),
                    text("ヘッドに分けるとき、軸を入れ替えずにリシェイプしています（{}）",
                         "the heads of {} are split by reshape alone, without swapping axes", split),
                    splits});
  faults.push_back(
      {"split-and-joined-without-transpose", names.front(),
       text("ヘッドに分けるとき（{}）も戻すときも、軸を入れ替えずにリシェイプしています",
            "the heads of {} are split by reshape alone and joined by it, without swapping axes", split),
       both});
  return faults;
}

}  // namespace attnlab
