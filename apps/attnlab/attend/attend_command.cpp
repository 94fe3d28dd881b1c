// `attnlab attend`: reads the tensors, masks and labels that it is pointed at, and computes as an experiment
// does.
#include <cctype>

#include "attend/attend.hpp"
#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "io/model_facts.hpp"
#include "io/tensor_file.hpp"
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

// --- One tensor

StoredTensor only_tensor(const TensorFile& file, const std::string& flag) {
  if (file.tensors.size() == 1) return file.tensors.front();
  if (const StoredTensor* same = find_named(file.tensors, flag)) return *same;
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(6, file.tensors.size()); ++i) {
    names += (i == 0 ? "" : ", ") + quotation(file.tensors[i].name);
  }
  refuse_usage(text("{} には配列が {} 個あります（{}）", "{} holds {} arrays ({})", quotation(file.name),
                    file.tensors.size(), names),
               text("--{} {}:{} のように 1 つを選んでください", "choose one, as in --{} {}:{}", flag,
                    file.name, file.tensors.front().name));
}

bool is_single(const StoredTensor& tensor) {
  const ElementType type = tensor.encoding.type;
  return type == ElementType::float16 || type == ElementType::bfloat16 || type == ElementType::float32;
}

/// For the report's table.
GivenFile given_file(const Text& role, const std::string& file, const StoredTensor& stored) {
  return {role, without_folders(file), stored.shape, name_of(stored.encoding.type)};
}

// --- Projections

/// FILE or FILE:PREFIX. A tensor of that whole name is a prefix, too.
struct LayerPlace {
  std::string file;
  std::string prefix;
};

LayerPlace place_of(const std::string& words) {
  std::error_code ignored;
  const std::size_t colon = words.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(words, ignored)) return {words, ""};
  return {words.substr(0, colon), words.substr(colon + 1)};
}

/// Whether --ignore names the tensor: whole, or by its end.
bool is_named_by(const std::string& ignored, const std::string& name) {
  if (name.size() <= ignored.size()) return name == ignored;
  const std::size_t start = name.size() - ignored.size();
  return name[start - 1] == '.' && name.compare(start, std::string::npos, ignored) == 0;
}

/// The names of the tensors, empty for those that --ignore names. Throws Error (usage) where it names none.
std::vector<std::string> names_to_read(const TensorFile& file, const AttendSettings& settings) {
  std::vector<std::string> names = names_of(file.tensors);
  for (const std::string& ignored : settings.ignored) {
    bool there = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!is_named_by(ignored, file.tensors[i].name)) continue;
      names[i].clear();
      there = true;
    }
    if (there) continue;
    refuse_usage(text("--ignore {} という配列は --projections のファイルにありません",
                      "--ignore {}: the file of --projections has no such tensor", quotation(ignored)),
                 {"attnlab inspect で名前を確かめてください", "attnlab inspect shows the names"});
  }
  return names;
}

bool is_taken_care_of(const ChangingTensor& change, const AttendSettings& settings) {
  if (change.unless == "rope") return settings.rotary.has_value();
  return change.unless == "mask" && (!settings.mask_files.empty() || settings.readable.causal ||
                                     settings.readable.reach || settings.readable.padded > 0);
}

/// attnlab's own files hold every stage of a run beside its weights.
bool holds_stages(const FoundLayer& layer) {
  return layer.convention->id.rfind("attnlab", 0) == 0;
}

/// Names what is left over of the layer. Throws Error (failed) for a tensor that would change the result.
void account_for_the_unread(const FoundLayer& layer, const std::vector<std::string>& names,
                            const AttendSettings& settings, std::vector<Text>& warnings) {
  std::vector<std::string> unread;
  for (const UnreadTensor& tensor : layer.unread) {
    const std::string& name = names[tensor.place];
    if (name.empty()) continue;
    if (tensor.change != nullptr && !is_taken_care_of(*tensor.change, settings)) {
      refuse_failed(
          text("--projections の {} は結果を変えますが、計算に入れられません：{}",
               "{} in the file of --projections would change the result, and is not computed with: {}",
               quotation(name), tensor.change->what),
          text("--ignore {} なら、それなしで計算します", "--ignore {} computes without it", name));
    }
    if (!holds_stages(layer)) unread.push_back(name);
  }
  if (unread.empty()) return;
  warnings.push_back(text("--projections の {} 個の配列は読みませんでした：{}",
                          "{} tensor(s) of --projections were not read: {}", unread.size(),
                          first_names(unread)));
}

