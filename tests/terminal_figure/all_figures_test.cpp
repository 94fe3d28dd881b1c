// Every figure of every experiment on the widths that terminals have: nothing sticks out, nothing is lost.
#include <doctest/doctest.h>

#include <array>

#include "core/terminal_width.hpp"
#include "drawn.hpp"
#include "experiments/framework/experiment.hpp"
#include "plotting/figure/numbers.hpp"

using namespace attnlab;

namespace {

struct NamedFigure {
  std::string name;
  Figure figure;
};

/// Complete, and as an exercise.
const std::vector<NamedFigure>& figures() {
  static const std::vector<NamedFigure> all = [] {
    std::vector<NamedFigure> made;
    for (const Experiment& experiment : experiments()) {
      for (const Figure& figure : run(experiment, Arguments(experiment.parameters)).figures) {
        made.push_back({experiment.name + " " + figure.name, figure});
        made.push_back({made.back().name + " blank", blank(figure, experiment.shows)});
      }
    }
    return made;
  }();
  return all;
}

constexpr std::array<std::size_t, 4> widths{40, 60, 80, 120};
constexpr std::array<TerminalColours, 3> colour_modes{TerminalColours::none, TerminalColours::palette_256,
                                                      TerminalColours::direct};

/// Without spaces and line ends, in which wrapped words differ.
std::string squeezed(const std::string& text) {
  std::string letters;
  for (const char letter : text) {
    if (letter != ' ' && letter != '\n') letters += letter;
  }
  return letters;
}

std::vector<std::string> row_labels_of(const Figure& figure, Language language) {
  std::vector<std::string> labels;
  const auto add = [&](const std::vector<ShortText>& names) {
    for (const ShortText& name : names) labels.push_back(name.in(language));
  };
  for (const Panel& panel : figure.panels) {
    if (const auto* map = std::get_if<HeatMap>(&panel.content)) add(map->row_labels);
    if (const auto* chart = std::get_if<Chart>(&panel.content)) add(chart->x.categories);
    if (std::holds_alternative<Diagram>(panel.content) ||
        std::holds_alternative<MatrixEquation>(panel.content))
      labels.push_back(figure.description.in(language));  // told in words
  }
  return labels;
}

/// Words that charts write into their plots.
std::vector<std::string> words_of(const Figure& figure, Language language) {
  std::vector<std::string> words;
  for (const Panel& panel : figure.panels) {
    const auto* chart = std::get_if<Chart>(&panel.content);
    if (chart == nullptr) continue;
    words.push_back(chart->x.label.in(language));
    words.push_back(chart->y.label.in(language));
    for (const Layer& layer : chart->layers) {
      if (const auto* callout = std::get_if<Callout>(&layer)) words.push_back(callout->text.in(language));
      if (const auto* rule = std::get_if<Rule>(&layer)) words.push_back(rule->label.in(language));
      if (const auto* curve = std::get_if<Curve>(&layer)) words.push_back(curve->name.in(language));
      if (const auto* points = std::get_if<Points>(&layer)) words.push_back(points->name.in(language));
      if (const auto* arrows = std::get_if<Arrows>(&layer)) {
        for (const Arrow& arrow : arrows->arrows) words.push_back(arrow.label.in(language));
      }
    }
  }
  return words;
}

void check_width(const std::string& text, const TerminalPage& page) {
  for (const std::string& line : lines_of(without_escapes(text))) {
    if (display_width(line) > page.width) CHECK(line == "");
  }
}

/// Title and caption are whole, every row and bar bears its name, and what is not drawn is told.
void check_names(const std::string& text, const Figure& figure, const TerminalPage& page) {
  if (page.width < 60) return;  // there names may be cut
  const std::string letters = squeezed(without_escapes(text));
  CHECK(contains(letters, squeezed(figure.title.in(page.language))));
  CHECK(contains(letters, squeezed(figure.caption.in(page.language))));
  for (const std::string& label : row_labels_of(figure, page.language)) {
    if (!contains(letters, squeezed(label))) CHECK(label == "");
  }
}

/// Every word of a chart is drawn or listed.
void check_words(const std::string& text, const Figure& figure, const TerminalPage& page) {
  if (page.width < 80 || page.colours != TerminalColours::none) return;
  const std::string squeezed_text = squeezed(text);
  for (const std::string& word : words_of(figure, page.language)) {
    if (!contains(squeezed_text, squeezed(word))) CHECK(word == "");
  }
}

/// Without colours there is no escape sequence, with colours each line ends in the terminal's own.
void check_escapes(const std::string& text, const TerminalPage& page) {
  if (page.colours == TerminalColours::none) {
    CHECK_FALSE(contains(text, "\x1b"));
    return;
  }
  for (const std::string& line : lines_of(text)) {
    const std::size_t last = line.rfind("\x1b[");
    if (last != std::string::npos && line.substr(last, 4) != "\x1b[0m") CHECK(line == "");
  }
}

void check_page(const NamedFigure& named, const TerminalPage& page) {
  INFO(named.name, " ", page.width);
  const std::string text = to_terminal(named.figure, page);
  check_width(text, page);
  check_names(text, named.figure, page);
  check_words(text, named.figure, page);
  check_escapes(text, page);
}

}  // namespace

TEST_CASE("every figure is whole on every terminal") {
  for (const NamedFigure& figure : figures()) {
    for (const Language language : {Language::ja, Language::en}) {
      for (const std::size_t width : widths) {
        for (const TerminalColours colours : colour_modes)
          check_page(figure, {language, Theme::light, colours, width});
      }
    }
  }
}

TEST_CASE("The same figure gives the same bytes") {
  for (const NamedFigure& figure : figures()) {
    const TerminalPage page{Language::ja, Theme::dark, TerminalColours::direct, 80};
    CHECK(to_terminal(figure.figure, page) == to_terminal(figure.figure, page));
  }
}
