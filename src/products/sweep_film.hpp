// A film of an experiment over the values of one parameter.
#pragma once

#include "products/film.hpp"
#include "products/swept.hpp"

namespace attnlab {

struct SweptRun {
  Run run;  // its arguments without what is swept
  Swept over;
  std::string figure;                  // "" for the main one
  std::optional<double> seconds = {};  // of the whole
  Course course = Course::forth;
  Repeat repeat = Repeat::for_ever;
  std::vector<TypedFlag> typed = {};  // for its length and course
  Look look = {};
  bool is_sized = false;  // by --size, --preset or --dpi, not as films are
};

/// The figure of every value. Throws Error as frame_grid does, and for a figure that there is not.
FrameGrid swept_frames(const SweptRun& request, const std::string& figure, const Progress& progress);

/// "attnlab sweep scaling --keys 30 --over high-dim=2:1024:log:40 --figure scatter --lang en".
std::string film_command(const SweptRun& request, const std::string& figure);

/// The frames, and the look with a page on which every one of them has room.
struct Shot {
  std::vector<Figure> figures;
  std::vector<std::string> names;  // of all figures that the experiment has
  std::vector<Text> warnings;
  Look look;
};

/// The figure that was asked for; without a wish the main one, or the first in which something moves.
Shot shot_of(const SweptRun& request, const Progress& progress);

/// Throws Error (usage) for frames that are too large. The layouts are those of the shot, and must outlive
/// it.
Film film_of(const SweptRun& request, const Shot& shot, const FrameLayouts& layouts);

}  // namespace attnlab
