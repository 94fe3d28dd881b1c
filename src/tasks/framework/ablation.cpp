// --ablate: the same training with one thing left out.
#include "tasks/framework/training_report.hpp"

namespace attnlab {
namespace {

struct Ablation {
  std::string scalar;
  Text name;
  ModelShape shape;
};

/// What the model has and can do without.
std::vector<Ablation> ablations_of(const ModelShape& shape) {
  const TaskWords words = training_words();
  std::vector<Ablation> all;
  if (shape.positions != Positions::none) {
    all.push_back({"accuracy_without_positions", words("no_positions"), shape});
    all.back().shape.positions = Positions::none;
  }
  if (shape.score == Score::dot_product && !shape.scale) {
    all.push_back({"accuracy_without_scaling", words("no_scaling"), shape});
    all.back().shape.scale = 1.0;
  }
  if (shape.heads > 1) {
    all.push_back({"accuracy_with_one_head", words("one_head"), shape});
    all.back().shape.heads = 1;
  }
  return all;
}

}  // namespace

bool add_control(const Task& task, const ModelShape& shape, const Arguments& arguments,
                 const Context& context, Share share, Control control, TrainingReport& training) {
  if (context.stops && context.stops()) return false;
  const Learned learned =
      learn(with_shape(task, shape), learning_settings(arguments), context, share.from, share.to);
  if (learned.was_stopped()) return false;
  control.accuracy = learned.points.back().accuracy;
  control.measure = learned.points.back().measure;
  control.weights = learned.snapshots.back().weights;
  training.controls.push_back(std::move(control));
  return true;
}

void add_ablations(const Task& task, const Arguments& arguments, const Context& context,
                   TrainingReport& training) {
  if (!arguments.is_on("ablate") || arguments.sources.model) return;
  const std::vector<Ablation> ablations = ablations_of(task.shape);
  const auto count = static_cast<double>(ablations.size());
  for (std::size_t i = 0; i < ablations.size(); ++i) {
    const auto& [scalar, name, shape] = ablations[i];
    const bool is_there =
        std::any_of(training.controls.begin(), training.controls.end(),
                    [&name = name](const Control& control) { return control.name.en() == name.en(); });
    if (is_there) continue;
    const double from = static_cast<double>(i) / count;
    add_control(task, shape, arguments, context, {from, from + 1.0 / count}, {scalar, name}, training);
  }
}

}  // namespace attnlab
