// The figures that every training has.
#include <xtensor/xview.hpp>

#include "experiments/framework/arcs.hpp"
#include "experiments/framework/experiment_kit.hpp"
#include "tasks/framework/training_report.hpp"

namespace attnlab {
namespace {

constexpr std::size_t moments = 5;
constexpr std::size_t most_forming_heads = 2;
constexpr std::size_t most_rows_of_heads = 4;
constexpr std::size_t most_words = 20;
constexpr std::size_t most_words_of_small_maps = 12;

/// Of a long sequence nobody could read them: its places are numbered.
std::vector<ShortText> words_along(const Learned& learned, const std::vector<int>& numbers) {
  if (numbers.size() > most_words) return {};
  return short_texts(spelled(numbers, learned.task.words));
}
/// The words that read; where they read a source, those that are to be said there.
std::vector<ShortText> input_words(const Learned& learned) {
  const Batch& example = learned.task.example;
  return words_along(learned, learned.task.reads_source() ? example.targets : example.inputs);
}
std::vector<ShortText> key_words(const Learned& learned) {
  return learned.task.reads_source() ? words_along(learned, learned.task.example.sources)
                                     : input_words(learned);
}

/// Head number i of all layers.
Matrix head_matrix(const Snapshot& snapshot, std::size_t head) {
  const std::size_t heads = snapshot.weights.shape()[1];
  const Tensor<double> weights = xt::view(snapshot.weights, head / heads, head % heads, xt::all(), xt::all());
  return to_matrix(weights);
}

/// "Head 0" of a single layer, "L1 H0" of several.
Text head_name(const Learned& learned, std::size_t head) {
  const ModelShape& shape = learned.task.shape;
  if (shape.layers == 1) return training_words({{"head", head}})("head");
  return head_through_layers(shape, head);
}

Text note_on_names(const Learned& learned) {
  return learned.task.shape.layers == 1 ? Text::none() : note_on_heads_of_layers();
}

HeatMap head_map(const Learned& learned, const Snapshot& snapshot, std::size_t head,
                 const std::string& when) {
  return HeatMap{fmt::format("weights{}_{}", when, head), head_matrix(snapshot, head)}
      .rows(training_words()("query"), input_words(learned))
      .columns(training_words()("key"), key_words(learned))
      .coloured(weight_colours());
}

/// The first moments at which the loss has fallen by 0, 1/4, ..., 4/4 of its way.
std::vector<std::size_t> moments_of(const Learned& learned) {
  const double highest = learned.points.front().loss;
  double lowest = highest;
  for (const Point& point : learned.points) lowest = std::min(lowest, point.loss);
  std::vector<std::size_t> chosen{0};
  for (std::size_t i = 1; i + 1 < moments; ++i) {
    const double level = highest + (lowest - highest) * static_cast<double>(i) / (moments - 1);
    std::size_t place = 0;
    while (place + 1 < learned.points.size() && learned.points[place].loss > level) ++place;
    if (place > chosen.back()) chosen.push_back(place);
  }
  const std::size_t last = learned.snapshots.size() - 1;
  while (!chosen.empty() && chosen.back() >= last) chosen.pop_back();
  chosen.push_back(last);
  return chosen;
}

/// The heads that ended sharpest, in their order.
std::vector<std::size_t> sharpest_heads(const Learned& learned, std::size_t most) {
  const Tensor<double>& weights = learned.snapshots.back().weights;
  const std::size_t heads = weights.shape()[0] * weights.shape()[1];
  std::vector<double> sharpness(heads);
  std::vector<std::size_t> order(heads);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t head = 0; head < heads; ++head) {
    const Matrix matrix = head_matrix(learned.snapshots.back(), head);
    for (const double weight : matrix.values) sharpness[head] += weight * weight;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sharpness[a] > sharpness[b]; });
  order.resize(std::min(most, heads));
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

Text head_through_layers(const ModelShape& shape, std::size_t head) {
  return head_of_layer(head / shape.heads, head % shape.heads);
}

std::vector<double> steps_of(const Learned& learned) {
  std::vector<double> steps;
  for (const Point& point : learned.points) steps.push_back(static_cast<double>(point.step));
  return steps;
}

std::vector<double> values_of_points(const Learned& learned, double Point::*value) {
  std::vector<double> values;
  for (const Point& point : learned.points) values.push_back(point.*value);
  return values;
}

Text novelty(const Learned& learned) {
  return training_words({{"met", learned.met}})(learned.met == 0 ? "never_trained_on" : "partly_trained_on");
}

Text about_training(const Learned& learned) {
  const TaskWords words = training_words(values_of(learned));
  const Text which = words(learned.task.has_typed_example ? "on_typed" : "on_sequences");
  return words.with({{"which", which}})(learned.was_trained() ? "of_trained" : "of_saved");
}

Figure weights_figure(const Learned& learned, const TrainingReport& training) {
  const ModelShape& shape = learned.task.shape;
  const std::size_t heads = shape.layers * shape.heads;
  Figure figure{"weights", training.weights_title};
  figure.description = training.weights_description;
  figure.caption = text("{}{}", "{}{}", about_training(learned), note_on_names(learned));
  // Of several heads over many named tokens only those after training: that leaves room for the names.
  const bool large = heads > 2 && input_words(learned).size() > most_words_of_small_maps;
  const bool both = heads <= most_rows_of_heads && !large;
  for (const bool before : {true, false}) {
    if (before && !both) continue;
    const Snapshot& snapshot = before ? learned.snapshots.front() : learned.snapshots.back();
    for (std::size_t head = 0; head < heads; ++head) {
      const Text name = head_name(learned, head);
      const TaskWords words = training_words({{"head", name}});
      const std::string when = before ? "before" : "after";
      figure.panels.push_back({both ? words(heads == 1 ? when : "head_" + when) : name,
                               head_map(learned, snapshot, head, before ? "_before" : "")});
    }
  }
  figure.columns = both ? std::max<std::size_t>(2, heads) : columns_of_maps(heads);
  figure.shared_scale = weight_colours();
  figure.shared_axes = true;
  if (large && heads <= most_rows_of_heads) {
    figure.columns = 2;
    figure.page = {11.0, 11.6};
  } else if (!both) {
    figure.page = page_for_maps(heads);
  } else if (heads == 1) {
    figure.page = {10.5, 5.4};
  } else {
    figure.page = {3.0 * static_cast<double>(heads) + 1.2, 7.6};
  }
  return figure;
}

Figure words_figure(const Learned& learned) {
  const Batch& example = learned.task.example;
  const auto spelt = [&learned](const std::vector<int>& numbers) {
    return short_texts(spelled(numbers, learned.task.words));
  };
  const bool translates = learned.task.reads_source();
  const auto& shape = learned.snapshots.back().weights.shape();
  const std::size_t heads = shape[0] * shape[1];
  WordWeights words{spelt(translates ? example.targets : example.inputs),
                    spelt(translates ? example.sources : example.inputs),
                    to_tensor(learned.snapshots.back().weights, {heads, shape[2], shape[3]})};
  for (std::size_t head = 0; head < heads; ++head) words.heads.push_back(head_name(learned, head));
  return arcs_figure(words, arc_title(words),
                     text("{}{}", "{}{}", about_training(learned), note_on_names(learned)));
}

Figure learning_figure(const Learned& learned, const TrainingReport& training) {
  const TaskWords words = training_words(values_of(learned));
  const std::vector<double> steps = steps_of(learned);
  Figure figure{"learning", training.learning_title};
  const auto add = [&](const Text& title, const std::string& id, double Point::*value, Axis y) {
    figure.panels.push_back(
        {title,
         Chart{Axis{words("step")}, std::move(y), {Curve{id, steps, values_of_points(learned, value)}}}});
  };
  figure.description = words("learning_description");
  figure.caption = about_training(learned);
  double highest = 0.0;
  for (const Point& point : learned.points) highest = std::max(highest, point.loss);
  add(words("loss"), "loss", &Point::loss, Axis{words("cross_entropy")}.within(0.0, 1.05 * highest));
  add(words("accuracy"), "accuracy", &Point::accuracy, Axis{words("accuracy")}.within(0.0, 1.05));
  if (const std::optional<HeadMeasure>& measure = learned.task.measure)
    add(measure->label, measure->name, &Point::measure, Axis{words("value")}.within(0.0, 1.05));
  figure.columns = figure.panels.size();
  figure.page = {3.4 * static_cast<double>(figure.panels.size()) + 0.8, 4.2};
  return figure;
}

Figure forming_figure(const Learned& learned) {
  const std::vector<std::size_t> chosen = moments_of(learned);
  const std::vector<std::size_t> heads = sharpest_heads(learned, most_forming_heads);
  const TaskWords words =
      training_words({{"from", learned.snapshots[chosen.size() > 2 ? chosen[1] : 0].step},
                      {"to", learned.snapshots[chosen[chosen.size() > 2 ? chosen.size() - 2 : 1]].step},
                      {"last", learned.snapshots.back().step},
                      {"moments", chosen.size()}});
  const bool falls = learned.points.back().loss < 0.99 * learned.points.front().loss;
  Figure figure{"forming", words(learned.has_found() ? "forming" : "not_forming")};
  figure.description = words("forming_description");
  figure.caption = words.with({{"choice", falls ? words("forming_choice") : Text::none()},
                               {"about", about_training(learned)},
                               {"note", note_on_names(learned)}})("forming_caption");
  for (const std::size_t head : heads) {
    for (const std::size_t moment : chosen) {
      const Snapshot& snapshot = learned.snapshots[moment];
      const Text when = training_words({{"step", snapshot.step}})("at_step");
      figure.panels.push_back(
          {heads.size() == 1 || moment != chosen.front() ? when : head_name(learned, head),
           HeatMap{fmt::format("weights_{}_{}", head, snapshot.step), head_matrix(snapshot, head)}
               .rows(words("query"))
               .columns(words("key"))
               .coloured(weight_colours())});
    }
  }
  figure.columns = heads.size() == 1 ? (chosen.size() + 1) / 2 : chosen.size();
  figure.shared_scale = weight_colours();
  figure.shared_axes = true;
  const std::size_t rows = (figure.panels.size() + figure.columns - 1) / figure.columns;
  figure.page = {3.1 * static_cast<double>(figure.columns) + 1.2, 3.2 * static_cast<double>(rows) + 1.3};
  return figure;
}

std::vector<Figure> forming_film(const Learned& learned) {
  const std::vector<std::size_t> heads = sharpest_heads(learned, most_rows_of_heads);
  Slider slider{"step", {}, {}};
  for (std::size_t i = 0; i < learned.snapshots.size(); ++i) {
    slider.values.push_back(std::to_string(learned.snapshots[i].step));
    slider.places.push_back(static_cast<double>(i) /
                            static_cast<double>(std::max<std::size_t>(1, learned.snapshots.size() - 1)));
  }
  std::vector<Figure> frames;
  for (std::size_t i = 0; i < learned.snapshots.size(); ++i) {
    const TaskWords words =
        training_words({{"step", learned.snapshots[i].step}, {"accuracy", learned.points[i].accuracy}});
    Figure figure{"film", words("film")};
    figure.description = words("film_description");
    figure.caption = text("{}{}", "{}{}", about_training(learned), note_on_names(learned));
    for (const std::size_t head : heads) {
      figure.panels.push_back({head_name(learned, head), head_map(learned, learned.snapshots[i], head, "")});
    }
    figure.columns = std::min<std::size_t>(2, heads.size());
    figure.shared_scale = weight_colours();
    figure.shared_axes = true;
    figure.page = heads.size() == 1   ? PageSize{7.2, 6.4}
                  : heads.size() == 2 ? PageSize{10.5, 5.6}
                                      : PageSize{9.0, 8.4};
    slider.frame = i;
    figure.slider = slider;
    frames.push_back(std::move(figure));
  }
  return frames;
}

namespace {

/// Which head costs the most accuracy when it is silenced, where there is some to lose and more is lost than
/// its error; a control may change more than one thing.
Text ablation_title(const Learned& learned, const Tensor<double>& without_heads) {
  const TaskWords words = training_words(values_of(learned));
  if (without_heads.dimension() == 0) return words("only_controls");
  const double full = learned.points.back().accuracy;
  const auto* const worst = std::min_element(without_heads.begin(), without_heads.end());
  if (!learned.has_gained()) return words("heads_in_turn");
  const std::size_t answers = learned.task.held_out.counted();
  if (!is_clearly_above(full, *worst, answers)) {
    const double error = error_of_difference(full, *worst, answers);
    return words.with({{"error", error}})("no_head_costs");
  }
  const auto head = static_cast<std::size_t>(worst - without_heads.begin());
  return words.with({{"head", head_name(learned, head)}, {"without", *worst}})("head_costs");
}

}  // namespace

Figure ablation_figure(const Learned& learned, const TrainingReport& training,
                       const Tensor<double>& without_heads) {
  const TaskWords words = training_words(values_of(learned));
  std::vector<ShortText> names{words("everything")};
  std::vector<double> accuracy{learned.points.back().accuracy};
  for (std::size_t head = 0; without_heads.dimension() > 0 && head < without_heads.size(); ++head) {
    names.emplace_back(words.with({{"head", head_name(learned, head)}})("without_head"));
    accuracy.push_back(without_heads.flat(head));
  }
  for (const Control& control : training.controls) {
    names.emplace_back(control.name);
    accuracy.push_back(control.accuracy);
  }
  Figure figure{"ablation", ablation_title(learned, without_heads)};
  figure.description =
      words.with({{"others", accuracy.size() - 1},
                  {"least", *std::min_element(accuracy.begin(), accuracy.end())}})("ablation_description");
  // Of a typed sequence nobody knows the answers: the accuracy is that of the held-out ones.
  figure.caption =
      words.with({{"controls", training.controls.empty() ? Text::none() : words("ablation_controls")},
                  {"note", note_on_names(learned)}})("ablation_caption");
  figure.panels.push_back({Text::none(), Chart{Axis{Text::none()}.named(names),
                                               Axis{words("accuracy")}.within(0.0, 1.1),
                                               {Bars{"accuracy", accuracy}.with_numbers(2)}}});
  figure.page = {std::max(7.0, 1.6 * static_cast<double>(accuracy.size()) + 1.5), 4.6};
  return figure;
}

}  // namespace attnlab
