// What the tests of `attend` share: settings as a user would type them, tensors, and what an error says.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "attend/attend.hpp"
#include "attend/settings.hpp"
#include "attention/shape.hpp"
#include "core/error.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {

using Typed = std::map<std::string, std::string>;

inline AttendSettings settings_of(const Typed& flags) {
  Arguments arguments(attend_parameters());
  for (const auto& [name, text] : flags) arguments.set(name, text);
  return attend_settings(arguments);
}

/// 0, 1, 2, ... in that shape.
template <class T>
Tensor<T> counted(const Shape& shape) {
  Tensor<T> tensor = Tensor<T>::from_shape(shape);
  std::iota(tensor.begin(), tensor.end(), T(0));
  return tensor;
}

template <class T>
Tensor<T> drawn(unsigned seed, const Shape& shape) {
  NumpyRandom random(seed);
  return random.randn(shape);
}

template <class T>
Report attended(const AttendInputs<T>& inputs, const Typed& flags) {
  return attend(inputs, settings_of(flags), quiet_context());
}

/// The English message of the error of that kind that the attempt ends in; "no error" without one.
template <class Attempt>
std::string message_of(ErrorKind kind, Attempt attempt) {
  try {
    attempt();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    CHECK(error.message(Language::ja) != error.message(Language::en));
    return error.message(Language::en);
  }
  return "no error";
}

template <class Attempt>
std::string usage_message(Attempt attempt) {
  return message_of(ErrorKind::usage, attempt);
}

}  // namespace attnlab
