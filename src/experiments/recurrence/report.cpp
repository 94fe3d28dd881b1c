// The words of `recurrence`.
#include "experiments/recurrence/recurrence.hpp"

namespace attnlab {
namespace {

Table step_table(const RecurrenceRun& run) {
  const std::size_t n = run.tokens();
  Table table{{text("n = {}", "n = {}", n),
               {"順に行うステップ", "steps, one after the other"},
               {"最初の入力から最後の結果まで", "from the first input to the last result"}}};
  const auto add = [&](const Text& name, const Dependencies& one) {
    table.rows.push_back(
        {name, fmt::format("{:g}", largest(one.steps)), fmt::format("{:g}", one.paths(n - 1, 0))});
  };
  add({"RNN", "RNN"}, run.rnn);
  add({"自己注意", "self-attention"}, run.self_attention);
  return table;
}

Table gradient_table(const RecurrenceRun& run) {
  const std::size_t farthest = run.tokens() - 1;
  Table table{{{"勾配", "gradient"},
               {"1 つ前から", "from 1 before"},
               text("{} 個前から", "from {} before", farthest),
               {"1 ステップごとに", "per step"}}};
  for (std::size_t i = 0; i < run.radius.size(); ++i) {
    table.rows.push_back(
        {text("RNN、半径 {:g}", "RNN, radius {:g}", run.radius(i)), fmt::format("{:.3g}", run.gradient(i, 1)),
         fmt::format("{:.3g}", run.gradient(i, farthest)), fmt::format("× {:.3f}", run.per_step(i))});
  }
  table.rows.push_back({Text{"自己注意", "self-attention"}, fmt::format("{:.3g}", run.attention_gradient(1)),
                        fmt::format("{:.3g}", run.attention_gradient(farthest)),
                        fmt::format("× {:.3f}", run.attention_per_step)});
  return table;
}

}  // namespace

bool has_trend(const RecurrenceRun& run) { return std::abs(run.attention_per_step - 1.0) > 0.05; }

Text gradients_of_all(const RecurrenceRun& run) {
  std::vector<Text> all;
  for (std::size_t i = 0; i < run.radius.size(); ++i)
    all.push_back(text("半径 {:g} で {:.3g}", "{1:.3g} at radius {0:g}", run.radius(i),
                       run.gradient(i, run.tokens() - 1)));
  return listed(all);
}

std::vector<Block> body(const RecurrenceRun& run, const std::vector<Stage>& /*stages*/) {
  return {
      Paragraph::heading("順に読む RNN、一度に読む自己注意", "An RNN reads in turn, self-attention at once"),
      Equation{formula::read("h_t = tanh(W h_{t−1} + U x_t)")},
      step_table(run),
      Paragraph::heading("遠くの入力からの勾配", "The gradient from far away"),
      Equation{formula::read("∂ h_T / ∂ h_t = Π diag(1 − h^2) W")},
      gradient_table(run),
      Paragraph::say(
          "RNN の状態は 1 つ前の状態を待つので、{} トークンに {:g} ステップかかり、勾配には 1 ステップごとに W と tanh の傾きが掛かります。{} ステップ前からの勾配は、{} です。自己注意では、どの経路も {:g} ステップで、勾配{}（1 ステップあたり × {:.3f}）。",
          "A state of the RNN waits for the state before it: {} tokens take {:g} steps, and each multiplies the gradient by W and the slope of tanh. From {} steps before it is {}. In self-attention every way takes {:g} step, and the gradient {} (× {:.3f} per step).",
          run.tokens(), run.rnn.steps.back(), run.tokens() - 1, gradients_of_all(run),
          largest(run.self_attention.paths),
          has_trend(run) && run.attention_per_step < 1.0
              ? Text{"がここでは距離とともに小さくなります", "here falls with the distance"}
              : Text{"は距離とともに消えません", "does not fade with the distance"},
          run.attention_per_step),
      Paragraph::misunderstanding(
          "{}勾配が大きいという意味ではありません。{} 個のトークンが注意度を分け合うので、平均は {:.3g} です。また、1 ステップで済むのは系列全体が手もとにあるときです。文を 1 語ずつ生成するときは、自己注意でも前の語を待ちます。",
          "{} does not make it large. {} tokens share the weight: {:.3g} each on average. And one step is enough only where the whole sequence is there: writing a text word by word, attention waits for the word before as well.",
          has_trend(run) ? Text{"1 ステップで届くからといって、", "One step to every token"}
                         : Text{"消えないのは距離に対してで、", "It does not fade with distance; that"},
          run.tokens(), 1.0 / static_cast<double>(run.tokens())),
      Paragraph::note(
          "W は直交行列の ρ 倍で、固有値の絶対値はすべてスペクトル半径 ρ です。tanh の傾きは 1 以下なので、勾配は ρ の累乗を超えず、状態が大きく tanh が飽和すると小さくなります。ノルムはフロベニウスノルムを √d で割ったもので、単位行列で 1 です。自己注意のステップは、1 層を 1 つと数えます。",
          "W is ρ times an orthogonal matrix: every eigenvalue has the size ρ, the spectral radius. The slope of tanh is at most 1, so no gradient exceeds the power of ρ; large states saturate tanh and lower it. Norm: Frobenius over √d, 1 for the identity. A layer of self-attention counts as one step."),
  };
}

}  // namespace attnlab
