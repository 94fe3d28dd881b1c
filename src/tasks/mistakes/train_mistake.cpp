#include <xtensor/xview.hpp>

#include "tasks/mistakes/trained_mistake.hpp"

namespace attnlab {

TrainedMistakeRun train_mistake(const TrainedMistake& mistake, std::size_t seeds, std::uint32_t first,
                                const Context& context) {
  TrainedMistakeRun run;
  run.mistake = &mistake;
  const auto trainings = static_cast<double>(2 * seeds);
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    std::vector<TwoViews> both;
    for (const Looked::Training training : {Looked::Training::right, Looked::Training::wrong}) {
      const Arguments arguments =
          arguments_for(mistake.experiment(),
                        {mistake.common, training == Looked::Training::wrong ? mistake.wrong : Settings{}},
                        static_cast<std::uint32_t>(first + seed));
      const Task task = mistake.task(arguments);
      const LearningSettings settings = learning_settings(arguments);
      const double from = static_cast<double>(2 * seed + both.size()) / trainings;
      const Learned learned = learn(task, settings, context, from, from + 1.0 / trainings);
      if (learned.was_stopped()) {
        if (run.right.empty()) refuse_stopped();
        return run;
      }
      const Looked at{mistake, task, settings, training};
      const Batch requested = mistake.wanted(at);
      both.push_back({evaluate(learned.model, mistake.measured(at)).accuracy,
                      evaluate(learned.model, requested).accuracy,
                      xt::view(weights_over(learned.model, first_of(requested)), 0)});
    }
    run.right.push_back(both[0]);
    run.wrong.push_back(both[1]);
  }
  return run;
}

}  // namespace attnlab
