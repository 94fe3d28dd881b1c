#include "experiments/framework/tape.hpp"

#include <cctype>
#include <xtensor/xmath.hpp>

#include "attention/matmul.hpp"
#include "attention/softmax.hpp"
#include "core/named.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

/// NumPy's left @ right, of vectors too: their axis is gone from the result.
Tensor<double> dot(Tensor<double> left, Tensor<double> right) {
  const bool is_row = left.dimension() == 1;
  const bool is_column = right.dimension() == 1;
  if (is_row) left.reshape({1, left.size()});
  if (is_column) right.reshape({right.size(), 1});
  Tensor<double> result = matmul(left, right);
  std::vector<std::size_t> shape(result.shape().begin(), result.shape().end());
  if (is_column) shape.pop_back();
  if (is_row) shape.erase(shape.end() - (is_column ? 1 : 2));
  result.reshape(shape);
  return result;
}

bool is_letter(char letter) { return letter == '_' || std::isalnum(static_cast<unsigned char>(letter)) != 0; }

/// Python code with a prefix before the names of these stages, which have it; methods (.name) are none of
/// them.
std::string with_prefix(const std::string& code, const std::vector<Stage>& stages,
                        const std::string& prefix) {
  std::string result;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at;
    while (end < code.size() && is_letter(code[end])) ++end;
    const std::string word = code.substr(at, end - at);
    const bool is_name = find_named(stages, prefix + word) != nullptr;
    if (is_name && (at == 0 || code[at - 1] != '.')) result += prefix;
    result += end == at ? std::string(1, code[at]) : word;
    at = std::max(end, at + 1);
  }
  return result;
}

}  // namespace

Tensor<double> Tape::normal(Name name, const std::vector<std::size_t>& shape, Axes axes,
                            const Factor& factor) {
  return input(name, Inputs::normal(name, shape, factor), std::move(axes));
}

Tensor<double> Tape::given(Name name, const Tensor<double>& assumed, Axes axes, const std::string& code) {
  return input(name, Inputs::given(name, assumed, code), std::move(axes));
}

Tensor<double> Tape::input(Name name, const Tensor<double>& values, Axes axes) {
  return step(name, Formula{}, values, std::move(axes), {});
}

Tensor<double> Tape::product(Name name, Spelt formula, Name left, Name right, Axes axes) {
  return step(name, std::move(formula), dot(numbers_of(left), numbers_of(right)), std::move(axes),
              derived::product(left, right));
}

Tensor<double> Tape::product_with_transpose(Name name, Spelt formula, Name left, Name right, Axes axes) {
  return step(name, std::move(formula), dot(numbers_of(left), transpose(numbers_of(right))), std::move(axes),
              derived::product_with_transpose(left, right));
}

Tensor<double> Tape::sum(Name name, Spelt formula, Name left, Name right) {
  return step(name, std::move(formula), numbers_of(left) + numbers_of(right), axes_of(left),
              derived::sum(left, right));
}

Tensor<double> Tape::difference(Name name, Spelt formula, Name left, Name right) {
  return step(name, std::move(formula), numbers_of(left) - numbers_of(right), axes_of(left),
              derived::difference(left, right));
}

Tensor<double> Tape::scaled(Name name, Spelt formula, Name operand, double number) {
  return step(name, std::move(formula), numbers_of(operand) * number, axes_of(operand),
              derived::scaled(operand, number));
}

Tensor<double> Tape::softmax(Name name, Spelt formula, Name scores) {
  return step(name, std::move(formula), attnlab::softmax(numbers_of(scores)), axes_of(scores),
              derived::softmax(scores));
}

Tensor<double> Tape::power(Name name, Spelt formula, Name exponents, double base) {
  Tensor<double> powers = numbers_of(exponents);
  for (double& number : powers)
    number = std::pow(base, number);  // exact where powers are whole, unlike xsimd's
  return step(name, std::move(formula), powers, axes_of(exponents), derived::power(exponents, base));
}

Tensor<double> Tape::row_share(Name name, Spelt formula, Name terms) {
  const Tensor<double> numbers = numbers_of(terms);
  const Tensor<double> sums = xt::sum(numbers, {numbers.dimension() - 1}, xt::keep_dims);
  return step(name, std::move(formula), numbers / sums, axes_of(terms), derived::row_share(terms));
}

AttentionStages<double> Tape::attention(Name query, Name key, Name value, std::optional<double> scale,
                                        const AttentionTold& told) {
  const Tensor<double> queries = numbers_of(query);
  const double factor = scale.value_or(1.0 / std::sqrt(static_cast<double>(queries.shape().back())));
  AttentionStages<double> stages =
      scaled_dot_product_attention(queries, numbers_of(key), numbers_of(value), {factor, {}});
  tell(query, key, value, stages, factor, told);
  return stages;
}

void Tape::tell(Name query, Name key, Name value, const AttentionStages<double>& stages, double scale,
                const AttentionTold& told) {
  const auto named = [&told](const char* stage) { return told.prefix + stage + told.suffix; };
  Axes pair = axes_of(query, 2);
  pair.insert(pair.end(), {"queries", "keys"});
  Axes output = axes_of(query, 1);
  output.push_back(axes_of(value).back());
  step(named("raw_scores"), told.product, stages.raw_scores, pair,
       derived::product_with_transpose(query, key));
  step(named("scores"), told.scores, stages.scores, pair, derived::scaled(named("raw_scores"), scale));
  if (told.own_mask) input(told.mask, *told.own_mask, pair);
  if (told.masked) {
    step(
        named("masked"), *told.masked, stages.masked, pair,
        told.mask.empty() ? derived::scaled(named("scores"), 1.0) : derived::sum(named("scores"), told.mask));
  }
  step(named("weights"), told.weights, stages.weights, pair,
       derived::softmax(named(told.masked ? "masked" : "scores")));
  step(named(told.output_name), told.output, stages.output, output,
       derived::product(named("weights"), value));
}

Tensor<double> Tape::step(Name name, Spelt formula, const Tensor<double>& values, Axes axes,
                          Derivation derivation) {
  for (std::string& operand : derivation.operands) operand.insert(0, prefix());
  if (!prefix().empty()) derivation.code = with_prefix(derivation.code, stages_, prefix());
  stages_.push_back({prefix() + name, std::move(formula.formula), to_array(values, std::move(axes)),
                     std::move(derivation)});
  stages_.back().array.dtype = dtype_;
  return values;
}

const Array& Tape::array_of(Name stage) const {
  const Stage* const found = find_named(stages_, prefix() + stage);
  if (found == nullptr) throw std::logic_error("no stage is named " + prefix() + stage);
  return found->array;
}

Tensor<double> Tape::numbers_of(Name stage) const {
  const Array& array = array_of(stage);
  Tensor<double> numbers = to_tensor(array.data);
  numbers.reshape(array.shape);
  return numbers;
}

Axes Tape::axes_of(Name stage, std::size_t dropped) const {
  Axes axes = array_of(stage).axes;
  axes.resize(axes.size() - dropped);
  return axes;
}

}  // namespace attnlab
