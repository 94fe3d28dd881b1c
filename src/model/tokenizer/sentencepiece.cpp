#include "model/tokenizer/sentencepiece.hpp"

#include <sentencepiece_processor.h>

#include <unordered_map>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"
#include "model/tokenizer/added_tokens.hpp"
#include "model/tokenizer/character_map.hpp"

namespace attnlab {
namespace {

using Processor = sentencepiece::SentencePieceProcessor;

// --- sentencepiece_model.proto, as bytes: fields by number, texts with their length before them

void add_number(std::string& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7U) bytes += static_cast<char>((number & 0x7FU) | 0x80U);
  bytes += static_cast<char>(number);
}
void add_field(std::string& bytes, std::uint64_t field, std::uint64_t number) {
  add_number(bytes, field << 3U);
  add_number(bytes, number);
}
void add_field(std::string& bytes, std::uint64_t field, float number) {
  add_number(bytes, field << 3U | 5U);
  std::array<char, 4> four{};
  std::memcpy(four.data(), &number, four.size());
  bytes.append(four.data(), four.size());
}
void add_field(std::string& bytes, std::uint64_t field, std::string_view text) {
  add_number(bytes, field << 3U | 2U);
  add_number(bytes, text.size());
  bytes += text;
}

/// ModelProto{pieces = 1, trainer_spec = 2, normalizer_spec = 3}.
std::string model_proto(const SentencePieces& all) {
  std::string model;
  bool has_bytes = false;
  std::uint64_t unknown = 0;
  for (std::size_t i = 0; i < all.pieces.size(); ++i) {
    std::string piece;
    add_field(piece, 1, all.pieces[i]);
    add_field(piece, 2, all.scores[i]);
    add_field(piece, 3, static_cast<std::uint64_t>(all.types[i]));
    add_field(model, 1, piece);
    has_bytes = has_bytes || all.types[i] == PieceType::byte;
    if (all.types[i] == PieceType::unknown) unknown = i;
  }
  std::string trainer;
  add_field(trainer, 3, std::uint64_t{all.is_unigram ? 1U : 2U});
  add_field(trainer, 35, std::uint64_t{has_bytes ? 1U : 0U});
  add_field(trainer, 40, unknown);
  add_field(model, 2, trainer);
  std::string normalizer;
  add_field(normalizer, 2, all.character_map);
  add_field(normalizer, 3, std::uint64_t{all.prepends_blank ? 1U : 0U});
  add_field(normalizer, 4, std::uint64_t{0});  // extra white space stays
  add_field(normalizer, 5, std::uint64_t{1});  // ▁ for a blank
  add_field(model, 3, normalizer);
  return model;
}

[[noreturn]] void refuse_model(const std::string& file) {
  refuse_file(file, {"SentencePiece のモデルになりません", "its pieces make no model of SentencePiece"},
              get_original_again);
}

/// Calls visit(field, number, bytes) with every field of a message: a number, or the bytes of what has a
/// length.
template <class Visit>
void each_field(std::string_view message, const std::string& file, Visit visit) {
  const auto next_number = [&] {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (message.empty()) refuse_model(file);
      const auto byte = static_cast<unsigned char>(message.front());
      message.remove_prefix(1);
      number |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return number;
    }
    refuse_model(file);
  };
  while (!message.empty()) {
    const std::uint64_t tag = next_number();
    const std::uint64_t kind = tag & 7U;  // 0 a number, 1 eight bytes, 2 a length before them, 5 four bytes
    const std::uint64_t number = kind == 0 || kind == 2 ? next_number() : 0;
    const std::uint64_t length = kind == 1 ? 8 : kind == 2 ? number : kind == 5 ? 4 : 0;
    if (tag >> 32U != 0 || kind == 3 || kind == 4 || kind > 5 || length > message.size()) refuse_model(file);
    visit(tag >> 3U, number, message.substr(0, length));
    message.remove_prefix(length);
  }
}

