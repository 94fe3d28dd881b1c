// What `train microgpt` computes, and what is told of it.
#pragma once

#include "core/utf8.hpp"
#include "tasks/framework/story.hpp"
#include "training/microgpt/microgpt.hpp"

namespace attnlab {

/// Documents are lines; letters are tokens.
struct LetterDocuments {
  std::string name;
  std::vector<std::u32string> lines;
  std::u32string letters;  // each once, in order; the token after the last begins and ends a document

  int end() const { return static_cast<int>(letters.size()); }

  std::vector<int> tokens(const std::u32string& line) const {
    std::vector<int> tokens{end()};
    for (const char32_t letter : line) tokens.push_back(static_cast<int>(letters.find(letter)));
    tokens.push_back(end());
    return tokens;
  }

  static std::string text(const std::u32string& line) {
    std::string text;
    for (const char32_t letter : line) text += encode_utf8(letter);
    return text;
  }

  std::string word(int token) const {
    return token == end() ? "⏎" : encode_utf8(letters[static_cast<std::size_t>(token)]);
  }
};

/// The first step of Adam at the head's matrix, whose gradient is the shortest to follow.
struct MicrogptFirstStep {
  std::vector<int> document;
  MicrogptPass pass;
  std::vector<double> parameters, gradient, updated;
  double slope_error = 0.0;  // of the gradient, against differences of the loss
};

struct MicrogptRun {
  LetterDocuments documents;
  MicrogptSizes sizes;
  std::vector<Microgpt::Matrix> matrices;
  MicrogptFirstStep first;
  std::vector<double> losses;
  std::vector<double> parameters;  // learned
  MicrogptPass learned;            // of the first document
  std::vector<std::string> written;
  bool was_stopped = false;
};

constexpr double microgpt_rate = 0.01;      // of the first step
constexpr std::size_t microgpt_mean = 100;  // steps, of the last losses

/// The names that come along, a line each.
std::string_view shipped_names();

/// Forwards, the gradient by the head's matrix, and Adam's first step there.
std::vector<Stage> microgpt_stages(const MicrogptRun& run);

std::vector<Figure> microgpt_figures(const MicrogptRun& run, const TaskWords& words);

/// microgpt.py with this run's numbers, for Python without any library.
std::string microgpt_program(const MicrogptRun& run, const Arguments& arguments, Language language);

}  // namespace attnlab
