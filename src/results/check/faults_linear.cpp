// Mistakes at sums, products and scales: an operand left out, taken for another, or turned round.
#include <cmath>
#include <set>

#include "results/check/diagnosis.hpp"
#include "results/check/fault_site.hpp"

namespace attnlab::faults {
namespace {

std::size_t stage_index(const std::vector<Stage>& trace, const std::string& name) {
  return static_cast<std::size_t>(&named(trace, name) - trace.data());
}

/// One factor alone, as where W_O is forgotten.
void add_missing_factor_faults(Site& site) {
  for (const std::size_t kept : {std::size_t{0}, std::size_t{1}}) {
    const Array& alone = *site.operands[kept];
    const std::string& missing = site.operand_name(1 - kept);
    if (alone.shape != site.stage.array.shape) continue;
    site.add("not-multiplied", text("{} を掛けていません", "{} is not multiplied in", missing),
             [&alone] { return alone; });
  }
}

/// Another array in a factor's place, as in A K for A V. Not one that the factor was made of: there a step is
/// missing, which is another mistake.
void add_wrong_factor_faults(Site& site) {
  for (const std::size_t factor : {std::size_t{0}, std::size_t{1}}) {
    const std::string& right = site.operand_name(factor);
    const std::vector<bool> makes_it = made_of(site.trace, stage_index(site.trace, right));
    for (std::size_t other = 0; other < site.index; ++other) {
      const Stage& wrong = site.trace[other];
      if (makes_it[other] || wrong.array.shape != site.operands[factor]->shape) continue;
      std::vector<const Array*> operands = site.operands;
      operands[factor] = &wrong.array;
      site.add("wrong-operand",
               {fmt::format("{} のところで {} を使っています", right, wrong.name),
                fmt::format("{} stands in place of {}", wrong.name, right)},
               [&how = site.stage.derivation, operands] { return computed(how, operands); });
    }
  }
}

}  // namespace

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
    site.add("not-added", text("{} を足していません", "{} is not added", missing),
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
  site.add("operands-swapped", text("{} と {} の順が逆です", "{} and {} are swapped", left, right),
           [operands] {
             return computed(derived::product("right", "left"), {operands[1], operands[0]});
           });
  site.add("operand-transposed", text("{} が転置されています", "{} is transposed", right),
           [operands] { return computed(derived::product_with_transpose("left", "right"), operands); });
  site.add("operand-transposed", text("{} が転置されています", "{} is transposed", left), [operands] {
    const Array wrong = transposed(*operands[0]);
    return computed(derived::product("left", "right"), {&wrong, operands[1]});
  });
  add_missing_factor_faults(site);
  add_wrong_factor_faults(site);
}

void add_transposed_product_faults(Site& site) {
  const std::vector<const Array*> operands = site.operands;
  const std::string& left = site.operand_name(0);
  const std::string& right = site.operand_name(1);
  site.add("operands-swapped",
           text("{} と {} の役割が逆です（行がクエリ、列がキー）",
                "{} and {} have changed roles: rows are queries, columns are keys", left, right),
           [operands] {
             return computed(derived::product_with_transpose("right", "left"), {operands[1], operands[0]});
           });
  site.add("not-transposed", text("{} を転置していません", "{} is not transposed", right),
           [operands] { return computed(derived::product("left", "right"), operands); });
  add_missing_factor_faults(site);
  add_wrong_factor_faults(site);
}

std::set<std::size_t> widths_in(const std::vector<Stage>& trace) {
  std::set<std::size_t> widths;
  for (const Stage& stage : trace) widths.insert(stage.array.shape.begin(), stage.array.shape.end());
  widths.erase(0);
  widths.erase(1);
  return widths;
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

}  // namespace attnlab::faults
