#include "attend/told_rotary.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// The layer's own frequencies, where it keeps them (inv_freq).
const StoredTensor* frequencies_of(const TensorFile& file, const FoundLayer& layer) {
  for (const UnreadTensor& tensor : layer.unread) {
    const bool turns = tensor.change != nullptr && tensor.change->unless == "rope";
    if (turns && file.tensors[tensor.place].shape.size() == 1) return &file.tensors[tensor.place];
  }
  return nullptr;
}

const RotaryModels* row_of(const std::string& model) {
  for (const RotaryModels& row : rotary_models()) {
    if (std::find(row.types.begin(), row.types.end(), model) != row.types.end()) return &row;
  }
  return nullptr;
}

[[noreturn]] void refuse_rotation(const std::string& what, const Text& why) {
  refuse_failed(text("{} は回転位置を定めますが、{}", "{} tells of rotary positions, {}", what, why),
                {"--rope halves か --rope pairs で回し方を決めるか、--rope none で省いてください",
                 "settle it with --rope halves or --rope pairs, or leave the rotation out with --rope none"});
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

/// Of a layer that keeps its frequencies: where they follow no told base, the last one says it.
double base_of(const StoredTensor& stored, double told) {
  const Tensor<double> frequencies = load<double>(stored);
  const auto pairs = static_cast<double>(frequencies.size());
  if (follow(frequencies, told)) return told;
  const double base = pairs < 2 ? 0.0 : std::pow(frequencies(frequencies.size() - 1), -pairs / (pairs - 1));
  if (base > 1.0 && follow(frequencies, base)) return base;
  refuse_rotation(quotation(stored.name), {"周波数が 底^(-2i/幅) ではありません",
                                           "but its frequencies are no powers base^(-2i/width) of one base"});
}

}  // namespace

std::optional<ToldRotary> told_rotary(const TensorFile& file, const FoundLayer& layer,
                                      const RotaryFacts& facts, std::size_t head_width,
                                      const AttendSettings& settings) {
  const StoredTensor* frequencies = frequencies_of(file, layer);
  const RotaryModels* row = row_of(facts.model);
  const bool by_config = facts.told || row != nullptr;
  if (!by_config && frequencies == nullptr) return std::nullopt;
  const std::string source = by_config ? facts.source : printable(frequencies->name);
  if (!facts.rescaled.empty()) {
    refuse_rotation(source, text("{} の周波数は計算できません", "rescaled by {}, which is not known here",
                                 quotation(facts.rescaled)));
  }
  // Meta's files keep neighbouring pairs, whatever a model_type beside them says.
  const std::string& by_names = layer.convention->rotary;
  const std::string pairing = row == nullptr || by_names == "pairs" ? by_names : row->pairing;
  if (pairing.empty() || (row == nullptr && !facts.model.empty())) {
    refuse_rotation(
        source, text("どの座標が組になるかが分かりません（model_type：{}）",
                     "but not of which coordinates turn together (model_type: {})", quotation(facts.model)));
  }
  double base = facts.base.value_or(10000.0);
  if (frequencies != nullptr) base = base_of(*frequencies, base);
  ToldRotary told{
      rotary_with(pairing == "pairs" ? RotaryPairing::interleaved : RotaryPairing::halves, settings, base)};
  const double part = facts.part > 0.0 ? facts.part : row == nullptr ? 1.0 : row->part;
  if (told.rotary.width == 0) {
    told.rotary.width = frequencies != nullptr ? 2 * frequencies->shape[0]
                        : facts.width > 0      ? facts.width
                                          : static_cast<std::size_t>(part * static_cast<double>(head_width));
  }
  told.sentence =
      text("{} により、--rope {}（底 {:g}、ヘッドの幅 {} のうち {}）で回します。--rope none で省けます。",
           "By {}, queries and keys turn as under --rope {} (base {:g}, {} of a head's {} coordinates); "
           "--rope none leaves that out.",
           source, pairing, told.rotary.base, head_width, told.rotary.width);
  return told;
}

}  // namespace attnlab