/// The same with the pieces where fairseq's dictionary has them, whose numbers are those of XLM-R's and
/// CamemBERT's tokens: special ones of its own, the file's without its first, <mask>. Source: transformers'
/// tokenization_xlm_roberta.py, tokenization_camembert.py.
std::string in_fairseq_order(std::string_view model, bool is_camembert, const std::string& file) {
  const auto piece = [](std::string_view text, PieceType type) {
    std::string fields;
    add_field(fields, 1, text);
    add_field(fields, 3, static_cast<std::uint64_t>(type));
    return fields;
  };
  std::vector<std::string> left_out{"<unk>", "<s>", "</s>"};
  std::vector<std::string> first{"<s>", "<pad>", "</s>", "<unk>"};
  if (is_camembert) left_out = {"<unk>"};
  if (is_camembert) first = {"<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED"};
  std::string ordered;
  for (const std::string& name : first)
    add_field(ordered, 1, piece(name, name == "<unk>" ? PieceType::unknown : PieceType::control));
  std::size_t place = 0;
  each_field(model, file, [&](std::uint64_t part, std::uint64_t /*number*/, std::string_view message) {
    if (part != 1 || place++ >= left_out.size()) return add_field(ordered, part, message);
    each_field(message, file, [&](std::uint64_t field, std::uint64_t /*number*/, std::string_view bytes) {
      if (field == 1 && bytes != left_out[place - 1]) refuse_model(file);
    });
  });
  add_field(ordered, 1, piece("<mask>", PieceType::control));
  return ordered;
}

/// The library trusts maps of characters, and that no more than 64 pieces of the user's begin each other.
void check_model(std::string_view model, const std::string& file) {
  constexpr std::size_t most_nested = 64;
  std::vector<PieceIndex::Piece> of_user;
  each_field(model, file, [&](std::uint64_t part, std::uint64_t /*number*/, std::string_view message) {
    PieceIndex::Piece piece;
    std::uint64_t type = 0;
    if (part != 1 && part != 3 && part != 5) return;
    each_field(message, file, [&](std::uint64_t field, std::uint64_t number, std::string_view bytes) {
      if (part != 1 && field == 2 && !bytes.empty()) CharacterMap(bytes, file);  // of a normalizer_spec
      if (part == 1 && field == 1) piece.text = bytes;
      if (part == 1 && field == 3) type = number;
    });
    check_piece(piece.text);
    if (piece.text.find('\0') != std::string::npos) refuse_model(file);  // the library ends the process
    if (type == static_cast<std::uint64_t>(PieceType::user_defined)) of_user.push_back(piece);
  });
  const PieceIndex index(of_user);
  for (const PieceIndex::Piece& piece : of_user) {
    std::size_t nested = 0;
    index.each_at(piece.text, [&](const PieceIndex::Piece& /*shorter*/) { ++nested; });
    if (nested > most_nested) refuse_model(file);
  }
}

std::shared_ptr<Processor> processor_of(std::string_view model, const std::string& file) {
  check_model(model, file);
  auto processor = std::make_shared<Processor>();
  const auto status = processor->LoadFromSerializedProto(model);
  if (!status.ok() || processor->GetPieceSize() <= 0) refuse_model(file);
  return processor;
}

