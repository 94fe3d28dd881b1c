// The blocks of a lecture in one language, run and drawn: what its page is written from.
#pragma once

#include "core/formula_document.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {

/// Some of the section's figures, one after the other.
struct BuiltFigures {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The same, one shown at a time.
struct BuiltSteps {
  std::size_t first = 0;
  std::size_t count = 0;
};

struct BuiltText {
  std::string markdown;
};

struct BuiltEquation {
  Formula formula;
};

struct BuiltReport {
  std::vector<Block> blocks;
  std::optional<Explanation> explanation;
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
  std::string wide;
  std::string narrow;  // for a page as narrow as a telephone
};

/// A film in one theme.
struct FilmPictures {
  std::string webp;
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
};

struct BuiltQuestion {
  std::string question;  // both in Markdown
  std::string answer;
};

struct BuiltBreak {};

using BuiltBlock = std::variant<BuiltFigures, BuiltSteps, BuiltText, BuiltEquation, BuiltReport, BuiltCode,
                                BuiltClaim, BuiltSliders, BuiltFilm, BuiltQuestion, BuiltBreak>;

}  // namespace attnlab
