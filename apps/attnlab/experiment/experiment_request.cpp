// The flags of an experiment, and what they mean.
#include "attnlab/experiment/experiment_request.hpp"

#include "attnlab/output/page_flags.hpp"
#include "attnlab/output/watch.hpp"
#include "core/escape.hpp"
#include "core/utf8.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

/// Whether the experiment itself declares a parameter of that name.
bool declares(const Experiment& experiment, const std::string& name) {
  return find_named(experiment.parameters, name) != nullptr;
}

/// --code and --explain go to standard output.
bool prints_code(const ParsedCommand& parsed) { return typed_files(parsed).programs.empty(); }
bool prints_explanation(const ParsedCommand& parsed) { return typed_files(parsed).explanations.empty(); }

bool names_pictures(const ParsedCommand& parsed) {
  const TypedFiles files = typed_files(parsed);
  return !files.figures.empty() || !files.pages.empty();
}

FlagGroup study_group() {
  const Text one_of_them{"どちらか一方にしてください", "choose one"};
  return {{"演習", "Study"},
          {flag("explain").excluding({"check"}).excluding({"quiet"}, one_of_them, prints_explanation),
           flag("row", IntegerKind{{0, 999999}}, "0"),
           flag("code", ChoiceKind{{"numpy", "torch"}}, "numpy")
               .excluding({"json", "quiet", "explain", "check", "show"}, one_of_them, prints_code),
           flag("check", "[ARRAY=]FILE").repeated()}};
}

FlagGroup figure_group() {
  const Text without_no_figure{"図が要るなら --no-figure を外してください",
                               "leave out --no-figure to have figures"};
  FlagGroup group{{"図", "Figures"}, {}};
  group.flags.push_back(figure_output(flag("output", "FILE").repeated()));
  group.flags.back().excluding({"code"}, alone_on_standard_output(), [](const ParsedCommand& parsed) {
    return names_standard_output(parsed) && prints_code(parsed);
  });
  group.flags.push_back(flag("slide", "NAME=FROM:TO[:lin|log][:FRAMES]").repeated());
  for (const Flag& flag : folder_flags()) group.flags.push_back(flag);
  const std::vector<Flag> choice{flag("figure", "NAME|all"),
                                 flag("no-figure")
                                     .excluding({"output-dir", "figure", "format"}, without_no_figure)
                                     .excluding({"output"}, without_no_figure, names_pictures),
                                 flag("steps", "FOLDER").excluding({"check", "blank"}),
                                 flag("watch").excluding({"check", "code", "json"}),
                                 flag("show").excluding({"json", "no-figure"})};
  group.flags.insert(group.flags.end(), choice.begin(), choice.end());
  for (const Flag& flag : look_flags()) group.flags.push_back(flag);
  return group;
}

/// What was requested comes alone, unless figures are requested as well: as files, on the screen, or by one
/// of these flags.
void leave_out_figures(const ParsedCommand& parsed, const std::vector<const char*>& unless,
                       ExperimentRequest& request) {
  const auto is_known = [&](const char* flag) { return parsed.is_set(flag); };
  const bool wants_figures = !request.output.files.empty() || is_known("output-dir") || is_known("show") ||
                             std::any_of(unless.begin(), unless.end(), is_known);
  if (!wants_figures) request.output.drawing = Drawing::nothing;
}

/// Throws Error (usage) for files of -o without the flag that they belong to.
void check_files(const ParsedCommand& parsed, const TypedFiles& files) {
  const auto check = [&](const std::vector<std::filesystem::path>& typed, const char* flag) {
    if (typed.empty() || parsed.is_set(flag)) return;
    refuse_usage(
        text("-o {} には --{} も要ります", "-o {} needs --{}", quotation(typed.front().string()), flag),
        text("--{} を付けてください。図なら .png, .svg, .pdf です",
             "add --{}; a figure ends in .png, .svg or .pdf", flag));
  };
  check(files.explanations, "explain");
  check(files.programs, "code");
}

/// The explanation and the program alone, unless figures are asked for; what goes to files leaves the report.
void read_texts(const ParsedCommand& parsed, const TypedFiles& files, ExperimentRequest& request) {
  request.explains = parsed.is_set("explain");
  request.row = read_row(parsed);
  if (request.printing == Printing::explanation && !files.explanations.empty())
    request.printing = Printing::report;
  request.code = read_library(parsed);
  if (request.code && files.programs.empty()) request.printing = Printing::code;
  if (request.printing == Printing::code || !files.explanations.empty() || !files.programs.empty())
    leave_out_figures(parsed, {"figure", "blank", "format"}, request);
}

