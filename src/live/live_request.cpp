#include "live/live_request.hpp"

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/named.hpp"
#include "experiments/framework/inputs.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "live/parameter_controls.hpp"

namespace attnlab {
namespace {

Language language_of(const std::string& code) {
  if (const std::optional<Language> language = language_named(code)) return *language;
  refuse_usage(text("'{}' の図はありません", "there is no picture in '{}'", code),
               {"ja か en を選んでください", "choose ja or en"});
}

/// Files and arrays are those of the command line; a page names none, and its words are no names of files.
Arguments arguments_of(const Json& wanted, const PageRun& request) {
  const Experiment& experiment = *request.run.experiment;
  Arguments arguments(experiment.parameters);
  for (const Parameter& parameter : experiment.parameters) {
    const bool is_typed = takes_words_too(parameter) && wanted.contains(parameter.name);
    if (names_files(parameter) && !is_typed && request.run.arguments.is_set(parameter.name))
      arguments.set(parameter.name, request.run.arguments.text(parameter.name));
  }
  Arguments labelled(experiment.parameters);
  const std::string labels = wanted.value("labels", "");
  if (!labels.empty()) labelled.set("labels", labels);
  for (const auto& [name, text] : wanted.items()) {
    if (name == "tokens" && words_count_tokens(labelled)) continue;  // as many as words
    const Parameter* parameter = find_named(experiment.parameters, name);
    if (parameter != nullptr && takes_words_too(*parameter)) {
      const std::string typed = text.get<std::string>();
      // What the command line named is left as it is: it may be a file.
      const bool is_begun = request.run.arguments.is_set(name) && request.run.arguments.text(name) == typed;
      if (is_begun || !typed.empty()) arguments.set(name, is_begun ? typed : as_words(typed));
      continue;
    }
    if (parameter != nullptr && names_files(*parameter)) {
      refuse_usage(
          attnlab::text("--{} はページからは指定できません", "--{} cannot be given in the page", name),
          {"attnlab explore のオプションで指定してください", "give it to attnlab explore"});
    }
    const std::string typed = text.get<std::string>();
    if (parameter != nullptr && typed == "-" && takes_standard_input(*parameter))
      refuse_usage(
          attnlab::text("--{} - はページからは指定できません", "--{} - cannot be given in the page", name),
          {"文を入力してください", "type the text itself"});
    arguments.set(name, typed);
  }
  std::vector<InputArray> arrays = request.run.arguments.sources.arrays;
  for (InputArray& array : arrays) array.free.clear();
  if (!arrays.empty()) give_arrays(arguments, experiment, arrays);
  return arguments;
}

}  // namespace

PageRun live_request(const std::string& body, const PageRun& begun) {
  const Json wanted = parsed_json(body);
  PageRun request{{begun.run.experiment, arguments_of(wanted.at("parameters"), begun)}, begun.look, {}};
  if (wanted.contains("language")) {
    request.look.language = language_of(wanted.at("language").get<std::string>());
  }
  request.page.figure = wanted.at("figure").get<std::string>();
  return request;
}

}  // namespace attnlab
