// A task trained several times with one thing changed and everything else alike, over several seeds.
#pragma once

#include "core/named.hpp"
#include "experiments/framework/experiment.hpp"
#include "tasks/framework/task.hpp"

namespace attnlab {

/// Parameters of a task, as they would be typed.
using Settings = std::vector<std::pair<std::string, std::string>>;

struct Variant {
  Text name;
  Settings settings;
};

struct Contrast {
  std::string name;
  Text question;
  Experiment (*experiment)();
  Task (*task)(const Arguments&);
  Settings common;                // of all variants
  std::vector<Variant> variants;  // the first is what the others are compared with
};

/// In the order of --of's words.
const std::vector<Contrast>& contrasts();

/// The task's arguments with these settings, the later ones over the earlier ones.
Arguments arguments_for(const Experiment& experiment, const std::vector<Settings>& settings,
                        std::uint32_t seed);

/// The accuracy on the held-out sequences over the steps of one training.
struct Course {
  std::vector<double> steps;
  std::vector<double> accuracy;
};

struct ContrastRun {
  const Contrast* contrast = nullptr;
  std::vector<std::vector<Course>> courses;  // by variant, by seed
  std::size_t done = 0;                      // seeds of which every variant is there
  std::size_t answers = 0;                   // held out, that each accuracy is of

  double last(std::size_t variant, std::size_t seed) const { return courses[variant][seed].accuracy.back(); }
  double mean(std::size_t variant) const;
  /// The first step at which the accuracy was 0.9, the mean over the seeds; nothing where one never reached
  /// it.
  std::optional<double> mean_reached(std::size_t variant) const;
};

/// Trains every variant with the seeds first, first + 1, ... Where the context says stop, the seeds so far.
ContrastRun train_contrast(const Contrast& contrast, std::size_t seeds, std::uint32_t first,
                           const Context& context);

/// The run with seeds 0 to 4 that comes along: data/contrasts/NAME.json, which make.sh there writes.
ContrastRun kept_run(const Contrast& contrast);

}  // namespace attnlab
