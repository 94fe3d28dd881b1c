// The blocks of a lecture that are no figures of their own: what they ask for, run and drawn.
#pragma once

#include "attnlab/lecture/lecture_runs.hpp"
#include "lecture/built_lecture.hpp"

namespace attnlab {

/// Every block of the lecture that is no figure, in each language.
struct BuiltBlocks {
  std::map<const LectureBlock*, std::vector<BuiltBlock>> of;
  std::vector<Text> warnings;                 // with their place in the manifest
  std::vector<std::filesystem::path> inputs;  // files that were read
};

/// Throws Error (failed) that names the manifest's line for whatever a block asks and does not get.
BuiltBlocks built_blocks(const Lecture& lecture, const std::string& manifest, LectureRuns& runs);

// --- Pictures on a page (page_pictures.cpp)

/// A page as narrow as a telephone's, where a point is a pixel.
Look on_telephone(Look look);

/// Who chooses between light and dark.
enum class ThemeBy { reader, look };

/// The manifest's theme before the reader's setting.
ThemeBy theme_chooser(const Lecture& lecture, const LectureFigure& entry);

/// Without the title and the caption, which a page says beside it.
ThemedPicture themed_picture(const Figure& figure, Look look, ThemeBy chooser);

/// For the look of a telephone: charts and maps stand below each other, labels beside arrows have room, and
/// its page is as high as all that needs.
Figure arranged_on_telephone(Figure figure, const Look& look);

/// The same as themed_picture on a telephone.
ThemedPicture telephone_picture(Figure figure, const Look& look, ThemeBy chooser);

// --- Blocks that move (moving_blocks.cpp)

struct MovingBlock {
  BuiltBlock block;
  std::vector<Text> warnings;
  std::vector<std::filesystem::path> inputs = {};  // files that it read
};
MovingBlock sliders_in(const SlidersBlock& sliders, const Lecture& lecture, Language language);
MovingBlock film_in(const FilmBlock& asked, const Lecture& lecture, Language language, LectureRuns& runs);

}  // namespace attnlab
