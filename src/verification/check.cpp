// Makes checks, and gathers those of one stage into a line.
#include "verification/check.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <tuple>

namespace attnlab {
namespace {

/// How much of what is allowed was used up: above 1 it fails.
double used_up(const VerifyCheck& check) {
  if (check.absolute == 0.0) return 0.0;
  return check.allowed > 0.0 ? check.absolute / check.allowed : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string name_of(Section section) {
  switch (section) {
    case Section::expected:
      return "expected";
    case Section::invariants:
      return "invariants";
    case Section::derivations:
      return "derivations";
    case Section::layers:
      return "layers";
    case Section::runs:
      return "runs";
    case Section::functions:
      return "functions";
  }
  return "";
}

VerifyCheck check_of(Section section, const std::string& subject, const std::string& stage,
                     const Text& detail, const Deviation& deviation) {
  return {section,           subject,         stage, detail, deviation.absolute, deviation.relative,
          deviation.allowed, deviation.agrees};
}

VerifyCheck failed_check(Section section, const std::string& subject, const std::string& stage,
                         const Text& why) {
  const double infinity = std::numeric_limits<double>::infinity();
  return {section, subject, stage, why, infinity, infinity, 0.0, false};
}

std::vector<VerifyCheck> summarised(const std::vector<VerifyCheck>& checks) {
  struct Group {
    std::size_t place;  // in the result
    std::size_t cases;
  };
  std::map<std::tuple<Section, std::string, std::string>, Group> groups;
  std::vector<VerifyCheck> result;
  for (const VerifyCheck& check : checks) {
    if (!check.passes) {
      result.push_back(check);
      continue;
    }
    const auto [found, is_new] =
        groups.try_emplace({check.section, check.subject, check.stage}, Group{result.size(), 0});
    Group& group = found->second;
    ++group.cases;
    if (is_new) {
      result.push_back(check);
      continue;
    }
    VerifyCheck& line = result[group.place];
    if (used_up(check) > used_up(line)) line = check;
    const std::string count = std::to_string(group.cases);
    line.detail = {count + " 通り", count + " cases"};
  }
  return result;
}

}  // namespace attnlab
