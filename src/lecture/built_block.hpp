// The blocks of a lecture in one language, run and drawn: what its page is written from.
#pragma once

#include "core/formula_document.hpp"
#include "plotting/colour/palette.hpp"
#include "plotting/figure/figure.hpp"
#include "plotting/layout/display_list.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {

/// A picture for readers of light and of dark pages: the lists differ in their colours alone.
struct ThemedPicture {
  DisplayList light;
  DisplayList dark;
};

/// One figure in one language.
struct BuiltFigure {
  std::string name;  // of its files: "scaling-scatter"
  std::string title;
  std::string description;  // alternative text
  std::string caption;
  std::string command;                        // that draws it: "attnlab scaling --high-dim 100"
  ThemedPicture wide;                         // for the page
  ThemedPicture narrow;                       // for a page as narrow as a telephone
  std::map<std::string, std::string> hovers;  // what its marks say, by their ids
  std::vector<std::string> files;             // "ja/scaling-scatter.svg", from the lecture's folder
  std::vector<std::string> data;              // "data/scaling-scatter.npz"
  bool on_slide = true;                       // or on the page alone
  std::vector<std::string> say = {};          // the sentences of the run's report that a lecturer would say
};

/// One after the other.
struct BuiltFigures {
  std::vector<BuiltFigure> figures;
};

/// One shown at a time.
struct BuiltSteps {
  std::vector<BuiltFigure> figures;
};

struct BuiltText {
  std::string html;
  bool on_slide = false;
};

struct BuiltNotes {
  std::vector<std::string> notes;  // in HTML
};

struct BuiltEquation {
  Formula formula;
};

struct BuiltReport {
  std::vector<Block> blocks;
  std::optional<Explanation> explanation = {};
  std::string command = {};  // that prints the explanation
};

struct BuiltCode {
  std::string command;  // that prints it
  std::string program;
};

struct BuiltClaim {
  std::string kind;     // "holds", "fails", "holds_only_if", "remark"
  std::string verdict;  // in words
  std::string place;
  std::string quote;
  std::string evidence;
  std::string corrected;  // "" where it holds
};

/// A picture that the reader moves, as page_fragment makes it.
struct BuiltSliders {
  std::string name;
  std::string title;
  std::string caption;
  std::string html;
  BuiltFigure still;                      // for documents that do not move
  std::vector<BuiltFigure> moments = {};  // for slides, in the order of the first slider's values
};

/// A film in one theme.
struct FilmPictures {
  std::string gif;
  std::string last_frame;  // a PNG, for readers who want nothing to move
};

struct BuiltFilm {
  std::string name;
  std::string title;
  std::string description;
  std::string caption;
  std::string command;
  FilmPictures pictures;             // in light, or in the look's own theme
  std::optional<FilmPictures> dark;  // where the reader's setting decides
  std::size_t width = 0;             // pixels
  std::size_t height = 0;
  BuiltFigure still;                      // for documents that do not move
  std::vector<BuiltFigure> moments = {};  // for slides
};

/// Some numbers of a figure are covered, and one is to be guessed: by touching the greatest of several, or by
/// its place between two others.
struct BuiltGuess {
  /// What would be the answer with one of the usual mistakes.
  struct Mistaken {
    double answer = 0.0;
    std::string what;
  };

  BuiltFigure covered;  // without the title and the caption, which may tell the answer
  BuiltFigure open;
  std::vector<std::string> marks;                  // under the covers, by their ids
  std::vector<std::string> choices;                // what the covers stand for: "Query bank, Key river"
  double answer = 0.0;                             // the place among them, or the number
  std::optional<std::pair<double, double>> range;  // of a number
  std::vector<Mistaken> mistakes;
};

struct BuiltQuestion {
  std::string question;  // both in HTML
  std::string answer;
  std::optional<BuiltGuess> guess = {};
};

struct BuiltBreak {};

/// What a site adds to a page, as it stands; documents leave it out.
struct BuiltHtml {
  std::string html;
};

using BuiltBlock =
    std::variant<BuiltFigures, BuiltSteps, BuiltText, BuiltEquation, BuiltReport, BuiltCode, BuiltClaim,
                 BuiltSliders, BuiltFilm, BuiltQuestion, BuiltBreak, BuiltNotes, BuiltHtml>;

}  // namespace attnlab
