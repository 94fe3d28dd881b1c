#include "products/blank_sheet.hpp"

#include "exercise/sheet_pages.hpp"

namespace attnlab {
namespace {

/// Without its numbers where they are too many.
Exercise printable_part(Exercise exercise) {
  if (printed_cells(exercise) > most_printed_cells) exercise.provided.clear();
  return exercise;
}

Text too_many(const Exercise& exercise) {
  return text("入力の数値は {} 個あります。--data inputs.npz で保存できます。",
              "The inputs have too many numbers to print ({}): --data inputs.npz saves them.",
              printed_cells(exercise));
}

}  // namespace

std::optional<Exercise> blank_exercise(const Report& report, const Experiment& experiment, const Look& look) {
  if (look.filling != Filling::blank) return std::nullopt;
  const std::vector<std::string> requested = questions(report);
  if (requested.empty()) return std::nullopt;
  return exercise_of(report, experiment.shows, {requested.front()});
}

std::string exercise_text(const Exercise& exercise, Language language, Colouring colouring) {
  std::vector<Block> body = exercise_body(printable_part(exercise));
  if (printed_cells(exercise) > most_printed_cells) {
    body.emplace_back(Paragraph{Role::note, too_many(exercise)});
  }
  return to_terminal(body, language, colouring);
}

void add_sheet(Rendering& rendering, const Exercise& exercise, const std::string& command,
               Language language) {
  const auto is_pdf = [](const RenderedFile& file) { return file.format == Format::pdf; };
  if (std::none_of(rendering.files.begin(), rendering.files.end(), is_pdf)) return;
  if (printed_cells(exercise) > most_printed_cells) {
    add_once(rendering.warnings, too_many(exercise));
    return;
  }
  SheetPages sheet = exercise_sheet(exercise, std::nullopt, command, language);
  for (const Text& warning : sheet.warnings) add_once(rendering.warnings, warning);
  for (Page& page : sheet.pages) {
    const auto shared_page = std::make_shared<const Page>(std::move(page));
    for (RenderedFile& file : rendering.files) {
      if (is_pdf(file)) file.pages.push_back(shared_page);
    }
  }
}

}  // namespace attnlab
