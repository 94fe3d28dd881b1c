// Hugging Face's tokenizer.json: added tokens, normalising, cutting, the vocabulary, the template around a
// text.
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"
#include "model/tokenizer/added_tokens.hpp"
#include "model/tokenizer/word_models.hpp"
#include "model/tokenizer/words.hpp"

namespace attnlab {
namespace {

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
  if (!is_object)
    refuse_file(file, {"語彙がありません", "it has no vocabulary"}, get_again("tokenizer.json"));
  std::set<std::size_t> seen;
  for (const auto& [piece, place] : json.items()) {
    const bool good = place.is_number_unsigned() && place.get<std::size_t>() < most_tokens &&
                      seen.insert(place.get<std::size_t>()).second;
    if (!good) {
      refuse_file(file,
                  text("語彙の {} の番号が正しくないか、二度あります",
                       "the number of {} in its vocabulary is none, or occurs twice", quotation(piece)),
                  get_again("tokenizer.json"));
    }
    vocabulary.add(over_bytes ? bytes_written(piece) : piece, place.get<std::size_t>());
  }
  return vocabulary;
}

/// Of Unigram: [["piece", score], ...], the numbers in their order.
Vocabulary vocabulary_of_list(const Config& json, const std::string& file) {
  Vocabulary vocabulary;
  if (!json.is_array() || json.empty())
    refuse_file(file, {"語彙がありません", "it has no vocabulary"}, get_again("tokenizer.json"));
  for (const Config& one : json) {
    const bool is_pair = one.is_array() && one.size() == 2 && one[0].is_string() && one[1].is_number();
    if (!is_pair || vocabulary.pieces.size() >= most_tokens) {
      refuse_file(file,
                  text("語彙の {} 番目が [トークン, スコア] ではありません",
                       "number {} of its vocabulary is no [piece, score]", vocabulary.pieces.size()),
                  get_again("tokenizer.json"));
    }
    vocabulary.add(one[0].get<std::string>(), vocabulary.pieces.size());
  }
  return vocabulary;
}

// --- Models: a word to its tokens

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
      refuse_file(file,
                  text("{} 番目の併合が語彙に合いません", "its merge number {} does not fit the vocabulary",
                       rank + 1.0),
                  get_again("tokenizer.json"));
    }
    table.emplace(key_of(*first, *second), Merge{rank, *both});
    rank += 1.0;
  }
  return table;
}

MergeOf merging_by(MergeTable merges) {
  return [merges = std::move(merges)](std::size_t left, std::size_t right) -> std::optional<Merge> {
    const auto found = merges.find(key_of(left, right));
    return found == merges.end() ? std::nullopt : std::optional(found->second);
  };
}

/// tiktoken's: two become one where that is in the vocabulary, the smallest number first.
MergeOf merging_by_rank(std::shared_ptr<const Vocabulary> vocabulary) {
  return [vocabulary = std::move(vocabulary)](std::size_t left, std::size_t right) -> std::optional<Merge> {
    const auto found = vocabulary->find(vocabulary->pieces[left] + vocabulary->pieces[right]);
    return found ? std::optional(Merge{static_cast<double>(*found), *found}) : std::nullopt;
  };
}

/// All the steps together.
struct Pipeline {
  AddedTokens raw;         // looked for in the text itself
  AddedTokens normalised;  // and once it was normalised
  Normalise normalise;
  Cut cut;
  WordTokens word_tokens;
  std::string file;

  Tokens encode(const std::string& text) const {
    Tokens tokens;
    std::size_t made = 0;
    raw.encode(text, tokens, [&](const std::string& outer) {
      const Growth growth(text.size(), made, file);
      const std::string part = normalise(outer, growth);
      growth.check(part.size());
      normalised.encode(part, tokens, [&](const std::string& inner) {
        for (const std::string& word : cut(inner, {growth, tokens.empty()})) {
          const Tokens more = word_tokens(word);
          tokens.insert(tokens.end(), more.begin(), more.end());
          made += word.size();
        }
      });
    });
    return tokens;
  }
};

// --- Back to text

using Decode = std::function<std::string(const Tokens&)>;

/// What the pieces of all but the special tokens say, as `add` writes each behind the text.
Decode decoder_of(std::shared_ptr<const Vocabulary> vocabulary, std::set<std::size_t> special,
                  std::function<void(std::string& text, const std::string& piece)> add) {
  return [vocabulary = std::move(vocabulary), special = std::move(special),
          add = std::move(add)](const Tokens& tokens) {
    std::string text;
    for (const std::size_t token : tokens) {
      if (special.count(token) == 0 && token < vocabulary->pieces.size())
        add(text, vocabulary->pieces[token]);
    }
    return text;
  };
}

