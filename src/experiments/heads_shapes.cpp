// The shapes on the way through a multi-head layer, without computing it: any width, in no time.
#include "experiments/heads/heads.hpp"

#include "attention/multi_head.hpp"

namespace attnlab {

std::vector<ShapeStep> shape_pipeline(std::size_t batch, std::size_t length, std::size_t width,
                                      std::size_t heads) {
  const std::size_t d = head_width(width, heads);
  std::vector<ShapeStep> steps{
      {{"入力", "input"}, "L × E", {length, width}},
      {{"線形層", "linear"}, "L × (H·D)", {length, heads * d}},
      {{"reshape", "reshape"}, "L × H × D", {length, heads, d}},
      {{"転置", "transpose"}, "H × L × D", {heads, length, d}},
      {{"アテンション", "attention"}, "H × L × D", {heads, length, d}},
      {{"転置", "transpose"}, "L × H × D", {length, heads, d}},
      {{"reshape", "reshape"}, "L × (H·D)", {length, heads * d}},
      {{"出力層", "output layer"}, "L × E", {length, width}},
  };
  if (batch == 0) return steps;
  for (ShapeStep& step : steps) {
    step.letters = "N × " + step.letters;
    step.shape.insert(step.shape.begin(), batch);
  }
  return steps;
}

std::vector<ShapeStep> attention_shapes(std::size_t length, std::size_t width) {
  return {
      {{"Q、K、V", "Q, K, V"}, "L × D", {length, width}},
      {{"K の転置", "K transposed"}, "D × L", {width, length}},
      {{"スコア QKᵀ", "scores QKᵀ"}, "L × L", {length, length}},
      {{"注意度", "weights"}, "L × L", {length, length}},
      {{"出力", "output"}, "L × D", {length, width}},
  };
}

}  // namespace attnlab
