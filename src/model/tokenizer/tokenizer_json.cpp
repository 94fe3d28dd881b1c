// Hugging Face's tokenizer.json: added tokens, normalising, cutting, the vocabulary, the template around a
// text.
#include <unordered_map>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"
#include "model/tokenizer/merging.hpp"
#include "model/tokenizer/sentencepiece.hpp"
#include "model/tokenizer/words.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_tokens = std::size_t{1} << 21U;

const Text get_again{"元の tokenizer.json をもう一度入手してください",
                     "get the original tokenizer.json again"};

struct Vocabulary {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<std::string> pieces;

  std::optional<std::size_t> find(const std::string& piece) const {
    const auto found = places.find(piece);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  }
  void add(std::string piece, std::size_t place) {
    if (pieces.size() <= place) pieces.resize(place + 1);
    pieces[place] = piece;
    places.emplace(std::move(piece), place);
  }
};

/// The characters that GPT-2 writes bytes as, so that a vocabulary is readable: ! to ~ and most of Latin-1 as
/// they are, the others from U+0100 on.
const std::array<char32_t, 256>& byte_letters() {
  static const std::array<char32_t, 256> letters = [] {
    std::array<char32_t, 256> all{};
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte) {
      const bool is_itself = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
      all.at(byte) = is_itself ? byte : next++;
    }
    return all;
  }();
  return letters;
}

/// The bytes that a piece of such a vocabulary stands for; the piece itself where it is written otherwise.
std::string bytes_written(const std::string& piece) {
  static const std::map<char32_t, char> bytes = [] {
    std::map<char32_t, char> all;
    for (std::size_t byte = 0; byte < 256; ++byte) all[byte_letters().at(byte)] = static_cast<char>(byte);
    return all;
  }();
  std::string result;
  for (const char32_t letter : decode_utf8(piece).value_or(U"")) {
    const auto found = bytes.find(letter);
    if (found == bytes.end()) return piece;
    result += found->second;
  }
  return result;
}

using AsBytes = bool;

Vocabulary vocabulary_of(const Config& json, AsBytes over_bytes, const std::string& file) {
  Vocabulary vocabulary;
  const bool is_object = json.is_object();
  if (!is_object) refuse_file(file, Text::none(), {"語彙がありません", "it has no vocabulary"}, get_again);
  std::set<std::size_t> seen;
  for (const auto& [piece, place] : json.items()) {
    const bool good = place.is_number_unsigned() && place.get<std::size_t>() < most_tokens &&
                      seen.insert(place.get<std::size_t>()).second;
    if (!good) {
      refuse_file(file, Text::none(),
                  text("語彙の {} の番号が正しくないか、二度あります",
                       "the number of {} in its vocabulary is none, or occurs twice", quotation(piece)),
                  get_again);
    }
    vocabulary.add(over_bytes ? bytes_written(piece) : piece, place.get<std::size_t>());
  }
  return vocabulary;
}

/// Of Unigram: [["piece", score], ...], the numbers in their order.
Vocabulary vocabulary_of_list(const Config& json, const std::string& file) {
  Vocabulary vocabulary;
  for (const Config& one : json) {
    const bool is_pair = one.is_array() && one.size() == 2 && one[0].is_string() && one[1].is_number();
    if (!is_pair || vocabulary.pieces.size() >= most_tokens) {
      refuse_file(file, Text::none(),
                  text("語彙の {} 番目が [トークン, スコア] ではありません",
                       "number {} of its vocabulary is no [piece, score]", vocabulary.pieces.size()),
                  get_again);
    }
    vocabulary.add(one[0].get<std::string>(), vocabulary.pieces.size());
  }
  return vocabulary;
}

// --- Models: a word to its tokens

using WordTokens = std::function<Tokens(const std::string& word)>;

std::uint64_t key_of(std::size_t left, std::size_t right) { return std::uint64_t{left} << 32U | right; }

using MergeTable = std::unordered_map<std::uint64_t, Merge>;

