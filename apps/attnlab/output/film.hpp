// Films: frames laid out in the same room, painted and encoded.
#pragma once

#include "attnlab/output/render.hpp"
#include "attnlab/terminal/console.hpp"
#include "motion/film.hpp"

namespace attnlab {

struct FilmFormat {
  std::string extension;
  std::string (*encode)(const Film&);
  std::size_t passes;  // over the frames
};

/// The format that a film's extension asks for. Throws Error (usage) naming the three.
const FilmFormat& film_format_of(const std::filesystem::path& file);

/// The ends of the colours stay what they are in common to all frames.
LayoutOptions frame_options(const Look& look, const Figure& figure);

/// A resolution at which text is as large in every shape of page.
double film_dpi(const PageSize& page);

/// Throws Error (usage) for a film whose frames are too large.
void check_film_pixels(const PageSize& page, double dpi);

/// The frames, each laid out in the same room. Figures and look must outlive it.
class FramePainter {
 public:
  FramePainter(const std::vector<Figure>& figures, const Look& look);

  Pixels paint(std::size_t index) const;

  /// Throws NoRoom when a frame does not fit with what the others need around their data.
  void check_room() const;

  const std::vector<Text>& warnings() const { return warnings_; }

 private:
  Layout laid_out(std::size_t index) const;
  void add_warnings(const std::vector<Text>& warnings, const std::vector<Text>& of_colours);

  const std::vector<Figure>& figures_;
  const Look& look_;
  Room room_;
  std::vector<Text> warnings_;
};

/// Paints, encodes and writes it; the bar goes from `from` to 1.
void write_film(const std::filesystem::path& file, Film film, const FramePainter& painter,
                const Sequence& sequence, double from, ProgressBar& bar);

/// "40 frames of 960 x 640 pixels, 4.0 s", on standard error.
void tell_length(const Film& film, const PageSize& page, Language language);

}  // namespace attnlab
