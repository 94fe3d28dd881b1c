#include "results/derivation/recompute.hpp"

#include "results/operations/operation.hpp"

namespace attnlab {
namespace {

using Position = std::vector<Stage>::const_iterator;

Position position_of(const std::string& name, Position begin, Position end) {
  return std::find_if(begin, end, [&](const Stage& stage) { return stage.name == name; });
}

}  // namespace

bool is_recomputable(const Derivation& derivation) { return kind_of(derivation.operation) != nullptr; }

Array computed(const Derivation& derivation, const std::vector<const Array*>& operands) {
  const OperationKind* kind = kind_of(derivation.operation);
  if (kind == nullptr) throw std::logic_error("no operation gives this stage");
  if (operands.size() != kind->operands) {
    throw std::logic_error("the operation takes " + std::to_string(kind->operands) + " operands, got " +
                           std::to_string(operands.size()));
  }
  return kind->computed({*operands.front(), *operands.back(), derivation.number});
}

std::vector<const Array*> operands_of(const Stage& stage, const std::vector<Stage>& trace) {
  const auto end = position_of(stage.name, trace.begin(), trace.end());
  std::vector<const Array*> operands;
  for (const std::string& name : stage.derivation.operands) {
    const auto found = position_of(name, trace.begin(), end);
    if (found == end) {
      throw std::logic_error("stage " + stage.name + " is made of " + name + ", which no stage before it is");
    }
    operands.push_back(&found->array);
  }
  return operands;
}

Array recomputed(const Stage& stage, const std::vector<Stage>& trace) {
  const std::vector<const Array*> operands = operands_of(stage, trace);
  if (!is_recomputable(stage.derivation)) return stage.array;
  Array result = computed(stage.derivation, operands);
  if (result.shape != stage.array.shape) {
    throw ShapeMismatch("stage " + stage.name + " has shape " + shape_text(stage.array.shape) +
                        ", its derivation gives " + shape_text(result.shape));
  }
  result.axes = stage.array.axes;
  result.dtype = stage.array.dtype;
  if (result.dtype == DType::float32) {
    for (double& value : result.data) value = static_cast<double>(static_cast<float>(value));
  }
  return result;
}

}  // namespace attnlab
