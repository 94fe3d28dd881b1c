// `attnlab explore EXPERIMENT`: a page whose pictures the program computes while the reader plays with it.
#include <chrono>
#include <thread>

#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/output/look_flags.hpp"
#include "attnlab/terminal/browser.hpp"
#include "attnlab/terminal/console.hpp"
#include "live/live_answers.hpp"
#include "products/run.hpp"

namespace attnlab {
namespace {

FlagGroup live_group() {
  return {{"動くページ", "Live page"},
          {flag("figure", "NAME", "初めに見せる図（既定値は主な図）",
                "the figure shown first (default: the main one)"),
           flag("port", IntegerKind{{0, 65535}}, "0"), flag("no-browser")}};
}

// --- When it ends

constexpr double seconds_to_open = 600.0;
constexpr double seconds_to_come_back = 4.0;  // loading a page anew closes and opens it

bool is_over(const PageServer& server, double begin) {
  if (InterruptionRequest::requested()) return true;
  const PageServer::Visits visits = server.visits();
  if (visits.open > 0) return false;
  const double now = steady_seconds();
  return visits.last_left ? now - *visits.last_left > seconds_to_come_back : now - begin > seconds_to_open;
}

/// What was typed are the values that the page begins with.
PageRun read_run(const ParsedCommand& parsed, Language language) {
  const Experiment& experiment = experiment_behind(parsed, "attnlab explore vectors");
  PageRun begun{{&experiment, read_arguments(parsed, experiment)}, read_look(parsed, language), {}};
  begun.page.figure = parsed.value("figure");
  return begun;
}

Ending run_explore(const ParsedCommand& parsed, Language language) {
  const PageRun run = read_run(parsed, language);
  LiveAnswers answers(run);
  const auto port = static_cast<int>(parsed.checked("port").integer("port"));  // 0: any that is free
  answers.check(see_help(parsed.command));
  const InterruptionRequest interruption({SIGINT, SIGTERM, SIGHUP});
  PageServer server([&answers](const HttpRequest& request,
                               const std::string& path) { return answers.serve(request, path); },
                    port);
  write_output(server.address() + "\n");
  write_note({"ページを閉じるか、Ctrl-C で終了します", "it ends when the page is closed, or with Ctrl-C"},
             language);
  std::optional<OpenedBrowser> browser;
  if (!parsed.is_set("no-browser") && has_screen()) browser.emplace(server.address());
  const double begin = steady_seconds();
  while (!is_over(server, begin)) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return Ending::done;
}

}  // namespace

Command explore_command(const Experiment* experiment) {
  Command command;
  command.name = "explore";
  command.shows = command_words("explore");
  command.groups = {live_group(), FlagGroup{{"図", "Figures"}, look_flags({"svg-text"})}, general_group()};
  command.run = run_explore;
  command.of_word = of_experiment<explore_command, ExperimentKind::book, ExperimentKind::user_files>;
  return with_experiment(std::move(command), experiment);
}

}  // namespace attnlab
