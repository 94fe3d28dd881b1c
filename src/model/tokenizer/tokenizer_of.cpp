// Which tokenizer belongs to a model.
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"
#include "model/tokenizer/sentencepiece.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

bool lowers_words(const fs::path& folder) {
  const fs::path config = folder / "tokenizer_config.json";
  return !is_file(config) || truth_in(json_of_file(config.string()), "do_lower_case", true);
}

Tokenizer of_file(const fs::path& file, std::size_t vocabulary, const std::string& type,
                  std::vector<std::string>& files) {
  files.push_back(file.string());
  const std::string name = file.filename().string();
  if (file.extension() == ".bin") return llama2c_tokenizer(file.string(), vocabulary);
  if (file.extension() == ".txt") return wordpiece_words(file.string(), lowers_words(file.parent_path()));
  if (file.extension() == ".pkl") return nanogpt_letters(file.string());
  if (name == "vocab.json") {
    const fs::path merges = file.parent_path() / "merges.txt";
    files.push_back(merges.string());
    return vocab_and_merges(file.string(), merges.string());
  }
  if (file.extension() == ".json") return tokenizer_json(json_of_file(file.string()), file.string());
  if (file.extension() == ".model") {
    return holds_ranks(bytes_of(file.string()).view) ? llama3_ranks(file.string(), vocabulary)
                                                     : sentencepiece_model(file.string(), type);
  }
  refuse_usage(
      text("{} はトークナイザーのファイルではありません", "{} is no file of a tokenizer",
           quotation(file.string())),
      {"tokenizer.json, tokenizer.model, vocab.json（merges.txt と同じフォルダー）, vocab.txt, tokenizer.bin, meta.pkl のどれかを指定してください",
       "name a tokenizer.json, a tokenizer.model, a vocab.json beside merges.txt, a vocab.txt, a tokenizer.bin or a meta.pkl"});
}

/// Every byte that is no printable character as <0A>.
std::string readable(std::string_view bytes) {
  const std::optional<std::u32string> characters = decode_utf8(bytes);
  const bool is_text = characters && std::none_of(characters->begin(), characters->end(), is_control);
  if (is_text) return std::string(bytes);
  std::string result;
  for (const char byte : bytes) {
    const bool is_ascii = byte > 0x20 && byte < 0x7F;
    result += is_ascii ? std::string(1, byte) : fmt::format("<{:02X}>", static_cast<unsigned char>(byte));
  }
  return result;
}

}  // namespace

void refuse_vocabulary(const std::string& file, std::size_t tokens, std::size_t vocabulary) {
  refuse_file(file,
              text("トークンが {} 個ありますが、モデルの語彙は {} 個です",
                   "it has {} tokens, but the model's vocabulary has {}", tokens, vocabulary),
              {"このモデルのトークナイザーを指定してください", "name the tokenizer of this model"});
}

std::optional<char> byte_of(const std::string& piece) {
  if (piece.size() != 6 || piece.rfind("<0x", 0) != 0 || piece.back() != '>') return std::nullopt;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(piece.data() + 3, piece.data() + 5, value, 16);
  if (error != std::errc{} || end != piece.data() + 5) return std::nullopt;
  return static_cast<char>(value);
}

std::string Tokenizer::label(std::size_t token) const {
  std::string piece = token < pieces.size() ? pieces[token] : "";
  if (piece.rfind(blank_of_pieces, 0) == 0) piece.replace(0, blank_of_pieces.size(), " ");
  if (piece == "\n") return "\\n";
  const std::string word(trimmed(piece));
  if (word.empty()) return piece.empty() ? fmt::format("#{}", token) : "\xE2\x90\xA3";  // ␣
  return readable(word);
}

std::optional<Tokenizer> tokenizer_of(const Checkpoint& checkpoint, const std::string& file,
                                      std::vector<std::string>& files) {
  const std::size_t vocabulary =
      whole_number_in(checkpoint.config, "vocab_size", checkpoint.place).value_or(0);
  const std::string type = word_in(checkpoint.config, "model_type");
  std::optional<Tokenizer> tokenizer;
  if (file.empty() && !checkpoint.words.empty()) {
    tokenizer = word_list(checkpoint.words, word_in(checkpoint.config, "bos_token"), checkpoint.place);
  } else if (file.empty() && !checkpoint.tokenizer.is_null()) {
    tokenizer = gguf_tokenizer(checkpoint.tokenizer, checkpoint.place);
  } else if (!file.empty()) {
    tokenizer = of_file(file, vocabulary, type, files);
  } else {
    const fs::path folder = fs::path(checkpoint.place).parent_path();
    const bool is_folder = fs::path(checkpoint.place).filename() == "config.json";
    for (const char* name :
         {"tokenizer.json", "tokenizer.model", "sentencepiece.bpe.model", "vocab.json", "vocab.txt"}) {
      if (is_folder && !tokenizer && is_file(folder / name))
        tokenizer = of_file(folder / name, vocabulary, type, files);
    }
  }
  // A table of words is often longer than the vocabulary, for the sake of the processor; never shorter.
  if (tokenizer && tokenizer->size > vocabulary)
    refuse_vocabulary(tokenizer->source, tokenizer->size, vocabulary);
  return tokenizer;
}

}  // namespace attnlab
