// The mistakes by operation: each is the correct loop with one thing wrong.
#include "results/check/diagnosis.hpp"

#include <cmath>

#include "results/check/fault_site.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

using namespace faults;

using Operation = Derivation::Operation;

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
    case Operation::split_heads:
    case Operation::given:
    case Operation::measured:
    case Operation::worked:
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

}  // namespace attnlab
