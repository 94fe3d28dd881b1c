// Things that have a name: commands, experiments, parameters, figures, stages, tensors.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Their names, in order.
template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

/// The first thing of that name, or nullptr.
template <class Things>
auto* find_named(Things& things, std::string_view name) {
  for (auto& thing : things) {
    if (thing.name == name) return &thing;
  }
  return static_cast<decltype(&*things.begin())>(nullptr);
}

}  // namespace attnlab
