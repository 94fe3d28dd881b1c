#include "experiments/temperature/temperature.hpp"

namespace attnlab {

namespace {

/// From the coldest to the hottest by equal factors.
std::string rising_code(const Tensor<double>& temperature) {
  return fmt::format("{} * {} ** (np.arange({}.0) / {})[:, np.newaxis]", python_repr(temperature(0)),
                     python_repr(temperature.back() / temperature(0)), temperature.size(),
                     temperature.size() - 1);
}

}  // namespace

TemperatureRun TemperatureRun::compute(const Arguments& arguments, const Context&) {
  TemperatureRun run;
  Tape& tape = run.tape = Tape(arguments);
  Tensor<double> scores = to_tensor(arguments.numbers("scores"));
  scores.reshape({1, scores.size()});
  run.scores = tape.given("scores", scores, {"queries", "keys"});
  const Tensor<double> rising = rising_sequence(arguments, "coldest", "hottest", "count");
  const Axes column{"temperatures", "one"};
  run.temperature = tape.step("temperature", Formula{}, rising, column, derived::given(rising_code(rising)));
  tape.step("inverse_temperature", Formula{}, 1.0 / run.temperature, column,
            derived::given("1 / temperature"));
  tape.product("divided", "frac{s}{T}", "inverse_temperature", "scores", {"temperatures", "keys"});
  run.weights = tape.softmax("weights", "softmax(frac{s}{T})", "divided");
  run.largest = tape.row_maximum("largest", "max a", "weights");
  run.entropy = tape.row_entropy("entropy", "−Σ a ln a", "weights");
  return run;
}

std::vector<Scalar> scalars(const TemperatureRun& run) {
  return {{"largest_coldest", run.largest(0)}, {"largest_hottest", run.largest.back()}};
}

std::vector<Invariant> invariants(const TemperatureRun& run) {
  const double rounding = 1e-15 * static_cast<double>(run.scores.size() + 8);  // n terms, at most ln n
  return {invariant("largest_falls", deepest_fall(1.0 - run.largest), rounding,
                    "温度が上がると最大の注意度は増えない", "the hotter, the smaller the largest weight"),
          invariant("entropy_rises", deepest_fall(run.entropy), 8.0 * rounding,
                    "温度が上がるとエントロピーは減らない", "the hotter, the larger the entropy")};
}

std::vector<Block> body(const TemperatureRun& run, const std::vector<Stage>&) {
  return {
      Paragraph::heading("温度", "Temperature"),
      Equation{formula::read("softmax(frac{s}{T})")},
      Values{{"最大の注意度", "largest weight"}, to_array(run.largest, {"temperatures"})},
      Values{{"エントロピー（nat）", "entropy (nats)"}, to_array(run.entropy, {"temperatures"})},
      Paragraph::say(
          "温度 {:g} では最大の注意度が {:.3f}、{:g} では {:.3f} です（均等なら {:.3g}）。",
          "At temperature {:g} the largest weight is {:.3f}, at {:g} it is {:.3f}; an even share is {:.3g}.",
          run.temperature(0), run.largest(0), run.temperature.back(), run.largest.back(),
          1.0 / static_cast<double>(run.scores.size())),
      Paragraph::misunderstanding("温度は順序を変えません。最大のキーはどの温度でも同じです。",
                                  "Temperature changes no order: the largest key stays the largest.")};
}

std::vector<Figure> figures(const TemperatureRun& run) {
  const Tensor<double>& top = run.largest;
  const double most = -std::log(1.0 / static_cast<double>(run.scores.size()));  // entropy, all alike
  const Axis x{{"温度 T", "Temperature T"}, Axis::Scale::log10};
  const auto curve = [&](const char* id, const Tensor<double>& y, const Text& name, double highest) {
    return Chart{x, Axis{name}.within(0.0, highest), {Curve{id, values_of(run.temperature), values_of(y)}}};
  };
  const bool falls = fmt::format("{:.2f}", top(0)) != fmt::format("{:.2f}", top.back());
  return {
      Figure{"curves",
             falls ? text("温度が上がると均等に近づく：最大の注意度 {:.2f} → {:.2f}",
                          "The hotter, the more even: largest weight {:.2f} → {:.2f}", top(0), top.back())
                   : text("この温度の範囲では、最大の注意度は {:.2f} のまま",
                          "At these temperatures the largest weight stays {:.2f}", top(0))}
          .described(
              falls
                  ? text(
                        "温度に対する曲線が 2 枚。最大の注意度は {:.2f} から {:.2f} に下がり、エントロピーは上がる。",
                        "Two curves against temperature: the largest weight falls from {:.2f} to {:.2f}, the entropy rises.",
                        top(0), top.back())
                  : text("温度に対する曲線が 2 枚。最大の注意度 {:.2f} とエントロピー。",
                         "Two curves against temperature: the largest weight, {:.2f}, and the entropy.",
                         top(0)))
          .panel({"最大の注意度", "Largest weight"}, curve("largest", top, {"注意度", "Weight"}, 1.05))
          .panel({"エントロピー", "Entropy"},
                 curve("entropy", run.entropy, {"エントロピー（nat）", "Entropy (nats)"}, 1.05 * most))
          .on_page(12.0, 5.5)};
}

Experiment temperature_experiment() {
  return {"temperature",
          {"温度で softmax は 1 つのキーから均等へ",
           "softmax by temperature: from a single key to an even share"},
          {"教科書 2.2.2 項の softmax、スライドの辞書",
           "textbook section 2.2.2 (softmax), the slides' dictionary"},
          {parameter("scores", NumbersKind{{2, 64}, {-1e3, 1e3}}, "2,-1,0.5,3,-0.5", "スコア", "the scores"),
           parameter("coldest", NumberKind{{1e-99, 1e99}}, "0.1", "最も低い温度", "the lowest temperature"),
           parameter("hottest", NumberKind{{1e-99, 1e99}}, "100", "最も高い温度", "the highest temperature"),
           parameter("count", IntegerKind{{2, 500}}, "61", "温度の個数", "how many temperatures")},
          report_of<TemperatureRun>,
          "",
          {{"scores", {"keys?"}}},
          {{"scores=-1:6:15", "2,-1,@,3,-0.5"}}};
}

}  // namespace attnlab
