#include "experiments/framework/tape.hpp"

#include <cctype>
#include <xtensor/xmath.hpp>

#include "attention/matmul.hpp"
#include "attention/softmax.hpp"
#include "attention/transformer_layer.hpp"
#include "attention/weight_layout.hpp"
#include "core/named.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

/// What `compute` makes of the operands in that type; a double holds a float exactly.
template <class Compute, class... Operands>
Tensor<double> computed_in(DType type, const Compute& compute, const Operands&... operands) {
  if (type == DType::float64) return compute(operands...);
  const Tensor<float> result = compute(Tensor<float>(operands)...);
  return result;
}

/// NumPy's left @ right, of vectors too: their axis is gone from the result.
template <class T>
Tensor<T> dot(Tensor<T> left, Tensor<T> right) {
  const bool is_row = left.dimension() == 1;
  const bool is_column = right.dimension() == 1;
  if (is_row) left.reshape({1, left.size()});
  if (is_column) right.reshape({right.size(), 1});
  Tensor<T> result = matmul(left, right);
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

Tensor<double> Tape::input_or(Name name, const Tensor<double>& assumed, Axes axes, const std::string& code) {
  return input(name, user_or(name, assumed, code), std::move(axes));
}

Tensor<double> Tape::input(Name name, const Tensor<double>& values, Axes axes) {
  const auto rounded = computed_in(
      dtype(), [](const auto& numbers) { return numbers; }, values);
  return step(name, Formula{}, rounded, std::move(axes), {});
}

Tensor<double> Tape::product(Name name, Spelt formula, Name left, Name right, Axes axes) {
  const auto multiply = [](const auto& a, const auto& b) { return dot(a, b); };
  return step(name, std::move(formula), computed_in(dtype(), multiply, numbers_of(left), numbers_of(right)),
              std::move(axes), derived::product(left, right));
}

Tensor<double> Tape::product_with_transpose(Name name, Spelt formula, Name left, Name right, Axes axes) {
  const auto multiply = [](const auto& a, const auto& b) { return dot(a, attnlab::transpose(b)); };
  return step(name, std::move(formula), computed_in(dtype(), multiply, numbers_of(left), numbers_of(right)),
              std::move(axes), derived::product_with_transpose(left, right));
}

Tensor<double> Tape::sum(Name name, Spelt formula, Name left, Name right) {
  const auto add = [](const auto& a, const auto& b) { return a + b; };
  return step(name, std::move(formula), computed_in(dtype(), add, numbers_of(left), numbers_of(right)),
              axes_of(left), derived::sum(left, right));
}

Tensor<double> Tape::difference(Name name, Spelt formula, Name left, Name right) {
  const auto subtract = [](const auto& a, const auto& b) { return a - b; };
  return step(name, std::move(formula), computed_in(dtype(), subtract, numbers_of(left), numbers_of(right)),
              axes_of(left), derived::difference(left, right));
}

Tensor<double> Tape::scaled(Name name, Spelt formula, Name operand, const Factor& factor) {
  Derivation how = derived::scaled(operand, factor);
  const auto multiply = [&how](const auto& numbers) {
    return numbers * static_cast<typename std::decay_t<decltype(numbers)>::value_type>(how.number);
  };
  return step(name, std::move(formula), computed_in(dtype(), multiply, numbers_of(operand)), axes_of(operand),
              std::move(how));
}

Tensor<double> Tape::softmax(Name name, Spelt formula, Name scores) {
  const auto weights = [](const auto& numbers) { return attnlab::softmax(numbers); };
  return step(name, std::move(formula), computed_in(dtype(), weights, numbers_of(scores)), axes_of(scores),
              derived::softmax(scores));
}

Tensor<double> Tape::relu(Name name, Spelt formula, Name operand) {
  const auto cut_off = [](const auto& numbers) { return attnlab::relu(numbers); };
  return step(name, std::move(formula), computed_in(dtype(), cut_off, numbers_of(operand)), axes_of(operand),
              derived::relu(operand));
}

Tensor<double> Tape::layer_norm(Name name, Spelt formula, Name operand) {
  const auto normalise = [](const auto& numbers) { return attnlab::layer_norm({}, numbers); };
  return step(name, std::move(formula), computed_in(dtype(), normalise, numbers_of(operand)),
              axes_of(operand), derived::layer_norm(operand, LayerNorm<double>{}.eps));
}

Tensor<double> Tape::power(Name name, Spelt formula, Name exponents, double base) {
  const auto raise = [base](auto numbers) {
    using T = typename decltype(numbers)::value_type;
    for (T& number : numbers)  // std::pow is exact where powers are whole, unlike xsimd's
      number = std::pow(static_cast<T>(base), number);
    return numbers;
  };
  return step(name, std::move(formula), computed_in(dtype(), raise, numbers_of(exponents)),
              axes_of(exponents), derived::power(exponents, base));
}

Tensor<double> Tape::row_share(Name name, Spelt formula, Name terms) {
  const auto share = [](const auto& numbers) {
    const std::decay_t<decltype(numbers)> sums = xt::sum(numbers, {numbers.dimension() - 1}, xt::keep_dims);
    return std::decay_t<decltype(numbers)>(numbers / sums);
  };
  return step(name, std::move(formula), computed_in(dtype(), share, numbers_of(terms)), axes_of(terms),
              derived::row_share(terms));
}

Tensor<double> Tape::split_heads(Name name, Spelt formula, Name joined, std::size_t heads, Axes axes) {
  return step(name, std::move(formula), heads_from_width(numbers_of(joined), heads), std::move(axes),
              derived::split_heads(joined, heads));
}

Tensor<double> Tape::join_heads(Name name, Spelt formula, Name heads, Axes axes) {
  return step(name, std::move(formula), attnlab::join_heads(numbers_of(heads)), std::move(axes),
              derived::join_heads(heads));
}

AttentionStages<double> Tape::attention(Name query, Name key, Name value, std::optional<double> scale,
                                        const RecordedAttention& recorded) {
  const auto named = [&recorded](const char* stage) { return recorded.prefix + stage + recorded.suffix; };
  const Factor factor = scale ? times(*scale) : over_root(array_of(query).shape.back());
  Axes pair = axes_of(query, 2);
  pair.insert(pair.end(), {"queries", "keys"});
  Axes row = axes_of(query, 1);
  row.push_back(axes_of(value).back());
  AttentionStages<double> stages;
  stages.raw_scores = product_with_transpose(named("raw_scores"), recorded.product, query, key, pair);
  stages.scores = scaled(named("scores"), recorded.scores, named("raw_scores"), factor);
  stages.masked = stages.scores;
  if (recorded.user_mask) input(recorded.mask, *recorded.user_mask, pair);
  if (recorded.masked) {
    stages.masked = recorded.mask.empty()
                        ? scaled(named("masked"), *recorded.masked, named("scores"), times(1.0))
                        : sum(named("masked"), *recorded.masked, named("scores"), recorded.mask);
  }
  stages.weights = softmax(named("weights"), recorded.weights, named(recorded.masked ? "masked" : "scores"));
  stages.output = product(named(recorded.output_name), recorded.output, named("weights"), value, row);
  return stages;
}

Tensor<double> Tape::step(Name name, Spelt formula, const Tensor<double>& values, Axes axes,
                          Derivation derivation) {
  for (std::string& operand : derivation.operands) operand.insert(0, prefix());
  if (!prefix().empty()) derivation.code = with_prefix(derivation.code, stages_, prefix());
  stages_.push_back({prefix() + name, std::move(formula.formula), to_array(values, std::move(axes)),
                     std::move(derivation)});
  stages_.back().array.dtype = dtype();
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

bool Tape::has(Name stage) const { return find_named(stages_, prefix() + stage) != nullptr; }

Axes Tape::axes_of(Name stage, std::size_t dropped) const {
  Axes axes = array_of(stage).axes;
  axes.resize(axes.size() - dropped);
  return axes;
}

}  // namespace attnlab
