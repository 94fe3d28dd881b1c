#include "live/parameter_controls.hpp"

#include "attend/settings.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "products/page_request.hpp"

namespace attnlab {
namespace {

using Track = PageControl::Track;

/// 1, 2 or 5 times a power of ten, at most `size`.
double round_step(double size) {
  const double power = std::pow(10.0, std::floor(std::log10(size)));
  for (const double digit : {5.0, 2.0}) {
    if (digit * power <= size) return digit * power;
  }
  return power;
}

constexpr double steps = 200.0;

/// Its values are round: the lowest is the first multiple of the step.
Track track_between(double low, double high) {
  const double step = round_step((high - low) / steps);
  return {step * std::ceil(low / step), high, step};
}

/// Up to some times the default: a range of 1 to 1,000,000 says nothing of what is worth a look.
std::optional<Track> track_of(const IntegerRange& range, double value) {
  constexpr double times = 4.0;
  constexpr double least = 20.0;
  const auto low = static_cast<double>(range.low);
  const double high = std::min(static_cast<double>(range.high), std::max(times * value, low + least));
  return Track{low, high, 1.0};
}

std::optional<Track> track_of(const NumberRange& range, double value) {
  constexpr double narrow = 1000.0;
  constexpr double times = 4.0;
  if (range.high - range.low <= narrow) return track_between(range.low, range.high);
  if (value <= 0.0) return std::nullopt;
  return track_between(std::max(range.low, times * value / steps), std::min(range.high, times * value));
}

/// Between the ends of the slider that a page of the experiment has.
std::optional<Track> declared_track(const Experiment& experiment, const Parameter& parameter) {
  for (const Swept& slide : declared_slides(experiment)) {
    if (slide.values.parameter != parameter.name || !slide.pattern.empty()) continue;
    const auto low = number_from<double>(slide.values.texts.front());
    const auto high = number_from<double>(slide.values.texts.back());
    if (!low || !high || *low >= *high) return std::nullopt;
    if (std::holds_alternative<IntegerKind>(parameter.kind)) return Track{*low, *high, 1.0};
    return track_between(*low, *high);
  }
  return std::nullopt;
}

std::optional<Track> track_of(const Experiment& experiment, const Parameter& parameter,
                              const std::string& value) {
  if (const std::optional<Track> declared = declared_track(experiment, parameter)) return declared;
  const auto number = number_from<double>(value);
  if (!number) return std::nullopt;
  if (const auto* whole = std::get_if<IntegerKind>(&parameter.kind)) return track_of(whole->range, *number);
  if (const auto* real = std::get_if<NumberKind>(&parameter.kind)) return track_of(real->range, *number);
  return std::nullopt;
}

/// What teaches little while it is moved: other random numbers, names alone, and forms that one must know.
bool is_seldom(const Parameter& parameter) {
  static const std::set<std::string> names{"seed", "rng", "labels"};
  return names.count(parameter.name) > 0 || std::holds_alternative<SyntaxKind>(parameter.kind) ||
         std::holds_alternative<NumbersKind>(parameter.kind);
}

PageControl control_of(const Experiment& experiment, const Parameter& parameter, const Arguments& arguments,
                       Language language) {
  PageControl control;
  control.name = parameter.name;
  control.help = parameter.help;
  control.is_seldom = is_seldom(parameter);
  control.form = form_of(parameter);
  control.default_text = shown_default(parameter).in(language);
  control.value = arguments.is_set(parameter.name) ? arguments.text(parameter.name) : control.default_text;
  if (std::holds_alternative<SwitchKind>(parameter.kind)) control.kind = PageControl::Kind::switched;
  if (std::holds_alternative<ChoiceKind>(parameter.kind)) control.kind = PageControl::Kind::chosen;
  const auto* choice = std::get_if<ChoiceKind>(&parameter.kind);
  control.words = choice != nullptr ? choice->choices : offered_words(control.form);
  control.track = track_of(experiment, parameter, control.value);
  if (std::holds_alternative<IntegerKind>(parameter.kind)) control.step = 1.0;
  if (control.track) control.step = control.track->step;
  return control;
}

}  // namespace

bool names_files(const Parameter& parameter) {
  return std::holds_alternative<FileKind>(parameter.kind) ||
         std::holds_alternative<ItemsKind>(parameter.kind) ||
         form_of(parameter).find("FILE") != std::string::npos;  // attend --labels FILE|WORD,WORD,...
}

bool takes_words_too(const Parameter& parameter) { return form_of(parameter).rfind("FILE|WORD", 0) == 0; }

bool takes_standard_input(const Parameter& parameter) {
  const std::string form = form_of(parameter);
  return form.size() > 2 && form.compare(form.size() - 2, 2, "|-") == 0;
}

std::string as_words(const std::string& typed) {
  const bool is_marked = typed.empty() || typed.front() == words_sign;
  return is_marked ? typed : words_sign + typed;
}

std::vector<PageControl> controls_of(const Experiment& experiment, const Arguments& arguments,
                                     Language language) {
  std::vector<PageControl> controls;
  for (const Parameter& parameter : experiment.parameters) {
    if (parameter.name == "tokens" && words_count_tokens(arguments)) continue;
    if (!names_files(parameter) || takes_words_too(parameter))
      controls.push_back(control_of(experiment, parameter, arguments, language));
  }
  return controls;
}

}  // namespace attnlab
