#include "experiments/masks/masks.hpp"

#include "experiments/framework/parameter_value.hpp"

namespace attnlab {
namespace {

[[noreturn]] void throw_no_mask(const std::string& text) {
  refuse_usage(
      attnlab::text("--mask の値「{}」を解釈できません", "--mask {} is no mask", text),
      {"none、または causal、padding:N、window:N をコンマ区切りで、1 つにつき 1 回まで指定してください（例：--mask causal,window:2）",
       "use none, or any of causal, padding:N and window:N, each once, separated by commas, such as --mask causal,window:2"});
}

/// One name, such as "window:2". False when it is no mask or was there before.
bool add_mask(MaskChoice& choice, std::string_view item) {
  const std::size_t colon = item.find(':');
  const std::string_view name = item.substr(0, colon);
  const bool has_number = colon != std::string_view::npos;
  constexpr std::size_t most = 1'000'000;
  std::optional<std::size_t> number;
  if (has_number) number = number_from<std::size_t>(item.substr(colon + 1));
  if (has_number && number.value_or(most + 1) > most) return false;
  bool MaskChoice::*which = nullptr;
  if (name == "causal" && !has_number) which = &MaskChoice::causal;
  if (name == "padding") which = &MaskChoice::padding;
  if (name == "window") which = &MaskChoice::window;
  if (which == nullptr || choice.*which) return false;
  choice.*which = true;
  if (name == "padding") choice.padded = number.value_or(choice.padded);
  if (name == "window") choice.reach = number.value_or(choice.reach);
  return true;
}

void require_enough_keys(std::size_t padded, std::size_t keys) {
  if (padded <= keys) return;
  refuse_usage(attnlab::text("--mask padding:{} は {} 個のキーより多くをマスクします",
                             "--mask padding:{} masks more than the {} keys there are", padded, keys),
               attnlab::text("padding:{} 以下にするか、--keys を増やしてください",
                             "use padding:{} at most, or more --keys", keys));
}

}  // namespace

std::string hidden_name(double hidden) {
  for (const HiddenValue& one : hidden_values) {
    if (one.value == hidden) return one.name;
  }
  return fmt::format("{:g}", hidden);
}

Parameter mask_parameter(const std::string& default_text) {
  return {
      "mask",
      SyntaxKind{"none|causal|padding:N|window:N,..."},
      default_text,
      {"出力に使うマスク。コンマで組み合わせます。padding:N は最後の N 個のキー、window:N は両側 N 個まで",
       "the mask of the output, or several joined by commas; padding:N masks the last N keys, window:N leaves N on either side"}};
}

MaskChoice parse_mask(const std::string& text, std::size_t keys) {
  MaskChoice choice;
  choice.padded = keys / 3;
  if (text == "none") return choice;
  for (const std::string& item : split(text, ",")) {
    if (!add_mask(choice, item)) throw_no_mask(text);
  }
  require_enough_keys(choice.padded, keys);
  return choice;
}

BooleanMask combined_mask(const MaskChoice& choice, std::size_t queries, std::size_t keys,
                          CausalAlignment alignment) {
  ReadableKeys rule;
  rule.causal = choice.causal;
  rule.alignment = alignment;
  if (choice.window) rule.reach = choice.reach;
  if (choice.padding) rule.padded = choice.padded;
  return readable_mask(rule, queries, keys);
}

}  // namespace attnlab
