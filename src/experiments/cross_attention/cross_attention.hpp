// What a run of cross-attention holds.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// n queries of one sequence, m keys and values of another, heads of width d. The example is made by hand; or
/// a head of a trained translator (tasks/world), whose queries, keys and values are what it begins with.
struct CrossAttentionRun {
  Tape tape;
  AttentionStages<double> attention;
  std::string scale = "default";         // what multiplied the scores: default, none or a number
  std::vector<ShortText> intended;       // (n) what each query is there to say
  std::vector<ShortText> source;         // (m)
  std::vector<double> probability = {};  // (n) of a translator: that of what it says

  static CrossAttentionRun compute(const Arguments& arguments, const Context& context);
};

/// The trace from the queries, keys and values on, which stand there.
void attend_across(CrossAttentionRun& run);

std::vector<Scalar> scalars(const CrossAttentionRun& run);
std::vector<Invariant> invariants(const CrossAttentionRun& run);
std::vector<Block> body(const CrossAttentionRun& run, const std::vector<Stage>& stages);
/// weights, arcs, stages.
std::vector<Figure> figures(const CrossAttentionRun& run);

}  // namespace attnlab
