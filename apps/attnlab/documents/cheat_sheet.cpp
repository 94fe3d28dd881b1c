// `attnlab list --cheat-sheet`: the experiments with their formulas, the commands, and what is typed most, on
// one page.
#include "products/cheat_sheet.hpp"

#include "attnlab/documents/documents.hpp"
#include "attnlab/output/figure_flags.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/sentences.hpp"
#include "products/render.hpp"

namespace attnlab {
namespace {

/// The first that the report shows; none of a report in words.
Formula formula_of(const Experiment& experiment) {
  for (const Block& block : run(experiment, Arguments(experiment.parameters)).body)
    if (const auto* equation = std::get_if<Equation>(&block)) return equation->formula;
  return {};
}

CheatSection experiments_section(Language language) {
  CheatSection section{Text{"実験：attnlab 実験名", "Experiments: attnlab NAME"}.in(language), {}};
  for (const Experiment& experiment : experiments())
    section.rows.push_back({experiment.name, formula_of(experiment), experiment.shows.in(language)});
  return section;
}

/// Rows of documents.toml.
CheatSection section_of(const Text& title, const std::string& table, const std::string& typed,
                        const std::string& does, Language language) {
  CheatSection section{title.in(language), {}};
  for (const Sentences& row : read_sentences(document_files().front(), table))
    section.rows.push_back({row.at(typed).in(language), {}, row.at(does).in(language)});
  return section;
}

}  // namespace

Page cheat_sheet_page(Language language) {
  Look look;
  look.language = language;
  const Text title{"attnlab：アテンションと Transformer の実験", "attnlab: attention and the Transformer"};
  return cheat_sheet(
      {experiments_section(language),
       section_of({"コマンド", "Commands"}, "purpose", "commands", "does", language),
       section_of({"使用例", "Examples"}, "example", "term", "meaning", language)},
      {title.in(language), "", code_of(language), drawing_command("attnlab list --cheat-sheet", "", look)},
      look);
}

Ending write_cheat_sheet(const ParsedCommand& parsed, Language language) {
  const std::filesystem::path path = parsed.files("output").front();
  auto page = std::make_shared<const Page>(cheat_sheet_page(language));
  const RenderedFile file{path, format_of(path), {page}, page->metadata.command};
  write_target(path, paint(file, {}));
  write_output(lines_of({path}));
  return Ending::done;
}

}  // namespace attnlab
