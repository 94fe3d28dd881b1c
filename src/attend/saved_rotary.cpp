#include "attend/saved_rotary.hpp"

#include "attend/sentence.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// The layer's own frequencies, where it keeps them (inv_freq).
const StoredTensor* frequencies_of(const TensorFile& file, const FoundLayer& layer) {
  for (const UnreadTensor& tensor : layer.unread) {
    const bool turns = tensor.change != nullptr && tensor.change->unless == "rope";
    const StoredTensor& stored = file.tensors[tensor.place];
    if (turns && !stored.foreign && stored.shape.size() == 1) return &stored;
  }
  return nullptr;
}

const RotaryModels* row_of(const std::string& model) {
  for (const RotaryModels& row : rotary_models()) {
    if (std::find(row.types.begin(), row.types.end(), model) != row.types.end()) return &row;
  }
  return nullptr;
}

[[noreturn]] void refuse_rotation(const std::string& source, const Text& why) {
  refuse_attend("rotation", {{"source", source}, {"why", why}}, ErrorKind::failed);
}

/// base^(-2i / width), to the precision of bfloat16.
bool follow(const Tensor<double>& frequencies, double base) {
  const auto pairs = static_cast<double>(frequencies.size());
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double expected = std::pow(base, -static_cast<double>(i) / pairs);
    if (!(std::abs(frequencies(i) - expected) <= 0.01 * expected)) return false;
  }
  return true;
}

/// Of a layer that keeps its frequencies: where they do not follow the given base, the last one says it.
double base_of(const StoredTensor& stored, double provided) {
  const Tensor<double> frequencies = load<double>(stored);
  const auto pairs = static_cast<double>(frequencies.size());
  if (follow(frequencies, provided)) return provided;
  const double base = pairs < 2 ? 0.0 : std::pow(frequencies(frequencies.size() - 1), -pairs / (pairs - 1));
  if (base > 1.0 && follow(frequencies, base)) return base;
  refuse_rotation(quotation(stored.name), attend_sentence("no_powers"));
}

}  // namespace

std::optional<SavedRotary> saved_rotary(const TensorFile& file, const FoundLayer& layer,
                                        const RotaryFacts& facts, std::size_t head_width,
                                        const AttendSettings& settings) {
  const StoredTensor* frequencies = frequencies_of(file, layer);
  const RotaryModels* row = row_of(facts.model);
  const bool by_config = facts.recorded || row != nullptr;
  if (!by_config && frequencies == nullptr) return std::nullopt;
  const std::string source = by_config ? facts.source : printable(frequencies->name);
  if (!facts.rescaled.empty())
    refuse_rotation(source, attend_sentence("rescaled", {{"name", quotation(facts.rescaled)}}));
  // Meta's files keep neighbouring pairs, whatever a model_type beside them says.
  const std::string& by_names = layer.convention->rotary;
  const std::string pairing = row == nullptr || by_names == "pairs" ? by_names : row->pairing;
  if (pairing.empty() || (row == nullptr && !facts.model.empty()))
    refuse_rotation(source, attend_sentence("no_pairing", {{"name", quotation(facts.model)}}));
  double base = facts.base.value_or(10000.0);
  const bool is_scaled = facts.scaling.method != "default";
  if (frequencies != nullptr && !is_scaled) base = base_of(*frequencies, base);
  SavedRotary saved{
      rotary_with(pairing == "pairs" ? RotaryPairing::interleaved : RotaryPairing::halves, settings, base)};
  const double part = facts.part > 0.0 ? facts.part : row == nullptr ? 1.0 : row->part;
  if (saved.rotary.width == 0) {
    saved.rotary.width = frequencies != nullptr ? 2 * frequencies->shape[0]
                         : facts.width > 0      ? facts.width
                                           : static_cast<std::size_t>(part * static_cast<double>(head_width));
  }
  saved.rotary.scaling = facts.scaling;
  for (const std::vector<double>* factors : {&facts.scaling.short_factors, &facts.scaling.long_factors}) {
    if (factors->empty() || factors->size() == saved.rotary.width / 2) continue;
    const std::string name = fmt::format("{} factors", factors->size());
    refuse_rotation(source, attend_sentence("rescaled", {{"name", quotation(name)}}));
  }
  const std::string& method = facts.scaling.method;
  const Text scaling = is_scaled ? text("、rope_scaling {}", ", rope_scaling {}", method) : Text::none();
  saved.sentence = attend_sentence("turns", {{"source", source},
                                             {"scaling", scaling},
                                             {"pairing", pairing},
                                             {"base", saved.rotary.base},
                                             {"head", head_width},
                                             {"width", saved.rotary.width}});
  return saved;
}

}  // namespace attnlab
