// --input NAME=FILE: the files are read, and their arrays become part of the arguments.
#include "attnlab/experiment/experiment_request.hpp"
#include "core/similar_words.hpp"

#include "core/escape.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/inputs.hpp"
#include "io/tensor_file.hpp"

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
/// (usage) for real numbers that are nothing but 0 and 1.
void make_additive(const TensorFile& file, const NamedFile& input, std::vector<double>& mask) {
  if (holds_truth(file.format, file.tensors.front(), mask)) {
    for (double& value : mask) value = value != 0.0 ? 0.0 : -std::numeric_limits<double>::infinity();
  } else if (only_zero_and_one(mask) && std::find(mask.begin(), mask.end(), 1.0) != mask.end()) {
    refuse_usage(
        text("--input {} の配列は 0 と 1 だけの {} です", "the array of --input {} holds only 0 and 1 as {}",
             input.name, name_of(file.tensors.front().encoding.type)),
        {"真偽値なら bool で、スコアに足す数なら np.where(m, 0, -np.inf) で保存してください",
         "save truth values as bool, or what is added to the scores: np.where(m, 0, -np.inf)"});
  }
}

GivenArray read_input(const NamedFile& input, const std::vector<DeclaredInput>& declared) {
  TensorFile file = open_tensors(input.file);
  file.tensors = {only_tensor(file, input.name, fmt::format("--input {}=", input.name))};
  std::vector<NamedArray> arrays = named_arrays(file);
  const bool hides = std::any_of(declared.begin(), declared.end(), [&](const DeclaredInput& one) {
    return one.name == input.name && one.may_hide;
  });
  if (hides) make_additive(file, input, arrays.front().array.data);
  return {input.name, without_folders(input.file), std::move(arrays.front().array)};
}

}  // namespace

void read_inputs(Arguments& arguments, const Experiment& experiment) {
  if (experiment.inputs.empty() || !arguments.given("input")) return;
  std::vector<GivenArray> arrays;
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

}  // namespace attnlab
