// Runs a sweep.
#include "sweep/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"

namespace attnlab {
namespace {

/// What became of one value: a figure, or the reason why the experiment does not take it.
struct Taken {
  std::optional<Figure> figure;
  std::vector<std::string> names;  // of the figures that there were
  std::optional<Error> refusal;
  std::vector<Text> warnings;
};

Taken take(const Experiment& experiment, Arguments arguments, const std::string& name,
           const std::string& text, const ChooseFigure& choose, const Context& context) {
  arguments.set(name, text);
  std::optional<Report> report;
  try {
    report = run(experiment, arguments, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return {{}, {}, error, {}};
  }
  Taken taken;
  for (const Figure& figure : report->figures) taken.names.push_back(figure.name);
  taken.warnings = std::move(report->warnings);
  taken.figure = choose(std::move(*report));
  return taken;
}

void add_once(std::vector<Text>& texts, const Text& text) {
  const auto is_same = [&text](const Text& other) { return other.en() == text.en(); };
  if (std::none_of(texts.begin(), texts.end(), is_same)) texts.push_back(text);
}

/// "3, 5, 6", or of a long list both ends: "3, 5, ..., 15".
std::string listed(const std::vector<std::string>& texts) {
  constexpr std::size_t most = 8;
  if (texts.size() <= most) return fmt::format("{}", fmt::join(texts, ", "));
  return fmt::format("{}, {}, ..., {}", texts[0], texts[1], texts.back());
}

/// "no frame for high-dim = 1, 2: ...", one line for all values.
void warn_of_refusals(const SweepValues& values, const std::vector<Taken>& taken,
                      std::vector<Text>& warnings) {
  std::vector<std::string> refused;
  const Error* first = nullptr;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i].refusal) continue;
    refused.push_back(values.texts[i]);
    if (first == nullptr) first = &*taken[i].refusal;
  }
  if (first == nullptr) return;
  const std::string name = fmt::format("{} = {}", values.parameter, listed(refused));
  warnings.emplace_back(fmt::format("{} のコマを省きました（{}）", name, first->message(Language::ja)),
                        fmt::format("no frame for {}: {}", name, first->message(Language::en)));
}

/// The values that were taken, as every frame's slider knows them, from the first to the last.
Slider slider_of(const SweepValues& values, const std::vector<Taken>& taken) {
  Slider slider{values.parameter, {}, {}, 0};
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i].figure) continue;
    slider.values.push_back(values.texts[i]);
    slider.places.push_back(values.places[i]);
  }
  if (slider.places.size() < least_frames) return slider;
  const double first = slider.places.front();
  const double span = slider.places.back() - first;
  for (double& place : slider.places) place = (place - first) / span;
  return slider;
}

}  // namespace

FilmFrames film_frames(const Experiment& experiment, const Arguments& arguments, const SweepValues& values,
                       const ChooseFigure& choose, const Context& context) {
  std::vector<Taken> taken(values.texts.size());
  const Context alone{context.seconds, [](double) {}, one_after_another};
  context.for_each(taken.size(), [&](std::size_t i) {
    taken[i] = take(experiment, arguments, values.parameter, values.texts[i], choose, alone);
  });
  FilmFrames film;
  warn_of_refusals(values, taken, film.warnings);
  Slider slider = slider_of(values, taken);
  if (slider.values.size() < least_frames) {
    const auto refused =
        std::find_if(taken.begin(), taken.end(), [](const Taken& one) { return one.refusal; });
    throw Error(*refused->refusal);
  }
  for (Taken& one : taken) {
    if (!one.figure) continue;
    film.names = std::move(one.names);
    for (const Text& warning : one.warnings) add_once(film.warnings, warning);
    one.figure->slider = slider;
    ++slider.frame;
    film.figures.push_back(std::move(*one.figure));
  }
  film.figures = aligned(std::move(film.figures));
  return film;
}

}  // namespace attnlab
