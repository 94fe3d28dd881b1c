#include "model/tokenizer/piece_index.hpp"

#include "core/error.hpp"
#include "core/utf8.hpp"

namespace attnlab {

void check_piece(std::string_view piece) {
  constexpr std::size_t longest = 1024;
  if (piece.size() <= longest) return;
  refuse_failed(text("トークナイザーのトークン {} は {} バイトあります",
                     "the tokenizer's token {} has {} bytes", quotation(piece), piece.size()),
                text("{} バイトまでです", "{} at most can be taken", longest));
}

PieceIndex::PieceIndex(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {
  for (const Piece& piece : pieces_) check_piece(piece.text);
  const auto is_empty = [](const Piece& piece) { return piece.text.empty(); };
  pieces_.erase(std::remove_if(pieces_.begin(), pieces_.end(), is_empty), pieces_.end());
  std::stable_sort(pieces_.begin(), pieces_.end(),
                   [](const Piece& a, const Piece& b) { return a.text < b.text; });
}

PieceIndex::Range PieceIndex::narrowed(Range range, std::size_t place, std::string_view text) const {
  const auto byte_of_piece = [&](const Piece& piece) {
    return static_cast<unsigned char>(piece.text[place]);
  };
  const auto byte = static_cast<unsigned char>(text[place]);
  if (range.first == range.last) return range;
  const auto first = pieces_.begin() + static_cast<std::ptrdiff_t>(range.first);
  const auto last = pieces_.begin() + static_cast<std::ptrdiff_t>(range.last);
  if (byte_of_piece(*first) == byte && byte_of_piece(*(last - 1)) == byte) return range;
  const auto begin =
      std::partition_point(first, last, [&](const Piece& piece) { return byte_of_piece(piece) < byte; });
  const auto end =
      std::partition_point(begin, last, [&](const Piece& piece) { return byte_of_piece(piece) == byte; });
  return {static_cast<std::size_t>(begin - pieces_.begin()), static_cast<std::size_t>(end - pieces_.begin())};
}

std::optional<PieceIndex::Piece> PieceIndex::longest_at(std::string_view text) const {
  std::optional<Piece> longest;
  each_at(text, [&](const Piece& piece) { longest = piece; });
  return longest;
}

}  // namespace attnlab
