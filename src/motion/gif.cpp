// GIF by giflib: one palette for the film, and of each frame only what has changed.
#include <gif_lib.h>
#include <libimagequant.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/error.hpp"
#include "motion/film.hpp"

// Of OpenMP, on which libimagequant runs: with several threads it adds numbers up in an order of chance.
extern "C" void omp_set_num_threads(int threads);

namespace attnlab {
namespace {

// --- The 255 colours that serve a whole film best
// ------------------------------------------------------------

constexpr int most_colours = 255;

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

// --- The file
// ------------------------------------------------------------------------------------------------

constexpr int palette_size = 256;  // a power of two; the last entry means "as before"
constexpr GifPixelType transparent = 255;
constexpr int colour_bits = 8;

[[noreturn]] void fail(int error) {
  const char* known = GifErrorString(error);
  const std::string reason = known == nullptr ? "giflib" : known;
  throw Error(ErrorKind::failed,
              {"GIF を作れません（" + reason + "）", "cannot encode the GIF (" + reason + ")"},
              {"--size か --dpi を小さくしてください", "try a smaller --size or --dpi"});
}

int append(GifFileType* gif, const GifByteType* bytes, int count) {
  static_cast<std::string*>(gif->UserData)->append(bytes, bytes + count);
  return count;
}

class GifWriter {
 public:
  explicit GifWriter(std::string& bytes) {
    int error = 0;
    gif_ = EGifOpen(&bytes, append, &error);
    if (gif_ == nullptr) fail(error);
    EGifSetGifVersion(gif_, true);
  }
  GifWriter(const GifWriter&) = delete;
  GifWriter& operator=(const GifWriter&) = delete;
  GifWriter(GifWriter&&) = delete;
  GifWriter& operator=(GifWriter&&) = delete;
  ~GifWriter() {
    if (gif_ != nullptr) EGifCloseFile(gif_, nullptr);
  }

  void begin(const Pixels& first, const FilmPalette& palette, const Film& film) {
    std::array<GifColorType, palette_size> colours{};
    std::transform(
        palette.colours().begin(), palette.colours().end(), colours.begin(), [](std::uint32_t colour) {
          return GifColorType{static_cast<GifByteType>(colour >> 16U), static_cast<GifByteType>(colour >> 8U),
                              static_cast<GifByteType>(colour)};
        });
    ColorMapObject* map = GifMakeMapObject(palette_size, colours.data());
    if (map == nullptr) fail(E_GIF_ERR_NOT_ENOUGH_MEM);
    const int done = EGifPutScreenDesc(gif_, static_cast<int>(first.width), static_cast<int>(first.height),
                                       colour_bits, 0, map);
    GifFreeMapObject(map);
    require(done);
    if (film.repeat == Repeat::for_ever) put_loop();
    require(EGifPutComment(gif_, film.metadata.command.c_str()));
  }

  void put_frame(const Part& part, int centiseconds, std::vector<GifPixelType>& indices) {
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, centiseconds, transparent};
    std::array<GifByteType, 4> block{};
    EGifGCBToExtension(&control, block.data());
    require(EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(block.size()), block.data()));
    require(EGifPutImageDesc(gif_, static_cast<int>(part.left), static_cast<int>(part.top),
                             static_cast<int>(part.width), static_cast<int>(part.height), false, nullptr));
    for (std::size_t row = 0; row < part.height; ++row) {
      require(EGifPutLine(gif_, indices.data() + row * part.width, static_cast<int>(part.width)));
    }
  }

  void end() {
    int error = 0;
    GifFileType* gif = gif_;
    gif_ = nullptr;
    if (EGifCloseFile(gif, &error) == GIF_ERROR) fail(error);
  }

 private:
  void require(int done) const {
    if (done == GIF_ERROR) fail(gif_->Error);
  }

  /// Netscape's extension; without it a film runs once.
  void put_loop() {
    static constexpr std::array<GifByteType, 3> for_ever{1, 0, 0};
    const std::string name = "NETSCAPE2.0";
    require(EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE));
    require(EGifPutExtensionBlock(gif_, static_cast<int>(name.size()), name.data()));
    require(EGifPutExtensionBlock(gif_, static_cast<int>(for_ever.size()), for_ever.data()));
    require(EGifPutExtensionTrailer(gif_));
  }

  GifFileType* gif_ = nullptr;
};

/// The part's pixels by their place in the palette; those that look as `before` are transparent.
std::vector<GifPixelType> indices_of(const Part& part, const Pixels& pixels, const Pixels* before,
                                     const FilmPalette& palette) {
  std::vector<GifPixelType> indices;
  indices.reserve(part.width * part.height);
  std::uint32_t last_colour = pixels.values.front();
  GifPixelType last_index = palette.index_of(last_colour);
  for (std::size_t row = part.top; row < part.top + part.height; ++row) {
    for (std::size_t at = row * pixels.width + part.left; at < row * pixels.width + part.left + part.width;
         ++at) {
      const std::uint32_t colour = pixels.values[at];
      if (colour != last_colour) {
        last_colour = colour;
        last_index = palette.index_of(colour);
      }
      const bool stays = before != nullptr &&
                         (before->values[at] == colour || palette.index_of(before->values[at]) == last_index);
      indices.push_back(stays ? transparent : last_index);
    }
  }
  return indices;
}

}  // namespace

std::string encode_gif(const Film& film) {
  ColourCounts counts;
  for (std::size_t i = 0; i < film.frames; ++i) counts.count(film.frame_at(i));
  const FilmPalette palette(counts);

  std::string bytes;
  GifWriter writer(bytes);
  Pixels before = film.frame_at(0);
  writer.begin(before, palette, film);
  std::vector<GifPixelType> indices = indices_of(whole(before), before, nullptr, palette);
  writer.put_frame(whole(before), film.centiseconds[0], indices);
  for (std::size_t i = 1; i < film.frames; ++i) {
    Pixels pixels = film.frame_at(i);
    const Part part = changed_part(before, pixels);
    indices = indices_of(part, pixels, &before, palette);
    writer.put_frame(part, film.centiseconds[i], indices);
    before = std::move(pixels);
  }
  writer.end();
  return bytes;
}

}  // namespace attnlab
