// Tokens that were added to a vocabulary: a text is cut at them before anything else reads it.
#pragma once

#include "model/checkpoint/checkpoint.hpp"
#include "model/tokenizer/piece_index.hpp"

namespace attnlab {

struct AddedToken {
  std::string content;
  std::size_t place = 0;
  bool strips_left = false;    // takes the white space before it ("lstrip")
  bool strips_right = false;   // and behind it
  bool is_whole_word = false;  // is none within a word ("single_word")
};

/// {"id": 5, "content": "<mask>", "lstrip": true, ...}. Throws Error (failed) naming `file` where it is none.
AddedToken added_token_of(const Config& json, const std::string& file);

/// What libraries call the token of a word that is to be guessed. Where no file says otherwise it takes the
/// blank before it, as RoBERTa's, XLM-R's, CamemBERT's and ALBERT's do; to BERT's, whose blanks go, it is the
/// same.
constexpr std::array mask_names{"[MASK]", "<mask>"};
bool is_mask_name(const std::string& name);

/// The content of {"content": "<mask>", "lstrip": true}, or of "<mask>".
std::string content_of(const Config& token);

/// Numbers of tokens are smaller: no file makes a list longer than that.
constexpr std::size_t most_tokens = std::size_t{1} << 21U;

/// What stands in "added_tokens", of a vocabulary without a tokenizer.json: those under the names that
/// libraries give to special tokens, and what added_tokens.json, special_tokens_map.json and
/// tokenizer_config.json in the folder
/// say of them and of others ("mask_token", "additional_special_tokens", "added_tokens_decoder"). `place_of`
/// is a name's number.
Config added_tokens_beside(
    const std::filesystem::path& folder,
    const std::function<std::optional<std::size_t>(const std::string& name)>& place_of);

/// A stretch of text, or a token that stood between two.
using TextOrToken = std::variant<std::string, std::size_t>;

class AddedTokens {
 public:
  AddedTokens() = default;
  explicit AddedTokens(std::vector<AddedToken> tokens);

  /// The leftmost first, of these the longest; as Hugging Face's tokenizers cut (added_vocabulary.rs).
  std::vector<TextOrToken> cut(const std::string& text) const;

  /// Those in the text, behind `tokens`; `add` adds what stands between them.
  void encode(const std::string& text, std::vector<std::size_t>& tokens,
              const std::function<void(const std::string& between)>& add) const;

 private:
  std::shared_ptr<const std::vector<AddedToken>> tokens_;
  PieceIndex index_;
};

}  // namespace attnlab