/// "a b" or ["a", "b"], the first the smallest rank.
MergeTable merges_of(const Config& list, const Vocabulary& vocabulary, AsBytes over_bytes,
                     const std::string& file) {
  MergeTable table;
  double rank = 0.0;
  for (const Config& one : list) {
    std::string left;
    std::string right;
    if (one.is_string()) {
      const auto words = one.get<std::string>();
      const std::size_t blank = words.find(' ');
      left = words.substr(0, blank);
      right = blank == std::string::npos ? "" : words.substr(blank + 1);
    } else if (one.is_array() && one.size() == 2 && one[0].is_string() && one[1].is_string()) {
      left = one[0].get<std::string>();
      right = one[1].get<std::string>();
    }
    if (over_bytes) {
      left = bytes_written(left);
      right = bytes_written(right);
    }
    const auto first = vocabulary.find(left);
    const auto second = vocabulary.find(right);
    const auto both = vocabulary.find(left + right);
    if (left.empty() || right.empty() || !first || !second || !both) {
      refuse_file(file, Text::none(),
                  text("{} 番目の併合が語彙に合いません", "its merge number {} does not fit the vocabulary",
                       rank + 1.0),
                  get_again);
    }
    table.emplace(key_of(*first, *second), Merge{rank, *both});
    rank += 1.0;
  }
  return table;
}

struct BpeOptions {
  bool over_bytes = false;
  bool falls_back_to_bytes = false;
  bool fuses_unknown = false;
  bool ignores_merges = false;  // a word that is in the vocabulary is one token
  std::optional<std::size_t> unknown;
};

/// The tokens that a word begins with: bytes, or characters with their bytes where they are unknown.
Tokens symbols_of(const std::string& word, const Vocabulary& vocabulary, const BpeOptions& options) {
  Tokens symbols;
  const auto add_unknown = [&] {
    if (!options.unknown) return;
    if (options.fuses_unknown && !symbols.empty() && symbols.back() == *options.unknown) return;
    symbols.push_back(*options.unknown);
  };
  if (options.over_bytes) {
    for (const char byte : word) {
      if (const auto found = vocabulary.find({byte})) {
        symbols.push_back(*found);
      } else {
        add_unknown();
      }
    }
    return symbols;
  }
  for (const char32_t character : decode_utf8(word).value_or(U"")) {
    const std::string letter = encode_utf8(character);
    if (const auto found = vocabulary.find(letter)) {
      symbols.push_back(*found);
      continue;
    }
    Tokens bytes;
    for (const char byte : letter) {
      const auto found = vocabulary.find(fmt::format("<0x{:02X}>", static_cast<unsigned char>(byte)));
      if (options.falls_back_to_bytes && found) bytes.push_back(*found);
    }
    if (bytes.size() == letter.size()) {
      symbols.insert(symbols.end(), bytes.begin(), bytes.end());
    } else {
      add_unknown();
    }
  }
  return symbols;
}

WordTokens bpe_of(std::shared_ptr<const Vocabulary> vocabulary, MergeTable merges,
                  const BpeOptions& options) {
  return [vocabulary = std::move(vocabulary), merges = std::move(merges), options](const std::string& word) {
    if (options.ignores_merges) {
      if (const auto whole = vocabulary->find(word)) return Tokens{*whole};
    }
    return merged(symbols_of(word, *vocabulary, options),
                  [&](std::size_t left, std::size_t right) -> std::optional<Merge> {
                    const auto found = merges.find(key_of(left, right));
                    return found == merges.end() ? std::nullopt : std::optional(found->second);
                  });
  };
}

struct WordPieceOptions {
  std::size_t unknown = 0;
  std::string prefix = "##";
  std::size_t longest = 100;  // characters of a word
};

/// The longest piece first, from the left; a word that cannot be made of pieces is unknown as a whole.
/// Source: Devlin et al. 2019 (their code, tokenization.py).
WordTokens wordpiece_of(std::shared_ptr<const Vocabulary> vocabulary, const WordPieceOptions& options) {
  return [vocabulary = std::move(vocabulary), options](const std::string& word) {
    const std::u32string characters = decode_utf8(word).value_or(U"");
    if (characters.size() > options.longest) return Tokens{options.unknown};
    Tokens tokens;
    for (std::size_t begin = 0; begin < characters.size();) {
      std::size_t end = characters.size();
      std::optional<std::size_t> found;
      for (; end > begin && !found; --end) {
        std::string piece = begin == 0 ? "" : options.prefix;
        for (std::size_t i = begin; i < end; ++i) piece += encode_utf8(characters[i]);
        found = vocabulary->find(piece);
      }
      if (!found) return Tokens{options.unknown};
      tokens.push_back(*found);
      begin = end + 1;
    }
    return tokens;
  };
}

