// The page of one experiment.
#include <cctype>

#include "core/named.hpp"
#include "exercise/exercise.hpp"
#include "experiments/framework/experiment.hpp"
#include "motion/film.hpp"
#include "plotting/backends/backends.hpp"
#include "products/figure_files.hpp"
#include "products/render.hpp"
#include "products/site/site.hpp"
#include "results/check/check.hpp"
#include "results/report/reading_order.hpp"

namespace attnlab {
namespace {

LectureSection section_of(const Text& title, std::vector<LectureBlock> blocks, Language language) {
  return {title.in(language), std::move(blocks)};
}

LectureBlock command(std::vector<std::string> words, std::vector<std::string> classes) {
  CommandBlock block;
  block.words = std::move(words);
  block.attributes.classes = std::move(classes);
  return {0, std::move(block)};
}

BuiltSection section_of(const Text& title, std::vector<Block> blocks, Language language) {
  return {title.in(language), {BuiltReport{std::move(blocks)}}};
}

std::vector<Block> of_roles(const Report& report, bool (*is_wanted)(const Block&)) {
  std::vector<Block> blocks;
  for (const Block& block : in_reading_order(report.body)) {
    if (is_wanted(block)) blocks.push_back(block);
  }
  return blocks;
}

bool is_reported(const Block& block) {
  const auto* paragraph = std::get_if<Paragraph>(&block);
  return paragraph != nullptr && (paragraph->role == Role::say || paragraph->role == Role::misunderstanding ||
                                  paragraph->role == Role::note);
}

bool is_number(const Block& block) {
  return std::holds_alternative<Table>(block) || std::holds_alternative<Values>(block);
}

Table arrays_table(const Report& report) {
  Table table{{{"配列", "Array"}, {"形状", "Shape"}, {"軸", "Axes"}, {"式", "Formula"}}};
  for (const Stage& stage : report.stages) {
    table.rows.push_back({stage.name, shape_text(stage.array.shape), joined(stage.array.axes, ", "),
                          to_terminal(stage.formula)});
  }
  return table;
}

Table invariants_table(const Report& report) {
  Table table{{{"不変量", "Invariant"}, {"内容", "What holds"}}};
  for (const Invariant& invariant : report.invariants)
    table.rows.push_back({invariant.name, invariant.statement});
  return table;
}

Table options_table(const Experiment& experiment) {
  Table table{{{"オプション", "Option"}, {"既定値", "Default"}, {"意味", "Meaning"}}};
  for (const Parameter& parameter : experiment.parameters) {
    table.rows.push_back(
        {"--" + parameter.name + " " + form_of(parameter), shown_default(parameter), parameter.help});
  }
  return table;
}

/// "0.231, 0.105, 0.664, ..."
std::string first_numbers(const Array& array) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, array.data.size()); ++i)
    text += (i == 0 ? "" : ", ") + fmt::format("{:.4g}", array.data[i]);
  return array.data.size() > most ? text + ", ..." : text;
}

/// The weights, or the last array that an exercise would ask for, as usual mistakes would give it: those
/// whose first numbers tell them from the right ones and from each other.
std::optional<Table> mistakes_table(const Report& report) {
  const std::vector<std::string> requested = questions(report);
  if (requested.empty()) return std::nullopt;
  const bool has_weights = std::find(requested.begin(), requested.end(), "weights") != requested.end();
  const std::string name = has_weights ? "weights" : requested.back();
  const std::size_t target = index_of(report.stages, name);
  Table table{{{"間違い", "Mistake"}, text("{} の初めの値", "{} then begins", name)}};
  const std::string right = first_numbers(report.stages[target].array);
  table.rows.push_back({Text{"（なし）", "(none)"}, right});
  std::set<std::string> reported{right};
  constexpr std::size_t most = 12;
  for (const MistakenResult& mistaken : mistaken_results(report.stages, target)) {
    const std::string numbers = first_numbers(mistaken.array);
    const bool is_new = reported.insert(mistaken.what.en()).second && reported.insert(numbers).second;
    if (is_new && table.rows.size() <= most) table.rows.push_back({mistaken.what, numbers});
  }
  if (table.rows.size() < 2) return std::nullopt;
  return table;
}

std::string small_picture(const Figure& figure, Look look, Theme theme) {
  constexpr double width = 300.0;  // pixels
  look.theme = theme;
  look.has_title = false;
  look.has_caption = false;
  return paint_png(render_page(figure, "", look).page, width / figure.page.width);
}

}  // namespace

std::string title_of(const Experiment& experiment, Language language) {
  std::string title = experiment.shows.in(language);
  if (language == Language::en)
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

Lecture experiment_document(const Experiment& experiment, Language language) {
  Lecture document;
  document.title = title_of(experiment, language);
  document.language = language;
  document.file = experiment.name;
  document.formats = {"svg"};
  const Text source = text("{}。コマンドは `attnlab {}`。", "Source: {}. The command is `attnlab {}`.",
                           experiment.source, experiment.name);
  document.sections.push_back({"", {{0, TextBlock{source.in(language)}}}});
  if (!experiment.sliders.empty()) {
    document.sections.push_back(
        section_of({"動かしてみる", "Move it"}, {command({experiment.name}, {"sliders"})}, language));
  }
  document.sections.push_back(section_of({"図", "Figures"}, {command({experiment.name}, {})}, language));
  return document;
}

std::vector<BuiltSection> experiment_sections(const Experiment& experiment, const Report& report,
                                              Language language) {
  std::vector<BuiltSection> sections;
  const auto add = [&](const Text& title, std::vector<Block> blocks) {
    if (!blocks.empty()) sections.push_back(section_of(title, std::move(blocks), language));
  };
  add({"わかること", "What it shows"}, of_roles(report, is_reported));
  add({"数値", "Numbers"}, of_roles(report, is_number));
  if (const std::optional<Table> mistakes = mistakes_table(report))
    add({"よくある間違いと、そのときの値", "Usual mistakes, and what they give"}, {*mistakes});
  if (!report.stages.empty()) add({"配列", "Arrays"}, {arrays_table(report)});
  if (!report.invariants.empty())
    add({"成り立つこと（実行のたびに測ります）", "What holds, measured on every run"},
        {invariants_table(report)});
  if (!report.program.missing && arrays_beside(report).empty()) {
    const std::string command = command_of(report);
    sections.push_back(
        {Text{"NumPy のプログラム", "The same in NumPy"}.in(language),
         {BuiltCode{command + " --code numpy", python_program(report, Library::numpy, language, command)}}});
  }
  add({"オプション", "Options"}, {options_table(experiment)});
  return sections;
}

std::string thumbnail_of(const Experiment& experiment, const Figure& figure, Language language) {
  return "pictures/" + code_of(language) + "/" + stem_of(experiment.name, figure.name);
}

std::vector<BuiltFile> thumbnails(const Experiment& experiment, const Report& report, Language language) {
  Look look;
  look.language = language;
  std::vector<BuiltFile> files;
  for (const Figure& figure : report.figures) {
    const std::string stem = thumbnail_of(experiment, figure, language);
    files.push_back({stem + ".png", small_picture(figure, look, Theme::light)});
    files.push_back({stem + ".dark.png", small_picture(figure, look, Theme::dark)});
  }
  return files;
}

}  // namespace attnlab
