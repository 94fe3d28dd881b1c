#include "model/tokenizer/added_tokens.hpp"

#include "core/unicode.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

using IsOfKind = bool (*)(char32_t character);

bool begins_with(std::string_view text, IsOfKind is_of_kind) {
  const auto character = decode_utf8(first_character(text));
  return character && !character->empty() && is_of_kind(character->front());
}

bool ends_with(std::string_view text, IsOfKind is_of_kind) {
  return begins_with(last_character(text), is_of_kind);
}

}  // namespace

std::string content_of(const Config& token) {
  if (token.is_string()) return token.get<std::string>();
  return token.is_object() ? word_in(token, "content") : "";
}

bool is_mask_name(const std::string& name) {
  return std::find(mask_names.begin(), mask_names.end(), name) != mask_names.end();
}

AddedToken added_token_of(const Config& json, const std::string& file) {
  const auto place = json.is_object() ? whole_number_in(json, "id", file) : std::optional<std::size_t>();
  const std::string content = content_of(json);
  if (!place || *place >= most_tokens || content.empty()) {
    refuse_file(file, {"追加されたトークンが正しくありません", "its added tokens make no sense"},
                get_again("tokenizer.json"));
  }
  return {content, *place, truth_in(json, "lstrip", false), truth_in(json, "rstrip", false),
          truth_in(json, "single_word", false)};
}

Config added_tokens_beside(
    const std::filesystem::path& folder,
    const std::function<std::optional<std::size_t>(const std::string& name)>& place_of) {
  std::map<std::size_t, Config> tokens;
  const auto put = [&](const Config& flags, const std::optional<std::size_t>& place) {
    const std::string content = content_of(flags);
    if (!place || content.empty() || (flags.is_string() && tokens.count(*place) == 1)) return;
    Config& token = tokens[*place];
    token = {{"content", content}, {"special", true}, {"lstrip", is_mask_name(content)}};
    if (flags.is_object()) token.update(flags);
    token["id"] = *place;
  };
  for (const char* name : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<|endoftext|>", "<s>", "</s>",
                           "<pad>", "<unk>", "<mask>"})
    put(name, place_of(name));
  const auto config_in = [&](const char* name) {
    const std::filesystem::path file = folder / name;
    return !folder.empty() && is_file(file) ? json_of_file(file.string()) : Config::object();
  };
  const Config numbers = config_in("added_tokens.json");  // {"<mask>": 50264}
  const auto number_of = [&](const std::string& name) {
    const auto found = numbers.find(name);
    const bool is_added = found != numbers.end() && found->is_number_unsigned();
    return is_added ? std::optional(found->get<std::size_t>()) : place_of(name);
  };
  for (const auto& [name, number] : numbers.items()) put(name, number_of(name));
  for (const char* name : {"special_tokens_map.json", "tokenizer_config.json"}) {
    const Config config = config_in(name);
    for (const auto& [key, value] : config.items()) {
      constexpr std::string_view ending = "_token";
      if (key == "added_tokens_decoder" && value.is_object()) {
        for (const auto& [place, token] : value.items()) put(token, number_from<std::size_t>(place));
      } else if (key == "additional_special_tokens" && value.is_array()) {
        for (const Config& token : value) put(token, number_of(content_of(token)));
      } else if (key.size() > ending.size() && key.substr(key.size() - ending.size()) == ending) {
        put(value, number_of(content_of(value)));
      }
    }
  }
  Config list = Config::array();
  for (const auto& [place, token] : tokens) list.push_back(token);
  return list;
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens)
    : tokens_(std::make_shared<const std::vector<AddedToken>>(std::move(tokens))) {
  std::vector<PieceIndex::Piece> pieces;
  for (std::size_t i = 0; i < tokens_->size(); ++i) pieces.push_back({(*tokens_)[i].content, i});
  index_ = PieceIndex(std::move(pieces));
}

std::vector<TextOrToken> AddedTokens::cut(const std::string& text) const {
  std::vector<TextOrToken> parts;
  const std::string_view all = text;
  std::size_t begin = 0;  // of what has not been cut yet
  std::size_t blanks_end =
      0;  // of the white space that a token took, so that it is read once; a token may stand in it
  for (std::size_t at = 0; at < all.size();) {
    const auto found = index_.longest_at(all.substr(at));
    if (!found) {
      ++at;
      continue;
    }
    const AddedToken& token = (*tokens_)[found->token];
    std::size_t first = at;
    std::size_t end = at += token.content.size();
    const bool is_in_word =
        ends_with(all.substr(0, first), is_of_word) || begins_with(all.substr(end), is_of_word);
    if (token.is_whole_word && is_in_word) continue;
    while (token.strips_left && first > begin && ends_with(all.substr(begin, first - begin), is_white_space))
      first -= last_character(all.substr(0, first)).size();
    if (token.strips_right) {
      end = std::max(end, blanks_end);
      while (begins_with(all.substr(end), is_white_space)) end += first_character(all.substr(end)).size();
      blanks_end = end;
    }
    if (first > begin) parts.emplace_back(text.substr(begin, first - begin));
    parts.emplace_back(token.place);
    begin = end;
  }
  if (begin < text.size()) parts.emplace_back(text.substr(begin));
  return parts;
}

void AddedTokens::encode(const std::string& text, std::vector<std::size_t>& tokens,
                         const std::function<void(const std::string& between)>& add) const {
  for (const TextOrToken& part : cut(text)) {
    if (const auto* token = std::get_if<std::size_t>(&part)) {
      tokens.push_back(*token);
    } else {
      add(std::get<std::string>(part));
    }
  }
}

}  // namespace attnlab
