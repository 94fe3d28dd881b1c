#include "model/tokenizer/character_map.hpp"

#include "core/pattern.hpp"
#include "core/unicode.hpp"
#include "io/unreadable.hpp"
#include "model/checkpoint/checkpoint.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_nested_keys = 32;               // SentencePiece keeps room for so many
constexpr std::size_t longest_replacement = 64;            // bytes; of NFKC 33 at most: U+FDFA
constexpr std::size_t most_units = std::size_t{1} << 18U;  // of NFKC fewer than 70,000
constexpr std::size_t longest_cluster = 6;  // bytes, from which on characters are replaced by themselves

// A unit is a node's letter, whether a key ends there, and where its children are counted from; or, with its
// highest bit, the place of what the key becomes. Source: Darts-clone, darts.h.
bool ends_key(std::uint32_t unit) { return (unit >> 8U & 1U) == 1; }
std::uint32_t letter_of(std::uint32_t unit) { return unit & (1U << 31U | 0xFFU); }
std::size_t value_of(std::uint32_t unit) { return unit & ((1U << 31U) - 1); }
std::size_t offset_of(std::uint32_t unit) { return std::size_t{unit >> 10U} << ((unit & 1U << 9U) >> 6U); }

[[noreturn]] void refuse_map(const std::string& file) {
  refuse_file(file,
              {"precompiled_charsmap が壊れているか、大きすぎます",
               "its precompiled_charsmap is damaged or too large"},
              get_original_again);
}

}  // namespace

CharacterMap::CharacterMap(std::string_view bytes, const std::string& file) {
  std::uint32_t length = 0;
  if (bytes.size() <= sizeof length) refuse_map(file);
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  if (length >= bytes.size() || length % sizeof(std::uint32_t) != 0) refuse_map(file);
  units_.resize(length / sizeof(std::uint32_t));
  if (length > 0) std::memcpy(units_.data(), bytes.data(), length);
  texts_ = bytes.substr(length);
  if (units_.empty() || units_.size() > most_units || texts_.back() != '\0') refuse_map(file);

  // Children may have several parents: a way to a node matters where it passes more keys than those before.
  struct Node {
    std::size_t place = 0;
    std::size_t keys = 1;  // that end on the way to it, and 1
  };
  std::vector<std::size_t> most_keys(units_.size(), 0);
  std::vector<Node> waiting{{}};
  while (!waiting.empty()) {
    Node node = waiting.back();
    waiting.pop_back();
    const std::uint32_t unit = units_[node.place];
    const std::size_t base = node.place ^ offset_of(unit);
    if ((base | 0xFFU) >= units_.size()) refuse_map(file);
    if (ends_key(unit)) {
      const std::size_t text = value_of(units_[base]);
      const bool is_text = text < texts_.size() && texts_.find('\0', text) - text <= longest_replacement;
      if (!is_text || ++node.keys > most_nested_keys + 1) refuse_map(file);
    }
    for (std::uint32_t letter = 0; letter <= 0xFFU; ++letter) {
      const std::size_t child = base ^ letter;
      if (letter_of(units_[child]) != letter || most_keys[child] >= node.keys) continue;
      most_keys[child] = node.keys;
      waiting.push_back({child, node.keys});
    }
  }
}

std::optional<std::string_view> CharacterMap::replacement_of(std::string_view letters) const {
  std::size_t node = offset_of(units_.front());
  for (const char byte : letters) {
    const auto letter = static_cast<unsigned char>(byte);
    if (letter == 0) break;
    node ^= letter;
    const std::uint32_t unit = units_[node];
    if (letter_of(unit) != letter) break;
    node ^= offset_of(unit);
    if (ends_key(unit)) return std::string_view(texts_.data() + value_of(units_[node]));
  }
  return std::nullopt;
}

std::string CharacterMap::normalised(const std::string& text) const {
  static const CuttingPattern clusters(R"(\X)");
  std::string result;
  for (std::string_view cluster : clusters.pieces(text)) {
    const auto whole = cluster.size() < longest_cluster ? replacement_of(cluster) : std::nullopt;
    if (whole) {
      result += *whole;
      continue;
    }
    while (!cluster.empty()) {
      const std::string_view character = first_character(cluster);
      result += replacement_of(character).value_or(character);
      cluster.remove_prefix(character.size());
    }
  }
  return result;
}

}  // namespace attnlab
