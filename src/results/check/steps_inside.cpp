// The steps that the stages of a trace sum up, in their places.
#include "results/check/check.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {

std::vector<Stage> with_steps_inside(const std::vector<Stage>& trace, std::size_t target,
                                     const StepsInside& inside_of) {
  constexpr double most_work = 1e8;  // of all steps, each of which is made again for every mistake before it
  std::vector<bool> part(target + 1, false);
  part[target] = true;
  std::map<std::size_t, std::vector<Stage>> steps;
  double work = 0.0;
  for (std::size_t i = target + 1; i-- > 0;) {
    if (!part[i]) continue;
    std::vector<Stage> inside;
    if (work < most_work) inside = inside_of(trace[i].name);
    std::vector<std::string> operands = trace[i].derivation.operands;
    for (const Stage& step : inside) {
      operands.insert(operands.end(), step.derivation.operands.begin(), step.derivation.operands.end());
      work += static_cast<double>(step.array.data.size() * trace[i].array.data.size()) /
              std::max<double>(1.0, static_cast<double>(trace[i].array.shape.back()));
    }
    for (std::size_t before = 0; before < i; ++before)
      part[before] =
          part[before] || std::find(operands.begin(), operands.end(), trace[before].name) != operands.end();
    steps[i] = std::move(inside);
  }
  std::vector<Stage> whole;
  for (std::size_t i = 0; i <= target; ++i) {
    if (!part[i]) continue;
    for (Stage& step : steps[i]) {
      const bool is_last = &step == &steps[i].back();
      if (is_last) step.array = trace[i].array;
      if (step.array.data.empty()) step.array = made_again(step.derivation, operands_of(step, whole));
      whole.push_back(std::move(step));
    }
    if (steps[i].empty()) whole.push_back(trace[i]);
  }
  return whole;
}

}  // namespace attnlab
