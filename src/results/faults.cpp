// The mistakes by operation: each is the correct loop with one thing wrong.
#include "results/faults.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <set>

#include "results/fault_site.hpp"
#include "results/recompute.hpp"

namespace attnlab {
namespace {

using namespace faults;

using Operation = Derivation::Operation;
using Shape = std::vector<std::size_t>;

// --- Sums, products, scales --------------------------------------------------------------------------------

void add_sum_faults(Site& site) {
  for (const std::size_t index : {std::size_t{0}, std::size_t{1}}) {
    if (is_mask(*site.operands[index])) {
      add_mask_faults(site, index);
      return;
    }
  }
  for (const std::size_t kept : {std::size_t{0}, std::size_t{1}}) {
    const Array& alone = *site.operands[kept];
    const std::string& missing = site.operand_name(1 - kept);
    if (alone.shape != site.stage.array.shape) continue;
    site.add("not-added",
             {fmt::format("{} を足していません", missing), fmt::format("{} is not added", missing)},
             [&alone] { return alone; });
  }
}

void add_difference_faults(Site& site) {
  const std::vector<const Array*> operands = site.operands;
  site.add("sign", {"引く順が逆です", "the difference has the wrong sign"}, [operands] {
    return computed(derived::difference("right", "left"), {operands[1], operands[0]});
  });
}

void add_product_faults(Site& site) {
  const std::vector<const Array*> operands = site.operands;
  const std::string& left = site.operand_name(0);
  const std::string& right = site.operand_name(1);
  site.add(
      "operands-swapped",
      {fmt::format("{} と {} の順が逆です", left, right), fmt::format("{} and {} are swapped", left, right)},
      [operands] {
        return computed(derived::product("right", "left"), {operands[1], operands[0]});
      });
  site.add("operand-transposed",
           {fmt::format("{} が転置されています", right), fmt::format("{} is transposed", right)},
           [operands] { return computed(derived::product_with_transpose("left", "right"), operands); });
  site.add("operand-transposed",
           {fmt::format("{} が転置されています", left), fmt::format("{} is transposed", left)}, [operands] {
             const Array wrong = transposed(*operands[0]);
             return computed(derived::product("left", "right"), {&wrong, operands[1]});
           });
}

void add_transposed_product_faults(Site& site) {
  const std::vector<const Array*> operands = site.operands;
  const std::string& left = site.operand_name(0);
  const std::string& right = site.operand_name(1);
  site.add("operands-swapped",
           {fmt::format("{} と {} の役割が逆です（行がクエリ、列がキー）", left, right),
            fmt::format("{} and {} have changed roles: rows are queries, columns are keys", left, right)},
           [operands] {
             return computed(derived::product_with_transpose("right", "left"), {operands[1], operands[0]});
           });
  site.add("not-transposed",
           {fmt::format("{} を転置していません", right), fmt::format("{} is not transposed", right)},
           [operands] { return computed(derived::product("left", "right"), operands); });
}

/// Every length that a wrong √d might have been taken of.
std::set<std::size_t> lengths_in(const std::vector<Stage>& trace) {
  std::set<std::size_t> lengths;
  for (const Stage& stage : trace) lengths.insert(stage.array.shape.begin(), stage.array.shape.end());
  return lengths;
}

void add_scale_faults(Site& site) {
  const Array& operand = *site.operands[0];
  const double right = site.stage.derivation.number;
  const auto add = [&](const std::string& name, const Text& what, double wrong) {
    if (!std::isfinite(wrong) || std::abs(wrong - right) <= 1e-9 * std::abs(right)) return;
    site.add(name, what,
             [&operand, wrong] { return computed(derived::scaled("operand", wrong), {&operand}); });
  };
  const std::string& name = site.operand_name(0);
  add("not-scaled",
      {fmt::format("{} にスケール {:.6g} を掛けていません", name, right),
       fmt::format("{} is not scaled: it must be multiplied by {:.6g}", name, right)},
      1.0);
  add("scaled-twice",
      {"スケールを 2 回掛けています（√d でなく d で割るのと同じ）",
       "the scale is applied twice, which is dividing by d instead of √d"},
      right * right);
  add("scale-inverted",
      {"スケールで割るところを掛けている（またはその逆）", "√d multiplies where it should divide"},
      1.0 / right);
  for (const std::size_t length : lengths_in(site.trace)) {
    if (length < 2) continue;
    add("scale-of-wrong-width",
        {fmt::format("√{} で割っています（掛けるべき数は {:.6g}）", length, right),
         fmt::format("it is divided by √{}; the factor must be {:.6g}", length, right)},
        1.0 / std::sqrt(static_cast<double>(length)));
  }
}

// --- Layer norm, heads, and the rest -----------------------------------------------------------------------

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
  site.add(
      "norm-wrong-axis",
      {fmt::format("{} の軸に沿って正規化しています（{} の軸に沿って行います）", axis_name(operand, 2),
                   axis_name(operand, 1)),
       fmt::format("it normalises along {} instead of {}", axis_name(operand, 2), axis_name(operand, 1))},
      [&operand, eps] {
        return along_columns(operand, [eps](const Array& columns) {
          return computed(derived::layer_norm("columns", eps), {&columns});
        });
      });
}

void add_join_faults(Site& site) {
  const Array& operand = *site.operands[0];
  const Shape shape = site.stage.array.shape;
  site.add("reshaped-without-transpose",
           {"ヘッドと位置の軸を入れ替えずに reshape しています（異なる位置が混ざります）",
            "the heads are joined by reshape without swapping the heads and length axes first"},
           [&operand, shape] {
             Array wrong = operand;
             wrong.shape = shape;
             return wrong;
           });
}

void add_skipped_fault(Site& site, const std::string& function) {
  const Array& operand = *site.operands[0];
  site.add("no-" + function,
           {fmt::format("{} を適用していません", function), fmt::format("{} is not applied", function)},
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
    case Operation::row_maximum:
    case Operation::given:
    case Operation::worked:
      return;
  }
}

// --- Downstream --------------------------------------------------------------------------------------------

std::size_t index_of(const std::vector<Stage>& trace, const std::string& name) {
  return static_cast<std::size_t>(&named(trace, name) - trace.data());
}

/// Which stages the target was made of, itself included.
std::vector<bool> made_of(const std::vector<Stage>& trace, std::size_t target) {
  std::vector<bool> part(trace.size(), false);
  part[target] = true;
  for (std::size_t i = target + 1; i-- > 0;) {
    if (!part[i]) continue;
    for (const std::string& name : trace[i].derivation.operands) part[index_of(trace, name)] = true;
  }
  return part;
}

}  // namespace

