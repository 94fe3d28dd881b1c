// The figures of `train microgpt`.
#include "experiments/framework/room.hpp"
#include "tasks/microgpt.hpp"

namespace attnlab {
namespace {

/// Every loss, and the mean of the hundred steps up to each.
Figure learning_figure(const MicrogptRun& run, const TaskWords& words) {
  std::vector<double> steps(run.losses.size());
  std::iota(steps.begin(), steps.end(), 1.0);
  std::vector<double> means(run.losses.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < run.losses.size(); ++i) {
    sum += run.losses[i];
    if (i >= microgpt_mean) sum -= run.losses[i - microgpt_mean];
    means[i] = sum / static_cast<double>(std::min(i + 1, microgpt_mean));
  }
  constexpr std::size_t most_points = 250;
  const std::size_t stride = (steps.size() + most_points - 1) / most_points;
  std::vector<double> some_steps;
  std::vector<double> some_losses;
  for (std::size_t i = 0; i < steps.size(); i += stride) {
    some_steps.push_back(steps[i]);
    some_losses.push_back(run.losses[i]);
  }
  const double even = std::log(static_cast<double>(run.sizes.vocabulary));
  Curve guess{"even", {1.0, steps.back()}, {even, even}, muted_ink, words("curve_even")};
  guess.dashed = true;
  const Points each{"losses", some_steps, some_losses, muted_ink, words("curve_each")};
  return Figure{"learning", words("learning")}
      .described(words("learning_description"))
      .captioned(words("learning_caption"))
      .panel(Chart{Axis{training_words()("step")},
                   Axis{training_words()("loss")},
                   {each, guess, Curve{"mean", steps, means, series_ink(0), words("curve_mean")}}})
      .on_page(9.0, 5.4);
}

std::vector<ShortText> read_letters(const MicrogptRun& run) {
  std::vector<ShortText> letters;
  for (std::size_t t = 0; t < run.learned.positions; ++t)
    letters.emplace_back(run.documents.word(run.first.document[t]));
  return letters;
}

Figure weights_figure(const MicrogptRun& run, const TaskWords& words) {
  const std::vector<ShortText> letters = read_letters(run);
  const std::size_t n = letters.size();
  Figure figure = Figure{"weights", words("weights")}
                      .described(words("weights_description"))
                      .captioned(words("weights_caption"));
  const MicrogptPass::Layer& layer = run.learned.layers.back();
  for (std::size_t head = 0; head < run.sizes.heads; ++head) {
    const auto begin = layer.weights.begin() + static_cast<std::ptrdiff_t>(head * n * n);
    const Tensor<double> weights =
        to_tensor(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(n * n)), {n, n});
    HeatMap map{fmt::format("learned_weights[{}]", head), to_matrix(weights)};
    figure.panels.push_back(
        {text("ヘッド {}", "Head {}", head), std::move(map)
                                                 .rows(training_words()("query"), letters)
                                                 .columns(training_words()("key"), letters)
                                                 .coloured(weight_colours())});
  }
  return std::move(figure).sharing_scale(weight_colours()).on_page(11.0, 3.6);
}

/// After each beginning, what the model expects.
Figure next_figure(const MicrogptRun& run, const TaskWords& words) {
  const Tensor<double> probabilities =
      to_tensor(run.learned.probabilities, {run.learned.positions, run.sizes.vocabulary});
  std::vector<ShortText> every;
  for (std::size_t token = 0; token < run.sizes.vocabulary; ++token)
    every.emplace_back(run.documents.word(static_cast<int>(token)));
  ColourScale scale = weight_colours(0.0, largest(probabilities));
  scale.label = words("probability");
  return Figure{"next", words("next")}
      .described(words("next_description"))
      .captioned(words("next_caption"))
      .panel(HeatMap{"learned_probabilities", to_matrix(probabilities)}
                 .rows(words("read"), read_letters(run))
                 .columns(words("comes"), every)
                 .coloured(scale))
      .on_page(11.0, 4.6);
}

}  // namespace

std::vector<Figure> microgpt_figures(const MicrogptRun& run, const TaskWords& words) {
  return {learning_figure(run, words), weights_figure(run, words), next_figure(run, words)};
}

}  // namespace attnlab
