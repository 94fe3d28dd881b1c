// `attnlab attend` and `attnlab draw`: experiments over the user's own files.
#include "attend/attend_experiment.hpp"
#include "attend/conventions.hpp"
#include "attend/draw_experiment.hpp"
#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"

namespace attnlab {
namespace {

Ending run_or_list(const ParsedCommand& parsed, Language language) {
  if (!parsed.is_set("conventions")) return experiment_command(attend_experiment()).run(parsed, language);
  write_output(conventions_text(language));
  return Ending::done;
}

}  // namespace

/// An experiment over the user's own files, which also saves its arrays one by one and lists the names of
/// weights that it reads.
Command attend_command() {
  Command command = experiment_command(attend_experiment());
  command.is_experiment = false;
  command.run = run_or_list;
  std::vector<Flag>& own = command.groups.front().flags;
  own.push_back(flag("conventions"));
  own.push_back(flag("save-output", "FILE").repeated());
  own.push_back(flag("save-weights", "FILE").repeated());
  own.push_back(flag("save-stages", "FILE").repeated());
  return command;
}

Command draw_command() {
  Command command = experiment_command(draw_experiment());
  command.is_experiment = false;
  return command;
}

}  // namespace attnlab