/// How many heads there are where no flag says so, and who says it: "config.json".
struct ToldHeads {
  std::size_t heads = 0;
  std::size_t kv_heads = 0;
  Text source = Text::none();
};

/// From the run that attnlab saved, else from what stands beside the weights.
ToldHeads told_heads(const TensorFile& file, const FoundLayer& layer) {
  if (holds_stages(layer)) {
    const StoredTensor* output = find_named(file.tensors, layer.prefix + "head_output");
    if (output != nullptr && output->shape.size() >= 3) {
      return {output->shape[output->shape.size() - 3], 0, text("{} の形状", "the shape of {}", output->name)};
    }
  }
  const ModelFacts facts = model_facts(file);
  return {facts.heads, facts.kv_heads, Text::same(facts.source)};
}

/// What the report says of the weights: whose names they have, how they are stored, how many heads there are.
template <class T>
void tell_how_read(const FoundLayer& layer, const GivenLayer<T>& given, const ToldHeads& told,
                   const AttendSettings& settings, AttendInputs<T>& inputs) {
  const LayerWeights<T>& weights = *inputs.weights;
  const Text layout = weights.out_in ? Text{"(出力, 入力)", "(out, in)"} : Text{"(入力, 出力)", "(in, out)"};
  const bool by_flag = settings.layout != WeightLayout::by_name;
  const bool by_name = given.layout == StoredLayout::in_out || given.layout == StoredLayout::out_in;
  const Text layout_source = by_flag            ? Text::same("--layout")
                             : by_name          ? Text{"名前", "its names"}
                             : weights.is_guess ? Text{"推測", "a guess"}
                                                : Text{"形状", "its shapes"};
  const bool per_head = given.weights.front().values.dimension() == 3;
  const Text heads_source = settings.heads != 0 ? Text::same("--heads")
                            : per_head          ? Text{"重みの形状", "the weights' shape"}
                            : told.heads != 0   ? told.source
                            : weights.heads > 1
                                ? Text{"正規化の長さ", "the norms' length"}
                                : Text{"指定がないため。--heads で指定します", "none is told: give --heads"};
  inputs.recognised.push_back(text("重みは {}（{}）として読みました。向きは {}（{}）、ヘッドは {} 個（{}）。",
                                   "The weights are read as {} (by {}): {} by {}, heads: {} ({}).",
                                   layer.convention->id, given.weights.front().name, layout, layout_source,
                                   weights.heads, heads_source));
  if (weights.is_guess) {
    inputs.warnings.push_back(
        text("重みが正方で、名前からも向きが決まらないので {} とみなしました。--layout in-out か --layout "
             "out-in で決めてください",
             "the weights are square and their names leave the layout open: {} is a guess; settle it with "
             "--layout in-out or --layout out-in",
             layout));
  }
  const std::string& rotary = layer.convention->rotary;
  if (!rotary.empty() && !settings.rotary) {
    inputs.warnings.push_back(text(
        "この名前のモデルは回転位置を使います。その計算も入れるなら --rope {} を付けてください",
        "models of these names turn queries and keys by rotary positions; --rope {} does the same", rotary));
  }
  if (!weights.scales && settings.scale_text == "default") {
    inputs.warnings.push_back(text(
        "{} はスコアをスケールしないので、倍率は 1 です（--scale で変えられます）",
        "{} does not scale its scores: they are taken times 1 (--scale changes that)", layer.convention->id));
  }
}

template <class T>
std::size_t width_of(const Tensor<T>& tokens) {
  return tokens.dimension() == 0 ? 1 : tokens.shape().back();
}

