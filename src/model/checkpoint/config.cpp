// JSON that someone else wrote, and what its keys hold.
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/unreadable.hpp"
#include "model/checkpoint/checkpoint.hpp"

namespace attnlab {
namespace {

constexpr JsonLimits json_limits{std::size_t{1} << 23U, std::size_t{1} << 20U};

[[noreturn]] void refuse_value(const std::string& place, const std::string& key, const Config& found,
                               const Text& needed) {
  refuse_file(
      place,
      text("\"{}\" が {} です。{}が必要です", "\"{}\" is {}; {} is needed", key,
           printable(found.dump(-1, ' ', false, Config::error_handler_t::replace).substr(0, 40)), needed),
      get_original_again);
}

}  // namespace

Text get_again(const std::string& file) {
  return text("元の {} をもう一度入手してください", "get the original {} again", file);
}

Config json_of_file(const std::string& file) {
  const SharedBytes bytes = bytes_of(file);
  const std::string_view text = without_byte_order_mark(bytes.view);
  check_text_size(text, file);
  check_json_text(text, json_limits, bytes.view.size() - text.size(), file);
  Config json = Config::parse(text.begin(), text.end());
  if (json.is_object()) return json;
  refuse_file(file, {"JSON のオブジェクトではありません", "it is not a JSON object"}, get_original_again);
}

std::optional<std::size_t> whole_number_in(const Config& config, const std::string& key,
                                           const std::string& place) {
  constexpr std::size_t most = std::size_t{1} << 31U;
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return std::nullopt;
  if (found->is_number_unsigned() && found->get<std::size_t>() < most) return found->get<std::size_t>();
  refuse_value(place, key, *found, text("0 から {} までの整数", "a whole number from 0 to {}", most - 1));
}

std::optional<double> number_in(const Config& config, const std::string& key, const std::string& place) {
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return std::nullopt;
  if (found->is_number()) return found->get<double>();
  refuse_value(place, key, *found, {"数", "a number"});
}

bool truth_in(const Config& config, const std::string& key, bool otherwise) {
  const auto found = config.find(key);
  return found != config.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

std::string word_in(const Config& config, const std::string& key) {
  const auto found = config.find(key);
  return found != config.end() && found->is_string() ? found->get<std::string>() : "";
}

void check_kind(const Config& config, const std::string& key, ConfigKind needed, const std::string& place) {
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return;
  const bool is_it = needed == ConfigKind::truth  ? found->is_boolean()
                     : needed == ConfigKind::word ? found->is_string()
                                                  : found->is_object();
  if (is_it) return;
  refuse_value(place, key, *found,
               needed == ConfigKind::truth  ? Text{" true か false ", "true or false"}
               : needed == ConfigKind::word ? Text{"文字列", "a string"}
                                            : Text{"オブジェクト", "an object"});
}

}  // namespace attnlab
