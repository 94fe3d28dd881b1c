#include "experiments/framework/trace.hpp"

#include "experiments/framework/tensor_array.hpp"

namespace attnlab {

Stage step(std::string name, Formula formula, const Tensor<double>& values, std::vector<std::string> axes,
           Derivation derivation) {
  return {std::move(name), std::move(formula), to_array(values, std::move(axes)), std::move(derivation)};
}

Stage learned_stage(std::string name, const Tensor<double>& values, std::vector<std::string> axes) {
  return step(std::move(name), Formula{}, values, std::move(axes), derived::learned());
}

void append(std::vector<Stage>& stages, std::vector<Stage> more) {
  std::move(more.begin(), more.end(), std::back_inserter(stages));
}

Table shape_trace(const std::vector<Stage>& stages) {
  Table table{{{"配列", "array"}, {"式", "formula"}, {"形状", "shape"}, {"軸", "axes"}}, {}};
  for (const Stage& stage : stages) {
    table.rows.push_back({stage.name, to_terminal(stage.formula), shape_text(stage.array.shape),
                          joined(stage.array.axes, ", ")});
  }
  return table;
}

Paragraph about_learned_weights(const std::string& experiment) {
  return Paragraph::note(
      "学習した重みで見るには：`attnlab {} --model world --text \"花子は作家だ。毎日\"`",
      "With learned weights: `attnlab {} --model world --text \"the books above the tree\"`", experiment);
}

Formula scaled_scores(const std::string& scale, Formula product, std::string_view width) {
  if (scale == "none") return product;
  if (scale == "default") return formula::fraction(std::move(product), formula::root(formula::read(width)));
  return formula::row({formula::sym(scale + " "), std::move(product)});
}

}  // namespace attnlab
