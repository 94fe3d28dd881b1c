#include "tasks/framework/plane.hpp"

#include "attention/matmul.hpp"
#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {
namespace {

Tensor<double> parameter_named(const Model<double>& model, const std::string& name) {
  const std::vector<ParameterPlace>& places = model.places.parameters;
  const auto found = std::find_if(places.begin(), places.end(),
                                  [&](const ParameterPlace& place) { return place.name == name; });
  return parameter_of(model, *found);
}

/// W_Vᵀ W_Oᵀ (a_2 − a_1): (width)
Tensor<double> what_answers_read(const Model<double>& model) {
  const std::size_t width = model.shape.width;
  const Tensor<double> answers = parameter_named(model, "lm_head.weight");
  const Tensor<double> output = parameter_named(model, "h.0.attn.c_proj.weight");
  const Tensor<double> joint = parameter_named(model, "h.0.attn.c_attn.weight");
  Tensor<double> distance = Tensor<double>::from_shape({std::size_t{1}, width});
  for (std::size_t k = 0; k < width; ++k) distance(0, k) = answers(1, k) - answers(0, k);
  const Tensor<double> values = xt::view(joint, xt::range(2 * width, 3 * width), xt::all());
  return xt::view(matmul(matmul(distance, output), values), 0);
}

Chart words_chart(const Learned& learned, const Model<double>& model, const std::vector<WordGroup>& groups,
                  const std::string& when) {
  const Tensor<double> embedding = parameter_named(model, "wte.weight");
  const std::size_t width = model.shape.width;
  std::vector<std::size_t> rows;
  for (const WordGroup& group : groups) rows.insert(rows.end(), group.words.begin(), group.words.end());
  Tensor<double> vectors = Tensor<double>::from_shape({rows.size(), width});
  for (std::size_t i = 0; i < rows.size(); ++i) xt::view(vectors, i) = xt::view(embedding, rows[i]);
  const Tensor<double> direction = what_answers_read(model);
  const double length = std::sqrt(sum_of(xt::square(direction)));
  const Tensor<double> seen = matmul(vectors, plane_along(direction, vectors));
  const std::vector<std::string>& answers = learned.task.answers;
  const TaskWords words = training_words({{"first", answers[0]}, {"second", answers[1]}});
  Chart chart{Axis{words("towards")}, Axis{words("across")}};
  std::size_t place = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    Points points{fmt::format("words_{}{}", i, when), {}, {}, series_ink(i), groups[i].name};
    for (std::size_t k = 0; k < groups[i].words.size(); ++k, ++place) {
      points.x.push_back(seen(place, 0) * length);
      points.y.push_back(seen(place, 1));
      chart.layers.emplace_back(Callout{fmt::format("word_{}{}", place, when), points.x.back(),
                                        points.y.back(), Text::same(learned.task.words[rows[place]])});
    }
    chart.layers.emplace_back(std::move(points));
  }
  return chart;
}

/// How many words lie on the side of their group's answer.
std::size_t on_their_side(const Chart& chart) {
  std::size_t count = 0;
  std::size_t group = 0;
  for (const Layer& layer : chart.layers) {
    const auto* points = std::get_if<Points>(&layer);
    if (points == nullptr) continue;
    const bool on_the_right = group++ == 1;
    for (const double x : points->x) count += (on_the_right ? x > 0.0 : x < 0.0) ? 1U : 0U;
  }
  return count;
}

}  // namespace

Tensor<double> plane_along(const Tensor<double>& direction, const Tensor<double>& vectors) {
  const std::size_t width = vectors.shape()[1];
  Tensor<double> plane = xt::zeros<double>({width, std::size_t{2}});
  const double length = std::sqrt(sum_of(xt::square(direction)));
  for (std::size_t k = 0; k < width; ++k) plane(k, 0) = length > 0.0 ? direction(k) / length : 0.0;
  const Tensor<double> mean = xt::mean(vectors, {0});
  Tensor<double> rest = vectors - mean;
  for (std::size_t i = 0; i < rest.shape()[0]; ++i) {
    double along = 0.0;
    for (std::size_t k = 0; k < width; ++k) along += rest(i, k) * plane(k, 0);
    for (std::size_t k = 0; k < width; ++k) rest(i, k) -= along * plane(k, 0);
  }
  Tensor<double> across = xt::ones<double>({width, std::size_t{1}});
  for (std::size_t k = 0; k < width; ++k) across(k, 0) = 1.0 / static_cast<double>(k + 1);
  const Tensor<double> covariance = matmul(transpose(rest), rest);
  for (int i = 0; i < 100; ++i) {
    across = matmul(covariance, across);
    const double norm = std::sqrt(sum_of(xt::square(across)));
    if (norm == 0.0) break;
    across /= norm;
  }
  for (std::size_t k = 0; k < width; ++k) plane(k, 1) = across(k, 0);
  return plane;
}

bool shows_words(const ModelShape& shape) {
  return shape.layers == 1 && shape.norm == NormPlace::none && shape.hidden == 0 && shape.answers == 2;
}

Figure words_figure(const Learned& learned, const Model<double>& before, const std::vector<WordGroup>& groups,
                    const Text& what) {
  const Chart random = words_chart(learned, before, groups, "_before");
  const Chart after = words_chart(learned, learned.model, groups, "");
  const TaskWords words = training_words({{"what", what},
                                          {"words", groups[0].words.size() + groups[1].words.size()},
                                          {"right", on_their_side(after)},
                                          {"right_before", on_their_side(random)}});
  return Figure{"words", words("words")}
      .described(words("words_description"))
      .captioned(words("words_caption"))
      .panel(words("before_random"), random)
      .panel(words("after"), after)
      .on_page(11.0, 5.8);
}

}  // namespace attnlab
