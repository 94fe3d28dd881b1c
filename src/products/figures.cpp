// The figures of a run in files, and the steps to its weights.
#include "products/blank_sheet.hpp"
#include "products/product.hpp"
#include "products/render.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

MadeFile painted(RenderedFile file, const Look& look) {
  const fs::path path = file.path;
  return {path, [file = std::move(file), look](const Progress&) { return paint(file, look); }};
}

Made made_of(Rendering rendering, const Look& look) {
  Made made;
  for (RenderedFile& file : rendering.files) made.files.push_back(painted(std::move(file), look));
  made.warnings = std::move(rendering.warnings);
  return made;
}

Made made_figures(const OutputOptions& output, const Finished& finished) {
  const auto& [run, look, report, progress] = finished;
  const OutputPlan plan = planned(report, output, look);
  Rendering rendering = render(report, plan, look);
  if (const std::optional<Exercise> exercise = blank_exercise(report, *run.experiment, look))
    add_sheet(rendering, *exercise, drawing_command(command_of(report), "", look), look.language);
  Made made = made_of(std::move(rendering), look);
  if (writes_folder(output) && !made.files.empty()) made.folder = folder_of(output);
  made.left_out = plan.left_out;
  return made;
}

Made made_steps(const fs::path& folder, const std::vector<Format>& formats, const Finished& finished) {
  Report steps;
  steps.experiment = finished.report.experiment;
  steps.parameters = finished.report.parameters;
  steps.figures = step_figures(finished.report);
  if (steps.figures.empty()) {
    refuse_failed(
        text("{} には --steps で描ける段階がありません", "{} has no stages that --steps could draw",
             steps.experiment),
        {"クエリから注意度までを 48 行 48 列以下で計算する実験（self-attention, masks, heads など）で使えます",
         "it is for experiments that go from queries to weights in at most 48 rows and columns, such as self-attention, masks or heads"});
  }
  OutputPlan plan;
  plan.requested = {{"steps", folder.filename().string()}};
  for (std::size_t i = 0; i < steps.figures.size(); ++i) {
    for (const Format format : formats)
      plan.files.push_back({folder / (steps.figures[i].name + extension_of(format)), format, {i}});
  }
  Made made = made_of(render(steps, plan, finished.look), finished.look);
  made.folder = folder;
  return made;
}

}  // namespace

Product figures_product(const OutputOptions& output, const Look& look) {
  const auto announce = [output, look](Targets& targets) {
    add_figures(output, targets);
    check_pixels(output, look);
  };
  return {announce, [output](const Finished& finished) { return made_figures(output, finished); }, true};
}

Product steps_product(const fs::path& folder, const std::vector<Format>& formats) {
  return {[folder](Targets& targets) { targets.add_folder(folder); },
          [folder, chosen = formats.empty() ? std::vector{Format::png} : formats](const Finished& finished) {
            return made_steps(folder, chosen, finished);
          },
          true};
}

}  // namespace attnlab
