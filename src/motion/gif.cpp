// GIF by giflib: one palette for the film, and of each frame only what has changed.
#include <gif_lib.h>

#include <unordered_map>

#include "core/error.hpp"
#include "motion/film.hpp"

namespace attnlab {
namespace {

// --- The 255 colours that serve a whole film best

constexpr int most_colours = 255;

/// How many pixels have each colour, over all frames that were counted.
using ColourCounts = std::unordered_map<std::uint32_t, std::uint64_t>;
using ColourCount = std::pair<std::uint32_t, std::uint64_t>;

/// Colours of a film, at most 255 (the 256th is left for transparency), and for each colour that was counted
/// the place of the nearest.
struct FilmPalette {
  std::vector<std::uint32_t> colours;
  std::unordered_map<std::uint32_t, std::uint8_t> place_of;
};

constexpr std::array<unsigned, 3> channel_shifts{16U, 8U, 0U};

unsigned char channel(std::uint32_t colour, unsigned shift) {
  return static_cast<unsigned char>((colour >> shift) & 0xFFU);
}

/// Colours that get one entry of the palette: their mean.
struct ColourBox {
  std::vector<ColourCount> entries;
  std::array<double, 3> mean{};    // red, green, blue, weighted by pixels
  std::array<double, 3> spread{};  // sums of squared deviations

  explicit ColourBox(std::vector<ColourCount> colours) : entries(std::move(colours)) {
    for (std::size_t i = 0; i < channel_shifts.size(); ++i) {
      double pixels = 0.0;
      double sum = 0.0;
      double squares = 0.0;
      for (const auto& [colour, count] : entries) {
        const auto weight = static_cast<double>(count);
        const double value = channel(colour, channel_shifts[i]);
        pixels += weight;
        sum += weight * value;
        squares += weight * value * value;
      }
      mean[i] = sum / pixels;
      spread[i] = squares - sum * mean[i];
    }
  }
  std::size_t widest() const {
    return static_cast<std::size_t>(std::max_element(spread.begin(), spread.end()) - spread.begin());
  }
  bool can_be_cut() const { return entries.size() > 1; }
  std::uint32_t colour() const {
    std::uint32_t packed = 0;
    for (std::size_t i = 0; i < channel_shifts.size(); ++i)
      packed |= static_cast<std::uint32_t>(std::lround(mean[i])) << channel_shifts[i];
    return packed;
  }
};

/// In two at the mean of its widest channel; of two colours or more, neither part is empty.
std::pair<ColourBox, ColourBox> cut(ColourBox box) {
  const std::size_t widest = box.widest();
  const auto middle =
      std::stable_partition(box.entries.begin(), box.entries.end(), [&](const ColourCount& entry) {
        return channel(entry.first, channel_shifts[widest]) < box.mean[widest];
      });
  std::vector<ColourCount> upper(middle, box.entries.end());
  box.entries.erase(middle, box.entries.end());
  return {ColourBox(std::move(box.entries)), ColourBox(std::move(upper))};
}

/// The paper, which most pixels show, as it is; the others by cutting the box that spreads most, again and
/// again. Source: Heckbert 1982, with the cut at the mean as in Wu 1991.
std::vector<std::uint32_t> chosen_colours(std::vector<ColourCount> entries) {
  const auto paper = std::max_element(entries.begin(), entries.end(), [](const auto& one, const auto& other) {
    return one.second < other.second;
  });
  std::vector<std::uint32_t> colours{paper->first};
  entries.erase(paper);
  std::vector<ColourBox> boxes{ColourBox(std::move(entries))};
  const auto most_spread = [](const ColourBox& one, const ColourBox& other) {
    const auto spread_of = [](const ColourBox& box) {
      return box.can_be_cut() ? box.spread[box.widest()] : -1.0;
    };
    return spread_of(one) < spread_of(other);
  };
  while (boxes.size() + 1 < static_cast<std::size_t>(most_colours)) {
    const auto box = std::max_element(boxes.begin(), boxes.end(), most_spread);
    auto [lower, upper] = cut(std::move(*box));
    *box = std::move(lower);
    boxes.push_back(std::move(upper));
  }
  for (const ColourBox& box : boxes) colours.push_back(box.colour());
  return colours;
}

int squared_distance(std::uint32_t one, std::uint32_t other) {
  int sum = 0;
  for (const unsigned shift : channel_shifts) {
    const int distance = static_cast<int>(channel(one, shift)) - static_cast<int>(channel(other, shift));
    sum += distance * distance;
  }
  return sum;
}

std::uint8_t nearest(const std::vector<std::uint32_t>& colours, std::uint32_t colour) {
  const auto found = std::min_element(colours.begin(), colours.end(), [colour](auto one, auto other) {
    return squared_distance(one, colour) < squared_distance(other, colour);
  });
  return static_cast<std::uint8_t>(found - colours.begin());
}

void count(const Pixels& pixels, ColourCounts& counts) {
  const std::vector<std::uint32_t>& values = pixels.values;
  for (std::size_t begin = 0, end = 0; begin < values.size();
       begin = end) {  // by runs: most of a figure is paper
    while (end < values.size() && values[end] == values[begin]) ++end;
    counts[values[begin]] += end - begin;
  }
}

/// Exact where there are few colours.
FilmPalette palette_of(const ColourCounts& counts) {
  std::vector<ColourCount> entries(counts.begin(), counts.end());
  std::sort(entries.begin(), entries.end());  // the same film, the same order
  FilmPalette palette;
  if (entries.size() <= static_cast<std::size_t>(most_colours)) {
    for (const auto& [colour, pixels] : entries) palette.colours.push_back(colour);
  } else {
    palette.colours = chosen_colours(entries);
  }
  for (const auto& [colour, pixels] : entries) palette.place_of[colour] = nearest(palette.colours, colour);
  return palette;
}

// --- The file

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

struct GifRelease {
  void operator()(GifFileType* gif) const { EGifCloseFile(gif, nullptr); }
};

class GifWriter {
 public:
  explicit GifWriter(std::string& bytes) {
    int error = 0;
    gif_.reset(EGifOpen(&bytes, append, &error));
    if (gif_ == nullptr) fail(error);
    EGifSetGifVersion(gif_.get(), true);
  }

