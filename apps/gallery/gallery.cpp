#include "gallery.hpp"

#include "attend/attend_experiment.hpp"
#include "attnlab/command_line/commands.hpp"
#include "attnlab/experiment/experiment_request.hpp"
#include "core/escape.hpp"
#include "core/named.hpp"
#include "io/learned_model.hpp"
#include "plotting/layout/layout.hpp"
#include "plotting/text/text_measure.hpp"
#include "results/code/python_program.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

/// A table's cell: a bare | would end it.
std::string cell(const std::string& text) { return with_backslashes(text, "|"); }

std::string code(const std::string& text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

std::string table_row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", joined(cells, " | "));
}

std::string table_head(const std::vector<Text>& names, Language language) {
  std::vector<std::string> cells;
  std::vector<std::string> rule;
  for (const Text& name : names) {
    cells.push_back(name.in(language));
    rule.emplace_back("---");
  }
  return table_row(cells) + table_row(rule);
}

std::string picture_path(const Experiment& experiment, const Figure& figure, Language language) {
  return fmt::format("../figures/gallery/{}/{}.png", code_of(language),
                     stem_of(experiment.name, figure.name));
}

std::string figures_table(const Report& report, Language language) {
  std::string text = table_head({{"図", "figure"}, {"要点", "message"}}, language);
  for (const Figure& figure : report.figures)
    text += table_row({code(figure.name), cell(figure.title.in(language))});
  return text;
}

std::string options_table(const Experiment& experiment, Language language) {
  std::string text =
      table_head({{"オプション", "option"}, {"既定値", "default"}, {"意味", "meaning"}}, language);
  for (const Parameter& parameter : experiment.parameters) {
    text += table_row({code("--" + parameter.name + " " + form_of(parameter)),
                       code(shown_default(parameter).in(language)), cell(parameter.help.in(language))});
  }
  return text;
}

std::string arrays_table(const Report& report, Language language) {
  std::string text =
      table_head({{"配列", "array"}, {"形状", "shape"}, {"軸", "axes"}, {"式", "formula"}}, language);
  for (const Stage& stage : report.stages) {
    text += table_row({code(stage.name), shape_text(stage.array.shape), joined(stage.array.axes, ", "),
                       code(to_terminal(stage.formula))});
  }
  return text;
}

/// The variants of an experiment, by their flag; the defaults alone where it has none.
std::vector<Arguments> variants_of(const Experiment& experiment, const Arguments& arguments) {
  const Parameter* parameter = find_named(experiment.parameters, "variant");
  const auto* choice = parameter == nullptr ? nullptr : std::get_if<ChoiceKind>(&parameter->kind);
  if (choice == nullptr) return {arguments};
  std::vector<Arguments> variants;
  for (const std::string& word : choice->choices) {
    variants.push_back(arguments);
    variants.back().set("variant", word);
  }
  return variants;
}

/// What is drawn, in which order, times what: the first lines of the programs of --code.
std::string draws_list(const Experiment& experiment, const Arguments& arguments, Language language) {
  std::string text;
  for (const Arguments& variant : variants_of(experiment, arguments)) {
    const std::vector<std::string> lines = drawing_lines(run(experiment, variant).origins);
    if (lines.empty()) continue;
    const Text title =
        variant.given("variant")
            ? attnlab::text("引く乱数（この順、`--variant {}`）：",
                            "What is drawn, in this order, with `--variant {}`:", variant.text("variant"))
            : Text{"引く乱数（この順）：", "What is drawn, in this order:"};
    text += fmt::format("\n{}\n\n```python\n{}\n```\n", title.in(language), joined(lines, "\n"));
  }
  return text;
}

std::string invariants_list(const Report& report, Language language) {
  if (report.invariants.empty()) return "";
  const Text title{"成り立つこと（実行のたびに測ります）", "What holds, measured on every run"};
  std::string text = "\n" + title.in(language) + (language == Language::ja ? "：\n\n" : ":\n\n");
  for (const Invariant& invariant : report.invariants) {
    text += fmt::format("- {} (`{}`)\n", invariant.statement.in(language), invariant.name);
  }
  return text;
}

std::string section(const Experiment& experiment, const Arguments& arguments, Language language) {
  const Report report = run(experiment, arguments);
  const Figure& main = report.figures.front();
  std::string text = fmt::format("\n## {}\n\n", experiment.name);
  text += language == Language::ja
              ? fmt::format("{}。出典：{}。\n\n", experiment.shows.ja(), experiment.source.ja())
              : fmt::format("{}. Source: {}.\n\n", experiment.shows.en(), experiment.source.en());
  const bool is_task = experiment.may_be_stopped;  // shown in docs/train.md, with options that are alike
  if (!is_task)
    text += fmt::format("![{}]({})\n\n", main.title.in(language), picture_path(experiment, main, language));
  text += figures_table(report, language) + "\n";
  if (!experiment.parameters.empty() && !is_task) text += options_table(experiment, language) + "\n";
  text += arrays_table(report, language);
  text += draws_list(experiment, arguments, language);
  return text + invariants_list(report, language);
}