/// The folder; not where the experiment has a parameter of that name.
std::optional<std::filesystem::path> read_steps(const ParsedCommand& parsed, ExperimentRequest& request) {
  if (!parsed.is_set("steps") || declares(*parsed.command.experiment, "steps")) return std::nullopt;
  const std::string folder = parsed.value("steps");
  if (number_from<long long>(folder))
    refuse_usage(text("--steps は途中の図を入れるフォルダーの名前で、{} は数です",
                      "--steps names a folder for pictures of the stages, and {} is a number", folder),
                 text("数のフォルダーなら --steps ./{} としてください",
                      "write --steps ./{} if the folder is to have that name", folder));
  leave_out_figures(parsed, {"figure", "blank"}, request);
  return folder;
}

/// Every product that was asked for, but for pages.
std::vector<Product> read_products(const ParsedCommand& parsed, const TypedFiles& files,
                                   const std::optional<std::filesystem::path>& steps,
                                   const ExperimentRequest& request) {
  static constexpr std::array<std::pair<const char*, const char*>, 4> saves{
      {{"data", ""}, {"save-stages", ""}, {"save-output", "output"}, {"save-weights", "weights"}}};
  std::vector<Product> products;
  for (const auto& [flag, array] : saves)
    for (const auto& file : parsed.files(flag)) products.push_back(arrays_product({file, array}));
  for (const auto& file : files.explanations) products.push_back(explanation_product(file, request.row));
  for (const auto& file : files.programs) products.push_back(program_product(file, *request.code));
  for (const auto& file : parsed.files("save-model")) products.push_back(model_product(file));
  for (const auto& file : parsed.files("film")) products.push_back(course_product(file));
  if (request.output.drawing == Drawing::figures)
    products.push_back(figures_product(request.output, request.look));
  if (steps) products.push_back(steps_product(*steps, request.output.formats));
  return products;
}

/// The experiment's own parameters, and those that it has over a model.
std::vector<FlagGroup> parameter_groups(const Experiment& experiment) {
  FlagGroup group{{"この実験のオプション", "Options of this experiment"}, {}};
  for (const Parameter& parameter : experiment.parameters) group.flags.push_back(flag(parameter));
  std::vector<FlagGroup> groups{group};
  if (const Experiment* learned = over_model(experiment); learned != nullptr) {
    groups.push_back(
        {{"モデルが学習した重みで見る（--model）", "With weights that a model has learned (--model)"}, {}});
    for (const Parameter& parameter : learned->parameters) groups.back().flags.push_back(flag(parameter));
  }
  return groups;
}

}  // namespace

Command with_experiment(Command command, const Experiment* experiment) {
  command.experiment = experiment;
  if (experiment == nullptr) {
    command.argument = {" 実験名", " EXPERIMENT"};
    command.offer = [](const std::vector<Command>&) { return Offer{names_of(experiments())}; };
  } else {
    command.argument = Text::same(" " + experiment->name);
    command.positionals = experiment->positionals;
    const std::vector<FlagGroup> groups = parameter_groups(*experiment);
    command.groups.insert(command.groups.begin() + 1, groups.begin(), groups.end());
  }
  return command;
}

Command experiment_command(const Experiment& experiment) {
  Command command;
  command.name = experiment.name;
  command.shows = text("{}（{}）", "{} ({})", experiment.shows, experiment.source);
  const Flag data = flag("data", "FILE").repeated();
  const Flag brief = flag("brief").excluding({"quiet", "json", "explain"});
  const Flag verbose = flag("verbose").excluding({"quiet", "json"});
  command.groups = parameter_groups(experiment);
  const auto own = static_cast<std::ptrdiff_t>(command.groups.size());
  command.groups.insert(command.groups.end(),
                        {study_group(), figure_group(),
                         report_group({quiet_flag(), brief, verbose, json_flag(), data}), general_group()});
  for (auto group = command.groups.begin() + own; group + 1 != command.groups.end(); ++group) {
    group->sharing = FlagGroup::Sharing::common;
  }
  command.groups.back().flags.push_back(flag("help-all"));
  command.run = run_experiment;
  command.is_experiment = true;
  command.experiment = &experiment;
  command.positionals = experiment.positionals;
  return command;
}

