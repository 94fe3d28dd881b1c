#include "verification/runs.hpp"

#include <algorithm>
#include <stdexcept>

namespace attnlab {
namespace {

const Experiment* find(const std::vector<Experiment>& experiments, const std::string& name) {
  const auto found = std::find_if(experiments.begin(), experiments.end(),
                                  [&](const Experiment& experiment) { return experiment.name == name; });
  return found == experiments.end() ? nullptr : &*found;
}

}  // namespace

bool Runs::knows(const std::string& experiment) const {
  return find(experiments_, experiment) != nullptr;
}

const Report& Runs::report(const std::string& experiment, const Flags& flags) {
  const std::pair<std::string, Flags> key{experiment, flags};
  const auto known = reports_.find(key);
  if (known != reports_.end()) return known->second;
  const Experiment* found = find(experiments_, experiment);
  if (found == nullptr) throw std::out_of_range("no experiment " + experiment);
  Arguments arguments(found->parameters);
  for (const auto& [name, text] : flags) arguments.set(name, text);
  return reports_.emplace(key, run(*found, arguments)).first->second;
}

std::string flags_text(const Flags& flags) {
  std::string text;
  for (const auto& [name, value] : flags) {
    text += " --" + name;
    text += " " + value;
  }
  return text;
}

}  // namespace attnlab