template <class T>
void read_weights(const std::string& words, AttendSettings settings, AttendInputs<T>& inputs) {
  const LayerPlace place = place_of(words);
  const TensorFile file = open_tensors(place.file);
  const std::vector<std::string> names = names_to_read(file, settings);
  const FoundLayer found = find_layer(names, place.prefix);
  account_for_the_unread(found, names, settings, inputs.warnings);
  for (const FoundWeight& weight : found.weights) {
    const StoredTensor& stored = file.tensors[weight.places.front()];
    inputs.files.push_back(given_file(Text::same(stored.name), place.file, stored));
  }
  const GivenLayer<T> given =
      given_layer<T>(found, names, [&](std::size_t i) { return load<T>(file.tensors[i]); });
  const ToldHeads told = told_heads(file, found);
  const AttendSettings typed = settings;
  if (settings.heads == 0 && given.weights.front().values.dimension() != 3) {
    settings.heads = told.heads;
    if (settings.kv_heads == 0) settings.kv_heads = told.kv_heads;
  }
  const InputWidths widths{width_of(inputs.query), width_of(inputs.key_tokens()),
                           width_of(inputs.value_tokens())};
  inputs.weights = layer_weights(given, widths, settings);
  tell_how_read(found, given, told, typed, inputs);
}

// --- Masks

template <class T>
bool only_zero_and_one(const Tensor<T>& values) {
  return std::all_of(values.begin(), values.end(), [](T value) { return value == T(0) || value == T(1); });
}

/// Truth values, or integers or written numbers that are nothing but 0 and 1.
template <class T>
bool is_boolean(TensorFormat format, const StoredTensor& stored, const Tensor<T>& values) {
  const ElementType type = stored.encoding.type;
  if (type == ElementType::boolean) return true;
  const bool is_text = format == TensorFormat::json || format == TensorFormat::csv;
  const bool is_real = is_single(stored) || type == ElementType::float64;
  return (!is_real || is_text) && only_zero_and_one(values);
}

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
  const StoredTensor stored = only_tensor(file, "mask");
  inputs.files.push_back(given_file({"マスク", "mask"}, words, stored));
  GivenMask<T> mask{words, load<T>(stored)};
  mask.is_boolean = is_boolean(file.format, stored, mask.values);
  if (!mask.is_boolean) warn_of_ones(stored, mask.values, words, inputs);
  add_mask(mask, settings.true_means, inputs);
}

// --- Labels

Text one_per_line() {
  return {"1 行に 1 つのラベルを UTF-8 で書いてください", "write one label per line, in UTF-8"};
}

/// One label per line of a file of that name; else the words themselves.
std::vector<std::string> read_labels(const Arguments& arguments, const std::string& flag) {
  if (!arguments.given(flag)) return {};
  const std::string& name = arguments.text(flag);
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored) || std::filesystem::is_directory(name, ignored)) {
    std::vector<std::string> labels = split(name, ",");
    for (const std::string& label : labels) {
      if (decode_utf8(label).value_or(U"").size() <= longest_label) continue;
      refuse_usage(text("--{} の {} は {} 字を超えます", "--{}: {} has more than {} characters", flag,
                        quotation(label), longest_label),
                   {"短いラベルにしてください", "use shorter labels"});
    }
    return labels;
  }
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
    inputs.push_back({flag, file, only_tensor(open_tensors(file), flag)});
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

/// The numbers, the weights, the masks and the labels. Throws Error naming what is wrong with which file.
template <class T>
AttendInputs<T> read_inputs(std::vector<OpenedInput> opened, const Arguments& arguments,
                            const AttendSettings& settings) {
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
    read_weights(arguments.text("projections"), settings, inputs);
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
  const AttendSettings settings = attend_settings(arguments);
  std::vector<OpenedInput> opened = open_inputs(arguments);
  if (computing_type(opened, settings.precision) == DType::float32) {
    return attend(read_inputs<float>(std::move(opened), arguments, settings), settings, context);
  }
  return attend(read_inputs<double>(std::move(opened), arguments, settings), settings, context);
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
  command.groups.front().flags.push_back(
      flag("conventions", "--projections が読む重みの名前と向きを一覧して終わります",
           "list the names and layouts of weights that --projections reads, and stop"));
  std::vector<Flag>& report = (command.groups.end() - 2)->flags;
  report.push_back(flag("save-output", "FILE", "出力だけを保存します（npy, npz, json, csv）",
                        "save the output alone: npy, npz, json or csv")
                       .repeated());
  report.push_back(
      flag("save-weights", "FILE", "注意度だけを保存します", "save the weights alone").repeated());
  report.push_back(flag("save-stages", "FILE", "すべての段階を保存します（--data と同じ）",
                        "save every stage, as --data does")
                       .repeated());
  return command;
}

}  // namespace attnlab
