#include "attend/saved_layer.hpp"

#include "attend/saved_rotary.hpp"
#include "attend/sentence.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/parameter_syntax.hpp"

namespace attnlab {
namespace {

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
    refuse_attend("ignored", {{"name", quotation(ignored)}});
  }
  return names;
}

bool is_taken_care_of(const ChangingTensor& change, const AttendSettings& settings) {
  if (change.unless == "rope") return true;  // by saved_rotary()
  return change.unless == "mask" && (!settings.mask_files.empty() || settings.readable.causal ||
                                     settings.readable.reach || settings.readable.padded > 0);
}

/// attnlab's own files hold every stage of a run beside its weights.
bool holds_stages(const FoundLayer& layer) { return layer.convention->id.rfind("attnlab", 0) == 0; }

/// Names what is left over of the layer. Throws Error (failed) for a tensor that would change the result.
void account_for_the_unread(const FoundLayer& layer, const std::vector<std::string>& names,
                            const AttendSettings& settings, std::vector<Text>& warnings) {
  std::vector<std::string> unread;
  for (const UnreadTensor& tensor : layer.unread) {
    const std::string& name = names[tensor.place];
    if (name.empty()) continue;
    if (tensor.change != nullptr && !is_taken_care_of(*tensor.change, settings)) {
      refuse_attend("changes", {{"name", quotation(name)}, {"what", tensor.change->what}, {"plain", name}},
                    ErrorKind::failed);
    }
    const bool turns = tensor.change != nullptr && tensor.change->unless == "rope";
    if (!holds_stages(layer) && !turns) unread.push_back(name);
  }
  if (unread.empty()) return;
  warnings.push_back(attend_sentence("unread", {{"count", unread.size()}, {"names", first_names(unread)}}));
}

/// How many heads there are where no flag says so, and who says it: "config.json".
struct SavedHeads {
  std::size_t heads = 0;
  std::size_t kv_heads = 0;
  Text source = Text::none();
};

/// From the run that attnlab saved, else from what stands beside the weights.
SavedHeads saved_heads(const TensorFile& file, const FoundLayer& layer, const ModelFacts& facts) {
  if (holds_stages(layer)) {
    const StoredTensor* output = find_named(file.tensors, layer.prefix + "head_output");
    if (output != nullptr && output->shape.size() >= 3) {
      return {output->shape[output->shape.size() - 3], 0,
              attend_sentence("by_shape_of", {{"name", output->name}})};
    }
  }
  return {facts.heads, facts.kv_heads, Text::same(facts.source)};
}

/// W_Q, or the joint matrix.
template <class T>
const StoredWeight<T>& first_weight(const StoredLayer<T>& layer) {
  return *std::find_if(layer.weights.begin(), layer.weights.end(), [](const StoredWeight<T>& weight) {
    return weight.role == WeightRole::query || weight.role == WeightRole::joint;
  });
}

/// What the report says of the weights: whose names they have, how they are stored, how many heads there are.
template <class T>
void report_weights(const FoundLayer& layer, const StoredLayer<T>& provided, const SavedHeads& saved,
                    const AttendSettings& settings, AttendInputs<T>& inputs) {
  const LayerWeights<T>& weights = *inputs.weights;
  const Text layout = weights.out_in ? attend_sentence("out_in") : attend_sentence("in_out");
  const bool by_flag = settings.layout != WeightLayout::by_name;
  const bool by_name = provided.layout == StoredLayout::in_out || provided.layout == StoredLayout::out_in;
  const Text layout_source = by_flag            ? Text::same("--layout")
                             : by_name          ? attend_sentence("by_names")
                             : weights.is_guess ? attend_sentence("by_guess")
                                                : attend_sentence("by_shapes");
  const StoredWeight<T>& first = first_weight(provided);
  const bool per_head = first.values.dimension() == 3;
  const Text heads_source = settings.heads != 0 ? Text::same("--heads")
                            : per_head          ? attend_sentence("by_weights_shape")
                            : saved.heads != 0  ? saved.source
                            : weights.heads > 1 ? attend_sentence("by_norms")
                                                : attend_sentence("by_nobody");
  const std::string& id = layer.convention->id;
  inputs.recognised.push_back(attend_sentence("weights_read", {{"convention", id},
                                                               {"first", first.name},
                                                               {"layout", layout},
                                                               {"layout_source", layout_source},
                                                               {"heads", weights.heads},
                                                               {"heads_source", heads_source}}));
  if (weights.is_guess) inputs.warnings.push_back(attend_sentence("guessed", {{"layout", layout}}));
  const std::string& rotary = layer.convention->rotary;
  if (!rotary.empty() && !settings.rotary && settings.rope == RopeChoice::automatic)
    inputs.warnings.push_back(attend_sentence("would_turn", {{"rotary", rotary}}));
  if (!weights.scales && settings.scale_text == "default")
    inputs.warnings.push_back(attend_sentence("unscaled", {{"convention", id}}));
}

