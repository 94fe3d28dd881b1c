// Runs of tasks for the tests. Under sanitizers everything takes ten times as long: there a training is
// short, and what it reaches is not looked at.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/named.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

#ifdef __SANITIZE_ADDRESS__
constexpr bool trains_fully = false;
#else
constexpr bool trains_fully = true;
#endif

using Typed = std::vector<std::pair<std::string, std::string>>;

inline const Experiment& task_named(const std::string& word) {
  const Experiment* experiment = find_named(tasks(), "train " + word);
  REQUIRE(experiment != nullptr);
  return *experiment;
}

inline Arguments arguments_of(const Experiment& experiment, const Typed& typed) {
  Arguments arguments(experiment.parameters);
  for (const auto& [name, text] : typed) arguments.set(name, text);
  return arguments;
}

inline Report trained(const std::string& word, const Typed& typed, const Context& context = quiet_context()) {
  const Experiment& experiment = task_named(word);
  return run(experiment, arguments_of(experiment, typed), context);
}

inline double scalar(const Report& report, const std::string& name) {
  const Scalar* found = find_named(report.scalars, name);
  REQUIRE_MESSAGE(found != nullptr, name);
  return found->value;
}

}  // namespace attnlab
