#include "attend/attend_files.hpp"

#include "attend/sentence.hpp"
#include "attention/shape.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "io/image_file.hpp"
#include "io/unreadable.hpp"
#include "io/words_file.hpp"

namespace attnlab {
namespace {

// --- Which files

/// Its bytes are gone once they were read.
void check_standard_input(const Arguments& arguments) {
  std::vector<std::string> files = arguments.words("mask");
  for (const char* flag : {"x", "query", "key", "value", "projections", "image"}) {
    if (arguments.is_set(flag)) files.push_back(arguments.text(flag));
  }
  const auto uses =
      std::count_if(files.begin(), files.end(), [](const std::string& file) { return file_of(file) == "-"; });
  if (uses <= 1) return;
  refuse_attend("input_twice", {{"uses", static_cast<std::size_t>(uses)}});
}

void check_inputs(const Arguments& arguments) {
  check_standard_input(arguments);
  for (const char* role : {"query", "key", "value"}) {
    if (arguments.is_set("x") && arguments.is_set(role)) refuse_attend("x_and_role", {{"role", role}});
    if (!arguments.is_set("x") && !arguments.is_set(role)) refuse_attend("no_role", {{"role", role}});
  }
}

OpenedMask open_mask(const std::string& words) {
  if (words.find_first_of(".-/") == std::string::npos && !is_stream(words))
    refuse_attend("no_mask", {{"words", quotation(words)}});
  const TensorFile file = open_tensors(words);
  return {words, file.format, only_tensor(file, "mask", "--mask ")};
}

OpenedLayer open_layer(const std::string& words) {
  std::error_code ignored;
  const std::size_t colon = words.rfind(':');
  const bool is_whole = colon == std::string::npos || std::filesystem::exists(words, ignored);
  const std::string name = is_whole ? words : words.substr(0, colon);
  TensorFile file = open_tensors(name);
  ModelFacts facts = model_facts(file);
  file.tensors = everything_in(file);
  std::string prefix = is_whole ? "" : words.substr(colon + 1);
  const std::string wrapper = wrapper_of(file.tensors);
  if (prefix.rfind(wrapper, 0) == 0) prefix.erase(0, wrapper.size());
  leave_out(wrapper, file.tensors);
  return {name, std::move(prefix), std::move(file), std::move(facts)};
}

// --- Labels

/// Throws Error (failed): what is wrong with a file of labels.
[[noreturn]] void refuse_labels(const std::string& file, const Text& place, const std::string& problem) {
  refuse_file(file, place, attend_sentence(problem, {{"most", longest_label}}),
              attend_sentence("one_per_line"));
}

/// The words between commas.
std::vector<std::string> typed_labels(const std::string& words, const std::string& flag) {
  std::vector<std::string> labels = split(words, ",");
  for (const std::string& label : labels) {
    if (decode_utf8(label).value_or(U"").size() <= longest_label) continue;
    refuse_attend("long_label", {{"flag", flag}, {"label", quotation(label)}, {"most", longest_label}});
  }
  return labels;
}

}  // namespace

std::vector<std::string> read_labels(const Arguments& arguments, const std::string& flag,
                                     OpenedFiles& files) {
  if (!arguments.is_set(flag)) return {};
  const std::string& name = arguments.text(flag);
  if (!name.empty() && name.front() == words_sign) return typed_labels(name.substr(1), flag);
  if (!is_words_file(name)) return typed_labels(name, flag);
  files.names.push_back(file_of(name));
  std::vector<std::string> labels = words_of_file(name);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::optional<std::u32string> characters = decode_utf8(labels[i]);
    const Text place = attend_sentence("at_line", {{"line", i + 1}});
    if (!characters || std::any_of(characters->begin(), characters->end(), is_control))
      refuse_labels(name, place, "not_utf8");
    if (characters->size() > longest_label) refuse_labels(name, place, "long_line");
  }
  return labels;
}

std::shared_ptr<const OpenedFiles> open_attend_files(const Arguments& arguments) {
  const ReadsBelow files_folder(arguments.sources.folder);
  const AttendSettings settings = attend_settings(arguments);
  check_inputs(arguments);
  const auto files = std::make_shared<AttendFiles>();
  for (const char* flag : {"x", "query", "key", "value"}) {
    if (!arguments.is_set(flag)) continue;
    const std::string& file = arguments.text(flag);
    files->names.push_back(file_of(file));
    files->inputs.push_back({flag, file, only_tensor(open_tensors(file), flag, fmt::format("--{} ", flag))});
    const std::vector<std::size_t>& shape = files->inputs.back().tensor.shape;
    if (shape.size() < 2)
      refuse_attend("no_tokens", {{"name", fmt::format("--{}", flag)}, {"shape", printed(shape)}});
  }
  if (arguments.is_set("projections")) {
    files->layer = open_layer(arguments.text("projections"));
    files->names.push_back(files->layer->name);
  }
  for (const std::string& mask : settings.mask_files) {
    files->masks.push_back(open_mask(mask));
    files->names.push_back(file_of(mask));
  }
  files->labels = read_labels(arguments, "labels", *files);
  files->key_labels = read_labels(arguments, "key-labels", *files);
  if (arguments.is_set("image")) {
    files->picture = std::make_shared<const Image>(read_image(arguments.text("image")));
    files->names.push_back(file_of(arguments.text("image")));
  }
  return files;
}

}  // namespace attnlab
