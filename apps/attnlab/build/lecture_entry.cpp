#include "attnlab/lecture_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "attnlab/attend/attend_command.hpp"
#include "attnlab/flag_groups.hpp"
#include "attnlab/look_flags.hpp"
#include "attnlab/refusals.hpp"
#include "attnlab/suggestions.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_name(const Text& kind, const std::string& name,
                              const std::vector<std::string>& known) {
  const std::optional<std::string> meant = did_you_mean(name, known);
  const std::string choices = fmt::format("{}", fmt::join(known, ", "));
  refuse({fmt::format("{} という{}はありません", quotation(name), kind.ja()),
          fmt::format("there is no {} {}", kind.en(), quotation(name))},
         {meant ? fmt::format("{} のことですか", *meant) : fmt::format("選べるのは {} です", choices),
          meant ? fmt::format("did you mean {}?", *meant) : fmt::format("choose from {}", choices)});
}

/// The flags of a look that a lecture can have: it writes no TeX of its own.
std::vector<Flag> lecture_look_flags() {
  std::vector<Flag> flags = look_flags();
  const auto is_of_tex = [](const Flag& flag) { return flag.name == "tex-body"; };
  flags.erase(std::remove_if(flags.begin(), flags.end(), is_of_tex), flags.end());
  return flags;
}

Flag look_flag_named(const std::string& name) {
  const std::vector<Flag> flags = lecture_look_flags();
  std::vector<std::string> names;
  for (const Flag& flag : flags) {
    if (flag.name == name) return flag;
    names.push_back(flag.name);
  }
  refuse_name({"見た目の項目", "look"}, name, names);
}

bool is_on(const Flag& flag, const std::string& text) {
  if (text == "on") return true;
  if (text == "off") return false;
  refuse({fmt::format("{} に {} は書けません", flag.name, quotation(text)),
          fmt::format("{} cannot be {}", flag.name, quotation(text))},
         {"true か false を書いてください", "write true or false"});
}

}  // namespace

const Experiment& experiment_of(const LectureFigure& entry) {
  if (entry.experiment == attend_experiment().name) return attend_experiment();
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == entry.experiment) return experiment;
    names.push_back(experiment.name);
  }
  names.push_back(attend_experiment().name);
  refuse_name({"実験", "experiment"}, entry.experiment, names);
}

Arguments arguments_of(const LectureFigure& entry, const Experiment& experiment, const fs::path& folder) {
  Arguments arguments(experiment.parameters);
  std::vector<std::string> names;
  for (const Parameter& parameter : experiment.parameters) names.push_back(parameter.name);
  for (const auto& [name, text] : entry.parameters) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) refuse_name({"パラメータ", "parameter"}, name, names);
    const Parameter& parameter =
        experiment.parameters[static_cast<std::size_t>(std::distance(names.begin(), found))];
    const bool is_file = std::holds_alternative<FileKind>(parameter.kind);
    arguments.set(
        name, is_file && !fs::path(text).is_absolute() ? (folder / text).lexically_normal().string() : text);
  }
  return arguments;
}

FlagTexts look_texts(const Lecture& lecture, const LectureFigure& entry) {
  FlagTexts texts = lecture.look;
  for (const auto& [name, text] : entry.look) texts[name] = text;
  return texts;
}

Look look_of(const FlagTexts& texts, Language language) {
  ParsedCommand parsed;
  for (const auto& [name, text] : texts) {
    const Flag flag = look_flag_named(name);
    const bool is_given = flag.takes != Flag::Takes::nothing || is_on(flag, text);
    if (is_given) parsed.values[name] = {text};
  }
  refuse_both(parsed, "annotate", "blank");
  return read_look(parsed, language);
}

std::vector<const Figure*> chosen_figures(const Report& report, const std::string& name) {
  std::vector<const Figure*> chosen;
  std::vector<std::string> names;
  for (const Figure& figure : report.figures) {
    names.push_back(figure.name);
    if (name.empty() || figure.name == name) chosen.push_back(&figure);
  }
  if (chosen.empty()) refuse_name({"図", "figure"}, name, names);
  return chosen;
}

}  // namespace attnlab
