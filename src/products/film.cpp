#include "products/film.hpp"

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/run_program.hpp"

namespace attnlab {
namespace {

constexpr double usual_pixels = 960.0 * 640.0;        // of a frame: text is as large in every shape of page
constexpr double most_film_pixels = 4096.0 * 4096.0;  // of a frame; a few of them are in memory
constexpr double most_film_pixels_a_side = 16383.0;   // of H.264

[[noreturn]] void refuse_without_ffmpeg() {
  refuse_failed(
      {"mp4 は ffmpeg で作りますが、入っていません", "an mp4 is made by ffmpeg, which is not installed"},
      {"apt install ffmpeg で入れるか、-o film.gif としてください",
       "install it (apt install ffmpeg), or write -o film.gif"});
}

/// Of the GIF: what it loses by its colours is less than what H.264 does. Players of all kinds take even
/// sizes and a steady rate alone, in which frames stand for multiples of 2 hundredths of a second.
std::string encode_mp4(const Film& film) {
  const PassingFolder folder;
  folder.write("film.gif", encode_gif(film));
  const std::optional<int> code = run_program({"ffmpeg",    "-nostdin",
                                               "-loglevel", "error",
                                               "-i",        "film.gif",
                                               "-vf",       "fps=50,crop=trunc(iw/2)*2:trunc(ih/2)*2",
                                               "-c:v",      "libx264",
                                               "-pix_fmt",  "yuv420p",
                                               "-fflags",   "+bitexact",
                                               "-flags:v",  "+bitexact",
                                               "-movflags", "+faststart",
                                               "-metadata", "title=" + film.metadata.title,
                                               "-metadata", "comment=" + film.metadata.command,
                                               "film.mp4"},
                                              folder.path());
  if (!code) refuse_without_ffmpeg();
  refuse_if_interrupted();
  if (*code != 0) {
    refuse_failed({"ffmpeg が mp4 を作れませんでした", "ffmpeg could not make the mp4"},
                  Text::same(quotation(folder.read("said"))));
  }
  return folder.read("film.mp4");
}

void require_ffmpeg() {
  const PassingFolder folder;
  if (!run_program({"ffmpeg", "-version"}, folder.path())) refuse_without_ffmpeg();
  refuse_if_interrupted();
}

bool is_mp4(const std::filesystem::path& file) {
  const std::string extension = lower_case(file.extension().string());
  if (extension == ".gif" || extension == ".mp4") return extension == ".mp4";
  refuse_usage(text("-o {} の拡張子では動画の形式が決まりません",
                    "the extension of -o {} names no format of films", quotation(file.string())),
               {"拡張子は .gif か .mp4 にしてください", "end the name in .gif or .mp4"});
}

}  // namespace

void check_film_file(const std::filesystem::path& file) {
  if (is_mp4(file)) require_ffmpeg();
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

Film painted_film(const FrameLayouts& layouts, const Sequence& sequence, double dpi,
                  const Metadata& metadata) {
  const auto frame_at = [&layouts, pictures = sequence.pictures, dpi](std::size_t index) {
    return paint_pixels({layouts.at(pictures[index]).list, {}}, dpi);
  };
  return {sequence.pictures.size(), frame_at, sequence.centiseconds, Repeat::for_ever, dpi, metadata};
}

std::string film_bytes(const std::filesystem::path& file, Film film, const Progress& progress) {
  const auto all = static_cast<double>(film.frames * gif_passes);
  double painted = 0.0;
  film.frame_at = [&, frame_at = film.frame_at](std::size_t index) {
    progress(painted / all);
    painted += 1.0;
    return frame_at(index);
  };
  return is_mp4(file) ? encode_mp4(film) : encode_gif(film);
}

}  // namespace attnlab