  void begin(const Pixels& first, const FilmPalette& palette, const Film& film) {
    std::array<GifColorType, palette_size> colours{};
    std::transform(palette.colours.begin(), palette.colours.end(), colours.begin(), [](std::uint32_t colour) {
      return GifColorType{channel(colour, 16), channel(colour, 8), channel(colour, 0)};
    });
    ColorMapObject* map = GifMakeMapObject(palette_size, colours.data());
    if (map == nullptr) fail(E_GIF_ERR_NOT_ENOUGH_MEM);
    const int done = EGifPutScreenDesc(gif_.get(), static_cast<int>(first.width),
                                       static_cast<int>(first.height), colour_bits, 0, map);
    GifFreeMapObject(map);
    require(done);
    if (film.repeat == Repeat::for_ever) put_loop();
    require(EGifPutComment(gif_.get(), film.metadata.command.c_str()));
  }

  void put_frame(const Part& part, int centiseconds, std::vector<GifPixelType>& indices) {
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, centiseconds, transparent};
    std::array<GifByteType, 4> block{};
    EGifGCBToExtension(&control, block.data());
    require(
        EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, static_cast<int>(block.size()), block.data()));
    require(EGifPutImageDesc(gif_.get(), static_cast<int>(part.left), static_cast<int>(part.top),
                             static_cast<int>(part.width), static_cast<int>(part.height), false, nullptr));
    for (std::size_t row = 0; row < part.height; ++row) {
      require(EGifPutLine(gif_.get(), indices.data() + row * part.width, static_cast<int>(part.width)));
    }
  }

  void end() {
    int error = 0;
    if (EGifCloseFile(gif_.release(), &error) == GIF_ERROR) fail(error);
  }

 private:
  void require(int done) const {
    if (done == GIF_ERROR) fail(gif_->Error);
  }

  /// Netscape's extension; without it a film runs once.
  void put_loop() {
    static constexpr std::array<GifByteType, 3> for_ever{1, 0, 0};
    const std::string name = "NETSCAPE2.0";
    require(EGifPutExtensionLeader(gif_.get(), APPLICATION_EXT_FUNC_CODE));
    require(EGifPutExtensionBlock(gif_.get(), static_cast<int>(name.size()), name.data()));
    require(EGifPutExtensionBlock(gif_.get(), static_cast<int>(for_ever.size()), for_ever.data()));
    require(EGifPutExtensionTrailer(gif_.get()));
  }

  std::unique_ptr<GifFileType, GifRelease> gif_;
};

/// The part's pixels by their place in the palette; those that look as `before` are transparent.
std::vector<GifPixelType> indices_of(const Part& part, const Pixels& pixels,
                                     const std::optional<Pixels>& before, const FilmPalette& palette) {
  std::vector<GifPixelType> indices;
  indices.reserve(part.width * part.height);
  std::uint32_t last_colour = pixels.values.front();
  GifPixelType last_index = palette.place_of.at(last_colour);
  for (std::size_t row = part.top; row < part.top + part.height; ++row) {
    for (std::size_t at = row * pixels.width + part.left; at < row * pixels.width + part.left + part.width;
         ++at) {
      const std::uint32_t colour = pixels.values[at];
      if (colour != last_colour) {
        last_colour = colour;
        last_index = palette.place_of.at(colour);
      }
      const bool stays =
          before && (before->values[at] == colour || palette.place_of.at(before->values[at]) == last_index);
      indices.push_back(stays ? transparent : last_index);
    }
  }
  return indices;
}

}  // namespace

std::string encode_gif(const Film& film) {
  ColourCounts counts;
  for (std::size_t i = 0; i < film.frames; ++i) count(film.frame_at(i), counts);
  const FilmPalette palette = palette_of(counts);

  std::string bytes;
  GifWriter writer(bytes);
  std::optional<Pixels> before;
  for (std::size_t i = 0; i < film.frames; ++i) {
    Pixels pixels = film.frame_at(i);
    if (!before) writer.begin(pixels, palette, film);
    const Part part = before ? changed_part(*before, pixels) : Part{0, 0, pixels.width, pixels.height};
    std::vector<GifPixelType> indices = indices_of(part, pixels, before, palette);
    writer.put_frame(part, film.centiseconds[i], indices);
    before = std::move(pixels);
  }
  writer.end();
  return bytes;
}

}  // namespace attnlab