/// Those that no text may hold by themselves: what the file calls control and unknown, and what the files of
/// the folder add. They become the tokenizer's.
AddedTokens special_tokens_of(const Processor& processor, const std::filesystem::path& folder,
                              const std::string& file, Tokenizer& tokenizer) {
  std::vector<AddedToken> added;
  std::unordered_map<std::string, std::size_t> places;
  std::set<std::size_t> described;
  for (std::size_t i = 0; i < tokenizer.pieces.size(); ++i) places.emplace(tokenizer.pieces[i], i);
  const auto place_of = [&](const std::string& name) {
    const auto found = places.find(name);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  };
  for (const Config& one : added_tokens_beside(folder, place_of)) {
    added.push_back(added_token_of(one, file));
    const AddedToken& token = added.back();
    const bool is_new = token.place >= tokenizer.pieces.size();
    if (is_new) tokenizer.pieces.resize(token.place + 1);
    if (!is_new && tokenizer.pieces[token.place] != token.content) {
      refuse_file(file,
                  text("tokenizer_config.json では {} 番は {} ですが、ここでは {} です",
                       "its token {0} is {2}, but {1} in tokenizer_config.json", token.place,
                       quotation(token.content), quotation(tokenizer.pieces[token.place])),
                  {"tokenizer.json を使ってください", "use its tokenizer.json"});
    }
    tokenizer.pieces[token.place] = token.content;
    if (truth_in(one, "special", true)) tokenizer.special.insert(token.place);
    described.insert(token.place);
  }
  for (int token = 0; token < processor.GetPieceSize(); ++token) {
    const auto place = static_cast<std::size_t>(token);
    if (!processor.IsControl(token) && !processor.IsUnknown(token)) continue;
    tokenizer.special.insert(place);
    if (described.count(place) == 0) added.push_back({tokenizer.pieces[place], place});
  }
  return AddedTokens(std::move(added));
}

Tokenizer tokenizer_by(const std::shared_ptr<Processor>& processor, const std::filesystem::path& folder,
                       const std::string& file) {
  Tokenizer tokenizer;
  tokenizer.kind = "SentencePiece";
  tokenizer.source = file;
  for (int token = 0; token < processor->GetPieceSize(); ++token)
    tokenizer.pieces.push_back(processor->IdToPiece(token));
  const AddedTokens special = special_tokens_of(*processor, folder, file, tokenizer);
  tokenizer.size = tokenizer.pieces.size();
  for (const char* name : mask_names) {
    const auto found = std::find(tokenizer.pieces.begin(), tokenizer.pieces.end(), name);
    if (found != tokenizer.pieces.end())
      tokenizer.mask = static_cast<std::size_t>(found - tokenizer.pieces.begin());
  }
  tokenizer.encode = [processor, special](const std::string& text) {
    Tokens tokens;
    special.encode(text, tokens, [&](const std::string& between) {
      const std::vector<int> ids = processor->EncodeAsIds(between);
      tokens.insert(tokens.end(), ids.begin(), ids.end());
    });
    return tokens;
  };
  tokenizer.decode = [processor](const Tokens& tokens) {
    std::vector<int> ids;
    for (const std::size_t token : tokens) {
      const bool is_known = token < static_cast<std::size_t>(processor->GetPieceSize());
      if (is_known && !processor->IsControl(static_cast<int>(token))) ids.push_back(static_cast<int>(token));
    }
    return processor->DecodeIds(ids);
  };
  return tokenizer;
}

}  // namespace

Tokenizer sentencepiece_of(const SentencePieces& pieces, const std::string& file) {
  return tokenizer_by(processor_of(model_proto(pieces), file), {}, file);
}

Tokenizer sentencepiece_model(const std::string& file, const std::string& model_type) {
  const SharedBytes bytes = bytes_of(file);
  check_text_size(bytes.view, file);
  const bool is_fairseq = model_type == "xlm-roberta" || model_type == "camembert";
  const std::shared_ptr<Processor> processor =
      is_fairseq ? processor_of(in_fairseq_order(bytes.view, model_type == "camembert", file), file)
                 : processor_of(bytes.view, file);
  const std::filesystem::path path = file;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  Tokenizer tokenizer = tokenizer_by(processor, folder, file);
  const std::filesystem::path config_file = folder / "tokenizer_config.json";
  const Config config = is_file(config_file) ? json_of_file(config_file.string()) : Config::object();
  if (const int first = processor->bos_id(); first >= 0) {
    tokenizer.beginning = static_cast<std::size_t>(first);
    if (truth_in(config, "add_bos_token", true)) tokenizer.before = {static_cast<std::size_t>(first)};
  }
  if (const int last = processor->eos_id(); last >= 0) {
    tokenizer.endings = {static_cast<std::size_t>(last)};
    if (truth_in(config, "add_eos_token", is_fairseq)) tokenizer.behind = {static_cast<std::size_t>(last)};
  }
  return tokenizer;
}

}  // namespace attnlab
