// Files that say less than a tokenizer.json: what they mean is written down as one.
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"
#include "model/tokenizer/sentencepiece.hpp"
#include "model/tokenizer/words.hpp"

namespace attnlab {
namespace {

constexpr std::string_view blank_sign_of_pieces = "\xE2\x96\x81";  // ▁

/// The lines of a file without the ends of Windows.
std::vector<std::string> lines_of(const std::string& file) {
  const SharedBytes bytes = bytes_of(file);
  check_text_size(bytes.view, file);
  std::vector<std::string> lines;
  for (const std::string& line : split(bytes.view, "\n")) lines.emplace_back(trimmed(line, "\r"));
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

/// Added tokens that no text makes: those of these names that are in the vocabulary.
Config special_tokens(const Config& vocabulary, std::initializer_list<const char*> names) {
  Config tokens = Config::array();
  for (const char* name : names) {
    if (const auto found = vocabulary.find(name); found != vocabulary.end())
      tokens.push_back({{"content", name}, {"id", *found}, {"special", true}});
  }
  return tokens;
}

Tokenizer wordpiece_of_words(const Config& vocabulary, bool lowers, const std::string& file) {
  for (const char* name : {"[UNK]", "[CLS]", "[SEP]"}) {
    if (vocabulary.contains(name)) continue;
    refuse_file(file, Text::none(), text("{} がありません", "it does not hold {}", name),
                {"BERT の語彙をもう一度入手してください", "get BERT's vocabulary again"});
  }
  const auto special = [](const char* name) { return Config{{"SpecialToken", {{"id", name}}}}; };
  return tokenizer_json(
      {{"added_tokens", special_tokens(vocabulary, {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})},
       {"normalizer", {{"type", "BertNormalizer"}, {"lowercase", lowers}}},
       {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
       {"model", {{"type", "WordPiece"}, {"vocab", vocabulary}, {"unk_token", "[UNK]"}}},
       {"post_processor",
        {{"type", "TemplateProcessing"},
         {"single", Config::array({special("[CLS]"), {{"Sequence", Config::object()}}, special("[SEP]")})}}}},
      file);
}

// --- GGUF: its values tokenizer.ggml.*

[[noreturn]] void refuse_gguf(const std::string& file, const Text& problem) {
  refuse_file(file, Text::none(), problem,
              {"--tokens ならトークナイザーなしで計算できます", "--tokens needs no tokenizer"});
}

std::vector<std::string> pieces_of(const Config& values, const std::string& file) {
  const auto list = values.find("tokens");
  const bool is_list = list != values.end() && list->is_array() && !list->empty();
  if (!is_list || !list->front().is_string()) refuse_gguf(file, {"語彙がありません", "it has no vocabulary"});
  return list->get<std::vector<std::string>>();
}

/// A list of numbers, one a piece; without it all are `otherwise`.
template <class Number>
std::vector<Number> numbers_of(const Config& values, const char* key, std::size_t count, Number otherwise,
                               const std::string& file) {
  const auto list = values.find(key);
  if (list == values.end()) return std::vector<Number>(count, otherwise);
  if (!list->is_array() || list->size() != count || !list->front().is_number()) {
    refuse_gguf(file, text("語彙の {} がトークンの数と合いません",
                           "{} of its vocabulary are not as many as its tokens", key));
  }
  return list->get<std::vector<Number>>();
}

/// How a text is cut before byte pairs are merged, by the name that llama.cpp gives it.
Config cutting_named(const std::string& name, const std::string& file) {
  const Config bytes{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
  Config gpt2{{"type", "ByteLevel"}, {"add_prefix_space", false}};
  const auto by = [&](const std::string& pattern) {
    const Config split{{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}};
    return Config{{"type", "Sequence"}, {"pretokenizers", Config::array({split, bytes})}};
  };
  if (name == "gpt-2") return gpt2;
  if (name == "llama-bpe" || name == "llama3") return by(llama3_pattern);
  if (name == "qwen2") return by(qwen_pattern);
  if (name == "smollm") {
    const Config digits{{"type", "Digits"}, {"individual_digits", true}};
    return {{"type", "Sequence"}, {"pretokenizers", Config::array({digits, gpt2})}};
  }
  refuse_gguf(file, text("分割のしかた {} は知られていません", "its way of cutting, {}, is not known",
                         quotation(name)));
}

/// Pairs of bytes that are merged, as GPT-2's, Llama 3's and Qwen's.
Tokenizer gguf_bytes(const Config& values, const std::vector<PieceType>& types, const std::string& file) {
  const std::vector<std::string> pieces = pieces_of(values, file);
  Config vocabulary = Config::object();
  Config added = Config::array();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool is_special = types[i] == PieceType::control || types[i] == PieceType::unknown;
    vocabulary[pieces[i]] = i;
    if (is_special || types[i] == PieceType::user_defined) {
      added.push_back({{"content", pieces[i]}, {"id", i}, {"special", is_special}, {"normalized", false}});
    }
  }
  const std::string cutting = word_in(values, "pre").empty() ? "gpt-2" : word_in(values, "pre");
  Config model{{"type", "BPE"}, {"vocab", vocabulary}, {"merges", values.value("merges", Config::array())}};
  model["ignore_merges"] = cutting == "llama-bpe" || cutting == "llama3";
  return tokenizer_json(
      {{"added_tokens", added}, {"pre_tokenizer", cutting_named(cutting, file)}, {"model", model}}, file);
}

/// BERT's words: here it is the first piece of a word that has a mark, ▁, and not the others.
Tokenizer gguf_words(const Config& values, const std::string& file) {
  const std::vector<std::string> pieces = pieces_of(values, file);
  Config vocabulary = Config::object();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string& piece = pieces[i];
    const bool is_first = piece.rfind(blank_sign_of_pieces, 0) == 0;
    const bool is_special = piece.size() > 2 && piece.front() == '[' && piece.back() == ']';
    vocabulary[is_first ? piece.substr(blank_sign_of_pieces.size()) : is_special ? piece : "##" + piece] = i;
  }
  return wordpiece_of_words(vocabulary, true, file);
}

Tokenizer gguf_sentencepiece(const Config& values, const std::vector<PieceType>& types, bool is_unigram,
                             const std::string& file) {
  SentencePieces all;
  all.pieces = pieces_of(values, file);
  all.scores = numbers_of(values, "scores", all.pieces.size(), 0.0F, file);
  all.types = types;
  all.is_unigram = is_unigram;
  all.prepends_blank = truth_in(values, "add_space_prefix", true);
  return sentencepiece_of(all, file, std::nullopt, std::nullopt);
}

}  // namespace

Tokenizer vocab_and_merges(const std::string& vocabulary, const std::string& merges) {
  const Config words = json_of_file(vocabulary);
  Config list = Config::array();
  for (const std::string& line : lines_of(merges)) {
    if (!line.empty() && line.rfind("#version", 0) != 0) list.push_back(line);
  }
  return tokenizer_json(
      {{"added_tokens", special_tokens(words, {"<|endoftext|>", "<s>", "</s>", "<pad>", "<unk>", "<mask>"})},
       {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
       {"model", {{"type", "BPE"}, {"vocab", words}, {"merges", list}}}},
      vocabulary);
}

Tokenizer wordpiece_words(const std::string& file, bool lowers) {
  Config vocabulary = Config::object();
  const std::vector<std::string> lines = lines_of(file);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].empty()) vocabulary.emplace(lines[i], i);
  }
  return wordpiece_of_words(vocabulary, lowers, file);
}

