// How a run becomes a report: the same five steps in every room.
#pragma once

#include "experiments/framework/context.hpp"
#include "experiments/framework/parameter.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// An Experiment's run() for a room whose run is Run. The room's header declares
///
///   struct Run { static Run compute(const Arguments&, const Context&); ... };
///   std::vector<Stage> stages(const Run&);
///   std::vector<Scalar> scalars(const Run&);
///   std::vector<Invariant> invariants(const Run&);  // measured on the run's own numbers
///   std::vector<Block> body(const Run&, const std::vector<Stage>&);
///   std::vector<Figure> figures(const Run&);
template <class Run>
Report report_of(const Arguments& arguments, const Context& context) {
  const Run run = Run::compute(arguments, context);
  Report report;
  report.stages = stages(run);
  report.scalars = scalars(run);
  report.invariants = invariants(run);
  report.body = body(run, report.stages);
  report.figures = figures(run);
  return report;
}

}  // namespace attnlab
