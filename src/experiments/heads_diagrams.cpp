// The figures of `heads` with boxes and arrows: the blocks of the layer, and its shapes.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/heads/heads.hpp"
#include "results/report/numpy_text.hpp"

namespace attnlab {
namespace {

std::string shape(std::size_t rows, std::size_t columns) {
  return fmt::format("({}, {})", rows, columns);
}

// --- Boxes and arrows ------------------------------------------------------------------------------------

/// A diagram under construction; box() and word() return the node's index.
class Drawing {
 public:
  std::size_t box(const std::string& id, Text text, double x, double y, const std::string& shape = "") {
    return add({id, std::move(text), x, y, std::nullopt, true, Text::same(shape)});
  }
  std::size_t word(const std::string& id, Text text, double x, double y) {
    return add({id, std::move(text), x, y, std::nullopt, false});
  }
  void arrow(std::size_t from, std::size_t to, Text label = Text::same("")) {
    diagram_.edges.push_back({from, to, 0.12, std::move(label)});
  }
  Diagram diagram(Flow flow) const { return {diagram_.nodes, diagram_.edges, std::nullopt, flow}; }

 private:
  std::size_t add(Node node) {
    diagram_.nodes.push_back(std::move(node));
    return diagram_.nodes.size() - 1;
  }
  Diagram diagram_;
};

/// Fig. 2.2.15, left: three linear layers feed one attention.
Diagram one_head(const HeadsRun& run) {
  constexpr double middle = 0.44;  // a little high: notes hang below
  const std::size_t width = run.d_model / run.heads;
  Drawing drawing;
  const std::size_t attention =
      drawing.box("attention", {"スケール化内積アテンション", "Scaled dot-product attention"}, 0.6, middle,
                  shape(run.queries, run.keys));
  const std::size_t result = drawing.box("head", {"出力", "Output"}, 0.93, middle, shape(run.queries, width));
  const std::vector<std::string> letters{"Q", "K", "V"};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const double y = middle + 0.36 * (static_cast<double>(i) - 1.0);
    const std::string& letter = letters[i];
    const std::size_t rows = i == 0 ? run.queries : run.keys;
    const std::size_t input = drawing.box(letter, Text::same(letter), 0.08, y, shape(rows, run.d_model));
    const std::size_t linear =
        drawing.box("linear." + letter, {"線形層", "Linear"}, 0.27, y, shape(run.d_model, width));
    drawing.arrow(input, linear);
    drawing.arrow(linear, attention);
  }
  drawing.arrow(attention, result);
  return drawing.diagram(Flow::rightwards);
}

/// Which heads get a box; a gap stands for those in between.
std::vector<std::optional<std::size_t>> boxed_heads(std::size_t heads) {
  constexpr std::size_t most = 4;
  std::vector<std::optional<std::size_t>> boxed;
  for (std::size_t head = 0; head < std::min(heads, most); ++head) boxed.emplace_back(head);
  if (heads > most) {
    boxed[most - 2] = std::nullopt;
    boxed[most - 1] = heads - 1;
  }
  return boxed;
}

/// Fig. 2.2.15, right: the heads side by side, joined and mixed.
Diagram all_heads(const HeadsRun& run) {
  Drawing drawing;
  const std::size_t inputs = drawing.box("inputs", Text::same("Q, K, V"), 0.08, 0.5);
  const std::size_t concat =
      drawing.box("concat", {"結合", "Concat"}, 0.56, 0.5, shape(run.queries, run.d_model));
  const std::size_t linear =
      drawing.box("linear.O", {"線形層", "Linear"}, 0.755, 0.5, shape(run.d_model, run.d_model));
  const std::size_t output =
      drawing.box("output", {"出力", "Output"}, 0.93, 0.5, shape(run.queries, run.d_model));
  const std::vector<std::optional<std::size_t>> boxed = boxed_heads(run.heads);
  for (std::size_t i = 0; i < boxed.size(); ++i) {
    const double y = (0.5 + static_cast<double>(i)) / static_cast<double>(boxed.size());
    if (!boxed[i]) {
      drawing.word("more", Text::same("⋮"), 0.31, y);
      continue;
    }
    const std::size_t head =
        drawing.box(fmt::format("heads[{}]", *boxed[i]),
                    {fmt::format("ヘッド {}", *boxed[i]), fmt::format("Head {}", *boxed[i])}, 0.31, y);
    drawing.arrow(inputs, head);
    drawing.arrow(head, concat);
  }
  drawing.arrow(concat, linear);
  drawing.arrow(linear, output);
  return drawing.diagram(Flow::rightwards);
}

/// Down on the left, attention at the bottom, up on the right: equal shapes stand side by side.
Diagram pipeline(const std::vector<ShapeStep>& steps) {
  Drawing drawing;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t row = i < 4 ? i : 7 - i;
    const std::string text = fmt::format("{} = {}", steps[i].letters, shape_text(steps[i].shape));
    drawing.box(fmt::format("shapes[{}]", i), Text::same(text), i < 4 ? 0.25 : 0.75,
                0.09 + 0.273 * static_cast<double>(row));
  }
  for (std::size_t i = 1; i < steps.size(); ++i) drawing.arrow(i - 1, i, steps[i].step);
  return drawing.diagram(Flow::placed);
}

}  // namespace

