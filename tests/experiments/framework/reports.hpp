// What the tests of single experiments share: a run with some flags, and its numbers by name.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "agreement.hpp"
#include "core/error.hpp"
#include "experiments/framework/book.hpp"
#include "experiments/framework/inputs.hpp"
#include "experiments/framework/nested_draws.hpp"
#include "experiments/framework/traces.hpp"
#include "reference.hpp"
#include "results/report/report.hpp"

namespace attnlab {

using Flags = std::map<std::string, std::string>;

/// An array of the user's own, "keys.npy" for the name "keys".
inline InputArray own(const std::string& name, const std::vector<std::size_t>& shape,
                      const std::vector<double>& numbers) {
  return {name, name + ".npy", {shape, std::vector<std::string>(shape.size(), "axis"), numbers}};
}

inline Report run_with(const Experiment& experiment, const Flags& flags,
                       const std::vector<InputArray>& arrays = {}) {
  Arguments arguments(experiment.parameters);
  for (const auto& [name, text] : flags) arguments.set(name, text);
  give_arrays(arguments, experiment, arrays);
  return run(experiment, arguments);
}

/// Its draws nested in those of the default sizes, as in a film over every size.
inline Report nested_run(const Experiment& experiment, const Flags& flags) {
  Arguments arguments(experiment.parameters);
  for (const auto& [name, text] : flags) arguments.set(name, text);
  std::vector<std::string> sizes;
  for (const Parameter& parameter : experiment.parameters)
    if (is_size(parameter)) sizes.push_back(parameter.name);
  arguments.sources.nested_sizes = sizes;
  return run(experiment, arguments);
}

/// The English message of the usage error that these flags raise; "" when they raise none.
inline std::string usage_error(const Experiment& experiment, const Flags& flags,
                               const std::vector<InputArray>& arrays = {}) {
  try {
    run_with(experiment, flags, arrays);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::usage ? error.message(Language::en) : "";
  }
  return "";
}

inline const std::vector<double>& values(const Report& report, const std::string& name) {
  return stage(report, name).array.data;
}
const std::vector<double>& values(Report&& report, const std::string& name) = delete;  // would dangle

using Numbers = std::vector<double>;

/// Of a stage with two axes.
inline Numbers row_of(const Report& report, const std::string& name, std::size_t row) {
  const Array& array = stage(report, name).array;
  const auto columns = static_cast<std::ptrdiff_t>(array.shape.at(1));
  const auto begin = array.data.begin() + static_cast<std::ptrdiff_t>(row) * columns;
  return {begin, begin + columns};
}

inline bool has_stage(const Report& report, const std::string& name) {
  return std::any_of(report.stages.begin(), report.stages.end(),
                     [&name](const Stage& one) { return one.name == name; });
}

inline double scalar(const Report& report, const std::string& name) {
  for (const Scalar& candidate : report.scalars) {
    if (candidate.name == name) return candidate.value;
  }
  throw std::out_of_range("no scalar " + name);
}

inline const Figure& figure(const Report& report, const std::string& name) {
  for (const Figure& candidate : report.figures) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range("no figure " + name);
}
const Figure& figure(Report&& report, const std::string& name) = delete;  // would dangle

/// The English texts of a role, one after the other.
inline std::string paragraphs(const Report& report, Role role) {
  std::string text;
  for (const Block& block : report.body) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (paragraph != nullptr && paragraph->role == role) text += paragraph->text.en() + "\n";
  }
  return text;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::vector<std::string> words_of(const std::vector<ShortText>& texts) {
  std::vector<std::string> words;
  for (const ShortText& text : texts) words.push_back(text.in(Language::en));
  return words;
}

/// Every array and scalar of a stored NumPy or PyTorch run, made by data/reference/make_*_reference.py.
inline void check_reference(const Experiment& experiment, const std::string& file) {
  const nlohmann::json stored = reference(file);
  const Report report = run_with(experiment, stored.at("flags").get<Flags>());
  const auto arrays = stored.at("arrays").get<std::map<std::string, nlohmann::json>>();
  CHECK(arrays.size() >= 6);
  double largest_score = 0.0;
  for (const auto& entry : arrays) {
    if (!contains(entry.first, "scores")) continue;
    largest_score = std::max(largest_score, largest_magnitude(reference_values(entry.second)));
  }
  for (const auto& entry : arrays) {
    INFO(file, " ", entry.first);
    const Array& array = stage(report, entry.first).array;
    CHECK(array.shape == entry.second.at("shape").get<std::vector<std::size_t>>());
    const double allowed =
        array.dtype == DType::float32 ? tolerance32(largest_score) : tolerance64(largest_score);
    CHECK(disagreement(array.data, reference_values(entry.second), allowed) == "");
  }
  for (const auto& entry : stored.at("scalars").get<std::map<std::string, double>>()) {
    INFO(file, " ", entry.first);
    CHECK(scalar(report, entry.first) == doctest::Approx(entry.second).epsilon(1e-12));
  }
}

/// What every report promises: an axis name for every dimension, a sentence to say, a misunderstanding.
inline void check_form(const Report& report) {
  for (const Stage& one : report.stages) {
    INFO(one.name);
    std::size_t size = 1;
    for (const std::size_t length : one.array.shape) size *= length;
    CHECK(one.array.axes.size() == one.array.shape.size());
    CHECK(one.array.data.size() == size);
  }
  CHECK_FALSE(paragraphs(report, Role::say).empty());
  CHECK_FALSE(paragraphs(report, Role::misunderstanding).empty());
}

}  // namespace attnlab