/// The pieces whose scores have the largest sum (Kudo 2018), found by SentencePiece's library.
WordTokens unigram_of(const Config& model, const Vocabulary& vocabulary, const std::set<std::size_t>& special,
                      const std::string& file) {
  const std::optional<std::size_t> unknown = whole_number_in(model, "unk_id", file);
  const bool falls_back = truth_in(model, "byte_fallback", false);
  SentencePieces all;
  all.is_unigram = true;
  all.prepends_blank = all.escapes_blanks = false;  // the steps before have done that
  all.pieces = vocabulary.pieces;
  for (std::size_t i = 0; i < all.pieces.size(); ++i) {
    all.scores.push_back(model["vocab"][i][1].get<float>());
    all.types.push_back(unknown == i                           ? PieceType::unknown
                        : special.count(i) == 1                ? PieceType::control
                        : falls_back && byte_of(all.pieces[i]) ? PieceType::byte
                                                               : PieceType::normal);
  }
  return coder_of(all, file).encode;
}

// --- Tokens that were added

struct AddedToken {
  std::string content;
  std::size_t place = 0;
};

/// A stretch of text, or a token that stood between two.
using Piece = std::variant<std::string, std::size_t>;

/// Cut at every one of them, the leftmost and of these the longest first.
std::vector<Piece> cut_at(const std::string& text, const std::vector<AddedToken>& added) {
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  for (std::size_t at = 0; !added.empty() && at < text.size();) {
    const AddedToken* longest = nullptr;
    for (const AddedToken& one : added) {
      const bool is_longer = longest == nullptr || one.content.size() > longest->content.size();
      if (is_longer && text.compare(at, one.content.size(), one.content) == 0) longest = &one;
    }
    if (longest == nullptr) {
      ++at;
      continue;
    }
    if (at > begin) pieces.emplace_back(text.substr(begin, at - begin));
    pieces.emplace_back(longest->place);
    at += longest->content.size();
    begin = at;
  }
  if (begin < text.size()) pieces.emplace_back(text.substr(begin));
  return pieces;
}

/// All the steps together.
struct Pipeline {
  std::vector<AddedToken> raw;         // looked for in the text itself
  std::vector<AddedToken> normalised;  // and once it was normalised
  Normalise normalise;
  Cut cut;
  WordTokens word_tokens;

  Tokens encode(const std::string& text) const {
    Tokens tokens;
    for (const Piece& piece : cut_at(text, raw)) {
      if (const auto* token = std::get_if<std::size_t>(&piece)) {
        tokens.push_back(*token);
        continue;
      }
      for (const Piece& inner : cut_at(normalise(std::get<std::string>(piece)), normalised)) {
        if (const auto* token = std::get_if<std::size_t>(&inner)) {
          tokens.push_back(*token);
          continue;
        }
        for (const std::string& word : cut({std::get<std::string>(inner)})) {
          const Tokens more = word_tokens(word);
          tokens.insert(tokens.end(), more.begin(), more.end());
        }
      }
    }
    return tokens;
  }
};

// --- Back to text

using Decode = std::function<std::string(const Tokens&)>;

Decode bytes_decoder(std::shared_ptr<const Vocabulary> vocabulary, std::set<std::size_t> special) {
  return [vocabulary = std::move(vocabulary), special = std::move(special)](const Tokens& tokens) {
    std::string text;
    for (const std::size_t token : tokens) {
      if (special.count(token) == 0 && token < vocabulary->pieces.size()) text += vocabulary->pieces[token];
    }
    return text;
  };
}

constexpr std::string_view blank_mark = "\xE2\x96\x81";  // ▁

/// SentencePiece's: ▁ is a blank, <0x0A> a byte, and the first blank was put there.
Decode sentencepiece_decoder(std::shared_ptr<const Vocabulary> vocabulary, std::set<std::size_t> special) {
  return [vocabulary = std::move(vocabulary), special = std::move(special)](const Tokens& tokens) {
    std::string text;
    for (const std::size_t token : tokens) {
      if (special.count(token) == 1 || token >= vocabulary->pieces.size()) continue;
      std::string piece = vocabulary->pieces[token];
      if (const std::optional<char> byte = byte_of(piece)) {
        text += *byte;
        continue;
      }
      for (std::size_t at = piece.find(blank_mark); at != std::string::npos; at = piece.find(blank_mark, at))
        piece.replace(at, blank_mark.size(), " ");
      text += piece;
    }
    return text.rfind(' ', 0) == 0 ? text.substr(1) : text;
  };
}