Figure heads_blocks_figure(const HeadsRun& run) {
  return {
      "blocks",
      run.heads == 1
          ? Text{"ヘッドの出力を、もう一度線形変換する", "What the head found is transformed once more"}
          : Text{fmt::format("{} 個のヘッドを並列に計算し、結合して混ぜる", run.heads),
                 fmt::format("{} heads at once, joined, and mixed by W_O", run.heads)},
      {fmt::format("箱と矢印の図。1 枚目は 1 つのヘッド：Q、K、V "
                   "が別々の線形層を通り、スケール化内積アテンションに入る。"
                   "2 枚目は全体：{} 個のヘッドの出力を結合し、線形層 W_O を通して {} 次元の出力にする。",
                   run.heads, run.d_model),
       fmt::format(
           "Boxes and arrows. First, one head: Q, K and V pass a linear layer each and enter scaled "
           "dot-product attention. Second, all {} heads: joined, and through W_O to an output of width {}.",
           run.heads, run.d_model)},
      {"形状：バッチを除く。線形層（入力, 出力）、アテンション（クエリ, キー）。",
       "Shapes: without the batch; Linear (in, out), attention (queries, keys)."},
      {{{"1 つのヘッド", "One head"}, one_head(run)},
       {{"マルチヘッドアテンション", "Multi-head attention"}, all_heads(run)}},
      1,
      {},
      {12.0, 9.0}};
}

Figure heads_shapes_figure(const HeadsRun& run) {
  const std::size_t batch = is_batched(run) ? run.query_input.shape()[0] : 0;
  const std::vector<ShapeStep> steps = shape_pipeline(batch, run.queries, run.d_model, run.heads);
  const std::string input = shape_text(steps.front().shape);
  const std::size_t width = run.d_model / run.heads;
  const Text batch_letter = batch == 0 ? Text::same("") : Text{"N はバッチ、", "N batch, "};
  return {
      "shapes",
      {fmt::format("{} 次元に射影してから {} 個のヘッド × {} 次元に分け、逆の順に戻す", run.d_model,
                   run.heads, width),
       fmt::format("Project, then split width {} into {} head{} of {}, and come back in reverse", run.d_model,
                   run.heads, run.heads == 1 ? "" : "s", width)},
      {fmt::format("形状の移り変わりを箱と矢印で示す図。左の列を下りる：入力 {}、線形層、reshape、転置。"
                   "下でアテンション。右の列を上る：転置、reshape、線形層 W_O、出力 {}。",
                   input, input),
       fmt::format("The shapes as boxes and arrows. Down on the left: input {}, linear, reshape, transpose. "
                   "Attention at the bottom. Up on the right: transpose, reshape, linear W_O, output {}.",
                   input, input)},
      {fmt::format("{}L はトークン数（Q の場合）、E は d_model、H はヘッド数、D = E / H。",
                   batch_letter.ja()),
       fmt::format("{}L tokens (as for Q), E the width d_model, H heads, D = E / H.", batch_letter.en())},
      {{Text::same(""), pipeline(steps)}},
      1,
      {},
      {12.0, 7.5}};
}

}  // namespace attnlab
