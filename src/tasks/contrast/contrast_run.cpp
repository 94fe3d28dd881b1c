#include "tasks/contrast/contrast.hpp"
#include "tasks/framework/training_report.hpp"

namespace attnlab {
namespace {

std::optional<double> reached(const Course& course, double accuracy) {
  for (std::size_t i = 0; i < course.steps.size(); ++i) {
    if (course.accuracy[i] >= accuracy) return course.steps[i];
  }
  return std::nullopt;
}

}  // namespace

double ContrastRun::mean(std::size_t variant) const {
  double sum = 0.0;
  for (std::size_t seed = 0; seed < done; ++seed) sum += last(variant, seed);
  return sum / static_cast<double>(done);
}

std::optional<double> ContrastRun::mean_reached(std::size_t variant) const {
  double sum = 0.0;
  for (std::size_t seed = 0; seed < done; ++seed) {
    const std::optional<double> step = reached(courses[variant][seed], 0.9);
    if (!step) return std::nullopt;
    sum += *step;
  }
  return sum / static_cast<double>(done);
}

Arguments arguments_for(const Experiment& experiment, const std::vector<Settings>& settings,
                        std::uint32_t seed) {
  Arguments arguments(experiment.parameters);
  for (const Settings& some : settings) {
    for (const auto& [name, text] : some) arguments.set(name, text);
  }
  arguments.set("seed", std::to_string(seed));
  return arguments;
}

ContrastRun train_contrast(const Contrast& contrast, std::size_t seeds, std::uint32_t first,
                           const Context& context) {
  ContrastRun run;
  run.contrast = &contrast;
  const std::vector<Variant>& variants = contrast.variants;
  run.courses.resize(variants.size());
  const auto trainings = static_cast<double>(seeds * variants.size());
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const Arguments own = arguments_for(contrast.experiment(), {contrast.common, variants[i].settings},
                                          static_cast<std::uint32_t>(first + seed));
      const double from = static_cast<double>(seed * variants.size() + i) / trainings;
      const Learned learned =
          learn(contrast.task(own), learning_settings(own), context, from, from + 1.0 / trainings);
      if (learned.was_stopped()) {
        if (run.done == 0) refuse_stopped();
        return run;
      }
      run.answers = learned.task.held_out.counted();
      run.courses[i].push_back({steps_of(learned), values_of_points(learned, &Point::accuracy)});
    }
    ++run.done;
  }
  return run;
}

}  // namespace attnlab