Decode wordpiece_decoder(std::shared_ptr<const Vocabulary> vocabulary, std::set<std::size_t> special,
                         const std::string& prefix) {
  return [vocabulary = std::move(vocabulary), special = std::move(special), prefix](const Tokens& tokens) {
    std::string text;
    for (const std::size_t token : tokens) {
      if (special.count(token) == 1 || token >= vocabulary->pieces.size()) continue;
      const std::string& piece = vocabulary->pieces[token];
      const bool continues = piece.rfind(prefix, 0) == 0;
      if (!text.empty() && !continues) text += ' ';
      text += continues ? piece.substr(prefix.size()) : piece;
    }
    return text;
  };
}

// --- The file

/// Reads "added_tokens" into the vocabulary, the special ones and those that are looked for in a text.
void add_tokens(const Config& json, Vocabulary& vocabulary, Pipeline& pipeline, Tokenizer& tokenizer,
                const std::string& file) {
  const auto list = json.find("added_tokens");
  if (list == json.end() || !list->is_array()) return;
  for (const Config& one : *list) {
    const std::optional<std::size_t> place =
        one.is_object() ? whole_number_in(one, "id", file) : std::optional<std::size_t>();
    const std::string content = one.is_object() ? word_in(one, "content") : "";
    if (!place || *place >= most_tokens || content.empty()) {
      refuse_file(file, Text::none(),
                  {"\"added_tokens\" が正しくありません", "its \"added_tokens\" make no sense"}, get_again);
    }
    vocabulary.add(content, *place);
    if (truth_in(one, "special", false)) {
      tokenizer.special.insert(*place);
      continue;  // never made of a text
    }
    for (const char* key : {"single_word", "lstrip", "rstrip"}) {
      if (!truth_in(one, key, false)) continue;
      refuse_file(file, Text::none(),
                  text("トークン {} の {} は扱えません", "{1} of the token {0} is not known",
                       quotation(content), key),
                  {"--tokens ならトークナイザーなしで計算できます", "--tokens needs no tokenizer"});
    }
    (truth_in(one, "normalized", true) ? pipeline.normalised : pipeline.raw).push_back({content, *place});
  }
}

/// What the template of "post_processor" puts before and behind one text.
void read_template(const Config& json, const Vocabulary& vocabulary, Tokenizer& tokenizer,
                   const std::string& file) {
  if (!json.is_object()) return;
  const std::string type = word_in(json, "type");
  const auto token = [&](const std::string& name) {
    if (const auto found = vocabulary.find(name)) return *found;
    refuse_file(file, Text::none(),
                text("テンプレートの {} が語彙にありません", "the template's {} is not in the vocabulary",
                     quotation(name)),
                get_again);
  };
  if (type == "Sequence" && json.contains("processors") && json["processors"].is_array()) {
    for (const Config& one : json["processors"]) read_template(one, vocabulary, tokenizer, file);
  } else if (type == "TemplateProcessing" && json.contains("single") && json["single"].is_array()) {
    bool is_before = true;
    for (const Config& part : json["single"]) {
      if (part.is_object() && part.contains("Sequence")) is_before = false;
      if (!part.is_object() || !part.contains("SpecialToken")) continue;
      (is_before ? tokenizer.before : tokenizer.behind).push_back(token(word_in(part["SpecialToken"], "id")));
    }
  } else if (type == "BertProcessing" || type == "RobertaProcessing") {
    for (const char* key : {"cls", "sep"}) {
      const auto pair = json.find(key);
      if (pair == json.end() || !pair->is_array() || pair->empty() || !(*pair)[0].is_string()) continue;
      (std::string(key) == "cls" ? tokenizer.before : tokenizer.behind)
          .push_back(token((*pair)[0].get<std::string>()));
    }
  } else if (type != "ByteLevel" && !type.empty()) {
    refuse_file(
        file, Text::none(),
        text("post_processor {} は知られていません", "the post_processor {} is not known", quotation(type)),
        {"--tokens ならトークナイザーなしで計算できます", "--tokens needs no tokenizer"});
  }
}

/// Names under which libraries keep the token that begins a text, those that end one, and the masked word.
void find_ends(const Vocabulary& vocabulary, Tokenizer& tokenizer) {
  for (const char* name : {"<|begin_of_text|>", "<s>", "<|endoftext|>", "[CLS]"}) {
    const auto found = vocabulary.find(name);
    if (!tokenizer.beginning && found) tokenizer.beginning = found;
  }
  for (const char* name : {"<|end_of_text|>", "<|eot_id|>", "</s>", "<|endoftext|>", "<|im_end|>"}) {
    if (const auto found = vocabulary.find(name)) tokenizer.endings.insert(*found);
  }
  for (const char* name : {"[MASK]", "<mask>"}) {
    if (const auto found = vocabulary.find(name)) tokenizer.mask = found;
  }
}

