// The words of `filters`: what each kind of weights knows of the signal, in numbers.
#include "experiments/filters/filters.hpp"

namespace attnlab {
namespace {

Table comparison(const FiltersRun& run) {
  const auto row = [](Text name, const Weighing& weighing) -> std::vector<ShortText> {
    return {std::move(name), fmt::format("{:.1f}%", 100.0 * weighing.far_weight),
            fmt::format("{:.2g}", weighing.change), fmt::format("{:.3f}", weighing.distance)};
  };
  return {{{"", ""},
           text("±{} より遠くの重み", "weight beyond ±{}", run.settings.radius),
           {"入力による変化", "change on other input"},
           {"正弦波からの距離", "distance from sine"}},
          {row({"移動平均", "moving average"}, run.moving_average), row({"EMA", "EMA"}, run.ema),
           row({"アテンション", "attention"}, run.attention)}};
}

/// The article's table, each line with what this run shows of it.
Table properties(const FiltersRun& run) {
  const Weighing& filter = run.moving_average;
  const Weighing& attention = run.attention;
  const std::size_t samples = run.main.signal.size();
  const auto percent = [](double share) { return fmt::format("{:.1f}%", 100.0 * share); };
  return {
      {{"特性", "property"},
       {"移動平均（固定フィルタ）", "moving average (fixed)"},
       {"自己注意", "self-attention"}},
      {{Text{"重み", "weights"},
        text("先に決まっている（変化 {}）", "fixed in advance (change {})", difference_text(filter.change)),
        text("入力から計算（変化 {}）", "computed from the input (change {})",
             difference_text(attention.change))},
       {Text{"参照する範囲", "range"},
        text("窓の {} 個（外の重み {}）", "a window of {} ({} outside)", run.settings.window,
             percent(filter.far_weight)),
        text("系列全体の {} 個（窓の外 {}）", "all {} of the sequence ({} outside)", samples,
             percent(attention.far_weight))},
       {Text{"計算量", "work"},
        text("O(n)：1 サンプルに {} 個の重み", "O(n): {} weights per sample", run.settings.window),
        text("O(n²)：1 サンプルに {} 個の重み", "O(n²): {} weights per sample", samples)},
       {Text{"用途", "used for"},
        text("平滑化、雑音の除去（正弦波からの距離 {:.3f} → {:.3f}）",
             "smoothing, removing noise (distance from the sine {:.3f} → {:.3f})", run.noisy_distance,
             filter.distance),
        text("離れた要素の関係を表す（似た形なら、遠くても参照する）",
             "relating elements (similar shapes attend to each other at any distance)")}}};
}

Values first_weights(const char* ja, const char* en, const Weighing& weighing) {
  constexpr std::size_t row = 7;
  const double* begin = &weighing.weights(row, 0);
  return {text("行 {0} の先頭、{1}", "row {0}, first weights, {1}", row, Text{ja, en}),
          {{row + 1}, {"samples_in"}, {begin, begin + row + 1}}};
}

}  // namespace

std::vector<Block> body(const FiltersRun& run, const std::vector<Stage>& /*stages*/) {
  const Text verdict =
      run.attention.distance < run.moving_average.distance
          ? Text{"この信号では移動平均より近いのですが、いつもそうとは限りません",
                 "here it comes closer, but not in general"}
          : Text{"この信号では移動平均のほうが近くなります", "here the moving average is closer"};
  return {
      Paragraph::heading("固定フィルタとアテンション", "Fixed filters and attention"),
      Equation{formula::read("y = W x")},
      Paragraph::plain(
          "どれも「重みの行列 × 信号」で、各行の和は 1 です。「入力による変化」は、正弦波を 2 周期から 3 周期に替えたときの重みの変化の最大値、「距離」は二乗平均平方根です（平滑化前は {:.3f}）。",
          "Each is a matrix of weights times the signal, every row summing to 1. “Change”: the largest change of a weight when the sine has three periods instead of two. “Distance”: root mean square; {:.3f} before smoothing.",
          run.noisy_distance),
      properties(run),
      comparison(run),
      first_weights("移動平均", "moving average", run.moving_average),
      first_weights("EMA", "EMA", run.ema),
      first_weights("アテンション", "attention", run.attention),
      Paragraph::say(
          "フィルタの重みは、信号を見る前に決まっています。アテンションの重みは信号から計算されます。信号を替えると、フィルタの重みはそのままで、アテンションの重みは最大 {:.2g} 変わります。",
          "A filter's weights are fixed before it sees the signal. Attention computes its weights from the signal: when the signal changes, the filters' weights stay and attention's change by up to {:.2g}.",
          run.attention.change),
      Paragraph::misunderstanding(
          "アテンションは「よりよい平滑化フィルタ」ではありません。元の正弦波からの距離は {:.3f}、移動平均は {:.3f} で、{}。違いは、どこを参照するかが入力で決まることです。",
          "Attention is not a better smoother: its distance from the sine is {:.3f}, the moving average's {:.3f}; {}. What is new is that the input decides where to look.",
          run.attention.distance, run.moving_average.distance, verdict),
      Paragraph::note(
          "移動平均は中央に置いた幅 {0} の窓で、端では信号のある所だけを平均します。EMA は y_0 = x_0 から始めるので、最初のサンプルに残りの重みが集まります。アテンションのクエリとキーは前後を含む {0} 個のサンプル（端では端の値を繰り返す）、バリューはサンプルそのものです。値 1 個では、傾きのような形を比べられません。学習した重み行列はありません。",
          "The moving average is centred, {0} wide, and at the ends averages what there is. The EMA starts from y_0 = x_0, so the first sample keeps the remaining weight. Attention's query and key are the {0} samples around each place (the end sample repeated beyond the ends), its value is the sample: one number alone could not compare shapes such as slopes. There are no learned weights.",
          run.settings.window),
  };
}

}  // namespace attnlab
