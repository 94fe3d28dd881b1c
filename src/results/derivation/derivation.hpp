// How a stage of the trace came from earlier stages: enough to recompute it, and to write the computation
// out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/explain/chain.hpp"

namespace attnlab {

/// Plain values. `operands` name earlier stages of the same trace; all operations follow NumPy: the last two
/// axes are the matrix, the axes before broadcast, and a vector (n,) is a column on the right and a row on
/// the left of a product.
struct Derivation {
  enum class Operation {
    given,                   // an input: typed, read or drawn at random
    measured,                // read off a clock: another run gives other numbers
    product,                 // A B
    product_with_transpose,  // A Bᵀ
    sum,                     // A + B
    difference,              // A - B
    scaled,                  // number · A
    softmax,                 // along the last axis, stable
    exponential,             // exp, element by element
    tanh,                    // element by element
    relu,                    // max(0, A), element by element
    layer_norm,              // along the last axis, with the variance (ddof 0) and eps = number
    split_heads,             // (..., length, heads * width) to (..., heads, length, width); heads = number
    join_heads,              // (..., heads, length, width) to (..., length, heads * width)
    row_entropy,             // -sum p ln p in nats along the last axis, which disappears
    row_maximum,             // along the last axis, which disappears
    worked,                  // anything else: the experiment writes it out itself, row by row
  };

  Operation operation = Operation::given;
  std::vector<std::string> operands;
  double number = 0.0;        // scaled, layer_norm, split_heads
  std::vector<Chain> worked;  // Operation::worked: one line per entry of the first axis, numbers substituted
};

/// Builders: {"scores", formula, array, derived::scaled("raw_scores", 0.5)}.
namespace derived {
Derivation measured();
Derivation product(std::string left, std::string right);
Derivation product_with_transpose(std::string left, std::string right);
Derivation sum(std::string left, std::string right);
Derivation difference(std::string left, std::string right);
Derivation scaled(std::string operand, double number);
Derivation softmax(std::string operand);
Derivation exponential(std::string operand);
Derivation tanh(std::string operand);
Derivation relu(std::string operand);
Derivation layer_norm(std::string operand, double eps);
Derivation split_heads(std::string operand, std::size_t heads);
Derivation join_heads(std::string operand);
Derivation row_entropy(std::string operand);
Derivation row_maximum(std::string operand);
Derivation worked(std::vector<std::string> operands, std::vector<Chain> lines);
}  // namespace derived

}  // namespace attnlab
