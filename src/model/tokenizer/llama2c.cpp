// llama2.c's tokenizer.bin: SentencePiece's pieces with their scores.
#include "core/error.hpp"
#include "io/unreadable.hpp"
#include "model/tokenizer/sentencepiece.hpp"

namespace attnlab {
namespace {

const Text export_again{"llama2.c の tokenizer.py で作り直してください",
                        "make it again with llama2.c's tokenizer.py"};

template <class Number>
Number number_at(std::string_view bytes, std::size_t& place, const std::string& file) {
  Number number{};
  if (place + sizeof number > bytes.size()) {
    refuse_file(file, at_byte(place), {"途中で終わっています", "it ends early"}, export_again);
  }
  std::memcpy(&number, bytes.data() + place, sizeof number);
  place += sizeof number;
  return number;
}

SentencePieces scored_pieces(const std::string& file) {
  const SharedBytes bytes = bytes_of(file);
  SentencePieces all;
  std::size_t place = 0;
  number_at<std::int32_t>(bytes.view, place, file);  // the longest piece
  while (place < bytes.view.size()) {
    const auto score = number_at<float>(bytes.view, place, file);
    const std::size_t begin = place;
    const auto length = number_at<std::int32_t>(bytes.view, place, file);
    if (length < 0 || static_cast<std::size_t>(length) > bytes.view.size() - place || std::isnan(score)) {
      refuse_file(file, at_byte(begin),
                  {"トークンの長さかスコアが正しくありません", "a token's length or score makes no sense"},
                  export_again);
    }
    std::string piece;
    for (const char letter : bytes.view.substr(place, static_cast<std::size_t>(length)))
      piece += letter == ' ' ? "\xE2\x96\x81" : std::string(1, letter);
    all.types.push_back(byte_of(piece) ? PieceType::byte : PieceType::normal);
    all.pieces.push_back(std::move(piece));
    all.scores.push_back(score);
    place += static_cast<std::size_t>(length);
  }
  const std::array<std::string, 3> names{"<unk>", "<s>", "</s>"};  // which stand there between line ends
  for (std::size_t i = 0; i < std::min(names.size(), all.pieces.size()); ++i) {
    all.pieces[i] = names.at(i);
    all.types[i] = i == 0 ? PieceType::unknown : PieceType::control;
  }
  return all;
}

}  // namespace

Tokenizer llama2c_tokenizer(const std::string& file, std::size_t vocabulary) {
  const SentencePieces all = scored_pieces(file);
  if (all.pieces.size() != vocabulary) refuse_vocabulary(file, all.pieces.size(), vocabulary);
  Tokenizer tokenizer = sentencepiece_of(all, file);
  tokenizer.endings = {1};  // between stories
  if (tokenizer.size > 1) {
    tokenizer.beginning = 1;
    tokenizer.before = {1};
  }
  if (tokenizer.size > 2) tokenizer.endings.insert(2);
  return tokenizer;
}

}  // namespace attnlab