Tokenizer finished(Pipeline pipeline, const Vocabulary& vocabulary, Tokenizer tokenizer) {
  tokenizer.size = vocabulary.pieces.size();
  tokenizer.pieces = vocabulary.pieces;
  find_ends(vocabulary, tokenizer);
  tokenizer.encode = [pipeline = std::move(pipeline)](const std::string& text) {
    return pipeline.encode(text);
  };
  return tokenizer;
}

const Config& member(const Config& json, const char* key) {
  static const Config nothing;
  const auto found = json.find(key);
  return found == json.end() ? nothing : *found;
}

void refuse_other_bpe(const Config& model, const std::string& file) {
  for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"}) {
    const Config& value = member(model, key);
    const bool is_empty = value.is_string() && value.get_ref<const std::string&>().empty();
    if (value.is_null() || is_empty || value == 0.0) continue;
    refuse_file(file, Text::none(), text("BPE の {} は扱えません", "a BPE with {} is not known", key),
                {"--tokens ならトークナイザーなしで計算できます", "--tokens needs no tokenizer"});
  }
}

}  // namespace

Tokenizer tokenizer_json(const Config& json, const std::string& file) {
  const Config& model = member(json, "model");
  std::string type = word_in(model, "type");
  if (type.empty() && model.contains("merges")) type = "BPE";
  Pipeline pipeline;
  pipeline.normalise = normaliser_of(member(json, "normalizer"), file);
  const Cutting cutting = cutting_of(member(json, "pre_tokenizer"), file);
  pipeline.cut = cutting.cut;
  const bool is_bpe = type == "BPE";
  const bool is_unigram = type == "Unigram";
  if (!is_bpe && !is_unigram && type != "WordPiece") {
    refuse_file(file, Text::none(),
                text("種類 {} は知られていません", "its kind {} is not known", quotation(type)),
                {"BPE、WordPiece、Unigram のどれかのモデルを使うか、--tokens でトークンを指定してください",
                 "use a model with BPE, WordPiece or Unigram, or give the tokens with --tokens"});
  }
  const bool over_bytes = is_bpe && cutting.over_bytes;
  Tokenizer tokenizer;
  tokenizer.source = file;
  const Vocabulary words = is_unigram ? vocabulary_of_list(member(model, "vocab"), file)
                                      : vocabulary_of(member(model, "vocab"), over_bytes, file);
  Vocabulary all = words;
  add_tokens(json, all, pipeline, tokenizer, file);
  read_template(member(json, "post_processor"), all, tokenizer, file);
  const auto own = std::make_shared<const Vocabulary>(words);
  const auto shown = all.pieces == words.pieces ? own : std::make_shared<const Vocabulary>(all);
  const std::optional<std::size_t> unknown = all.find(word_in(model, "unk_token"));
  if (is_bpe) {
    refuse_other_bpe(model, file);
    const BpeOptions options{over_bytes, truth_in(model, "byte_fallback", false),
                             truth_in(model, "fuse_unk", false), truth_in(model, "ignore_merges", false),
                             unknown};
    pipeline.word_tokens = bpe_of(own, merges_of(member(model, "merges"), words, over_bytes, file), options);
    tokenizer.kind = over_bytes ? "BPE over bytes" : "SentencePiece BPE";
    tokenizer.decode = over_bytes ? bytes_decoder(shown, tokenizer.special)
                                  : sentencepiece_decoder(shown, tokenizer.special);
  } else if (is_unigram) {
    pipeline.word_tokens = unigram_of(model, words, tokenizer.special, file);
    tokenizer.kind = "Unigram";
    tokenizer.decode = sentencepiece_decoder(shown, tokenizer.special);
  } else {
    if (!unknown) {
      refuse_file(file, Text::none(),
                  {"WordPiece に unk_token がありません", "its WordPiece has no unk_token"}, get_again);
    }
    WordPieceOptions options{*unknown};
    if (const std::string prefix = word_in(model, "continuing_subword_prefix"); !prefix.empty())
      options.prefix = prefix;
    options.longest = whole_number_in(model, "max_input_chars_per_word", file).value_or(options.longest);
    pipeline.word_tokens = wordpiece_of(own, options);
    tokenizer.kind = "WordPiece";
    tokenizer.decode = wordpiece_decoder(shown, tokenizer.special, options.prefix);
  }
  return finished(std::move(pipeline), all, std::move(tokenizer));
}

}  // namespace attnlab
