#include "model/tokenizer/sentencepiece.hpp"

#include <sentencepiece_processor.h>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"

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
  add_field(normalizer, 5, std::uint64_t{all.escapes_blanks ? 1U : 0U});
  add_field(model, 3, normalizer);
  return model;
}

std::shared_ptr<Processor> processor_of(std::string_view model, const std::string& file) {
  auto processor = std::make_shared<Processor>();
  const auto status = processor->LoadFromSerializedProto(model);
  if (status.ok() && processor->GetPieceSize() > 0) return processor;
  refuse_file(file, Text::none(),
              {"SentencePiece のモデルになりません", "its pieces make no model of SentencePiece"},
              {"元のファイルをもう一度入手してください", "get the original file again"});
}

SentencePieceCoder coder_by(const std::shared_ptr<Processor>& processor) {
  SentencePieceCoder coder;
  coder.encode = [processor](const std::string& text) {
    const std::vector<int> ids = processor->EncodeAsIds(text);
    return Tokens(ids.begin(), ids.end());
  };
  coder.decode = [processor](const Tokens& tokens) {
    std::vector<int> ids;
    for (const std::size_t token : tokens) {
      const bool is_known = token < static_cast<std::size_t>(processor->GetPieceSize());
      if (is_known && !processor->IsControl(static_cast<int>(token))) ids.push_back(static_cast<int>(token));
    }
    return processor->DecodeIds(ids);
  };
  return coder;
}

Tokenizer tokenizer_by(const std::shared_ptr<Processor>& processor, const std::string& file) {
  Tokenizer tokenizer;
  tokenizer.kind = "SentencePiece";
  tokenizer.source = file;
  tokenizer.size = static_cast<std::size_t>(processor->GetPieceSize());
  for (int token = 0; token < processor->GetPieceSize(); ++token) {
    tokenizer.pieces.push_back(processor->IdToPiece(token));
    if (processor->IsControl(token) || processor->IsUnknown(token))
      tokenizer.special.insert(static_cast<std::size_t>(token));
    if (tokenizer.pieces.back() == "<mask>") tokenizer.mask = token;
  }
  SentencePieceCoder coder = coder_by(processor);
  tokenizer.encode = std::move(coder.encode);
  tokenizer.decode = std::move(coder.decode);
  return tokenizer;
}

}  // namespace

SentencePieceCoder coder_of(const SentencePieces& pieces, const std::string& file) {
  return coder_by(processor_of(model_proto(pieces), file));
}

std::function<std::string(const std::string&)> character_mapping(const std::string& map,
                                                                 const std::string& file) {
  // A model that knows no piece but bytes gives back the bytes of the text that it normalised.
  SentencePieces bytes{{"<unk>"}, {0.0F}, {PieceType::unknown}, false, false, false, map};
  for (int byte = 0; byte < 256; ++byte) {
    bytes.pieces.push_back(fmt::format("<0x{:02X}>", byte));
    bytes.scores.push_back(0.0F);
    bytes.types.push_back(PieceType::byte);
  }
  return [encode = coder_of(bytes, file).encode](const std::string& text) {
    std::string mapped;
    for (const std::size_t token : encode(text)) mapped += static_cast<char>(token - 1);
    return mapped;
  };
}

Tokenizer sentencepiece_of(const SentencePieces& pieces, const std::string& file,
                           std::optional<std::size_t> beginning, std::optional<std::size_t> ending) {
  Tokenizer tokenizer = tokenizer_by(processor_of(model_proto(pieces), file), file);
  const auto in_vocabulary = [&](const std::optional<std::size_t>& token) {
    return token && *token < tokenizer.size;
  };
  if (in_vocabulary(beginning)) {
    tokenizer.beginning = beginning;
    tokenizer.before = {*beginning};
  }
  if (in_vocabulary(ending)) tokenizer.endings = {*ending};
  return tokenizer;
}

Tokenizer sentencepiece_model(const std::string& file) {
  const SharedBytes bytes = bytes_of(file);
  check_text_size(bytes.view, file);
  const std::shared_ptr<Processor> processor = processor_of(bytes.view, file);
  Tokenizer tokenizer = tokenizer_by(processor, file);
  const std::filesystem::path config_file =
      std::filesystem::path(file).parent_path() / "tokenizer_config.json";
  const Config config = is_file(config_file) ? json_of_file(config_file.string()) : Config::object();
  if (const int first = processor->bos_id(); first >= 0) {
    tokenizer.beginning = static_cast<std::size_t>(first);
    if (truth_in(config, "add_bos_token", true)) tokenizer.before = {static_cast<std::size_t>(first)};
  }
  if (const int last = processor->eos_id(); last >= 0) {
    tokenizer.endings = {static_cast<std::size_t>(last)};
    if (truth_in(config, "add_eos_token", false)) tokenizer.behind = {static_cast<std::size_t>(last)};
  }
  return tokenizer;
}

}  // namespace attnlab
