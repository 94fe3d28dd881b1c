// Captions with other parameters than the defaults: with each word that a parameter offers, each switch, and
// the least of each whole number.
#include <doctest/doctest.h>

#include "caption_checks.hpp"
#include "core/error.hpp"
#include "experiments/framework/experiment.hpp"
#include "plotting/layout/layout.hpp"

namespace attnlab {
namespace {

std::vector<std::string> other_words(const Parameter& parameter) {
  if (std::holds_alternative<SwitchKind>(parameter.kind)) return {"on"};
  if (const auto* whole = std::get_if<IntegerKind>(&parameter.kind))
    return {fmt::format("{}", whole->range.low)};
  return offered_words(form_of(parameter));
}

/// Whether the caption or the cells are such that a word may be wrong.
bool has_marks(const Figure& figure) {
  for (const NamedMark& mark : marks_in_captions())
    if (mark.is_named(figure.caption)) return true;
  return std::any_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
    const auto* map = std::get_if<HeatMap>(&panel.content);
    return map != nullptr && !(map->hidden.empty() && map->marked.empty());
  });
}

}  // namespace

TEST_CASE("captions name the marks that are drawn, and no others, whatever a parameter says") {
  std::size_t figures = 0;
  for (const Experiment& experiment : experiments()) {
    for (const Parameter& parameter : experiment.parameters) {
      for (const std::string& word : other_words(parameter)) {
        Arguments arguments(experiment.parameters);
        arguments.set(parameter.name, word);
        Report report;
        try {
          report = run(experiment, arguments);
        } catch (const Error&) {
          continue;  // needs another parameter, too
        }
        for (const Figure& figure : report.figures) {
          if (!has_marks(figure)) continue;
          ++figures;
          INFO(experiment.name, " ", figure.name, " --", parameter.name, " ", word);
          CHECK(wrong_words(figure, lay_out(figure, {Language::en, Theme::print, figure.page}).list) == "");
        }
      }
    }
  }
  CHECK(figures > 100);
}

}  // namespace attnlab
