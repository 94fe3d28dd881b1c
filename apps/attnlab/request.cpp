// Gives the words of the command line their meaning.
#include "attnlab/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "attnlab/documents/about.hpp"
#include "attnlab/command_line/parser.hpp"
#include "attnlab/documents/completion.hpp"
#include "attnlab/flag_parameters.hpp"
#include "attnlab/documents/help_text.hpp"
#include "attnlab/command_line/language.hpp"
#include "attnlab/look_flags.hpp"
#include "attnlab/man_page.hpp"
#include "attnlab/pdf_of_all.hpp"
#include "attnlab/refusals.hpp"
#include "attnlab/run_build.hpp"
#include "attnlab/suggestions.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "core/version.hpp"

namespace attnlab {
namespace {

std::string help_on(const std::vector<std::string>& topics, const std::vector<Command>& commands,
                    Language language) {
  if (topics.empty()) return main_help(attnlab_command(), commands, language);
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (command.name == topics.front()) return command_help(command, language);
    names.push_back(command.name);
  }
  const std::optional<std::string> meant = did_you_mean(topics.front(), names);
  throw Error(ErrorKind::usage,
              {fmt::format("サブコマンド {} はありません", quotation(topics.front())),
               fmt::format("there is no subcommand {}", quotation(topics.front()))},
              {meant ? fmt::format("{} のことですか", *meant) : "実験の一覧は `attnlab list` で見られます",
               meant ? fmt::format("did you mean {}?", *meant) : "`attnlab list` shows the experiments"});
}

Shell completed_shell(const ParsedCommand& parsed) {
  if (parsed.topics.empty()) {
    refuse({"completion にシェルの名前がありません", "completion needs the name of a shell"},
           {"例：attnlab completion bash", "for example: attnlab completion bash"});
  }
  if (parsed.topics.size() > 1) refuse_argument(parsed.command, parsed.topics[1]);
  return shell_named(parsed.topics.front());
}

/// The text for a call that only asks something, or nothing when there is work to do.
std::optional<std::string> answer(const ParsedCommand& parsed, const std::vector<Command>& commands,
                                  Language language) {
  const Command::Kind kind = parsed.command.kind;
  if (parsed.given("version")) return fmt::format("attnlab {}\n", version);
  if (kind == Command::Kind::help) return help_on(parsed.topics, commands, language);
  if (kind == Command::Kind::attnlab) return help_on({}, commands, language);
  if (parsed.given("help")) return command_help(parsed.command, language);
  if (kind == Command::Kind::build && parsed.given("list")) return lecture_list(language);
  if (kind == Command::Kind::list) return experiment_list(experiments(), language);
  if (kind == Command::Kind::completion)
    return completion_script(completed_shell(parsed), commands, language);
  if (kind == Command::Kind::man) return man_page(commands, language);
  if (kind == Command::Kind::about) return parsed.given("json") ? about_json() : about_text(language);
  return std::nullopt;
}

OutputOptions read_output(const ParsedCommand& parsed) {
  OutputOptions output;
  if (parsed.given("output")) {
    for (const std::string& file : parsed.values.at("output")) output.files.emplace_back(file);
  }
  if (parsed.given("output-dir")) output.folder = parsed.value("output-dir");
  if (parsed.given("format")) output.formats = parse_formats(parsed.value("format"));
  output.figure = parsed.value("figure");
  output.drawing = parsed.given("no-figure") ? Drawing::nothing : Drawing::figures;
  check_options(output);
  return output;
}

/// Refuses a flag about a format that no figure is asked for in.
void check_format_flag(const ParsedCommand& parsed, const std::string& flag, const OutputOptions& output,
                       Format format, const std::string& extension) {
  if (!parsed.given(flag) || writes(output, format)) return;
  refuse({fmt::format("--{} は {} の図に使います", flag, extension),
          fmt::format("--{} needs a figure in {}", flag, extension)},
         {fmt::format("--format {0} を付けるか、-o figure.{0} のように書いてください", extension),
          fmt::format("add --format {0}, or write -o figure.{0}", extension)});
}

Showing showing_named(const std::string& name) {
  if (name == "text") return Showing::text;
  if (name == "kitty") return Showing::kitty;
  if (name == "iterm") return Showing::iterm;
  if (name == "sixel") return Showing::sixel;
  return Showing::automatic;
}

/// Figures go to the terminal, and to files only where one of the flags for files asks for that.
void read_showing(const ParsedCommand& parsed, Request& request) {
  if (!parsed.given("show") && !parsed.given("show-as")) return;
  for (const char* flag : {"show", "show-as"}) {
    for (const char* other : {"json", "quiet", "no-figure"}) refuse_both(parsed, flag, other);
  }
  request.showing = showing_named(checked_value(parsed, show_as_parameter()).text("show-as"));
  const bool files = parsed.given("output") || parsed.given("output-dir") || parsed.given("format");
  if (!files) request.output.drawing = Drawing::nothing;
}

Printing read_printing(const ParsedCommand& parsed) {
  refuse_both(parsed, "json", "quiet");
  refuse_both(parsed, "explain", "quiet");
  refuse_both(parsed, "explain", "check");
  refuse_both(parsed, "explain-to", "check");
  refuse_both(parsed, "blank", "no-figure");
  refuse_both(parsed, "annotate", "blank");
  refuse_both(parsed, "steps", "check");
  refuse_both(parsed, "steps", "blank");
  if (parsed.given("json")) return Printing::json;
  if (parsed.given("quiet")) return Printing::nothing;
  return parsed.given("explain") ? Printing::explanation : Printing::report;
}

void read_explaining(const ParsedCommand& parsed, Request& request) {
  const bool wanted = parsed.given("explain") || parsed.given("explain-to");
  if (parsed.given("row") && !wanted) {
    throw Error(
        ErrorKind::usage,
        {"--row は --explain か --explain-to と一緒に使います", "--row needs --explain or --explain-to"},
        {fmt::format("--explain --row {} のように書いてください", parsed.value("row")),
         fmt::format("write --explain --row {}", parsed.value("row"))});
  }
  request.explaining = wanted ? Explaining::steps : Explaining::nothing;
  request.row = checked_value(parsed, row_parameter()).count("row");
  if (!parsed.given("explain-to")) return;
  for (const std::string& file : parsed.values.at("explain-to")) request.explain_to.emplace_back(file);
}

bool chooses_figures(const ParsedCommand& parsed) {
  return parsed.given("output") || parsed.given("output-dir") || parsed.given("figure") ||
         parsed.given("blank");
}

/// Whoever checks an array wants the verdict alone, unless figures are asked for.
void read_checks(const ParsedCommand& parsed, Request& request) {
  if (!parsed.given("check")) return;
  request.checks = parsed.values.at("check");
  if (!chooses_figures(parsed) && !parsed.given("format")) request.output.drawing = Drawing::nothing;
}

/// Whoever asks for the steps gets them alone, unless other figures are asked for as well.
void read_steps(const ParsedCommand& parsed, Request& request) {
  if (!parsed.given("steps")) return;
  request.steps = parsed.value("steps");
  if (!chooses_figures(parsed)) request.output.drawing = Drawing::nothing;
}

/// Sets what was typed for the experiment's own parameters.
Arguments read_arguments(const ParsedCommand& parsed, const Experiment& experiment) {
  Arguments arguments(experiment.parameters);
  for (const Parameter& parameter : experiment.parameters) {
    if (!parsed.given(parameter.name)) continue;
    const bool is_switch = std::holds_alternative<SwitchKind>(parameter.kind);
    if (std::holds_alternative<ItemsKind>(parameter.kind)) {
      arguments.set(parameter.name, fmt::format("{}", fmt::join(parsed.values.at(parameter.name), ",")));
    } else {
      arguments.set(parameter.name, is_switch ? "on" : parsed.value(parameter.name));
    }
  }
  return arguments;
}

/// A seed for an experiment that draws nothing is accepted, so that scripts may give it to all, but remarked
/// on.
void read_useless_seed(const ParsedCommand& parsed, const Experiment& experiment,
                       std::vector<Text>& warnings) {
  if (declares(experiment, "seed") || !parsed.given("seed")) return;
  checked_value(parsed, seed_parameter());
  warnings.emplace_back(
      fmt::format("{} は乱数を使わないので、--seed を指定しても結果は変わりません", experiment.name),
      fmt::format("{} draws no random numbers, so --seed changes nothing", experiment.name));
}

/// --data, and of `attend` the flags that save one array.
void read_saves(const ParsedCommand& parsed, Request& request) {
  const std::array<std::pair<const char*, const char*>, 4> flags{
      {{"data", ""}, {"save-stages", ""}, {"save-output", "output"}, {"save-weights", "weights"}}};
  for (const auto& [flag, array] : flags) {
    if (!parsed.given(flag)) continue;
    for (const std::string& file : parsed.values.at(flag)) request.data.push_back({file, array});
  }
}

Selection read_selection(const ParsedCommand& parsed) {
  Selection selection;
  const std::string section = checked_value(parsed, section_parameter()).text("section");
  for (const Section candidate : sections) {
    if (name_of(candidate) == section) selection.section = candidate;
  }
  selection.subject = parsed.value("only");
  return selection;
}

std::string inspected_file(const ParsedCommand& parsed) {
  if (parsed.topics.empty() || parsed.topics.front().empty()) {
    refuse({"inspect にファイルがありません", "inspect needs a file"},
           {"例：attnlab inspect weights.npz", "for example: attnlab inspect weights.npz"});
  }
  if (parsed.topics.size() > 1) refuse_argument(parsed.command, parsed.topics[1]);
  return parsed.topics.front();
}

std::string built_lecture(const ParsedCommand& parsed) {
  if (parsed.topics.empty() || parsed.topics.front().empty()) {
    refuse({"build に目録がありません", "build needs a lecture"},
           {"例：attnlab build book。付属の講義は attnlab build --list で見られます",
            "for example: attnlab build book; `attnlab build --list` shows the lectures that come along"});
  }
  if (parsed.topics.size() > 1) refuse_argument(parsed.command, parsed.topics[1]);
  return parsed.topics.front();
}

}  // namespace

