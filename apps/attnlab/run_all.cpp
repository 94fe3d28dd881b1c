#include "attnlab/run_all.hpp"

#include "attnlab/terminal/console.hpp"
#include "attnlab/pdf_of_all.hpp"
#include "attnlab/run_targets.hpp"
#include "attnlab/targets.hpp"
#include "core/for_each.hpp"
#include "io/atomic_file.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

struct DrawnExperiment {
  Rendering rendering;
  std::vector<std::string> bytes;  // of the rendering's files, where each figure gets its own
};

DrawnExperiment draw_experiment(const Experiment& experiment, const Request& request) {
  const Report report = as_drawn(run(experiment, Arguments(experiment.parameters)), experiment, request.look);
  DrawnExperiment drawn{render(report, checked_plan(report, request, {}), request.look), {}};
  if (!writes_folder(request.output)) return drawn;
  for (const RenderedFile& file : drawn.rendering.files) drawn.bytes.push_back(paint(file, request.look));
  return drawn;
}

/// Each processor draws one experiment after the other, with the fonts that it opened for its first.
std::vector<DrawnExperiment> draw_every_experiment(const Request& request) {
  std::vector<DrawnExperiment> drawn(experiments().size());
  ProgressBar progress;
  const ForEach for_each = on_all_processors([&](double share) { progress.show(share, "all"); });
  for_each(drawn.size(), [&](std::size_t i) { drawn[i] = draw_experiment(experiments()[i], request); });
  return drawn;
}

/// Nothing is written before everything is drawn, so that a page too small for one figure leaves nothing
/// behind.
std::vector<fs::path> write_every_figure(const std::vector<DrawnExperiment>& drawn, const Request& request) {
  std::vector<fs::path> paths;
  if (writes_folder(request.output)) create_folder(folder_of(request.output));
  for (const DrawnExperiment& experiment : drawn) {
    for (std::size_t i = 0; i < experiment.bytes.size(); ++i) {
      write_file(experiment.rendering.files[i].path, experiment.bytes[i]);
      paths.push_back(experiment.rendering.files[i].path);
    }
  }
  for (const fs::path& file : request.output.files) {  // one lecture at most
    std::vector<const Rendering*> renderings;
    renderings.reserve(drawn.size());
    for (const DrawnExperiment& experiment : drawn) renderings.push_back(&experiment.rendering);
    write_file(file, paint_lecture(renderings, request.look));
    paths.push_back(file);
  }
  return paths;
}

}  // namespace

void run_all(const Request& request) {
  check_before_run(request);
  const std::vector<DrawnExperiment> drawn = draw_every_experiment(request);
  const std::vector<fs::path> paths = write_every_figure(drawn, request);
  for (const DrawnExperiment& experiment : drawn)
    write_warnings(experiment.rendering.warnings, request.look.language);
  if (request.printing != Printing::nothing) write_output(lines_of(paths));
}

}  // namespace attnlab
