#include "attnlab/run_steps.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"
#include "results/explain/step_figures.hpp"

namespace attnlab {

Rendering render_steps(const Report& report, const Request& request) {
  Report steps;
  steps.experiment = report.experiment;
  steps.parameters = report.parameters;
  steps.figures = step_figures(report);
  if (steps.figures.empty()) {
    throw Error(
        ErrorKind::failed,
        {fmt::format("{} には --steps で描ける段階がありません", report.experiment),
         fmt::format("{} has no stages that --steps could draw", report.experiment)},
        {"クエリから注意度までを 48 行 48 列以下で計算する実験（self-attention, masks, heads "
         "など）で使えます",
         "it is for experiments that go from queries to weights in at most 48 rows and columns, such as "
         "self-attention, masks or heads"});
  }
  OutputPlan plan;
  const std::vector<Format> formats =
      request.output.formats.empty() ? std::vector{Format::png} : request.output.formats;
  for (std::size_t i = 0; i < steps.figures.size(); ++i) {
    for (const Format format : formats) {
      plan.files.push_back({*request.steps / (steps.figures[i].name + extension_of(format)), format, {i}});
    }
  }
  return render(steps, plan, request.look);
}

}  // namespace attnlab
