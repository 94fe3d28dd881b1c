// Finds a stage of a report by its name.
#include "results/report/report.hpp"

namespace attnlab {

template struct OneOf<Paragraph, Values, Equation, Table>;

Stage input(std::string name, Array array) { return {std::move(name), {}, std::move(array)}; }

bool holds(const Invariant& invariant) { return invariant.error <= invariant.tolerance; }

const Stage& stage(const Report& report, const std::string& name) {
  const auto found = std::find_if(report.stages.begin(), report.stages.end(),
                                  [&](const Stage& candidate) { return candidate.name == name; });
  if (found == report.stages.end())
    throw std::out_of_range("no stage named " + name + " in " + report.experiment);
  return *found;
}

}  // namespace attnlab

template class std::vector<attnlab::Stage>;
template class std::vector<attnlab::Chain::Link>;
template class std::vector<attnlab::Chain>;
