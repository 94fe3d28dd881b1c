// Finds a stage of a report by its name.
#include "results/report/report.hpp"

#include "core/named.hpp"

namespace attnlab {

template struct OneOf<Paragraph, Values, Equation, Table>;

Stage input(std::string name, Array array) { return {std::move(name), {}, std::move(array)}; }

std::string headline_of(const Stage& stage) {
  const std::string axes = joined(stage.array.axes, " × ");
  return stage.name + " " + shape_text(stage.array.shape) + (axes.empty() ? "" : ": " + axes);
}

bool holds(const Invariant& invariant) { return invariant.error <= invariant.tolerance; }

const Stage& stage(const Report& report, const std::string& name) {
  if (const Stage* found = find_named(report.stages, name)) return *found;
  throw std::out_of_range("no stage named " + name + " in " + report.experiment);
}

}  // namespace attnlab

template class std::vector<attnlab::Stage>;
template class std::vector<attnlab::Chain::Link>;
template class std::vector<attnlab::Chain>;
