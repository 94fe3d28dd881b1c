#include "gallery.hpp"

#include "attend/attend_experiment.hpp"
#include "catalogue/input_files.hpp"
#include "core/sha256.hpp"
#include "io/learned_model.hpp"
#include "plotting/layout/layout.hpp"
#include "products/figure_files.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

Arguments attend_example(const std::filesystem::path& data) {
  Arguments arguments(attend_experiment().parameters);
  arguments.set("x", (data / "attend" / "x.npy").string());
  arguments.set("projections", (data / "attend" / "layer.npz").string());
  arguments.set("heads", "4");
  return arguments;
}

/// The tasks whose models come along, as those models show them: random weights beside learned ones.
std::vector<std::pair<const Experiment*, Arguments>> learned_examples() {
  std::vector<std::pair<const Experiment*, Arguments>> examples;
  for (const Experiment& task : tasks()) {
    const std::string word = task.name.substr(task.name.find(' ') + 1);
    if (!comes_along(word)) continue;
    Arguments arguments(task.parameters);
    arguments.set("model", word);
    read_contents(arguments, task);
    examples.emplace_back(&task, std::move(arguments));
  }
  return examples;
}

void add_figures(const Report& report, std::vector<DrawnFigure>& drawn) {
  for (const Figure& figure : report.figures)
    for (const Language language : {Language::en, Language::ja})
      drawn.push_back({code_of(language) + "/" + stem_of(report.experiment, figure.name),
                       lay_out(figure, {language, Theme::light, figure.page}).list});
}

/// "panel.title" of "panel[0].title[1]": where a line breaks depends on the font.
std::string without_places(std::string id) {
  for (std::size_t open = id.find('['); open != std::string::npos; open = id.find('[', open))
    id.erase(open, id.find(']', open) - open + 1);
  return id;
}

/// Without leaders, of which a label needs one or not as its width is.
std::string ids_and_words(const DisplayList& list) {
  std::string text;
  std::string before;
  for (const Item& item : list.items) {
    const auto* label = std::get_if<Label>(&item.shape);
    if (label == nullptr) {
      if (item.id.find(".leader") == std::string::npos) text += "\n" + item.id;
      continue;
    }
    const std::string id = without_places(item.id);
    if (id != before) text += "\n" + id + "\t";
    before = id;
    std::copy_if(label->markup.begin(), label->markup.end(), std::back_inserter(text),
                 [](char letter) { return letter != ' '; });
  }
  return text;
}

}  // namespace

std::vector<DrawnFigure> drawn_figures(const std::filesystem::path& data) {
  std::vector<DrawnFigure> drawn;
  for (const Experiment& experiment : experiments())
    add_figures(run(experiment, Arguments(experiment.parameters)), drawn);
  add_figures(run(attend_experiment(), attend_example(data)), drawn);
  for (const auto& [task, arguments] : learned_examples()) add_figures(run(*task, arguments), drawn);
  return drawn;
}

std::string figure_checksums(const std::vector<DrawnFigure>& figures) {
  std::string lines;
  for (const DrawnFigure& figure : figures)
    lines += sha256(ids_and_words(figure.list)).substr(0, 16) + "  " + figure.name + "\n";
  return lines;
}

std::string readme_table(Language language) {
  const Text head{"| コマンド | 内容 | 文書 |", "| command | what it shows | document |"};
  std::string table = head.in(language) + "\n|---|---|---|\n";
  for (const Experiment& experiment : experiments())
    table += fmt::format("| `attnlab {}` | {} | {} |\n", experiment.name, experiment.shows.in(language),
                         experiment.source.in(language));
  return table;
}

std::string with_experiment_lines(const std::string& file, const std::string& lines) {
  const std::size_t opening = file.find("experiments begin");
  const std::size_t closing = file.find("experiments end");
  if (opening == std::string::npos || closing == std::string::npos || closing < opening) {
    throw std::runtime_error("no lines between \"experiments begin\" and \"experiments end\"");
  }
  return file.substr(0, file.find('\n', opening) + 1) + lines + file.substr(file.rfind('\n', closing) + 1);
}

}  // namespace attnlab
