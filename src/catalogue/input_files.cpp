// The files that arguments name are read, and what they hold becomes part of the arguments.
#include "catalogue/input_files.hpp"
#include "core/named.hpp"
#include "core/similar_words.hpp"

#include "core/escape.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/inputs.hpp"
#include "io/formats.hpp"
#include "io/learned_model.hpp"
#include "io/tensor_file.hpp"
#include "io/unreadable.hpp"
#include "io/words_file.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

/// "x" and "dir/x.npy".
struct NamedFile {
  std::string name;
  std::string file;
};

NamedFile split_input(const Experiment& experiment, const std::string& words) {
  const std::size_t equals = words.find('=');
  const std::string name = words.substr(0, equals);
  const std::vector<std::string> known = input_names(experiment.inputs);
  if (equals == std::string::npos) {
    refuse_usage(
        text("--input {} に配列の名前がありません", "--input {} names no array", quotation(words)),
        text("--input {}={} のように書いてください（名前は {}）", "write --input {}={}; the names are {}",
             known.front(), printable(words), joined(known, ", ")));
  }
  if (std::find(known.begin(), known.end(), name) != known.end()) return {name, words.substr(equals + 1)};
  refuse_usage(text("--input {}：{} に配列 {} はありません", "--input {}: {} has no input {}",
                    quotation(words), experiment.name, quotation(name)),
               suggestion_before(name, known, choose_from(known)));
}

/// The truth values of a mask, true where a key is read, become what is added to the scores. Throws Error
/// (usage) for numbers that were most likely meant as truth values.
void make_additive(const TensorFile& file, const NamedFile& input, std::vector<double>& mask) {
  if (holds_truth(file.format, file.tensors.front(), mask)) {
    for (double& value : mask) value = value != 0.0 ? 0.0 : -std::numeric_limits<double>::infinity();
  } else if (const std::optional<double> truth = likely_truth(mask)) {
    refuse_usage(text("--input {} の配列は 0 と {:g} だけの {} です",
                      "the array of --input {} holds only 0 and {:g} as {}", input.name, *truth,
                      name_of(file.tensors.front().encoding.type)),
                 {"真偽値なら bool で、スコアに足す数なら np.where(m, 0, -np.inf) で保存してください",
                  "save truth values as bool, or what is added to the scores: np.where(m, 0, -np.inf)"});
  }
}

InputArray read_input(const NamedFile& input, const std::vector<DeclaredInput>& declared) {
  TensorFile file = open_tensors(input.file);
  file.tensors = {only_tensor(file, input.name, fmt::format("--input {}=", input.name))};
  std::vector<NamedArray> arrays = named_arrays(file);
  const bool hides = std::any_of(declared.begin(), declared.end(), [&](const DeclaredInput& one) {
    return one.name == input.name && one.may_hide;
  });
  if (hides) make_additive(file, input, arrays.front().array.data);
  InputArray provided{input.name, without_folders(input.file), std::move(arrays.front().array)};
  provided.doubt = doubt_of(file.tensors.front(), provided.source);
  return provided;
}

/// \r\n and \r are ends of lines as \n is.
std::string with_line_feeds(std::string_view text) {
  std::string lines;
  lines.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool ends_with_next = text.substr(i, 2) == "\r\n";
    if (!ends_with_next) lines += text[i] == '\r' ? '\n' : text[i];
  }
  return lines;
}

/// Its characters, as UTF-8 without a byte order mark, its lines ended by \n. Throws Error naming the file.
std::string text_of_file(const std::string& name) {
  constexpr std::size_t most_bytes = std::size_t{16} << 20U;  // as characters and numbers thirty times that
  const SharedBytes bytes = bytes_of(name);
  const std::string_view text = without_byte_order_mark(bytes.view);
  const Text save_it{"文字コードを UTF-8 にして保存し直してください", "save it as UTF-8"};
  if (text.size() > most_bytes)
    refuse_file(
        name, Text::none(),
        attnlab::text("{} バイトあります。学習するテキストは {} バイトまでです",
                      "it has {} bytes, and a text to learn from may have {}", text.size(), most_bytes),
        {"一部だけを使ってください", "take a part of it"});
  const bool has_mark = text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF";
  if (has_mark || text.find('\0') != std::string_view::npos)
    refuse_file(name, Text::none(), {"UTF-16 か、テキストではないファイルです", "it is UTF-16, or no text"},
                save_it);
  if (!decode_utf8(text))
    refuse_file(name, Text::none(), {"UTF-8 ではありません", "it is no UTF-8"}, save_it);
  return with_line_feeds(text);
}