Arguments read_arguments(const ParsedCommand& parsed, const Experiment& experiment) {
  Arguments arguments(experiment.parameters);
  arguments.sources.folder = parsed.folder;
  for (const Parameter& parameter : experiment.parameters) {
    if (!parsed.is_set(parameter.name)) continue;
    const bool is_switch = std::holds_alternative<SwitchKind>(parameter.kind);
    if (std::holds_alternative<ItemsKind>(parameter.kind)) {
      std::vector<std::string> words = parsed.all(parameter.name);
      for (std::string& word : words) {
        std::error_code ignored;
        const std::size_t file = parameter.name == "input" ? word.find('=') + 1 : 0;  // NAME=FILE
        if (std::filesystem::exists(word.substr(file), ignored)) word = with_backslashes(word, ",\\");
      }
      arguments.set(parameter.name, joined(words, ","));
    } else {
      arguments.set(parameter.name, is_switch ? "on" : parsed.value(parameter.name));
    }
  }
  read_inputs(arguments, experiment);
  read_contents(arguments, experiment);
  return arguments;
}

Run read_run(const ParsedCommand& parsed) {
  const Experiment& experiment = *parsed.command.experiment;
  return {&experiment, with_files(experiment, read_arguments(parsed, experiment))};
}

std::pair<Run, PageRequest> read_page_run(const ParsedCommand& parsed, Language language) {
  const Experiment& experiment = *parsed.command.experiment;
  PageRequest page = read_sliders(parsed, experiment);
  Arguments arguments = read_arguments(without_patterns(parsed, page), experiment);
  if (page.are_declared) take_declared_slides(page, experiment, arguments, language);
  return {Run{&experiment, std::move(arguments)}, std::move(page)};
}

std::size_t read_row(const ParsedCommand& parsed) {
  if (parsed.is_set("row") && !parsed.is_set("explain")) {
    refuse_usage(
        {"--row は --explain と一緒に使います", "--row needs --explain"},
        text("--explain --row {} のように書いてください", "write --explain --row {}", parsed.value("row")));
  }
  return parsed.checked("row").count("row");
}

std::optional<Library> read_library(const ParsedCommand& parsed) {
  if (!parsed.is_set("code")) return std::nullopt;
  return parsed.checked("code").chosen<Library>("code");
}

ExperimentRequest read_experiment_request(const ParsedCommand& parsed, Language language) {
  const TypedFiles files = typed_files(parsed);
  if (files.pages.empty() && parsed.is_set("slide"))
    refuse_usage({"--slide は html のページに使います", "--slide is for a page in html"},
                 {"-o page.html を付けてください。動画なら attnlab sweep で作れます",
                  "add -o page.html; films are made by attnlab sweep"});
  ExperimentRequest request;
  PageRequest page;
  if (files.pages.empty()) {
    request.run = read_run(parsed);
  } else {
    std::tie(request.run, page) = read_page_run(parsed, language);
  }
  check_files(parsed, files);
  request.output = read_output(parsed, files.figures);
  request.look = read_look(parsed, language);
  request.printing = read_printing(parsed);
  if (parsed.is_set("brief")) {
    request.reading = Reading::brief;
    request.invariants = InvariantLines::stated;
  }
  if (parsed.is_set("verbose")) request.invariants = InvariantLines::each;
  check_format_flags(parsed, request.output);
  read_texts(parsed, files, request);
  request.checks = parsed.all("check");
  if (!request.checks.empty()) leave_out_figures(parsed, {"figure", "blank", "format"}, request);
  request.shows = parsed.is_set("show");
  const std::optional<std::filesystem::path> steps = read_steps(parsed, request);
  if (!files.pages.empty()) leave_out_figures(parsed, {"format"}, request);
  check_standard_output(request.output);
  if (writes_standard_output(request.output))
    request.printing = Printing::nothing;  // the figure stands there alone
  request.products = read_products(parsed, files, steps, request);
  if (!files.pages.empty()) request.products.push_back(page_product(files.pages, page));
  return request;
}

}  // namespace attnlab
