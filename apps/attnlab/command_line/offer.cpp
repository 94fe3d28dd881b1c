#include "attnlab/command_line/commands.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// "causal" and "0:1" are typed as they stand; NUMBER, 1..512 and FILE say what to type.
bool stands_for_itself(const std::string& part) {
  return !part.empty() && part.find("..") == std::string::npos &&
         part.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-:.") == std::string::npos;
}

/// "none|default|NUMBER" -> none, default.
std::vector<std::string> fixed_words(const std::string& form) {
  std::vector<std::string> words = split(form, "|,");
  words.erase(std::remove_if(words.begin(), words.end(),
                             [](const std::string& part) { return !stands_for_itself(part); }),
              words.end());
  return words;
}

Flag& figure_flag(Command& command) {
  for (FlagGroup& group : command.groups) {
    if (Flag* flag = find_named(group.flags, "figure")) return *flag;
  }
  throw std::logic_error(command.name + " has no --figure");
}

}  // namespace

RunNames usual_names(const Command& command) {
  if (!command.is_experiment || command.experiment->run == nullptr) return {};
  const Report report = run(*command.experiment, Arguments(command.experiment->parameters));
  return {names_of(report.figures), names_of(report.stages)};
}

Offer offer_of(const Flag& flag) {
  Offer offer;
  offer.words = flag.choices.empty() ? fixed_words(flag.form) : flag.choices;
  if (flag.form.find("FILE") != std::string::npos) offer.paths = Offer::Paths::files;
  if (flag.form.find("FOLDER") != std::string::npos) offer.paths = Offer::Paths::folders;
  return offer;
}

Offer offer_of(const Command& command, const std::vector<Command>& commands) {
  if (command.offer != nullptr) return command.offer(commands);
  return command.positional.empty() ? Offer{} : offer_of(*find_flag(command, command.positional));
}

Offer any_experiment(const std::vector<Command>& commands) {
  Offer offer;
  for (const Command& command : commands) {
    if (command.is_experiment) offer.words.push_back(command.name);
  }
  return offer;
}

std::vector<Command> completed_commands(std::vector<Command> commands) {
  std::vector<Command> of_words;
  for (Command& command : commands) {
    if (!command.is_experiment) continue;
    const Experiment& experiment = *command.experiment;
    const std::vector<std::string> figures = usual_names(command).figures;
    for (Command one : {sweep_command(&experiment), explore_command(&experiment)}) {
      figure_flag(one).choices = figures;
      of_words.push_back(std::move(one));
      of_words.back().name += " " + command.name;
    }
    of_words.push_back(exercise_command(&experiment));
    of_words.back().name += " " + command.name;
    figure_flag(command).choices = figures;
    figure_flag(command).choices.emplace_back("all");
  }
  commands.insert(commands.end(), of_words.begin(), of_words.end());
  return commands;
}

std::vector<std::string> subcommand_names(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (command.name.find(' ') == std::string::npos) names.push_back(command.name);
  }
  return names;
}

std::string summary_of(const Command& command, Language language) {
  return command.experiment == nullptr ? command.shows.in(language) : command.experiment->shows.in(language);
}

}  // namespace attnlab
