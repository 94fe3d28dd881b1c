// What experiments are made of: parameters, random numbers, the trace with its lines, measures, how a run
// becomes a report, and of the libraries what most experiments use.
#pragma once

#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "attention/matmul.hpp"
#include "attention/multi_head.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/softmax.hpp"
#include "core/error.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/heat_maps.hpp"
#include "experiments/framework/inputs.hpp"
#include "experiments/framework/nested_draws.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"
#include "experiments/framework/tape.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/trace.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {

/// The report of an experiment whose run is Run. It has, in its header or above its Experiment
///
///   struct Run { Tape tape; static Run compute(const Arguments&, const Context&); ... };
///   std::vector<Scalar> scalars(const Run&);
///   std::vector<Invariant> invariants(const Run&);  // measured on the run's own numbers
///   std::vector<Block> body(const Run&, const std::vector<Stage>&);
///   std::vector<Figure> figures(const Run&);
template <class Run>
Report report_from(const Run& run) {
  Report report;
  run.tape.require_all_used();
  report.origins = run.tape.origins();
  report.has_nested_draws = run.tape.has_nested_draws();
  report.warnings = run.tape.warnings();
  report.stages = run.tape.stages();
  report.scalars = scalars(run);
  report.invariants = invariants(run);
  report.body = body(run, report.stages);
  report.figures = figures(run);
  return report;
}

/// The run of these arguments, with the draws that it keeps of the run before it.
template <class Run>
Run run_of(const Arguments& provided, const Context& context) {
  Arguments arguments = provided;
  if (const std::optional<Arguments> before = run_before(arguments)) {
    Run::compute(*before, context);
    if (!arguments.sources.first_draws->are_all) arguments.sources.first_draws = nullptr;
  }
  return Run::compute(arguments, context);
}

template <class Run>
Report report_of(const Arguments& arguments, const Context& context) {
  return report_from(run_of<Run>(arguments, context));
}

}  // namespace attnlab
