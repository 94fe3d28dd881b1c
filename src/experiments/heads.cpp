// Multi-head attention: several small attentions read the same tokens, each in its own way.
#include "experiments/catalogue.hpp"
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

/// The picture that each document makes comes first.
std::vector<Figure> figures(const HeadsRun& run) {
  const Figure weights = heads_weights_figure(run);
  const Figure blocks = heads_blocks_figure(run);
  const Figure shapes = heads_shapes_figure(run);
  const std::vector<Figure> rest{heads_output_figure(run), heads_concat_figure(), heads_roles_figure(run)};
  std::vector<Figure> all;
  switch (run.variant) {
    case HeadsVariant::article:
    case HeadsVariant::notebook:
      all = {weights, blocks, shapes};
      break;
    case HeadsVariant::parity:
      all = {heads_parity_figure(run), weights, blocks, shapes};
      break;
    case HeadsVariant::book:
      all = {blocks, weights, shapes};
      break;
    case HeadsVariant::course:
      all = {shapes, weights, blocks};
      break;
  }
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

Report run_heads(const Arguments& arguments, const Context&) {
  const HeadsRun run = run_heads_variant(arguments);
  Report report;
  report.stages = heads_trace(run);
  report.body = heads_body(run, report.stages);
  report.scalars = heads_scalars(run);
  report.invariants = heads_invariants(run);
  report.figures = figures(run);
  return report;
}

}  // namespace

Experiment heads_experiment() {
  return {"heads",
          {"ヘッドごとに違う注意度を並べて見る", "the weights of every head, side by side"},
          {"記事 式 (7), (8)、教科書 図2.2.15・コード2.2.10、講座 Task 2、ノートブック",
           "article eq. 7 and 8, textbook fig. 2.2.15, code 2.2.10, course task 2, notebook"},
          heads_parameters(),
          run_heads};
}

}  // namespace attnlab
