#include "products/film.hpp"

#include "core/error.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr double usual_pixels = 960.0 * 640.0;        // of a frame: text is as large in every shape of page
constexpr double most_film_pixels = 4096.0 * 4096.0;  // of a frame; a few of them are in memory
constexpr double most_film_pixels_a_side = 16383.0;   // of WebP

}  // namespace

const FilmFormat& film_format_of(const std::filesystem::path& file) {
  static const std::vector<FilmFormat> formats{{".gif", encode_gif, gif_passes}, {".webp", encode_webp, 1}};
  const std::string extension = lower_case(file.extension().string());
  for (const FilmFormat& format : formats) {
    if (extension == format.extension) return format;
  }
  refuse_usage(text("-o {} の拡張子では動画の形式が決まりません",
                    "the extension of -o {} names no format of films", quotation(file.string())),
               {"拡張子は .gif か .webp にしてください", "end the name in .gif or .webp"});
}

double film_dpi(const PageSize& page) { return std::sqrt(usual_pixels / (page.width * page.height)); }

void check_film_pixels(const PageSize& page, double dpi) {
  const double width = std::round(page.width * dpi);
  const double height = std::round(page.height * dpi);
  if (width * height <= most_film_pixels && std::max(width, height) <= most_film_pixels_a_side) return;
  refuse_usage(attnlab::text("{:.0f}×{:.0f} ピクセルの動画は大きすぎます",
                             "a film of {:.0f} x {:.0f} pixels is too large", width, height),
               {"1677 万ピクセル、一辺 16383 ピクセルまでです。--dpi か --size を小さくしてください",
                "the most is 4096 x 4096 pixels, and 16383 a side: lower --dpi or --size"});
}

std::string film_bytes(const FilmFormat& format, Film film, const FrameLayouts& layouts,
                       const Sequence& sequence, const Progress& progress) {
  const auto all = static_cast<double>(film.frames * format.passes);
  double painted = 0.0;
  film.frame_at = [&](std::size_t index) {
    progress(painted / all);
    painted += 1.0;
    return paint_pixels({layouts.at(sequence.pictures[index]).list, {}}, film.dpi);
  };
  return format.encode(film);
}

}  // namespace attnlab
