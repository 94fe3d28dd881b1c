// Files that say less than a tokenizer.json: what they mean is written down as one.
#include "core/error.hpp"
#include "core/unicode.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"
#include "model/tokenizer/added_tokens.hpp"
#include "model/tokenizer/sentencepiece.hpp"
#include "model/tokenizer/words.hpp"

namespace attnlab {
namespace {

/// The lines of a file without the ends of Windows.
std::vector<std::string> lines_of(const std::string& file) {
  const SharedBytes bytes = bytes_of(file);
  check_text_size(bytes.view, file);
  std::vector<std::string> lines;
  for (const std::string& line : split(bytes.view, "\n")) lines.emplace_back(trimmed(line, "\r"));
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string folder_of(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// The number of a word in {"word": number}.
auto places_in(const Config& vocabulary) {
  return [&vocabulary](const std::string& name) -> std::optional<std::size_t> {
    const auto found = vocabulary.find(name);
    const bool is_number = found != vocabulary.end() && found->is_number_unsigned();
    return is_number ? std::optional(found->get<std::size_t>()) : std::nullopt;
  };
}

/// A text between these two tokens, or behind the first alone, as "post_processor" says it.
Config template_of(const std::string& first, const std::string& last) {
  const auto special = [](const std::string& name) { return Config{{"SpecialToken", {{"id", name}}}}; };
  Config single = Config::array({special(first), {{"Sequence", Config::object()}}});
  if (!last.empty()) single.push_back(special(last));
  return {{"type", "TemplateProcessing"}, {"single", single}};
}

bool has_all(const Config& vocabulary, std::initializer_list<const char*> names) {
  return std::all_of(names.begin(), names.end(), [&](const char* name) { return vocabulary.contains(name); });
}

/// The token that OPT's libraries put before a text of byte pairs; "" where the folder's files say of none.
std::string first_token_beside(const std::string& folder) {
  const std::filesystem::path file = std::filesystem::path(folder) / "tokenizer_config.json";
  if (!is_file(file)) return "";
  const Config config = json_of_file(file.string());
  return truth_in(config, "add_bos_token", false) && config.contains("bos_token")
             ? content_of(config["bos_token"])
             : "";
}

/// BERT's words, or MPNet's, which stand between <s> and </s>; what the folder's files say of added tokens.
Tokenizer wordpiece_of_words(const Config& vocabulary, bool lowers, const std::string& folder,
                             const std::string& file) {
  const bool is_mpnet = has_all(vocabulary, {"<s>", "</s>", "<mask>"});
  for (const char* name : {"[UNK]", is_mpnet ? "<s>" : "[CLS]", is_mpnet ? "</s>" : "[SEP]"}) {
    if (vocabulary.contains(name)) continue;
    refuse_file(file, text("{} がありません", "it does not hold {}", name),
                {"BERT の語彙をもう一度入手してください", "get BERT's vocabulary again"});
  }
  return tokenizer_json(
      {{"added_tokens", added_tokens_beside(folder, places_in(vocabulary))},
       {"normalizer", {{"type", "BertNormalizer"}, {"lowercase", lowers}}},
       {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
       {"model", {{"type", "WordPiece"}, {"vocab", vocabulary}, {"unk_token", "[UNK]"}}},
       {"post_processor", is_mpnet ? template_of("<s>", "</s>") : template_of("[CLS]", "[SEP]")}},
      file);
}

// --- GGUF: its values tokenizer.ggml.*

[[noreturn]] void refuse_gguf(const std::string& file, const Text& problem) {
  refuse_file(file, problem, without_tokenizer);
}

std::vector<std::string> pieces_of(const Config& values, const std::string& file) {
  const auto list = values.find("tokens");
  const bool is_list = list != values.end() && list->is_array() && !list->empty();
  if (!is_list || !list->front().is_string()) refuse_gguf(file, {"語彙がありません", "it has no vocabulary"});
  return list->get<std::vector<std::string>>();
}

/// A list of numbers, one a piece, whole where Number is; without it all are `otherwise`.
template <class Number>
std::vector<Number> numbers_of(const Config& values, const char* key, std::size_t count, Number otherwise,
                               const std::string& file) {
  const auto list = values.find(key);
  if (list == values.end()) return std::vector<Number>(count, otherwise);
  constexpr bool whole = std::is_integral_v<Number>;
  const auto is_one = [](const Config& one) { return whole ? one.is_number_integer() : one.is_number(); };
  if (!list->is_array() || list->size() != count || !std::all_of(list->begin(), list->end(), is_one)) {
    const Text kind = whole ? Text{"整数", "whole number"} : Text{"数", "number"};
    refuse_gguf(file, text("語彙の {} が、トークンごとに 1 つの{}ではありません",
                           "{} of its vocabulary is not one {} for each of its tokens", key, kind));
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
      added.push_back({{"content", pieces[i]},
                       {"id", i},
                       {"special", is_special},
                       {"normalized", false},
                       {"lstrip", is_mask_name(pieces[i])}});
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
    const bool is_first = piece.rfind(blank_of_pieces, 0) == 0;
    const bool is_special = piece.size() > 2 && piece.front() == '[' && piece.back() == ']';
    vocabulary[is_first ? piece.substr(blank_of_pieces.size()) : is_special ? piece : "##" + piece] = i;
  }
  return wordpiece_of_words(vocabulary, true, "", file);
}

Tokenizer gguf_sentencepiece(const Config& values, const std::vector<PieceType>& types, bool is_unigram,
                             const std::string& file) {
  SentencePieces all;
  all.pieces = pieces_of(values, file);
  all.scores = numbers_of(values, "scores", all.pieces.size(), 0.0F, file);
  all.types = types;
  all.is_unigram = is_unigram;
  all.prepends_blank = truth_in(values, "add_space_prefix", true);
  return sentencepiece_of(all, file);
}

// --- tiktoken: Llama 3's tokenizer.model

/// The rank and the bytes of a line "aGVsbG8= 15339"; nothing where it is none.
std::optional<std::pair<std::size_t, std::string>> rank_in(std::string_view line) {
  const std::vector<std::string> words = split(line, " ");
  const auto rank = words.size() == 2 ? number_from<std::size_t>(words[1]) : std::nullopt;
  const std::string bytes = rank ? from_base64(words[0]) : "";
  return bytes.empty() ? std::nullopt : std::optional(std::pair(*rank, bytes));
}

/// The names of Llama 3's 256 special tokens, which follow the ranks. Source: llama3's tokenizer.py.
std::string llama3_special(std::size_t i) {
  constexpr std::array named{"<|begin_of_text|>",   "<|end_of_text|>",   "", "",          "", "",
                             "<|start_header_id|>", "<|end_header_id|>", "", "<|eot_id|>"};
  if (i < named.size() && *named.at(i) != '\0') return named.at(i);
  return fmt::format("<|reserved_special_token_{}|>", i < 6 ? i - 2 : i < 9 ? 4 : i - 5);
}

}  // namespace

Tokenizer vocab_and_merges(const std::string& vocabulary, const std::string& merges) {
  const Config words = json_of_file(vocabulary);
  Config list = Config::array();
  for (const std::string& line : lines_of(merges)) {
    if (!line.empty() && line.rfind("#version", 0) != 0) list.push_back(line);
  }
  Config json{{"added_tokens", added_tokens_beside(folder_of(vocabulary), places_in(words))},
              {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
              {"model", {{"type", "BPE"}, {"vocab", words}, {"merges", list}}}};
  const bool is_roberta = has_all(words, {"<s>", "</s>"}) &&
                          std::any_of(json["added_tokens"].begin(), json["added_tokens"].end(),
                                      [](const Config& token) { return token["content"] == "<mask>"; });
  const std::string first = first_token_beside(folder_of(vocabulary));
  if (!first.empty()) json["post_processor"] = template_of(first, "");
  if (is_roberta) json["post_processor"] = template_of("<s>", "</s>");
  Tokenizer tokenizer = tokenizer_json(json, vocabulary);
  if (!tokenizer.before.empty()) tokenizer.beginning = tokenizer.before.front();
  return tokenizer;
}

bool holds_ranks(std::string_view bytes) {
  return rank_in(bytes.substr(0, bytes.find_first_of("\r\n"))).has_value();
}

Tokenizer llama3_ranks(const std::string& file, std::size_t vocabulary) {
  Config ranks = Config::object();
  std::size_t number = 0;
  for (const std::string& line : lines_of(file)) {
    ++number;
    const auto rank = rank_in(line);
    if (rank && ranks.emplace(written_as_letters(rank->second), rank->first).second) continue;
    refuse_file(file,
                text("{} 行目が「base64 番号」ではないか、二度あります",
                     "line {} is no base64 and rank, or occurs twice", number),
                get_again("tokenizer.model"));
  }
  for (std::size_t byte = 0; byte < 256; ++byte) {
    if (ranks.contains(written_as_letters({static_cast<char>(byte)}))) continue;
    refuse_file(file, text("バイト {} がありません", "it does not hold the byte {}", byte),
                get_again("tokenizer.model"));
  }
  Config added = Config::array();
  for (std::size_t i = 0; i < 256 && ranks.size() + i < vocabulary; ++i) {
    added.push_back(
        {{"content", llama3_special(i)}, {"id", ranks.size() + i}, {"special", true}, {"normalized", false}});
  }
  Config json{{"added_tokens", added},
              {"pre_tokenizer", cutting_named("llama3", file)},
              {"model", {{"type", "ranks"}, {"vocab", ranks}, {"ignore_merges", true}}}};
  if (!added.empty()) json["post_processor"] = template_of(llama3_special(0), "");
  return tokenizer_json(json, file);
}

Tokenizer wordpiece_words(const std::string& file, bool lowers) {
  Config vocabulary = Config::object();
  const std::vector<std::string> lines = lines_of(file);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].empty()) vocabulary.emplace(lines[i], i);
  }
  return wordpiece_of_words(vocabulary, lowers, folder_of(file), file);
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
