// Temperature: softmax(s / T) goes from the one key with the largest score to an even share for all.
#include <cmath>

#include "attention/softmax.hpp"
#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/entropy.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

/// The most that a curve falls from one temperature to the next; 0 when it never does.
double deepest_fall(const Tensor<double>& values) {
  double fall = 0.0;
  for (std::size_t i = 1; i < values.size(); ++i) fall = worst(fall, values(i - 1) - values(i));
  return fall;
}

Report run_temperature(const Arguments& arguments, const Context&) {
  const std::vector<double> numbers = arguments.numbers("scores");
  const std::size_t count = arguments.count("count");
  const double coldest = arguments.number("coldest");
  const double step = std::log(arguments.number("hottest") / coldest) / static_cast<double>(count - 1);

  Tensor<double> scores = Tensor<double>::from_shape({1, numbers.size()});
  std::copy(numbers.begin(), numbers.end(), scores.begin());
  Tensor<double> temperature = Tensor<double>::from_shape({count, 1});
  for (std::size_t i = 0; i < count; ++i)
    temperature(i, 0) = coldest * std::exp(step * static_cast<double>(i));
  const Tensor<double> inverse = 1.0 / temperature;
  const Tensor<double> divided = inverse * scores;  // (temperatures, keys)
  const Tensor<double> weights = softmax(divided);
  const Tensor<double> spread = entropy(weights);
  Tensor<double> top = spread;
  for (std::size_t i = 0; i < count; ++i) top(i) = weights(i, largest_index(scores));
  const Tensor<double> rest = 1.0 - top;

  const double even = 1.0 / static_cast<double>(numbers.size());
  const Array top_array = to_array(top, {"temperatures"});
  const Array spread_array = to_array(spread, {"temperatures"});
  const double rounding =
      1e-15 * static_cast<double>(numbers.size() + 8);  // a sum of n rounded terms, at most ln n
  const auto curve = [&](const char* id, const Tensor<double>& y, const Text& name, double highest) {
    return Chart{Axis{{"温度 T", "Temperature T"}, Axis::Scale::log10},
                 Axis{name}.within(0.0, highest),
                 {Curve{id, values_of(temperature), values_of(y)}}};
  };
  Report report;
  report.stages = {input("scores", to_array(scores, {"queries", "keys"})),
                   input("temperature", to_array(temperature, {"temperatures", "one"})),
                   input("inverse_temperature", to_array(inverse, {"temperatures", "one"})),
                   {"divided", formula::read("frac{s}{T}"), to_array(divided, {"temperatures", "keys"}),
                    derived::product("inverse_temperature", "scores")},
                   {"weights", formula::read("softmax(frac{s}{T})"),
                    to_array(weights, {"temperatures", "keys"}), derived::softmax("divided")},
                   {"largest", formula::read("max a"), top_array, derived::row_maximum("weights")},
                   {"entropy", formula::read("−Σ a ln a"), spread_array, derived::row_entropy("weights")}};
  report.scalars = {{"largest_coldest", top(0)}, {"largest_hottest", top.back()}};
  report.invariants = {
      invariant("largest_falls", deepest_fall(rest), rounding, "温度が上がると最大の注意度は増えない",
                "the hotter, the smaller the largest weight"),
      invariant("entropy_rises", deepest_fall(spread), 8.0 * rounding, "温度が上がるとエントロピーは減らない",
                "the hotter, the larger the entropy")};
  report.body = {
      Paragraph::heading("温度", "Temperature"),
      Equation{formula::read("softmax(frac{s}{T})")},
      Values{{"最大の注意度", "largest weight"}, top_array},
      Values{{"エントロピー（nat）", "entropy (nats)"}, spread_array},
      Paragraph::say(
          "温度 {:g} では最大の注意度が {:.3f}、{:g} では {:.3f} です（均等なら {:.3g}）。",
          "At temperature {:g} the largest weight is {:.3f}, at {:g} it is {:.3f}; an even share is {:.3g}.",
          coldest, top(0), temperature.back(), top.back(), even),
      Paragraph::misunderstanding("温度は順序を変えません。最大のキーはどの温度でも同じです。",
                                  "Temperature changes no order: the largest key stays the largest.")};
  report.figures = {
      Figure{"curves", text("温度が上がると均等に近づく：最大の注意度 {:.2f} → {:.2f}",
                            "The hotter, the more even: largest weight {:.2f} → {:.2f}", top(0), top.back())}
          .described(text(
              "温度に対する曲線が 2 枚。最大の注意度は {:.2f} から {:.2f} に下がり、エントロピーは上がる。",
              "Two curves against temperature: the largest weight falls from {:.2f} to {:.2f}, the entropy "
              "rises.",
              top(0), top.back()))
          .panel({"最大の注意度", "Largest weight"}, curve("largest", top, {"注意度", "Weight"}, 1.05))
          .panel({"エントロピー", "Entropy"},
                 curve("entropy", spread, {"エントロピー（nat）", "Entropy (nats)"}, -1.05 * std::log(even)))
          .on_page(12.0, 5.5)};
  return report;
}

}  // namespace

Experiment temperature_experiment() {
  return {"temperature",
          {"温度で softmax は 1 つのキーから均等へ",
           "softmax by temperature: from a single key to an even share"},
          {"教科書 2.2.2 項の softmax、スライドの辞書",
           "textbook section 2.2.2 (softmax), the slides' dictionary"},
          {parameter("scores", NumbersKind{{2, 64}, {-1e3, 1e3}}, "2,-1,0.5,3,-0.5", "スコア", "the scores"),
           parameter("coldest", NumberKind{{1e-2, 1.0}}, "0.1", "最も低い温度", "the lowest temperature"),
           parameter("hottest", NumberKind{{2.0, 1e4}}, "100", "最も高い温度", "the highest temperature"),
           parameter("count", IntegerKind{{2, 500}}, "61", "温度の個数", "how many temperatures")},
          run_temperature};
}

}  // namespace attnlab
