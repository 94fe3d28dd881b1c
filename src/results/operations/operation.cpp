#include "results/operations/operation.hpp"

namespace attnlab {

const OperationKind* kind_of(Operation operation) {
  static const std::array<const OperationKind*, 17> all{&product_kind,       &product_with_transpose_kind,
                                                        &sum_kind,           &difference_kind,
                                                        &scaled_kind,        &power_kind,
                                                        &tanh_kind,          &relu_kind,
                                                        &softmax_kind,       &row_share_kind,
                                                        &row_entropy_kind,   &layer_norm_kind,
                                                        &rms_norm_kind,      &rotary_pairs_kind,
                                                        &rotary_halves_kind, &split_heads_kind,
                                                        &join_heads_kind};
  for (const OperationKind* kind : all)
    if (kind->operation == operation) return kind;
  return nullptr;
}

}  // namespace attnlab
