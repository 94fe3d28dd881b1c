// `attend` as an experiment: the numbers of its files, then the computation.
#include <cctype>

#include "attend/attend_experiment.hpp"
#include "attend/picture.hpp"
#include "attend/saved_layer.hpp"
#include "attend/sentence.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

bool is_single(const StoredTensor& tensor) {
  const ElementType type = tensor.encoding.type;
  return type == ElementType::float16 || type == ElementType::bfloat16 || type == ElementType::float32;
}

template <class T>
void read_mask(const OpenedMask& opened, AttendInputs<T>& inputs) {
  inputs.files.push_back(input_file({"マスク", "mask"}, opened.words, opened.tensor));
  if (const std::optional<Text> doubt = doubt_of(opened.tensor, opened.words))
    inputs.warnings.push_back(*doubt);
  InputMask<T> mask{opened.words, load<T>(opened.tensor)};
  mask.is_boolean = holds_truth(opened.format, opened.tensor, mask.values);
  const std::optional<double> truth = mask.is_boolean ? std::nullopt : likely_truth(mask.values);
  if (truth)
    inputs.warnings.push_back(attend_sentence("ones", {{"words", quotation(opened.words)},
                                                       {"value", fmt::format("{:g}", *truth)},
                                                       {"type", name_of(opened.tensor.encoding.type)}}));
  inputs.masks.push_back(std::move(mask));
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
AttendInputs<T> inputs_in(const AttendFiles& files, AttendSettings& settings) {
  AttendInputs<T> inputs;
  for (const OpenedInput& input : files.inputs) {
    const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(input.flag.front())));
    inputs.files.push_back(input_file(Text::same({letter}), input.file, input.tensor));  // Q, K, V or X
    if (const std::optional<Text> doubt = doubt_of(input.tensor, input.file))
      inputs.warnings.push_back(*doubt);
    Tensor<T> values = load<T>(input.tensor);
    if (input.flag == "key") {
      inputs.key = std::move(values);
    } else if (input.flag == "value") {
      inputs.value = std::move(values);
    } else {
      inputs.query = std::move(values);
    }
  }
  if (files.layer) read_saved_layer(*files.layer, settings, inputs);
  for (const OpenedMask& mask : files.masks) read_mask(mask, inputs);
  inputs.labels = files.labels;
  inputs.key_labels = files.key_labels;
  inputs.picture = files.picture;
  return inputs;
}

/// Only what is too long to be kept is divided: that may take seconds, and says how far it is.
Report run_attend(const Arguments& arguments, const Context& provided) {
  Context context = provided;
  context.for_each = on_all_processors(provided.progress);
  AttendSettings settings = attend_settings(arguments);
  const AttendFiles& files = *std::static_pointer_cast<const AttendFiles>(arguments.sources.files);
  if (computing_type(files.inputs, settings.precision) == DType::float32)
    return attend(inputs_in<float>(files, settings), settings, context);
  return attend(inputs_in<double>(files, settings), settings, context);
}

/// Every token of the picture's own length reads in turn; without a picture nothing slides.
std::vector<DeclaredSlider> readers_of_a_picture(Arguments& arguments) {
  if (!arguments.is_set("image")) return {};
  if (!arguments.sources.files) arguments.sources.files = open_attend_files(arguments);
  const AttendSettings settings = attend_settings(arguments);
  const auto files = std::static_pointer_cast<const AttendFiles>(arguments.sources.files);
  const std::vector<std::size_t>& shape = files->inputs.front().tensor.shape;
  const bool heads_stand_last = settings.head_place == HeadPlace::last && shape.size() > 2;
  const std::size_t tokens = shape[shape.size() - (heads_stand_last ? 3 : 2)];
  if (tokens < 2) return {};
  constexpr std::size_t most_readers = 400;
  const PatchGrid grid = patch_grid(*settings.picture, tokens);
  arguments.set("reader", std::to_string(reader_over(grid, *settings.picture, tokens)));
  return {{fmt::format("reader=0:{}:{}", tokens - 1, std::min(tokens, most_readers))}};
}

}  // namespace

const Experiment& attend_experiment() {
  static const Experiment attend = [] {
    Experiment experiment{"attend",
                          {"手持ちの Q, K, V（または X と重み）のアテンションを、どんな長さでも計算する",
                           "attention over your own Q, K, V, or X and its projections, of any length"},
                          {"手持ちのファイル", "your own files"},
                          attend_parameters(),
                          run_attend};
    experiment.kind = ExperimentKind::user_files;
    experiment.open = open_attend_files;
    experiment.sliders_of = readers_of_a_picture;
    return experiment;
  }();
  return attend;
}

}  // namespace attnlab
