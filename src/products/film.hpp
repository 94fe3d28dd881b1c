// Films: frames painted and encoded.
#pragma once

#include "motion/film.hpp"
#include "products/frame_layouts.hpp"
#include "products/run.hpp"

namespace attnlab {

struct FilmFormat {
  std::string extension;
  std::string (*encode)(const Film&);
  std::size_t passes;  // over the frames
};

/// The format that a film's extension asks for. Throws Error (usage) naming both.
const FilmFormat& film_format_of(const std::filesystem::path& file);
/// The same, before the film is made. Throws Error (failed) of an mp4 where there is no ffmpeg.
const FilmFormat& usable_film_format(const std::filesystem::path& file);

/// A resolution at which text is as large in every shape of page.
double film_dpi(const PageSize& page);

/// Throws Error (usage) for a film whose frames are too large.
void check_film_pixels(const PageSize& page, double dpi);

/// Paints and encodes it.
std::string film_bytes(const FilmFormat& format, Film film, const FrameLayouts& layouts,
                       const Sequence& sequence, const Progress& progress);

}  // namespace attnlab
