#include "attnlab/run_targets.hpp"

#include "attnlab/page_size.hpp"
#include "attnlab/experiment/saved_files.hpp"
#include "attnlab/targets.hpp"
#include "io/atomic_file.hpp"
#include "io/tensor_file.hpp"

namespace attnlab {

namespace fs = std::filesystem;

namespace {

/// The files that the experiment itself reads: those of `attend`. Words that name none do no harm here.
std::vector<fs::path> inputs_of(const Request& request) {
  std::vector<fs::path> files;
  if (!request.arguments) return files;
  for (const Parameter& parameter : request.arguments->parameters()) {
    if (!request.arguments->given(parameter.name)) continue;
    if (std::holds_alternative<FileKind>(parameter.kind)) {
      files.emplace_back(file_of(request.arguments->text(parameter.name)));
    } else if (std::holds_alternative<ItemsKind>(parameter.kind)) {
      for (const std::string& word : request.arguments->words(parameter.name))
        files.emplace_back(file_of(word));
    } else if (std::holds_alternative<SyntaxKind>(parameter.kind)) {
      files.emplace_back(request.arguments->text(parameter.name));
    }
  }
  return files;
}

}  // namespace

fs::path folder_of(const OutputOptions& output) {
  return output.folder.value_or("figures");
}

bool writes_folder(const OutputOptions& output) {
  return output.drawing == Drawing::figures && output.files.empty();
}

std::vector<fs::path> files_of(const std::vector<SavedArrays>& saves) {
  std::vector<fs::path> files;
  files.reserve(saves.size());
  for (const SavedArrays& saved : saves) files.push_back(saved.file);
  return files;
}

void check_before_run(const Request& request) {
  std::vector<fs::path> targets = request.output.files;
  for (const SavedArrays& saved : request.data) targets.push_back(saved.file);
  targets.insert(targets.end(), request.explain_to.begin(), request.explain_to.end());
  check_distinct(targets);
  check_spares(targets, inputs_of(request));
  for (const fs::path& file : request.output.files) {
    const bool is_named_by_figure = request.output.figure == "all" && format_of(file) != Format::pdf;
    check_target(is_named_by_figure ? with_figure_name(file, "all") : file);
  }
  for (const SavedArrays& saved : request.data) {
    data_writer(saved);
    check_target(saved.file);
  }
  for (const fs::path& file : request.explain_to) {
    explanation_writer(file);
    check_target(file);
  }
  if (writes_folder(request.output)) check_folder(folder_of(request.output));
  if (request.steps) check_folder(*request.steps);
  const bool page_is_known = request.look.page || request.look.preset;
  if (page_is_known && writes(request.output, Format::png))
    check_pixels(page_of(request.look, {}), request.look.dpi);
}

OutputPlan checked_plan(const Report& report, const Request& request, const std::vector<fs::path>& read) {
  std::vector<std::string> names;
  for (const Figure& figure : report.figures) names.push_back(figure.name);
  OutputPlan plan = plan_output(report.experiment, names, request.output);
  std::vector<fs::path> targets = files_of(request.data);
  targets.insert(targets.end(), request.explain_to.begin(), request.explain_to.end());
  for (PlannedFile& file : plan.files) {
    const bool names_itself = writes_folder(request.output);
    if (request.look.filling == Filling::blank && names_itself)
      file.path = with_figure_name(file.path, "blank");
    targets.push_back(file.path);
    if (writes_folder(request.output)) {
      check_target_below(folder_of(request.output), file.path);
    } else {
      check_target(file.path);
    }
  }
  check_distinct(targets);
  check_spares(targets, read);
  check_spares(targets, inputs_of(request));
  return plan;
}

}  // namespace attnlab