/// Where heads share keys, libraries of one name order the columns of a joint matrix in two ways.
template <class T>
void warn_of_order(const FoundLayer& layer, const StoredWeight<T>& first, const RotaryFacts& facts,
                   const AttendSettings& settings, AttendInputs<T>& inputs) {
  const Convention& convention = *layer.convention;
  const LayerWeights<T>& weights = *inputs.weights;
  const bool shares = weights.kv_heads > 1 && weights.kv_heads < weights.heads;
  const bool by_name = !settings.joint_order && facts.model != "falcon";
  if (!convention.order_is_open || !shares || !by_name) return;
  const bool groups = convention.order == JointOrder::by_group;
  const JointOrder other = groups ? JointOrder::blocks : JointOrder::by_group;
  inputs.warnings.push_back(attend_sentence("open_order", {{"name", quotation(first.name)},
                                                           {"order", name_of(convention.order)},
                                                           {"flag", groups ? "blocks" : "groups"},
                                                           {"other", name_of(other)}}));
}

}  // namespace

InputFile input_file(const Text& role, const std::string& file, const StoredTensor& stored) {
  return {role, without_folders(file), stored.shape, type_of(stored)};
}

template <class T>
void read_saved_layer(const OpenedLayer& opened, AttendSettings& settings, AttendInputs<T>& inputs) {
  const TensorFile& file = opened.file;
  const std::vector<std::string> names = names_to_read(file, settings);
  const FoundLayer found = find_layer(names, opened.prefix);
  account_for_the_unread(found, names, settings, inputs.warnings);
  for (const FoundWeight& weight : found.weights) {
    const StoredTensor& stored = file.tensors[weight.places.front()];
    inputs.files.push_back(input_file(Text::same(stored.name), opened.name, stored));
  }
  const StoredLayer<T> provided =
      stored_layer<T>(found, names, [&](std::size_t i) { return load<T>(file.tensors[i]); });
  const ModelFacts& facts = opened.facts;
  const SavedHeads saved = saved_heads(file, found, facts);
  AttendSettings with_heads = settings;
  if (settings.heads == 0 && first_weight(provided).values.dimension() != 3) {
    with_heads.heads = saved.heads;
    if (settings.kv_heads == 0) with_heads.kv_heads = saved.kv_heads;
  }
  const InputWidths widths{inputs.query.shape().back(), inputs.key_tokens().shape().back(),
                           inputs.value_tokens().shape().back()};
  inputs.weights = layer_weights(provided, widths, with_heads);
  std::optional<SavedRotary> turns;
  if (settings.rope == RopeChoice::automatic) {
    const std::size_t head_width = inputs.weights->query.shape()[1] / inputs.weights->heads;
    turns = saved_rotary(file, found, facts.rotary, head_width, settings);
    if (turns) settings.rotary = turns->rotary;
    require_rope(settings);
  }
  report_weights(found, provided, saved, settings, inputs);
  if (turns) inputs.recognised.push_back(turns->sentence);
  warn_of_order(found, first_weight(provided), facts.rotary, settings, inputs);
  if (found.outside.empty()) return;
  inputs.warnings.push_back(
      attend_sentence("outside", {{"name", quotation(file.tensors[found.outside.front()].name)},
                                  {"file", opened.name},
                                  {"prefix", found.prefix.substr(0, found.prefix.size() - 1)}}));
}

template void read_saved_layer(const OpenedLayer&, AttendSettings&, AttendInputs<float>&);
template void read_saved_layer(const OpenedLayer&, AttendSettings&, AttendInputs<double>&);

}  // namespace attnlab
