// The blocks of a lecture, run and drawn.
#pragma once

#include <mutex>

#include "lecture/built_lecture.hpp"
#include "products/lecture/block_run.hpp"

namespace attnlab {

/// What a lecture can be made into; those from pptx on by pandoc.
enum class LectureOutput {
  html,
  figures,
  data,
  code,
  markdown,
  pptx,
  beamer,
  revealjs,
  docx,
  epub,
  notebook
};
using LectureOutputs = std::set<LectureOutput>;

/// Whether one of the outputs has slides; whether all of those with pictures of documents have.
bool has_slides(const LectureOutputs& outputs);
bool are_all_slides(const LectureOutputs& outputs);

struct BuiltFile {
  std::filesystem::path path;  // from the lecture's folder
  std::string bytes;
};

/// Every run once, however many blocks of however many documents show it; may be asked from several threads.
class LectureRuns {
 public:
  /// Throws Error for what the experiment refuses, and for a run whose invariants do not hold.
  const Report& report(const Run& requested);

 private:
  struct Kept {
    std::once_flag once;
    Report report;
  };

  std::mutex mutex_;
  std::map<std::string, Kept> kept_;
};

/// What blocks are built from, and for.
struct Workshop {
  const Lecture& lecture;
  const LectureOutputs& outputs;
  const std::set<std::string>& pictures;  // formats of those for documents: svg, png, pdf
  LectureRuns& runs;
  const ReadBlock& read;

  bool wants(LectureOutput output) const { return outputs.count(output) != 0; }

  /// Whether documents show a figure that stands there on their slides.
  bool shows(OnSlide place) const {
    return !pictures.empty() && (place != OnSlide::nowhere || !are_all_slides(outputs));
  }
};

/// A block with all that comes of it.
struct BuiltPart {
  BuiltBlock block;
  std::vector<BuiltFile> files = {};
  std::vector<BuiltFile> pictures = {};            // of the document's own, where they lie beside it
  std::vector<Text> warnings = {};                 // without their place
  std::vector<std::filesystem::path> inputs = {};  // files that were read
};

/// Throws Error (failed) that names the document's line for whatever a block asks and does not get.
BuiltPart built_part(const LectureBlock& block, const Workshop& workshop);

// --- Figures (figure_building.cpp)

/// The figures of the request, named after the block or, in steps, as they say.
std::vector<BuiltFigure> draw_figures(const BlockRun& requested, const BlockAttributes& attributes,
                                      const std::string& name, const Workshop& workshop, BuiltPart& part);

/// A picture for documents that pandoc makes: without the title and the caption, which stand beside it. Its
/// files join the part's. Without a report, for one moment of a film, it tells no command. `change` may cover
/// what is to be guessed.
BuiltFigure draw_still(const Figure& figure, const std::string& name, const Report* report,
                       const BlockRun& requested, const Workshop& workshop, BuiltPart& part,
                       const std::function<void(DisplayList&)>& change = {});

/// What stands behind a figure: the block's own caption, or the figure's.
std::string caption_of(const BlockAttributes& attributes, const Figure& figure, Language language);

// --- Pictures of the document's own (own_pictures.cpp)

/// The PNG, JPEG or SVG in the document's folder or below as a data URI; the file joins the part's pictures
/// and inputs. Throws Error (usage) for an address on a server, for a path that leads out of the folder, for
/// what is no such picture, for more pixels than read_image takes, for an SVG with a script or with anything
/// that lies outside of it, and for an SVG in what PowerPoint or Word opens.
std::string address_of_picture(const std::string& target, const Workshop& workshop, BuiltPart& part);

// --- Questions (guess_building.cpp)

/// Throws Error (usage) where the figure does not show the numbers of the block's stage apart, or none of
/// them is the greatest.
BuiltGuess guess_of(const CommandBlock& block, const Workshop& workshop, BuiltPart& part);

// --- Pictures on a page (page_pictures.cpp)

/// Without the title and the caption, which a page says beside it, for a window of a desk.
ThemedPicture desk_picture(const Figure& figure, const Look& look, ThemeBy chooser);

/// The same for a telephone.
ThemedPicture telephone_picture(Figure figure, const Look& look, ThemeBy chooser);

// --- Blocks that move (moving_blocks.cpp)

BuiltSliders sliders_of(const BlockRun& requested, const BlockAttributes& attributes,
                        const Workshop& workshop, BuiltPart& part);
BuiltFilm film_of(const BlockRun& requested, const BlockAttributes& attributes, const Workshop& workshop,
                  BuiltPart& part);

}  // namespace attnlab