Tokenizer gguf_tokenizer(const Config& values, const std::string& file) {
  const std::size_t count = pieces_of(values, file).size();
  std::vector<PieceType> types;
  for (const int type : numbers_of(values, "token_type", count, 1, file))
    types.push_back(static_cast<PieceType>(std::clamp(type, 1, 6)));
  const std::string kind = word_in(values, "model");
  const bool over_bytes = kind == "gpt2";
  if (!over_bytes && kind != "llama" && kind != "t5" && kind != "bert")
    refuse_gguf(file, text("種類 {} は知られていません", "its kind {} is not known", quotation(kind)));
  if (kind == "bert") return gguf_words(values, file);
  Tokenizer tokenizer =
      over_bytes ? gguf_bytes(values, types, file) : gguf_sentencepiece(values, types, kind == "t5", file);
  const auto token = [&](const char* key) {
    const auto found = whole_number_in(values, key, file);
    return found && *found < count ? found : std::nullopt;
  };
  if (const auto first = token("bos_token_id")) {
    tokenizer.beginning = first;
    if (truth_in(values, "add_bos_token", !over_bytes)) tokenizer.before = {*first};
  }
  if (const auto last = token("eos_token_id")) {
    tokenizer.endings.insert(*last);
    if (truth_in(values, "add_eos_token", kind == "t5")) tokenizer.behind = {*last};
  }
  return tokenizer;
}

}  // namespace attnlab