/// A configuration, or that in a folder; nothing where no file has that name: then it is a word.
std::optional<std::string> config_of(const std::string& name) {
  std::filesystem::path file = name;
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) file /= "config.json";
  if (name != "-" && !std::filesystem::exists(file, ignored)) return std::nullopt;
  constexpr JsonLimits limits{std::size_t{1} << 20U, std::size_t{1} << 16U};
  const SharedBytes bytes = bytes_of(file.string());
  const std::string_view text = without_byte_order_mark(bytes.view);
  check_json_text(text, limits, bytes.view.size() - text.size(), without_folders(file.string()));
  return std::string(text);
}

/// The words of the file that typed ones may name take their place.
void take_words(const Parameter& parameter, Arguments& arguments) {
  const std::string typed = arguments.text(parameter.name);
  if (typed == "neko" || !is_words_file(typed)) return;
  std::vector<std::string> words = words_of_file(typed);
  for (std::string& word : words) word = with_backslashes(word, ",\\");
  arguments.set(parameter.name, joined(words, ","));
}

}  // namespace

std::vector<std::filesystem::path> inputs_of(const Arguments& arguments) {
  std::vector<std::filesystem::path> files;
  for (const Parameter& parameter : arguments.parameters()) {
    if (!arguments.is_set(parameter.name)) continue;
    if (std::holds_alternative<FileKind>(parameter.kind))
      files.emplace_back(file_of(arguments.text(parameter.name)));
    if (parameter.name != "input" || !std::holds_alternative<ItemsKind>(parameter.kind)) continue;
    for (const std::string& word : arguments.words(parameter.name))
      files.emplace_back(file_of(word.substr(word.find('=') + 1)));  // NAME=FILE
  }
  if (arguments.sources.files)
    files.insert(files.end(), arguments.sources.files->names.begin(), arguments.sources.files->names.end());
  return files;
}

void read_inputs(Arguments& arguments, const Experiment& experiment) {
  if (experiment.inputs.empty() || !arguments.is_set("input")) return;
  const ReadsBelow files_folder(arguments.sources.folder);
  std::vector<InputArray> arrays;
  std::vector<std::string> words;
  std::size_t streams = 0;
  for (const std::string& word : arguments.words("input")) {
    const NamedFile input = split_input(experiment, word);
    if (input.file == "-" && ++streams > 1) {
      refuse_usage({"標準入力（-）は 1 度しか読めません", "standard input (-) can be read once"},
                   {"ほかはファイルにしてください", "give files for the others"});
    }
    arrays.push_back(read_input(input, experiment.inputs));
    words.push_back(input.name + "=" + with_backslashes(input.file, ",\\"));
  }
  arguments.set("input", joined(words, ","));
  give_arrays(arguments, experiment, arrays);
}

void read_contents(Arguments& arguments, const Experiment& experiment) {
  const ReadsBelow files_folder(arguments.sources.folder);
  const std::string task = experiment.task.empty() ? experiment.name : "train " + experiment.task;
  for (const Parameter& parameter : arguments.parameters()) {
    if (!arguments.is_set(parameter.name)) continue;
    if (std::holds_alternative<WordsKind>(parameter.kind)) take_words(parameter, arguments);
    const auto* file = std::get_if<FileKind>(&parameter.kind);
    if (file == nullptr) continue;
    const std::string name = arguments.text(parameter.name);
    const bool has_language = find_named(arguments.parameters(), "language") != nullptr;
    const std::string language = has_language ? arguments.text("language") : "";
    if (file->holds == FileKind::Holds::text) arguments.sources.contents[parameter.name] = text_of_file(name);
    if (file->holds == FileKind::Holds::config)
      if (auto config = config_of(name)) arguments.sources.contents[parameter.name] = std::move(*config);
    if (file->holds == FileKind::Holds::model)
      take_model(read_model(shipped_for(name, language_named(language).value_or(Language::en)), task),
                 arguments);
  }
}

}  // namespace attnlab
