// Mistakes where heads are split from one another and joined again.
#include <fmt/ranges.h>

#include "results/check/fault_site.hpp"

namespace attnlab::faults {
namespace {

using Operation = Derivation::Operation;

/// The stages (..., heads, length, width) that one matrix for all heads gives when its columns are split, or
/// the heads' own matrices at once.
bool splits_heads(const Stage& stage, const std::vector<Stage>& trace) {
  const Derivation& how = stage.derivation;
  if (how.operation == Operation::split_heads) return true;
  const std::size_t rank = stage.array.shape.size();
  return how.operation == Operation::product && rank >= 3 &&
         named(trace, how.operands[0]).array.shape.size() + 1 == rank;
}

Array split_by_reshape(const Derivation& how, const std::vector<const Array*>& operands) {
  const Array right = computed(how, operands);
  Array wrong = computed(derived::join_heads("heads"), {&right});
  wrong.shape = right.shape;
  return wrong;
}

Array reshaped(const Array& array, const std::vector<std::size_t>& shape) {
  Array result = array;
  result.shape = shape;
  return result;
}

}  // namespace

void add_join_faults(Site& site) {
  const Array& operand = *site.operands[0];
  const std::vector<std::size_t>& shape = site.stage.array.shape;
  site.add("reshaped-without-transpose",
           {"ヘッドと位置の軸を入れ替えずに reshape しています（異なる位置が混ざります）",
            "the heads are joined by reshape without swapping the heads and length axes first"},
           [&operand, &shape] { return reshaped(operand, shape); });
}

}  // namespace attnlab::faults

namespace attnlab {

std::vector<Fault> faults_at_several(const std::vector<Stage>& trace) {
  using namespace faults;
  std::vector<Change> splits;
  std::vector<Change> joins;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Stage& stage = trace[i];
    if (splits_heads(stage, trace)) {
      splits.push_back(
          {i, [&stage](const auto& operands) { return split_by_reshape(stage.derivation, operands); }});
      names.push_back(stage.name);
    } else if (stage.derivation.operation == Operation::join_heads) {
      joins.push_back(
          {i, [&stage](const auto& operands) { return reshaped(*operands[0], stage.array.shape); }});
    }
  }
  if (splits.empty()) return {};
  const std::string split = fmt::format("{}", fmt::join(names, ", "));
  std::vector<Change> both = splits;
  both.insert(both.end(), joins.begin(), joins.end());
  return {{"split-without-transpose", names.front(),
           text("ヘッドに分けるとき、軸を入れ替えずに reshape しています（{}）",
                "the heads of {} are split by reshape alone, without swapping axes", split),
           splits},
          {"split-and-joined-without-transpose", names.front(),
           text("ヘッドに分けるとき（{}）も戻すときも、軸を入れ替えずに reshape しています",
                "the heads of {} are split by reshape alone and joined by it, without swapping axes", split),
           both}};
}

}  // namespace attnlab
