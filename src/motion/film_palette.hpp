// The 255 colours that serve a whole film best.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "plotting/pixels.hpp"

namespace attnlab {

/// How many pixels have each colour, over all frames that were counted.
class ColourCounts {
 public:
  void count(const Pixels& pixels);

  struct Entry {
    std::uint32_t colour = 0;
    std::uint64_t pixels = 0;
  };
  /// In the order of the colours' numbers: the same film, the same order.
  std::vector<Entry> entries() const;

 private:
  std::unordered_map<std::uint32_t, std::uint64_t> pixels_of_;
};

/// Colours of a film and the place of each in a palette of at most 255; the 256th is left for transparency.
class FilmPalette {
 public:
  /// Chosen by libimagequant; exact where there are few colours. Throws Error (failed).
  explicit FilmPalette(const ColourCounts& counts);

  const std::vector<std::uint32_t>& colours() const { return colours_; }
  /// The nearest colour of the palette, for a colour that was counted.
  std::uint8_t index_of(std::uint32_t colour) const { return indices_.at(colour); }

 private:
  std::vector<std::uint32_t> colours_;
  std::unordered_map<std::uint32_t, std::uint8_t> indices_;
};

}  // namespace attnlab
