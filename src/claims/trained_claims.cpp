// What training decides: the same task with one thing changed, over five seeds that come along with the
// program (data/contrasts; `attnlab train contrast` trains them again).
#include "claims/claim.hpp"
#include "tasks/contrast/contrast.hpp"

namespace attnlab {
namespace {

/// What all variants are trained with.
double setting(const ContrastRun& run, const std::string& name) {
  const Settings& common = run.contrast->common;
  const auto found =
      std::find_if(common.begin(), common.end(), [&](const auto& setting) { return setting.first == name; });
  return std::stod(found->second);
}

/// With how many seeds there were.
std::vector<EvidenceNumber> recorded(const ContrastRun& run, std::vector<EvidenceNumber> numbers) {
  numbers.emplace_back("seeds", run.done);
  return numbers;
}

constexpr double tie = 0.05;  // of two mean accuracies

ContrastRun kept(const std::string& name) { return kept_run(*find_named(contrasts(), name)); }

/// The mean step at which the accuracy is 0.9; infinity where a seed never gets there.
double pace(const ContrastRun& run, std::size_t variant) {
  return run.mean_reached(variant).value_or(std::numeric_limits<double>::infinity());
}

/// With the division of the scores by √d, and without it.
std::vector<EvidenceNumber> of_scaling(const ContrastRun& run) {
  return {{"width", setting(run, "width")},
          {"accuracy_with", run.mean(0)},
          {"accuracy_without", run.mean(1)},
          {"steps_with", pace(run, 0)},
          {"steps_without", pace(run, 1)}};
}

Finding scaling_helps(const Mathematics&) {
  const ContrastRun run = kept("scaling");
  return holds_or_only_if(run.mean(1) < run.mean(0) - tie, pace(run, 1) > 1.5 * pace(run, 0),
                          recorded(run, of_scaling(run)));
}

Finding large_scores_fail(const Mathematics&) {
  const ContrastRun run = kept("scaling");
  std::vector<EvidenceNumber> numbers = of_scaling(run);
  numbers.emplace_back("accuracy_huge", run.mean(2));
  return holds_or_only_if(run.mean(1) < 0.9, run.mean(2) < 0.9, recorded(run, std::move(numbers)));
}

Finding positions_needed(const Mathematics&) {
  const ContrastRun run = kept("positions");
  return holds_if(run.mean(1) < 0.5 && run.mean(0) > 0.99,
                  recorded(run, {{"accuracy_with", run.mean(0)}, {"accuracy_without", run.mean(1)}}));
}

Finding sinusoids_inject_positions(const Mathematics&) {
  const double without = kept("positions").mean(1);
  const ContrastRun run = kept("encoding");
  return holds_if(without < 0.5 && run.mean(1) > 0.9, recorded(run, {{"accuracy_without", without},
                                                                     {"accuracy_learned", run.mean(0)},
                                                                     {"accuracy_sinusoidal", run.mean(1)}}));
}

Finding norm_helps(const Mathematics&) {
  const ContrastRun run = kept("norm");
  const ContrastRun fast = kept("rate");
  const bool is_ahead = run.mean(2) < run.mean(1) - tie || pace(run, 2) > 1.1 * pace(run, 1);
  return holds_or_only_if(is_ahead, fast.mean(2) < 0.5 && fast.mean(0) > 0.9,
                          recorded(run, {{"layers", setting(run, "layers")},
                                         {"rate", setting(run, "rate")},
                                         {"steps_post", pace(run, 1)},
                                         {"steps_none", pace(run, 2)},
                                         {"accuracy_post", run.mean(1)},
                                         {"accuracy_none", run.mean(2)},
                                         {"high_rate", setting(fast, "rate")},
                                         {"fast_pre", fast.mean(0)},
                                         {"fast_post", fast.mean(1)},
                                         {"fast_none", fast.mean(2)}}));
}

Finding several_heads(const Mathematics&) {
  const ContrastRun run = kept("heads");
  return remark_if(run.mean(1) > run.mean(0) - tie && pace(run, 1) < pace(run, 0),
                   recorded(run, {{"heads", setting(run, "heads")},
                                  {"accuracy_four", run.mean(0)},
                                  {"accuracy_one", run.mean(1)},
                                  {"steps_four", pace(run, 0)},
                                  {"steps_one", pace(run, 1)}}));
}

}  // namespace

std::vector<ClaimCheck> trained_checks() {
  return {{"A-scaling-helps", scaling_helps},
          {"A-several-heads", several_heads},
          {"D-positions-inject", sinusoids_inject_positions},
          {"E-scaling-fails", large_scores_fail},
          {"E-norm-efficiency", norm_helps},
          {"E-positions-needed", positions_needed}};
}

}  // namespace attnlab
