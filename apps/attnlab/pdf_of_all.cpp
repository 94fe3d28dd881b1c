#include "attnlab/pdf_of_all.hpp"

#include <fmt/format.h>

#include "attnlab/refusals.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/experiment.hpp"

namespace attnlab {

void check_lecture(const OutputOptions& options) {
  for (const std::filesystem::path& file : options.files) {
    if (format_of(file) == Format::pdf) continue;
    refuse({fmt::format("すべての図は 1 つのファイル {} に入りません", quotation(file.string())),
            fmt::format("{} holds one figure, not all of them", quotation(file.string()))},
           {"1 つのファイルなら -o lecture.pdf、図ごとなら --output-dir と --format を使ってください",
            "write -o lecture.pdf for one file, or use --output-dir and --format for a file per figure"});
  }
}

std::string paint_lecture(const std::vector<const Rendering*>& renderings, const Look& look) {
  std::vector<Chapter> chapters;
  for (std::size_t i = 0; i < renderings.size(); ++i) {
    const Experiment& experiment = experiments()[i];
    for (const RenderedFile& file : renderings[i]->files) {
      chapters.push_back(chapter_of(file, experiment.name + ": " + experiment.shows.in(look.language)));
    }
  }
  Metadata about = chapters.front().pages.front()->metadata;
  about.title =
      Text{"attnlab：アテンションと Transformer の実験", "attnlab: attention and the Transformer"}.in(
          look.language);
  about.description = Text{"すべての実験のすべての図", "every figure of every experiment"}.in(look.language);
  about.command = look.filling == Filling::blank ? "attnlab all --blank" : "attnlab all";
  return paint_pdf(chapters, about);
}

}  // namespace attnlab
