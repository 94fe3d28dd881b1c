// Films: frames painted and encoded.
#pragma once

#include "motion/film.hpp"
#include "products/frame_layouts.hpp"
#include "products/run.hpp"

namespace attnlab {

/// Before the film is made. Throws Error (usage) for an extension that names no format of films, naming both;
/// Error (failed) of an mp4 where there is no ffmpeg.
void check_film_file(const std::filesystem::path& file);

/// A resolution at which text is as large in every shape of page.
double film_dpi(const PageSize& page);

/// Throws Error (usage) for a film whose frames are too large.
void check_film_pixels(const PageSize& page, double dpi);

/// Its frames are painted when they are asked for; the layouts must outlive it.
Film painted_film(const FrameLayouts& layouts, const Sequence& sequence, double dpi,
                  const Metadata& metadata);

/// In the format of the file's extension.
std::string film_bytes(const std::filesystem::path& file, Film film, const Progress& progress);

}  // namespace attnlab
