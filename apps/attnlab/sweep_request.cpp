// Reads the command line of `attnlab sweep`.
#include "attnlab/sweep/sweep_request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "attnlab/flag_parameters.hpp"
#include "attnlab/refusals.hpp"
#include "attnlab/suggestions.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

const std::string example = "attnlab sweep scaling --over high-dim=2:1024:log:40 -o scaling.gif";

bool has_experiment(const Command& command) {
  return command.kind == Command::Kind::experiment || command.kind == Command::Kind::attend;
}

Text with_meant(const std::string& word, const std::vector<std::string>& candidates, const Text& hint) {
  const std::optional<std::string> meant = did_you_mean(word, candidates);
  if (!meant) return hint;
  return {fmt::format("{} のことですか。{}", *meant, hint.ja()),
          fmt::format("did you mean {}? {}", *meant, hint.en())};
}

const Experiment& swept_experiment(const ParsedCommand& parsed, const std::vector<Command>& commands) {
  const Text hint = {"例：" + example, "for example " + example};
  if (parsed.topics.empty()) refuse({"sweep に実験名がありません", "sweep needs an experiment"}, hint);
  if (parsed.command.experiment == nullptr) {
    const std::string& word = parsed.topics.front();
    std::vector<std::string> names;
    for (const Command& command : commands) {
      if (has_experiment(command)) names.push_back(command.name);
    }
    const bool exists = std::find(names.begin(), names.end(), word) != names.end();
    if (exists) {
      refuse({fmt::format("{} は sweep のすぐ後ろに書きます", word),
              fmt::format("{} must stand right behind sweep", word)},
             hint);
    }
    refuse({fmt::format("実験 {} はありません", quotation(word)),
            fmt::format("there is no experiment {}", quotation(word))},
           with_meant(word, names, hint));
  }
  if (parsed.topics.size() > 1) refuse_argument(parsed.command, parsed.topics[1]);
  return *parsed.command.experiment;
}

std::vector<std::string> numeric_parameters(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const Parameter& parameter : experiment.parameters) {
    if (takes_number(parameter)) names.push_back(parameter.name);
  }
  return names;
}

Text choose_parameter(const Experiment& experiment) {
  std::string names;
  for (const std::string& name : numeric_parameters(experiment)) names += (names.empty() ? "" : ", ") + name;
  return {fmt::format("{} の数値のパラメータは {} です", experiment.name, names),
          fmt::format("the numeric parameters of {} are {}", experiment.name, names)};
}

/// "high-dim" of "high-dim=1:1024:log:40", or all of it.
std::string name_in(const std::string& over) {
  return over.substr(0, over.find('='));
}

const Parameter& swept_parameter(const Experiment& experiment, const std::string& name) {
  const auto found = std::find_if(experiment.parameters.begin(), experiment.parameters.end(),
                                  [&](const Parameter& parameter) { return parameter.name == name; });
  if (found != experiment.parameters.end()) return *found;
  std::vector<std::string> names;
  for (const Parameter& parameter : experiment.parameters) names.push_back(parameter.name);
  refuse({fmt::format("{} に {} というパラメータはありません", experiment.name, quotation(name)),
          fmt::format("{} has no parameter {}", experiment.name, quotation(name))},
         with_meant(name, names, choose_parameter(experiment)));
}

/// What stands under the parameter's own flag: "" or a text with an @.
std::string pattern_of(const ParsedCommand& parsed, const std::string& name) {
  std::string pattern = parsed.value(name);
  if (!parsed.given(name) || pattern.find('@') != std::string::npos) return pattern;
  refuse({fmt::format("--{0} と --over {0} の両方があります", name),
          fmt::format("--{0} and --over {0} both give its value", name)},
         {fmt::format("--{} を外すか、値が入る所を @ と書いてください", name),
          fmt::format("leave out --{}, or write @ where the values go", name)});
}

/// A range is of numbers; a list may hold any values.
void require_number(const Experiment& experiment, const Parameter& parameter, const std::string& words,
                    const std::string& pattern) {
  const bool is_list = words.find(',') != std::string::npos;
  if (is_list || !pattern.empty() || takes_number(parameter)) return;
  const Text numeric = choose_parameter(experiment);
  refuse({fmt::format("--{} は 1 つの数値ではありません", parameter.name),
          fmt::format("--{} is not a single number", parameter.name)},
         {fmt::format("--over {0}=A,B のように値を並べるか、--{0} の値の中に @ を書いてください。{1}",
                      parameter.name, numeric.ja()),
          fmt::format("list its values as in --over {0}=A,B, or write an @ into the value of --{0}; {1}",
                      parameter.name, numeric.en())});
}

