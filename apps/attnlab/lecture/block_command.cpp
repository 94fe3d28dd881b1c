#include "attnlab/lecture/block_command.hpp"

#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/output/look_flags.hpp"
#include "core/similar_words.hpp"

#include "attend/attend_experiment.hpp"
#include "attnlab/sweep/sweep_command.hpp"
#include "catalogue/catalogue.hpp"
#include "core/utf8.hpp"
#include "io/learned_model.hpp"
#include "io/tensor_file.hpp"
#include "live/parameter_controls.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> report_parts{"say", "misunderstanding", "note", "table"};

/// The one command that the words begin with.
std::vector<Command> commands_of(const std::vector<std::string>& words) {
  const std::string& word = words.front();
  if (const Experiment* experiment = find_experiment(word, {ExperimentKind::book}))
    return {experiment_command(*experiment)};
  if (word == "attend") return {attend_command()};
  if (word == "draw") return {draw_command()};
  if (word == "model") return {model_command()};
  if (word == "generation") return {generation_command()};
  if (word == "sweep") return {sweep_command(nullptr)};
  if (word == "claims") return {claims_command()};
  if (word == "train" && words.size() > 1 && find_task(words[1]) != nullptr) return {train_command(nullptr)};
  const std::string name = word == "train" && words.size() > 1 ? word + " " + words[1] : word;
  refuse_name({"実験", "experiment"}, name,
              experiment_names({ExperimentKind::book, ExperimentKind::user_files, ExperimentKind::learned}));
}

/// The flags of the document's look, as a command of their own.
ParsedCommand parsed_look(const Lecture& lecture) {
  Command command;
  command.name = "look";
  command.groups = {{{"図", "Figures"}, look_flags()}};
  for (const std::string& word : lecture.look) {
    const std::string name = word.substr(0, word.find('='));
    if (name.rfind("--", 0) == 0 && find_flag(command, name.substr(2)) == nullptr)
      refuse_name({"見た目のオプション", "look"}, name.substr(2), names_of(look_flags()));
  }
  std::vector<std::string> words = lecture.look;
  words.insert(words.begin(), command.name);
  return parse_command_line(words, {command});
}

/// A document does not write where it likes on its reader's disk, and the lecture has its own language.
void refuse_foreign_flags(const ParsedCommand& parsed) {
  static const std::vector<std::string> own{"figure", "slide", "over", "explain", "row", "code"};
  const std::vector<Flag> look = look_flags();
  const auto& parameters = parsed.command.experiment->parameters;
  for (const auto& [name, values] : parsed.values) {
    const bool is_look = find_named(look, name) != nullptr;
    const bool is_own = std::find(own.begin(), own.end(), name) != own.end();
    if (is_look || is_own || find_named(parameters, name) != nullptr) continue;
    refuse_usage(text("--{} は文書のブロックでは使えません", "--{} has no place in a document", name),
                 {"実験のパラメータ、--figure、図の見た目だけを書いてください",
                  "give parameters, --figure and the figure's look alone"});
  }
}

/// Whether a word that only the experiment knows may stand in the file's place.
bool may_be_word(const Parameter& parameter) {
  const auto* file = std::get_if<FileKind>(&parameter.kind);
  return file != nullptr && file->holds == FileKind::Holds::config;
}

/// A value that names a file, and no model that comes along.
bool names_file(const Parameter& parameter, const std::string& value) {
  return std::holds_alternative<FileKind>(parameter.kind) && !may_be_word(parameter) &&
         !(parameter.name == "model" && comes_along(value));
}

std::string counted_from(const fs::path& folder, const std::string& file) {
  if (fs::path(file).is_absolute()) {
    refuse_usage(
        text("{} は絶対パスです", "{} is an absolute path", quotation(file)),
        {"ファイル名は文書のフォルダーから数えます", "names of files count from the document's folder"});
  }
  return folder.empty() ? file : (folder / file).lexically_normal().string();
}

/// Where words and names of files stand for each other, a word is a name where there is a file.
std::string counted_where_it_is(const fs::path& folder, const std::string& words) {
  std::error_code ignored;
  return fs::is_regular_file(folder / file_of(words), ignored) ? counted_from(folder, words) : words;
}

void count_files_from(const fs::path& folder, ParsedCommand& parsed) {
  const bool has_masks = parsed.command.experiment == &attend_experiment();
  for (const Parameter& parameter : parsed.command.experiment->parameters) {
    const auto found = parsed.values.find(parameter.name);
    if (found == parsed.values.end()) continue;
    for (std::string& value : found->second) {
      const std::size_t equals = value.find('=');
      if (names_file(parameter, value)) value = counted_from(folder, value);
      if (std::holds_alternative<WordsKind>(parameter.kind) || takes_words_too(parameter) ||
          may_be_word(parameter))
        value = counted_where_it_is(folder, value);
      if (has_masks && parameter.name == "mask") {
        std::vector<std::string> masks = split(value, ",");
        for (std::string& mask : masks) mask = counted_where_it_is(folder, mask);
        value = joined(masks, ",");
      }
      if (parameter.name == "input" && equals != std::string::npos)
        value = value.substr(0, equals + 1) + counted_from(folder, value.substr(equals + 1));
    }
  }
}

