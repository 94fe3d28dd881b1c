#include "results/derivation/recompute.hpp"
#include "results/operations/operation.hpp"

namespace attnlab {

ExplanationLines explained_operation(const Stage& stage, const std::vector<Stage>& trace,
                                     std::size_t row_index) {
  const Scene scene{stage, operands_of(stage, trace), row_index};
  if (stage.array.data.empty() || std::any_of(scene.operands.begin(), scene.operands.end(),
                                              [](const Array* operand) { return operand->data.empty(); })) {
    return {};
  }
  const OperationKind* kind = kind_of(stage.derivation.operation);
  return kind == nullptr ? ExplanationLines{} : kind->explained(scene);
}

}  // namespace attnlab
