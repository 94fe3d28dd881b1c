// `attnlab attend`: reads the tensors, masks and labels that it is pointed at, and computes as an experiment
// does.
#include <cctype>

#include "attend/settings.hpp"
#include "attnlab/attend/saved_layer.hpp"
#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

// --- Which files

/// Its bytes are gone once they were read.
void check_standard_input(const Arguments& arguments) {
  std::vector<std::string> files = arguments.words("mask");
  for (const char* flag : {"x", "query", "key", "value", "projections"}) {
    if (arguments.given(flag)) files.push_back(arguments.text(flag));
  }
  const auto uses =
      std::count_if(files.begin(), files.end(), [](const std::string& file) { return file_of(file) == "-"; });
  if (uses <= 1) return;
  refuse_usage(
      text("標準入力（-）が {} 回指定されています", "standard input (-) is given {} times", uses),
      {"1 度しか読めません。ほかはファイルにしてください", "it can be read once: give files for the others"});
}

void check_inputs(const Arguments& arguments) {
  check_standard_input(arguments);
  for (const char* role : {"query", "key", "value"}) {
    if (!arguments.given("x") || !arguments.given(role)) continue;
    refuse_usage(text("--x と --{} は同時に指定できません", "--x and --{} cannot be given together", role),
                 {"--x は Q, K, V のすべてになります", "--x stands for queries, keys and values at once"});
  }
  if (arguments.given("x")) return;
  for (const char* role : {"query", "key", "value"}) {
    if (arguments.given(role)) continue;
    refuse_usage(
        text("attend に --{} がありません", "attend needs --{}", role),
        {"--query, --key, --value の 3 つか、--x を指定してください（例：attnlab attend --query q.npy "
         "--key k.npy --value v.npy）",
         "give --query, --key and --value, or --x, as in attnlab attend --query q.npy --key k.npy --value "
         "v.npy"});
  }
}

bool is_single(const StoredTensor& tensor) {
  const ElementType type = tensor.encoding.type;
  return type == ElementType::float16 || type == ElementType::bfloat16 || type == ElementType::float32;
}

// --- Masks

/// Real numbers that are nothing but 0 and 1 were most likely meant as truth values.
template <class T>
void warn_of_ones(const StoredTensor& stored, const Tensor<T>& mask, const std::string& words,
                  AttendInputs<T>& inputs) {
  if (!only_zero_and_one(mask) || std::find(mask.begin(), mask.end(), T(1)) == mask.end()) return;
  inputs.warnings.emplace_back(
      text("マスク {} は 0 と 1 だけの {} なので、スコアに足されます。真偽値なら bool で保存してください",
           "the mask {} holds only 0 and 1 as {}: they are added to the scores; save truth values as bool",
           quotation(words), name_of(stored.encoding.type)));
}

template <class T>
void read_mask(const std::string& words, const AttendSettings& settings, AttendInputs<T>& inputs) {
  if (words.find_first_of(".-/") == std::string::npos && !is_stream(words)) {
    refuse_usage(text("--mask {} というマスクはありません", "--mask {} is no mask", quotation(words)),
                 {"causal, window:N, padding:N か、マスクのファイルにしてください",
                  "use causal, window:N, padding:N or a file that holds a mask"});
  }
  const TensorFile file = open_tensors(words);
  const StoredTensor stored = only_tensor(file, "mask", "--mask ");
  inputs.files.push_back(given_file({"マスク", "mask"}, words, stored));
  GivenMask<T> mask{words, load<T>(stored)};
  mask.is_boolean = holds_truth(file.format, stored, mask.values);
  if (!mask.is_boolean) warn_of_ones(stored, mask.values, words, inputs);
  add_mask(mask, settings.true_means, inputs);
}

// --- Labels

Text one_per_line() {
  return {"1 行に 1 つのラベルを UTF-8 で書いてください", "write one label per line, in UTF-8"};
}

/// The words between commas.
std::vector<std::string> typed_labels(const std::string& words, const std::string& flag) {
  std::vector<std::string> labels = split(words, ",");
  for (const std::string& label : labels) {
    if (decode_utf8(label).value_or(U"").size() <= longest_label) continue;
    refuse_usage(text("--{} の {} は {} 字を超えます", "--{}: {} has more than {} characters", flag,
                      quotation(label), longest_label),
                 {"短いラベルにしてください", "use shorter labels"});
  }
  return labels;
}

