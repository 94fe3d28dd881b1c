#include "results/derivation/derivation.hpp"

#include <utility>

namespace attnlab::derived {

using Operation = Derivation::Operation;

Derivation measured() {
  return {Operation::measured, {}, 0.0, {}};
}

Derivation product(std::string left, std::string right) {
  return {Operation::product, {std::move(left), std::move(right)}, 0.0, {}};
}

Derivation product_with_transpose(std::string left, std::string right) {
  return {Operation::product_with_transpose, {std::move(left), std::move(right)}, 0.0, {}};
}

Derivation sum(std::string left, std::string right) {
  return {Operation::sum, {std::move(left), std::move(right)}, 0.0, {}};
}

Derivation difference(std::string left, std::string right) {
  return {Operation::difference, {std::move(left), std::move(right)}, 0.0, {}};
}

Derivation scaled(std::string operand, double number) {
  return {Operation::scaled, {std::move(operand)}, number, {}};
}

Derivation softmax(std::string operand) {
  return {Operation::softmax, {std::move(operand)}, 0.0, {}};
}

Derivation exponential(std::string operand) {
  return {Operation::exponential, {std::move(operand)}, 0.0, {}};
}

Derivation tanh(std::string operand) {
  return {Operation::tanh, {std::move(operand)}, 0.0, {}};
}

Derivation relu(std::string operand) {
  return {Operation::relu, {std::move(operand)}, 0.0, {}};
}

Derivation layer_norm(std::string operand, double eps) {
  return {Operation::layer_norm, {std::move(operand)}, eps, {}};
}

Derivation split_heads(std::string operand, std::size_t heads) {
  return {Operation::split_heads, {std::move(operand)}, static_cast<double>(heads), {}};
}

Derivation join_heads(std::string operand) {
  return {Operation::join_heads, {std::move(operand)}, 0.0, {}};
}

Derivation row_entropy(std::string operand) {
  return {Operation::row_entropy, {std::move(operand)}, 0.0, {}};
}

Derivation row_maximum(std::string operand) {
  return {Operation::row_maximum, {std::move(operand)}, 0.0, {}};
}

Derivation worked(std::vector<std::string> operands, std::vector<Chain> lines) {
  return {Operation::worked, std::move(operands), 0.0, std::move(lines)};
}

}  // namespace attnlab::derived

template class std::vector<attnlab::Chain::Link>;
template class std::vector<attnlab::Chain>;
