#include "experiments/framework/trace.hpp"

#include <cctype>

#include "core/named.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

bool is_letter(char letter) {
  return letter == '_' || std::isalnum(static_cast<unsigned char>(letter)) != 0;
}

/// Python code with a prefix before each of these names; methods (.name) are none of them.
std::string with_prefix(const std::string& code, const std::vector<std::string>& names,
                        const std::string& prefix) {
  std::string result;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at;
    while (end < code.size() && is_letter(code[end])) ++end;
    const std::string word = code.substr(at, end - at);
    const bool is_name = std::find(names.begin(), names.end(), word) != names.end();
    if (is_name && (at == 0 || code[at - 1] != '.')) result += prefix;
    result += end == at ? std::string(1, code[at]) : word;
    at = std::max(end, at + 1);
  }
  return result;
}

}  // namespace

Stage input(std::string name, const Tensor<double>& values, std::vector<std::string> axes) {
  return input(std::move(name), to_array(values, std::move(axes)));
}

Stage step(std::string name, Formula formula, const Tensor<double>& values, std::vector<std::string> axes,
           Derivation derivation) {
  return {std::move(name), std::move(formula), to_array(values, std::move(axes)), std::move(derivation)};
}

Stage step(std::string name, std::string_view formula, const Tensor<double>& values,
           std::vector<std::string> axes, Derivation derivation) {
  return step(std::move(name), formula::read(formula), values, std::move(axes), std::move(derivation));
}

void append(std::vector<Stage>& stages, std::vector<Stage> more) {
  std::move(more.begin(), more.end(), std::back_inserter(stages));
}

std::vector<Stage> with_prefix(std::vector<Stage> stages, const std::string& prefix) {
  const std::vector<std::string> names = names_of(stages);
  for (Stage& stage : stages) {
    stage.name.insert(0, prefix);
    for (std::string& operand : stage.derivation.operands) operand.insert(0, prefix);
    stage.derivation.code = with_prefix(stage.derivation.code, names, prefix);
  }
  return stages;
}

Table shape_trace(const std::vector<Stage>& stages) {
  Table table{{{"配列", "array"}, {"式", "formula"}, {"形状", "shape"}, {"軸", "axes"}}, {}};
  for (const Stage& stage : stages) {
    table.rows.push_back({stage.name, to_terminal(stage.formula), shape_text(stage.array.shape),
                          joined(stage.array.axes, ", ")});
  }
  return table;
}

Formula scaled_scores(const std::string& scale, Formula product, std::string_view width) {
  if (scale == "none") return product;
  if (scale == "default") return formula::fraction(std::move(product), formula::root(formula::read(width)));
  return formula::row({formula::sym(scale + " "), std::move(product)});
}

}  // namespace attnlab
