// What a block of a lecture asks for, once its command is read.
#pragma once

#include "lecture/lecture.hpp"
#include "products/page_request.hpp"
#include "products/sweep_film.hpp"
#include "results/code/python_program.hpp"

namespace attnlab {

/// Who chooses between light and dark.
enum class ThemeBy { reader, look };

/// Of the block's run.
enum class Shown { figures, sliders, film, report, explanation, program, formula, claim };

/// Where its figure stands on a slide, if it does.
enum class OnSlide { alone, beside_text, nowhere };

struct BlockRun {
  Run run;  // of all but a claim
  Look look;
  PageRequest page;  // of sliders
  Shown shown = Shown::figures;
  std::string figure;                // "" for all of them
  std::size_t row = 0;               // of an explanation
  Library library = Library::numpy;  // of a program
  std::optional<SweptRun> sweep;     // of a film; without it the film is a training's
  std::string claim;                 // the id
  ThemeBy chooser = ThemeBy::reader;
  OnSlide place = OnSlide::alone;
};

/// Reads a block's command. Throws Error (usage) for what has no place in a document.
using ReadBlock = std::function<BlockRun(const CommandBlock&, const Lecture&)>;

}  // namespace attnlab