Request read_request(const std::vector<std::string>& arguments, Language language) {
  std::vector<Command> commands = subcommands(experiments());
  name_swept_experiment(commands, arguments);
  const ParsedCommand parsed = parse_command_line(arguments, commands);
  const Language chosen = chosen_language(arguments, language);

  checked_value(parsed, language_parameter());  // refuses --lang fr, which chosen_language has passed over

  Request request;
  if (const std::optional<std::string> text = answer(parsed, commands, chosen)) {
    request.text = *text;
    return request;
  }
  if (parsed.command.kind == Command::Kind::verify) {
    request.action = Request::Action::verify;
    request.selection = read_selection(parsed);
    request.look.language = chosen;
    request.printing = read_printing(parsed);
    return request;
  }
  if (parsed.command.kind == Command::Kind::claims) {
    request.action = Request::Action::claims;
    request.document = checked_value(parsed, document_parameter()).text("document");
    request.look.language = chosen;
    request.printing = read_printing(parsed);
    return request;
  }
  if (parsed.command.kind == Command::Kind::inspect) {
    request.action = Request::Action::inspect;
    request.inspected = inspected_file(parsed);
    request.extent = parsed.given("full") ? Extent::full : Extent::quick;
    request.look.language = chosen;
    request.printing = read_printing(parsed);
    return request;
  }
  if (parsed.command.kind == Command::Kind::build) {
    request.action = Request::Action::build;
    request.lecture = built_lecture(parsed);
    request.output.folder = parsed.given("output") ? parsed.value("output") : "lecture";
    request.look.language = chosen;
    request.printing = read_printing(parsed);
    return request;
  }
  if (parsed.command.kind == Command::Kind::sweep) {
    request.action = Request::Action::sweep;
    request.sweep = read_sweep(parsed, commands);
    request.experiment = parsed.command.experiment;
    request.arguments = read_arguments(without_swept(parsed), *request.experiment);
    request.look = read_look(parsed, chosen);
    request.printing = read_printing(parsed);
    return request;
  }
  request.output = read_output(parsed);
  request.look = read_look(parsed, chosen);
  request.printing = read_printing(parsed);
  check_format_flag(parsed, "svg-text", request.output, Format::svg, "svg");
  check_format_flag(parsed, "tex-body", request.output, Format::tex, "tex");
  if (parsed.command.kind == Command::Kind::all) {
    check_lecture(request.output);
    request.action = Request::Action::draw_all;
    return request;
  }
  const Experiment& experiment = *parsed.command.experiment;
  request.action = Request::Action::run_experiment;
  request.experiment = &experiment;
  request.arguments = read_arguments(parsed, experiment);
  read_useless_seed(parsed, experiment, request.warnings);
  read_explaining(parsed, request);
  read_checks(parsed, request);
  read_showing(parsed, request);
  read_saves(parsed, request);
  read_steps(parsed, request);
  return request;
}

}  // namespace attnlab
