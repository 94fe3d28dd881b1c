// Which pieces of a vocabulary a text goes on with.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Throws Error (failed) for a piece of more than 1024 bytes: texts of such pieces could take gigabytes and
/// days.
void check_piece(std::string_view piece);

class PieceIndex {
 public:
  struct Piece {
    std::string_view text;  // which outlives the index
    std::size_t token = 0;
  };

  PieceIndex() = default;
  /// Pieces without a letter are passed over; all are checked.
  explicit PieceIndex(std::vector<Piece> pieces);

  /// Calls visit(piece) with every piece that the text begins with, the shortest first: in as many steps as
  /// the longest of them has bytes, whatever the size of vocabulary and text.
  template <class Visit>
  void each_at(std::string_view text, Visit visit) const {
    Range range{0, pieces_.size()};
    for (std::size_t length = 0; range.last - range.first > 1; ++length) {
      for (; range.first < range.last && pieces_[range.first].text.size() == length; ++range.first)
        visit(pieces_[range.first]);
      range = length < text.size() ? narrowed(range, length, text) : Range{};
    }
    if (range.first < range.last && starts_with(text, pieces_[range.first].text)) visit(pieces_[range.first]);
  }

  std::optional<Piece> longest_at(std::string_view text) const;

 private:
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  static bool starts_with(std::string_view text, std::string_view piece) {
    return text.substr(0, piece.size()) == piece;
  }
  /// Those of them that go on with the text's byte at `place`; all have those before it.
  Range narrowed(Range range, std::size_t place, std::string_view text) const;

  std::vector<Piece> pieces_;  // by their bytes
};

}  // namespace attnlab
