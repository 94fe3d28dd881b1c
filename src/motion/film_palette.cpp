#include "motion/film_palette.hpp"

#include <libimagequant.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "core/error.hpp"

// Of OpenMP, on which libimagequant runs: with several threads it adds numbers up in an order of chance.
extern "C" void omp_set_num_threads(int threads);

namespace attnlab {
namespace {

constexpr int most_colours = 255;

struct QuantRelease {
  void operator()(liq_attr* attributes) const { liq_attr_destroy(attributes); }
  void operator()(liq_histogram* histogram) const { liq_histogram_destroy(histogram); }
  void operator()(liq_result* result) const { liq_result_destroy(result); }
};

unsigned char channel(std::uint32_t colour, unsigned shift) {
  return static_cast<unsigned char>((colour >> shift) & 0xFFU);
}

liq_color liq_colour(std::uint32_t colour) {
  return {channel(colour, 16), channel(colour, 8), channel(colour, 0), 0xFF};
}

void require(bool success) {
  if (success) return;
  throw Error(ErrorKind::failed,
              {"GIF の色を選べません（libimagequant）", "cannot choose the GIF's colours (libimagequant)"},
              {"-o に .webp か .png を指定してください", "choose .webp or .png after -o"});
}

std::vector<std::uint32_t> chosen_colours(const std::vector<ColourCounts::Entry>& entries) {
  omp_set_num_threads(1);
  const std::unique_ptr<liq_attr, QuantRelease> attributes(liq_attr_create());
  require(attributes != nullptr && liq_set_max_colors(attributes.get(), most_colours) == LIQ_OK);
  const std::unique_ptr<liq_histogram, QuantRelease> histogram(liq_histogram_create(attributes.get()));
  require(histogram != nullptr);
  std::vector<liq_histogram_entry> counted;
  counted.reserve(entries.size());
  for (const ColourCounts::Entry& entry : entries) {
    const auto pixels = std::min<std::uint64_t>(entry.pixels, std::numeric_limits<int>::max());
    counted.push_back({liq_colour(entry.colour), static_cast<unsigned>(pixels)});
  }
  constexpr double srgb = 0.0;  // what libimagequant takes 0 for
  require(liq_histogram_add_colors(histogram.get(), attributes.get(), counted.data(),
                                   static_cast<int>(counted.size()), srgb) == LIQ_OK);
  // The paper, which most pixels show, as it is.
  const auto paper = std::max_element(entries.begin(), entries.end(), [](const auto& one, const auto& other) {
    return one.pixels < other.pixels;
  });
  require(liq_histogram_add_fixed_color(histogram.get(), liq_colour(paper->colour), srgb) == LIQ_OK);
  liq_result* raw = nullptr;
  const liq_error error = liq_histogram_quantize(histogram.get(), attributes.get(), &raw);
  const std::unique_ptr<liq_result, QuantRelease> result(raw);
  require(error == LIQ_OK);
  const liq_palette* palette = liq_get_palette(result.get());
  std::vector<std::uint32_t> colours;
  for (unsigned i = 0; i < palette->count; ++i) {
    const liq_color& entry = palette->entries[i];
    colours.push_back((std::uint32_t{entry.r} << 16U) | (std::uint32_t{entry.g} << 8U) | entry.b);
  }
  return colours;
}

int squared_distance(std::uint32_t one, std::uint32_t other) {
  int sum = 0;
  for (const unsigned shift : {16U, 8U, 0U}) {
    const int apart = static_cast<int>(channel(one, shift)) - static_cast<int>(channel(other, shift));
    sum += apart * apart;
  }
  return sum;
}

std::uint8_t nearest(const std::vector<std::uint32_t>& colours, std::uint32_t colour) {
  const auto found = std::min_element(colours.begin(), colours.end(), [colour](auto one, auto other) {
    return squared_distance(one, colour) < squared_distance(other, colour);
  });
  return static_cast<std::uint8_t>(found - colours.begin());
}

}  // namespace

void ColourCounts::count(const Pixels& pixels) {
  std::size_t begin = 0;
  const std::vector<std::uint32_t>& values = pixels.values;
  while (begin < values.size()) {  // run by run: most of a figure is paper
    std::size_t end = begin + 1;
    while (end < values.size() && values[end] == values[begin]) ++end;
    pixels_of_[values[begin]] += end - begin;
    begin = end;
  }
}

std::vector<ColourCounts::Entry> ColourCounts::entries() const {
  std::vector<Entry> entries;
  entries.reserve(pixels_of_.size());
  for (const auto& [colour, pixels] : pixels_of_) entries.push_back({colour, pixels});
  std::sort(entries.begin(), entries.end(),
            [](const Entry& one, const Entry& other) { return one.colour < other.colour; });
  return entries;
}

FilmPalette::FilmPalette(const ColourCounts& counts) {
  const std::vector<ColourCounts::Entry> entries = counts.entries();
  if (entries.size() <= static_cast<std::size_t>(most_colours)) {
    for (const ColourCounts::Entry& entry : entries) colours_.push_back(entry.colour);
  } else {
    colours_ = chosen_colours(entries);
  }
  for (const ColourCounts::Entry& entry : entries) indices_[entry.colour] = nearest(colours_, entry.colour);
}

}  // namespace attnlab
