// The operations of a derivation, a file each: what it computes, how a row of it is written out, how NumPy
// writes it, what a sheet says of it. A new one is a file, and a line in operation.cpp.
#pragma once

#include "results/operations/scene.hpp"

namespace attnlab {

using Operation = Derivation::Operation;

/// The operands' arrays, `b` being `a` where there is one, and the derivation's number.
struct Operands {
  const Array& a;
  const Array& b;
  double number;
};

struct OperationKind {
  Operation operation;
  std::size_t operands;
  /// By plain loops in double, with nothing of src/attention. Axis names are those of the operand whose shape
  /// it keeps, else empty. Throws ShapeMismatch.
  Array (*computed)(const Operands& of);
  ExplanationLines (*explained)(const Scene& scene);
  /// An expression of NumPy over the operands {0} and {1}, with the number as Python writes it ({2}) or as it
  /// is ({3}).
  const char* numpy;
  /// What a sheet says, of the operands {0} and {1} and the number {2}.
  const char* ja;
  const char* en;
  const char* in_page;  // as page.js writes its entries out; "" for what follows from too many values
  /// In place of these where they depend on more.
  std::string (*numpy_of)(const Stage& stage, const std::vector<Stage>& trace);
  Text (*words_of)(const Derivation& how);

  constexpr OperationKind(Operation operation_, std::size_t operands_, Array (*computed_)(const Operands&),
                          ExplanationLines (*explained_)(const Scene&), const char* numpy_, const char* ja_,
                          const char* en_, const char* in_page_ = "",
                          std::string (*numpy_of_)(const Stage&, const std::vector<Stage>&) = nullptr,
                          Text (*words_of_)(const Derivation&) = nullptr)
      : operation(operation_),
        operands(operands_),
        computed(computed_),
        explained(explained_),
        numpy(numpy_),
        ja(ja_),
        en(en_),
        in_page(in_page_),
        numpy_of(numpy_of_),
        words_of(words_of_) {}
};

extern const OperationKind product_kind, product_with_transpose_kind;
extern const OperationKind sum_kind, difference_kind, scaled_kind;
extern const OperationKind power_kind, tanh_kind, relu_kind;
extern const OperationKind softmax_kind, row_share_kind, row_entropy_kind;
extern const OperationKind layer_norm_kind, rms_norm_kind;
extern const OperationKind rotary_pairs_kind, rotary_halves_kind;
extern const OperationKind split_heads_kind, join_heads_kind;

/// nullptr of what is no operation: given, measured, learned, worked.
const OperationKind* kind_of(Operation operation);

}  // namespace attnlab