void read_values(const ParsedCommand& parsed, const Experiment& experiment, SweepOptions& sweep) {
  if (!parsed.given("over")) {
    const std::vector<std::string> numeric = numeric_parameters(experiment);
    refuse({"--over がありません", "--over is missing"},
           {fmt::format("--over {}=始め:終わり の形で指定してください。{}", numeric.front(),
                        choose_parameter(experiment).ja()),
            fmt::format("write --over {}=FROM:TO; {}", numeric.front(), choose_parameter(experiment).en())});
  }
  const std::string over = parsed.value("over");
  const std::string name = name_in(over);
  const Parameter& parameter = swept_parameter(experiment, name);
  if (name == over) {
    refuse({fmt::format("--over {} に値がありません", name), fmt::format("--over {} names no values", name)},
           {fmt::format("--over {}=始め:終わり[:lin|log][:コマ数] の形で指定してください", name),
            fmt::format("write --over {}=FROM:TO[:lin|log][:FRAMES]", name)});
  }
  sweep.words = over.substr(name.size() + 1);
  sweep.pattern = pattern_of(parsed, name);
  require_number(experiment, parameter, sweep.words, sweep.pattern);
  sweep.values = sweep_values(parameter, sweep.words, sweep.pattern);
}

std::optional<double> read_number(const ParsedCommand& parsed, const Parameter& parameter) {
  if (!parsed.given(parameter.name)) return std::nullopt;
  return checked_value(parsed, parameter).number(parameter.name);
}

}  // namespace

FilmFormat film_format_of(const std::filesystem::path& file) {
  const std::string extension = lower_case(file.extension().string());
  if (extension == ".gif") return FilmFormat::gif;
  if (extension == ".webp") return FilmFormat::webp;
  if (extension == ".png" || extension == ".apng") return FilmFormat::apng;
  refuse({fmt::format("-o {} の拡張子では動画の形式が決まりません", quotation(file.string())),
          fmt::format("the extension of -o {} names no format of films", quotation(file.string()))},
         {"拡張子は .gif, .webp, .png（.apng）のどれかにしてください",
          "end the name in .gif, .webp or .png (.apng)"});
}

void name_swept_experiment(std::vector<Command>& commands, const std::vector<std::string>& arguments) {
  const auto named = [&](const std::string& name) {
    return std::find_if(commands.begin(), commands.end(),
                        [&](const Command& command) { return command.name == name; });
  };
  const auto first = std::find_if(arguments.begin(), arguments.end(),
                                  [&](const std::string& word) { return named(word) != commands.end(); });
  if (first == arguments.end() || first + 1 == arguments.end()) return;
  const auto sweep = named(*first);
  const auto experiment = named(*(first + 1));
  if (sweep->kind != Command::Kind::sweep || experiment == commands.end() || !has_experiment(*experiment))
    return;
  *sweep = sweep_command(experiment->experiment);
}

SweepOptions read_sweep(const ParsedCommand& parsed, const std::vector<Command>& commands) {
  const Experiment& experiment = swept_experiment(parsed, commands);
  refuse_both(parsed, "fps", "seconds");
  SweepOptions sweep;
  read_values(parsed, experiment, sweep);
  sweep.figure = parsed.value("figure");
  if (parsed.given("output")) {
    for (const std::string& file : parsed.values.at("output")) sweep.files.emplace_back(file);
  }
  for (const std::filesystem::path& file : sweep.files) film_format_of(file);
  sweep.pace = {read_number(parsed, fps_parameter()), read_number(parsed, seconds_parameter())};
  if (parsed.given("bounce")) sweep.course = Course::forth_and_back;
  if (parsed.given("once")) sweep.repeat = Repeat::once;
  if (parsed.given("size") || parsed.given("preset") || parsed.given("dpi"))
    sweep.resolution = SweepOptions::Resolution::chosen;
  return sweep;
}

ParsedCommand without_swept(ParsedCommand parsed) {
  parsed.values.erase(name_in(parsed.value("over")));
  return parsed;
}

}  // namespace attnlab
