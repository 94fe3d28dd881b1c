#include "attnlab/lecture/lecture_runs.hpp"

#include "attnlab/experiment/experiment_request.hpp"
#include "catalogue/catalogue.hpp"
#include "core/utf8.hpp"
#include "io/learned_model.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

/// The flags of a look that a lecture can have: it writes no TeX of its own.
std::vector<Flag> lecture_look_flags() {
  std::vector<Flag> flags = look_flags();
  const auto is_of_tex = [](const Flag& flag) { return flag.name == "tex-body"; };
  flags.erase(std::remove_if(flags.begin(), flags.end(), is_of_tex), flags.end());
  return flags;
}

Flag look_flag_named(const std::string& name) {
  const std::vector<Flag> flags = lecture_look_flags();
  if (const Flag* flag = find_named(flags, name)) return *flag;
  refuse_name({"見た目の項目", "look"}, name, names_of(flags));
}

bool is_on(const Flag& flag, const std::string& text) {
  if (text == "on") return true;
  if (text == "off") return false;
  refuse_usage(attnlab::text("{} に {} は書けません", "{} cannot be {}", flag.name, quotation(text)),
               {"true か false を書いてください", "write true or false"});
}

}  // namespace

[[noreturn]] void refuse_name(const Text& kind, const std::string& name,
                              const std::vector<std::string>& known) {
  refuse_usage(text("{1} という{0}はありません", "there is no {} {}", kind, quotation(name)),
               suggestion_or(name, known, choose_from(known)));
}

std::string place_of(const std::string& manifest, std::size_t line) {
  return fmt::format("{}:{}", printable(manifest), line);
}

const Experiment& experiment_of(const LectureRun& entry) {
  if (const Experiment* found = find_experiment(entry.experiment)) return *found;
  refuse_name({"実験", "experiment"}, entry.experiment,
              experiment_names({ExperimentKind::book, ExperimentKind::own_files, ExperimentKind::learned}));
}

/// The name of a file, which is counted from the manifest's folder; not that of a model that comes along.
bool names_file(const Parameter& parameter, const std::string& value) {
  const auto* file = std::get_if<FileKind>(&parameter.kind);
  if (file == nullptr) return false;
  const std::vector<std::string> models = shipped_models();
  return file->holds != FileKind::Holds::model ||
         std::find(models.begin(), models.end(), value) == models.end();
}

Arguments arguments_of(const LectureRun& entry, const Experiment& experiment, const fs::path& folder) {
  Arguments arguments(experiment.parameters);
  for (const auto& [name, value] : entry.parameters) {
    const Parameter* parameter = find_named(experiment.parameters, name);
    if (parameter == nullptr) refuse_name({"パラメータ", "parameter"}, name, names_of(experiment.parameters));
    const bool is_relative = names_file(*parameter, value) && !fs::path(value).is_absolute();
    arguments.set(name, is_relative ? (folder / value).lexically_normal().string() : value);
  }
  read_inputs(arguments, experiment, folder);
  read_contents(arguments, experiment.name);
  return arguments;
}

FlagTexts look_texts(const Lecture& lecture, const LectureFigure& entry) {
  FlagTexts texts = lecture.look;
  for (const auto& [name, text] : entry.look) texts[name] = text;
  return texts;
}

Look look_of(const FlagTexts& texts, Language language) {
  ParsedCommand parsed;
  parsed.command.groups = {{{"図", "Figures"}, look_flags()}};
  for (const auto& [name, text] : texts) {
    const Flag flag = look_flag_named(name);
    const bool is_given = flag.takes != Flag::Takes::nothing || is_on(flag, text);
    if (is_given) parsed.values[name] = {text};
  }
  refuse_exclusions(parsed);
  return read_look(parsed, language);
}

const Report& LectureRuns::report(const LectureRun& entry) {
  Kept* kept = nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    kept = &kept_[{entry.experiment, entry.parameters}];
  }
  std::call_once(kept->once, [&] {
    const Experiment& experiment = experiment_of(entry);
    kept->report = run(experiment, arguments_of(entry, experiment, folder_));
    require_invariants(kept->report);
  });
  return kept->report;
}

}  // namespace attnlab