/// One label per line of a file of that name; else the words themselves, as always behind words_sign.
std::vector<std::string> read_labels(const Arguments& arguments, const std::string& flag) {
  if (!arguments.given(flag)) return {};
  const std::string& name = arguments.text(flag);
  if (!name.empty() && name.front() == words_sign) return typed_labels(name.substr(1), flag);
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored) || std::filesystem::is_directory(name, ignored))
    return typed_labels(name, flag);
  const SharedBytes bytes = bytes_of(name);
  std::vector<std::string> labels = split(without_byte_order_mark(bytes.view), "\n");
  if (labels.back().empty()) labels.pop_back();  // behind the end of the last line
  if (labels.empty()) {
    refuse_file(name, Text::none(), {"ラベルがありません", "it holds no label"}, one_per_line());
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!labels[i].empty() && labels[i].back() == '\r') labels[i].pop_back();
    const std::optional<std::u32string> characters = decode_utf8(labels[i]);
    if (!characters || std::any_of(characters->begin(), characters->end(), is_control)) {
      refuse_file(name, text("{} 行目", "at line {}", i + 1),
                  {"UTF-8 ではないか、制御文字があります", "it is no UTF-8, or holds a control character"},
                  one_per_line());
    }
    if (characters->size() > longest_label) {
      refuse_file(name, text("{} 行目", "at line {}", i + 1),
                  text("ラベルが {} 字を超えます", "the label has more than {} characters", longest_label),
                  one_per_line());
    }
  }
  return labels;
}

// --- All of it

/// One of query, key, value and x: its file is open, its numbers have not been read.
struct OpenedInput {
  std::string flag;
  std::string file;  // as it was typed
  StoredTensor tensor;
};

/// Throws Error (usage) when inputs are missing or contradict each other; Error naming a file that cannot be
/// read. Standard input can be one of them.
std::vector<OpenedInput> open_inputs(const Arguments& arguments) {
  check_inputs(arguments);
  std::vector<OpenedInput> inputs;
  for (const char* flag : {"x", "query", "key", "value"}) {
    if (!arguments.given(flag)) continue;
    const std::string& file = arguments.text(flag);
    inputs.push_back({flag, file, only_tensor(open_tensors(file), flag, fmt::format("--{} ", flag))});
    require_tokens(inputs.back().tensor.shape, Text::same(fmt::format("--{}", flag)));
  }
  return inputs;
}

/// The type to compute in: what was asked for, or float64 where any input holds float64, integers or text.
DType computing_type(const std::vector<OpenedInput>& inputs, Precision precision) {
  if (precision == Precision::float64) return DType::float64;
  if (precision != Precision::as_stored) return DType::float32;
  const bool single = std::all_of(inputs.begin(), inputs.end(),
                                  [](const OpenedInput& input) { return is_single(input.tensor); });
  return single ? DType::float32 : DType::float64;
}

/// The numbers, the weights (which may settle --rope), the masks and the labels. Throws Error naming what is
/// wrong with which file.
template <class T>
AttendInputs<T> read_inputs(std::vector<OpenedInput> opened, const Arguments& arguments,
                            AttendSettings& settings) {
  AttendInputs<T> inputs;
  for (OpenedInput& input : opened) {
    const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(input.flag.front())));
    inputs.files.push_back(given_file(Text::same({letter}), input.file, input.tensor));  // Q, K, V or X
    Tensor<T> values = load<T>(input.tensor);
    input.tensor = {};  // its pages are no longer needed
    if (input.flag == "key") {
      inputs.key = std::move(values);
    } else if (input.flag == "value") {
      inputs.value = std::move(values);
    } else {
      inputs.query = std::move(values);
    }
  }
  if (arguments.given("projections")) {
    read_saved_layer(arguments.text("projections"), settings, inputs);
  }
  for (const std::string& file : settings.mask_files) read_mask(file, settings, inputs);
  inputs.labels = read_labels(arguments, "labels");
  inputs.key_labels = read_labels(arguments, "key-labels");
  return inputs;
}

/// Only what is too long to be kept is divided: that may take seconds, and says how far it is.
Report run_attend(const Arguments& arguments, const Context& given) {
  Context context = given;
  context.for_each = on_all_processors(given.progress);
  AttendSettings settings = attend_settings(arguments);
  std::vector<OpenedInput> opened = open_inputs(arguments);
  const auto attend_as = [&](auto inputs) { return attend(std::move(inputs), settings, context); };
  if (computing_type(opened, settings.precision) == DType::float32) {
    return attend_as(read_inputs<float>(std::move(opened), arguments, settings));
  }
  return attend_as(read_inputs<double>(std::move(opened), arguments, settings));
}

Ending run_or_list(const ParsedCommand& parsed, Language language) {
  if (!parsed.given("conventions")) return experiment_command(attend_experiment()).run(parsed, language);
  write_output(conventions_text(language));
  return Ending::done;
}

}  // namespace

const Experiment& attend_experiment() {
  static const Experiment attend{
      "attend",
      {"手持ちの Q, K, V（または X と重み）のアテンションを、どんな長さでも計算する",
       "attention over your own Q, K, V, or X and its projections, of any length"},
      {"手持ちのファイル", "your own files"},
      attend_parameters(),
      run_attend};
  return attend;
}

/// An experiment over the user's own files, which also saves its arrays one by one and lists the names of
/// weights that it reads.
Command attend_command() {
  Command command = experiment_command(attend_experiment());
  command.is_experiment = false;
  command.run = run_or_list;
  std::vector<Flag>& own = command.groups.front().flags;
  own.push_back(flag("conventions"));
  own.push_back(flag("save-output", "FILE").repeated());
  own.push_back(flag("save-weights", "FILE").repeated());
  own.push_back(flag("save-stages", "FILE").repeated());
  return command;
}

}  // namespace attnlab
