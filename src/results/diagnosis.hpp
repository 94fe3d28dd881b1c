// Why a wrong result is wrong: the classic mistake that gives the same wrong result.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "results/named_array.hpp"
#include "results/report/report.hpp"

namespace attnlab {

struct Diagnosis {
  std::string name;   // "not-scaled"
  std::string stage;  // where it went wrong
  Text what;
};

/// The mistake nearest above `trace[target]` that makes it what was given. Nothing when none of them does.
/// `largest_score` is that of compare.
std::optional<Diagnosis> diagnosis_of(const std::vector<Stage>& trace, std::size_t target,
                                      const NamedArray& given, double largest_score);

}  // namespace attnlab
