// Films: frames painted and encoded.
#pragma once

#include "attnlab/output/frame_layouts.hpp"
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

/// A resolution at which text is as large in every shape of page.
double film_dpi(const PageSize& page);

/// Throws Error (usage) for a film whose frames are too large.
void check_film_pixels(const PageSize& page, double dpi);

/// Paints, encodes and writes it; the bar goes from `from` to 1.
void write_film(const std::filesystem::path& file, Film film, const FrameLayouts& layouts,
                const Sequence& sequence, double from, ProgressBar& bar);

/// "40 frames of 960 x 640 pixels, 4.0 s", on standard error.
void tell_length(const Film& film, const PageSize& page, Language language);

}  // namespace attnlab