void take_look(const Lecture& lecture, ParsedCommand& parsed) {
  for (const auto& [name, values] : parsed_look(lecture).values) {
    if (find_flag(parsed.command, name) != nullptr) parsed.values.emplace(name, values);
  }
  refuse_exclusions(parsed);
}

void check_attributes(const BlockAttributes& attributes) {
  static const std::vector<std::string> classes{"report",  "say", "misunderstanding", "note", "table",
                                                "sliders", "film"};
  static const std::vector<std::string> names{"caption", "alt", "stage", "width", "height", "format"};
  for (const std::string& name : attributes.classes) {
    if (std::find(classes.begin(), classes.end(), name) == classes.end())
      refuse_name({"クラス", "class"}, name, classes);
  }
  for (const auto& [name, value] : attributes.values) {
    const bool is_quartos = name.find('-') != std::string::npos || name == "echo";
    if (!is_quartos && std::find(names.begin(), names.end(), name) == names.end())
      refuse_name({"属性", "attribute"}, name, names);
  }
}

Shown shown_by(const CommandBlock& block, const ParsedCommand& parsed) {
  if (parsed.command.name == "claims") return Shown::claim;
  if (parsed.command.name == "sweep" || block.attributes.has("film")) return Shown::film;
  if (block.attributes.has("sliders") || parsed.is_set("slide")) return Shown::sliders;
  if (block.attributes.values.count("stage") != 0) return Shown::formula;
  if (parsed.is_set("code")) return Shown::program;
  if (parsed.is_set("explain")) return Shown::explanation;
  if (std::any_of(report_parts.begin(), report_parts.end(),
                  [&](const std::string& part) { return block.attributes.has(part); }))
    return Shown::report;
  if (block.attributes.has("report")) {
    refuse_usage({"報告のどの部分かが決まりません", "the report's parts are not named"},
                 text("{} から選んでください", "choose from {}", "." + joined(report_parts, ", .")));
  }
  return Shown::figures;
}

/// Part of the names of files, of ids in pages and of paths in TeX; and it belongs to one figure.
void check_name(const CommandBlock& block, const BlockRun& read) {
  const std::string& name = block.attributes.name;
  const auto is_plain = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' || letter == '_';
  };
  if (!std::all_of(name.begin(), name.end(), is_plain)) {
    refuse_usage(text("名前 {} は使えません", "the name {} cannot be used", quotation(name)),
                 {"英数字、-、_ だけで書いてください", "use letters, digits, - and _ alone"});
  }
  const bool is_named = !name.empty() || block.attributes.values.count("caption") != 0;
  if (is_named && read.shown == Shown::figures && read.figure.empty()) {
    refuse_usage({"名前と caption は 1 枚の図に付けるものです", "a name and a caption belong to one figure"},
                 {"--figure で図を選んでください", "choose it with --figure"});
  }
}

void take_experiment(const ParsedCommand& parsed, Language language, BlockRun& read) {
  read.figure = parsed.value("figure");
  read.row = read_row(parsed);
  read.library = read_library(parsed).value_or(Library::numpy);
  if (read.shown == Shown::sliders) {
    std::tie(read.run, read.page) = read_page_run(parsed, language);
  } else {
    read.run = read_run(parsed);
  }
}

void take_sweep(const ParsedCommand& parsed, Language language, BlockRun& read) {
  read.sweep = read_swept_run(parsed, language);
  if (read.sweep->figure == "all") read.sweep->figure.clear();
  read.figure = read.sweep->figure;
  read.run = read.sweep->run;
}

}  // namespace

BlockRun read_block(const CommandBlock& block, const Lecture& lecture) {
  check_attributes(block.attributes);
  ParsedCommand parsed = parse_command_line(block.words, commands_of(block.words));
  BlockRun read;
  read.shown = shown_by(block, parsed);
  if (read.shown == Shown::claim) {
    read.claim = only_topic(parsed, {"主張の名前がありません", "the claim is not named"},
                            {"例：claims A-order", "for example: claims A-order"});
    return read;
  }
  const bool is_sweep = parsed.command.name == "sweep";
  if (is_sweep) experiment_behind(parsed, "sweep scaling --over high-dim=2:64:log");
  if (!is_sweep && parsed.command.positionals.empty() && parsed.topics.size() > 1)
    refuse_argument(parsed.command, parsed.topics.back());
  refuse_foreign_flags(parsed);
  const fs::path folder = lecture.file.parent_path();
  count_files_from(folder, parsed);
  parsed.folder = folder.empty() ? "." : folder;
  take_look(lecture, parsed);
  if (parsed.is_set("theme")) read.chooser = ThemeBy::look;
  read.look = read_look(parsed, lecture.language);
  if (is_sweep) {
    take_sweep(parsed, lecture.language, read);
  } else {
    take_experiment(parsed, lecture.language, read);
  }
  if (read.figure == "all") read.figure.clear();
  check_name(block, read);
  return read;
}

Theme theme_of_look(const Lecture& lecture) {
  try {
    return read_look(parsed_look(lecture), lecture.language).theme;
  } catch (const Error& error) {
    throw error.at(place_of(lecture.file, lecture.look_line));
  }
}

}  // namespace attnlab