std::vector<Fault> faults_at(const std::vector<Stage>& trace, std::size_t index) {
  const Stage& stage = trace[index];
  Site site{trace, stage, operands_of(stage, trace), {}};
  add_faults(site);
  if (stage.array.shape.size() >= 2) {
    site.add("transposed", {"結果が転置されています", "the result is transposed"},
             [&stage] { return transposed(stage.array); });
  }
  return site.faults;
}

std::optional<Array> downstream(const std::vector<Stage>& trace, std::size_t changed, const Array& array,
                                std::size_t target) {
  const std::vector<bool> part = made_of(trace, target);
  if (!part[changed]) return std::nullopt;
  std::vector<std::optional<Array>> arrays(trace.size());  // those that differ from the trace
  arrays[changed] = array;
  for (std::size_t i = changed + 1; i <= target; ++i) {
    if (!part[i]) continue;
    std::vector<const Array*> operands;
    bool differs = false;
    for (const std::string& name : trace[i].derivation.operands) {
      const std::size_t operand = index_of(trace, name);
      differs = differs || arrays[operand].has_value();
      operands.push_back(arrays[operand] ? &*arrays[operand] : &trace[operand].array);
    }
    if (!differs) continue;
    if (!is_recomputable(trace[i].derivation)) return std::nullopt;
    try {
      arrays[i] = computed(trace[i].derivation, operands);
    } catch (const ShapeMismatch&) {
      return std::nullopt;
    }
  }
  return arrays[target];
}

}  // namespace attnlab