// --- Pictures

void add_pictures(const Report& report, const std::string& command, std::vector<GalleryPicture>& pictures) {
  for (const Figure& figure : report.figures)
    for (const Language language : {Language::en, Language::ja}) {
      const std::string folder = language == Language::en ? "en" : "ja";
      pictures.push_back({folder + "/" + stem_of(report.experiment, figure.name) + ".png",
                          {lay_out(figure, {language, Theme::light, figure.page}).list,
                           {figure.title.in(language), figure.description.in(language), folder, command}}});
    }
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

}  // namespace

std::string experiments_page(Language language, const std::filesystem::path& data) {
  const Text title{"実験", "The experiments"};
  const Text opening{
      "すべての実験の図、オプション、配列、成り立つことの一覧です。数値は既定値のものです。このページはツール自身が書きます（`cmake --build build/release --target gallery`）。",
      "Figures, options, arrays and invariants of every experiment; numbers are those of the defaults. The tool writes this page itself: `cmake --build build/release --target gallery`."};
  std::string text = fmt::format("# {}\n\n{}\n", title.in(language), opening.in(language));
  for (const Experiment& experiment : experiments()) {
    text += section(experiment, Arguments(experiment.parameters), language);
  }
  text += section(attend_experiment(), attend_example(data), language);
  for (const auto& [task, arguments] : learned_examples()) text += section(*task, arguments, language);
  return text;
}

std::string experiments_page_name(Language language) {
  return language == Language::ja ? "experiments.ja.md" : "experiments.md";
}

std::string readme_table(Language language) {
  const Text head{"| コマンド | 内容 | 文書 |", "| command | what it shows | document |"};
  std::string table = head.in(language) + "\n|---|---|---|\n";
  for (const Experiment& experiment : experiments()) {
    table += fmt::format("| [`attnlab {0}`](docs/{1}#{0}) | {2} | {3} |\n", experiment.name,
                         experiments_page_name(language), experiment.shows.in(language),
                         experiment.source.in(language));
  }
  return table;
}

std::string gallery_document(Language language) {
  const Text title{"attnlab の図", "Figures of attnlab"};
  std::string document = fmt::format("---\ntitle: {}\nlang: {}\nformats: png\nlook: --dpi 60\n---\n",
                                     title.in(language), code_of(language));
  const auto add = [&](const std::string& command, const std::string& figure) {
    document += fmt::format("\n``` {{.attnlab}}\n{} --figure {}\n```\n", command, figure);
  };
  for (const Experiment& experiment : experiments())
    add(experiment.name, run(experiment, Arguments(experiment.parameters)).figures.front().name);
  add("pooling", "bank");  // in the READMEs
  add("attend --x attend/x.npy --projections attend/layer.npz --heads 4", "weights");
  return document;
}

std::string with_experiment_lines(const std::string& file, const std::string& lines) {
  const std::size_t opening = file.find("experiments begin");
  const std::size_t closing = file.find("experiments end");
  if (opening == std::string::npos || closing == std::string::npos || closing < opening) {
    throw std::runtime_error("no lines between \"experiments begin\" and \"experiments end\"");
  }
  return file.substr(0, file.find('\n', opening) + 1) + lines + file.substr(file.rfind('\n', closing) + 1);
}

Arguments attend_example(const std::filesystem::path& data) {
  Arguments arguments(attend_experiment().parameters);
  arguments.set("x", (data / "attend" / "x.npy").string());
  arguments.set("projections", (data / "attend" / "layer.npz").string());
  arguments.set("heads", "4");
  return arguments;
}

std::vector<GalleryPicture> gallery_pictures(const std::filesystem::path& data) {
  std::vector<GalleryPicture> pictures;
  for (const Experiment& experiment : experiments()) {
    add_pictures(run(experiment, Arguments(experiment.parameters)), "attnlab " + experiment.name, pictures);
  }
  add_pictures(run(attend_experiment(), attend_example(data)),
               "attnlab attend --x x.npy --projections layer.npz --heads 4", pictures);
  for (const auto& [task, arguments] : learned_examples()) {
    add_pictures(run(*task, arguments),
                 fmt::format("attnlab {} --model {}", task->name, arguments.text("model")), pictures);
  }
  return pictures;
}

std::string gallery_text(const std::vector<GalleryPicture>& pictures) {
  const auto width = [](const std::string& letters) { return text_width(letters, 1000.0); };
  std::string text =
      fmt::format("fonts {:.0f} {:.0f}\n", width("Attention 0123456789"), width("注意機構の図"));
  for (const GalleryPicture& picture : pictures)
    text += "== " + picture.path + "\n" + to_text(picture.page.list);
  return text;
}

}  // namespace attnlab