Decode bytes_decoder(std::shared_ptr<const Vocabulary> vocabulary, std::set<std::size_t> special) {
  return decoder_of(std::move(vocabulary), std::move(special),
                    [](std::string& text, const std::string& piece) { text += piece; });
}

/// SentencePiece's: ▁ is a blank, <0x0A> a byte, and the first blank was put there.
Decode sentencepiece_decoder(std::shared_ptr<const Vocabulary> vocabulary, std::set<std::size_t> special) {
  const auto add = [](std::string& text, std::string piece) {
    if (const std::optional<char> byte = byte_of(piece)) piece = *byte;
    text += replaced(std::move(piece), blank_of_pieces, " ");
  };
  return [decode = decoder_of(std::move(vocabulary), std::move(special), add)](const Tokens& tokens) {
    const std::string text = decode(tokens);
    return text.rfind(' ', 0) == 0 ? text.substr(1) : text;
  };
}

Decode wordpiece_decoder(std::shared_ptr<const Vocabulary> vocabulary, std::set<std::size_t> special,
                         const std::string& prefix) {
  return decoder_of(std::move(vocabulary), std::move(special),
                    [prefix](std::string& text, const std::string& piece) {
                      const bool continues = !prefix.empty() && piece.rfind(prefix, 0) == 0;
                      if (!text.empty() && !continues) text += ' ';
                      text += continues ? piece.substr(prefix.size()) : piece;
                    });
}

// --- The file

const Config& member(const Config& json, const char* key) {
  static const Config nothing;
  const auto found = json.find(key);
  return found == json.end() ? nothing : *found;
}

/// Reads "added_tokens" into the vocabulary, and into the pipeline as what a text is cut at.
void add_tokens(const Config& json, Vocabulary& vocabulary, Pipeline& pipeline, Tokenizer& tokenizer,
                const std::string& file) {
  std::vector<AddedToken> raw;
  std::vector<AddedToken> normalised;
  std::set<std::string> names;
  const Config& list = member(json, "added_tokens");
  for (const Config& one : list.is_array() ? list : Config::array()) {
    AddedToken token = added_token_of(one, file);
    vocabulary.add(token.content, token.place);
    names.insert(token.content);
    const bool is_special = truth_in(one, "special", false);
    if (is_special) tokenizer.special.insert(token.place);
    if (truth_in(one, "normalized", !is_special)) {
      token.content = pipeline.normalise(token.content, Growth(token.content.size(), 0, file));
      normalised.push_back(std::move(token));
    } else {
      raw.push_back(std::move(token));
    }
  }
  for (const char* name : mask_names) {
    const auto found = vocabulary.find(name);
    if (found && names.count(name) == 0) raw.push_back({name, *found, true});
  }
  pipeline.raw = AddedTokens(std::move(raw));
  pipeline.normalised = AddedTokens(std::move(normalised));
}

/// What the template of "post_processor" puts before and behind one text.
void read_template(const Config& json, const Vocabulary& vocabulary, Tokenizer& tokenizer,
                   const std::string& file) {
  if (!json.is_object()) return;
  const std::string type = word_in(json, "type");
  const auto token = [&](const std::string& name) {
    if (const auto found = vocabulary.find(name)) return *found;
    refuse_file(file,
                text("テンプレートの {} が語彙にありません", "the template's {} is not in the vocabulary",
                     quotation(name)),
                get_again("tokenizer.json"));
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
        file,
        text("post_processor {} は知られていません", "the post_processor {} is not known", quotation(type)),
        without_tokenizer);
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
  for (const char* name : mask_names) {
    if (const auto found = vocabulary.find(name)) tokenizer.mask = found;
  }
}

/// What older files leave out is told by what they hold, as Hugging Face's tokenizers do.
std::string model_type_of(const Config& model) {
  std::string type = word_in(model, "type");
  if (!type.empty()) return type;
  if (member(model, "vocab").is_array()) return "Unigram";
  if (model.contains("merges")) return "BPE";
  return model.contains("continuing_subword_prefix") || model.contains("max_input_chars_per_word")
             ? "WordPiece"
             : "WordLevel";
}

