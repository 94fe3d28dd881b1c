// GIF by giflib: one palette for the film, and of each frame only what has changed.
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "motion/changed_part.hpp"
#include "motion/film.hpp"
#include "motion/film_palette.hpp"

namespace attnlab {
namespace {

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
