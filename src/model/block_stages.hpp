// A layer of a model as its trace has it: each stage told once, with its name, formula, axes and operations.
#pragma once

#include "model/run.hpp"
#include "model/stage_steps.hpp"
#include "results/check/check.hpp"

namespace attnlab {

/// A few entries of it with their numbers substituted, for --explain.
using WrittenLines = std::function<std::vector<Chain>(const LayerStages&)>;

struct BlockStage {
  std::string name;  // "layer_0_query"
  std::string formula;
  Tensor<float> LayerStages::*values = nullptr;
  std::vector<std::string> axes;
  StageSteps steps;
  WrittenLines lines = {};
};

/// Those of one layer, in the order of their computation.
std::vector<BlockStage> block_stages(const ModelRun& run, std::size_t number);

/// The stage in which the stream leaves so many layers.
std::string stream_behind(const ModelWeights& weights, std::size_t layers);

/// Before the first layer, and behind the last.
StageSteps embedding_steps(const ModelRun& run);
StageSteps logits_steps(const ModelRun& run);

/// Of the tokens, in a program.
std::string token_count(const ModelRun& run);

/// What a program calls the mask of a layer, and the angles by which its queries and keys turn: by themselves
/// in layers with a window, where other layers have none. "" where it has none.
std::string mask_name(const Architecture& a, std::size_t layer);
std::string angles_name(const Architecture& a, std::size_t layer);

/// What `attnlab model --check` looks into, of a run over so many tokens that leaves nothing out.
StepsInside steps_inside(std::shared_ptr<const OpenedModel> opened, std::size_t tokens);

}  // namespace attnlab