void refuse_other_bpe(const Config& model, const std::string& file) {
  for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"}) {
    const Config& value = member(model, key);
    const bool is_empty = value.is_string() && value.get_ref<const std::string&>().empty();
    if (value.is_null() || is_empty || value == 0.0) continue;
    refuse_file(file, text("BPE の {} は扱えません", "a BPE with {} is not known", key), without_tokenizer);
  }
}

}  // namespace

std::string written_as_letters(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) text += encode_utf8(byte_letters().at(static_cast<unsigned char>(byte)));
  return text;
}

Tokenizer tokenizer_json(const Config& json, const std::string& file) {
  const Config& model = member(json, "model");
  const std::string type = model_type_of(model);
  Pipeline pipeline;
  pipeline.file = file;
  pipeline.normalise = normaliser_of(member(json, "normalizer"), file);
  const Cutting cutting = cutting_of(member(json, "pre_tokenizer"), file);
  pipeline.cut = cutting.cut;
  const bool is_bpe = type == "BPE" || type == "ranks";
  const bool is_unigram = type == "Unigram";
  if (!is_bpe && !is_unigram && type != "WordPiece") {
    refuse_file(file, text("種類 {} は知られていません", "its kind {} is not known", quotation(type)),
                {"BPE、WordPiece、Unigram のどれかのモデルを使うか、--tokens でトークンを指定してください",
                 "use a model with BPE, WordPiece or Unigram, or give the tokens with --tokens"});
  }
  const bool over_bytes = is_bpe && cutting.over_bytes;
  Tokenizer tokenizer;
  tokenizer.source = file;
  const auto own = std::make_shared<const Vocabulary>(
      is_unigram ? vocabulary_of_list(member(model, "vocab"), file)
                 : vocabulary_of(member(model, "vocab"), over_bytes, file));
  Vocabulary all = *own;
  add_tokens(json, all, pipeline, tokenizer, file);
  read_template(member(json, "post_processor"), all, tokenizer, file);
  const auto shown = all.pieces == own->pieces ? own : std::make_shared<const Vocabulary>(all);
  const std::optional<std::size_t> unknown = all.find(word_in(model, "unk_token"));
  if (is_bpe) {
    refuse_other_bpe(model, file);
    const BpeOptions options{over_bytes, truth_in(model, "byte_fallback", false),
                             truth_in(model, "fuse_unk", false), truth_in(model, "ignore_merges", false),
                             unknown};
    const MergeOf merge_of = type == "ranks"
                                 ? merging_by_rank(own)
                                 : merging_by(merges_of(member(model, "merges"), *own, over_bytes, file));
    pipeline.word_tokens = bpe_of(own, merge_of, options);
    tokenizer.kind = over_bytes ? "BPE over bytes" : "SentencePiece BPE";
    tokenizer.decode = over_bytes ? bytes_decoder(shown, tokenizer.special)
                                  : sentencepiece_decoder(shown, tokenizer.special);
  } else if (is_unigram) {
    std::vector<double> scores;
    for (const Config& one : member(model, "vocab")) scores.push_back(one[1].get<double>());
    const UnigramOptions options{whole_number_in(model, "unk_id", file),
                                 truth_in(model, "byte_fallback", false)};
    if (options.unknown.value_or(0) >= own->pieces.size()) {
      refuse_file(file, {"unk_id が語彙にありません", "its unk_id is not in the vocabulary"},
                  get_again("tokenizer.json"));
    }
    pipeline.word_tokens = unigram_of(own, std::move(scores), options, file);
    tokenizer.kind = "Unigram";
    tokenizer.decode = sentencepiece_decoder(shown, tokenizer.special);
  } else {
    if (!unknown) {
      refuse_file(file, {"WordPiece に unk_token がありません", "its WordPiece has no unk_token"},
                  get_again("tokenizer.json"));
    }
    WordPieceOptions options{*unknown};
    const Config& prefix = member(model, "continuing_subword_prefix");
    if (prefix.is_string()) options.prefix = prefix.get<std::string>();
    options.longest = whole_number_in(model, "max_input_chars_per_word", file).value_or(options.longest);
    pipeline.word_tokens = wordpiece_of(own, options);
    tokenizer.kind = "WordPiece";
    tokenizer.decode = wordpiece_decoder(shown, tokenizer.special, options.prefix);
  }
  tokenizer.size = all.pieces.size();
  tokenizer.pieces = all.pieces;
  find_ends(all, tokenizer);
  tokenizer.encode = [pipeline = std::move(pipeline)](const std::string& text) {
    return pipeline.encode(text);
  };
  return tokenizer;
}

}  // namespace attnlab
