// The table of subcommands and flags; an experiment's own flags come from its parameters.
#include "attnlab/flags.hpp"

#include <algorithm>

namespace attnlab {
namespace {

using Takes = Flag::Takes;

Flag flag_for(const Parameter& parameter) {
  return {parameter.name, 0, Takes::one_value, form_of(parameter), parameter.default_text, parameter.help};
}

Flag help_flag() {
  return {"help", 'h', Takes::nothing, "", "", {"この説明を表示します", "show this help"}};
}

Flag quiet_flag() {
  return {"quiet", 0,  Takes::nothing,
          "",      "", {"標準出力に何も表示しません", "print nothing on standard output"}};
}

Flag output_dir_flag() {
  return {"output-dir",
          0,
          Takes::one_value,
          "FOLDER",
          "figures",
          {"図を置くフォルダー（なければ作ります）", "folder for the figures, created if missing"}};
}

Flag format_flag() {
  return {"format",
          0,
          Takes::one_value,
          "png,svg,pdf",
          "png",
          {"フォルダーに置く図の形式（いくつでも）", "formats of the figures in the folder, one or more"}};
}

std::vector<Flag> look_flags() {
  return {flag_for(theme_parameter()),
          {"size",
           0,
           Takes::one_value,
           "WxH",
           "",
           {"図の大きさ。例：12inx12in, 30x20cm, 1728x1728px（既定値は図ごと）",
            "page size: 12inx12in, 30x20cm, 1728x1728px (default: each figure's own)"}},
          flag_for(dpi_parameter())};
}

FlagGroup general_group() {
  return {{"全般", "General"}, {flag_for(language_parameter()), help_flag()}};
}

FlagGroup parameter_group(const Experiment& experiment) {
  FlagGroup group{{"この実験のオプション", "Options of this experiment"}, {}};
  for (const Parameter& parameter : experiment.parameters) group.flags.push_back(flag_for(parameter));
  if (!declares(experiment, "seed")) group.flags.push_back(flag_for(seed_parameter()));
  return group;
}

FlagGroup figure_group() {
  FlagGroup group{{"図", "Figures"}, {}};
  group.flags = {
      {"output",
       'o',
       Takes::values,
       "FILE",
       "",
       {"図のファイル。拡張子 png, svg, "
        "pdf で形式が決まります。何度でも指定できます。図がいくつもあれば主な図（pdf は全図が各ページ）",
        "figure file, may be repeated; the extension png, svg or pdf chooses the format; of several figures "
        "it takes "
        "the main one (a pdf takes all as pages)"}},
      output_dir_flag(),
      format_flag(),
      {"figure",
       0,
       Takes::one_value,
       "NAME|all",
       "",
       {"描く図を名前で選びます。all と -o x.png では x-名前.png になります",
        "choose a figure by name; all with -o x.png writes x-NAME.png"}},
      {"no-figure", 0, Takes::nothing, "", "", {"図を描きません", "draw no figure"}}};
  for (const Flag& flag : look_flags()) group.flags.push_back(flag);
  return group;
}

FlagGroup report_group() {
  return {
      {"結果", "Report"},
      {quiet_flag(),
       {"json", 0, Takes::nothing, "", "", {"標準出力に JSON だけを書きます", "print JSON and nothing else"}},
       {"data",
        0,
        Takes::values,
        "FILE",
        "",
        {"配列を保存します。拡張子 json, npz, csv で形式が決まります。何度でも指定できます",
         "save the arrays, may be repeated; the extension json, npz or csv chooses the format"}}}};
}

Command experiment_command(const Experiment& experiment) {
  const Text shows = {experiment.shows.ja() + "（" + experiment.source.ja() + "）",
                      experiment.shows.en() + " (" + experiment.source.en() + ")"};
  return {Command::Kind::experiment,
          experiment.name,
          shows,
          {parameter_group(experiment), figure_group(), report_group(), general_group()},
          &experiment};
}

Command all_command() {
  FlagGroup figures{{"図", "Figures"}, {output_dir_flag(), format_flag()}};
  for (const Flag& flag : look_flags()) figures.flags.push_back(flag);
  return {Command::Kind::all,
          "all",
          {"すべての実験の図をすべて描きます", "draw every figure of every experiment"},
          {figures, {{"結果", "Report"}, {quiet_flag()}}, general_group()}};
}

}  // namespace

Parameter language_parameter() {
  return {"lang",
          ChoiceKind{{"ja", "en"}},
          "",
          {"言語（既定値はロケールから）", "language (default: from the locale)"}};
}

Parameter theme_parameter() {
  return {"theme", ChoiceKind{{"light", "dark"}}, "light", {"配色", "colours"}};
}

Parameter dpi_parameter() {
  return {"dpi",
          NumberKind{{36.0, 1200.0}},
          "144",
          {"png の 1 インチあたりのピクセル数", "pixels per inch of a png"}};
}

Parameter seed_parameter() {
  return {"seed",
          IntegerKind{{0, 4294967295}},
          "",
          {"乱数を使わない実験なので、指定しても結果は変わりません",
           "no effect: this experiment draws no random numbers"}};
}

Command attnlab_command() {
  const Flag version{"version", 0, Takes::nothing, "", "", {"バージョンを表示します", "show the version"}};
  return {Command::Kind::attnlab,
          "",
          {"アテンションと Transformer を実験で学ぶツール",
           "attention and the Transformer, experiment by experiment"},
          {{{"全般", "General"}, {flag_for(language_parameter()), version, help_flag()}}}};
}

std::vector<Command> subcommands(const std::vector<Experiment>& experiments) {
  std::vector<Command> commands = {
      {Command::Kind::list,
       "list",
       {"実験の一覧を、教科書の順に表示します", "list the experiments in book order"},
       {general_group()}},
      all_command(),
      {Command::Kind::help,
       "help",
       {"サブコマンドの説明を表示します（help 実験名）", "explain a subcommand: help NAME"},
       {general_group()}}};
  for (const Experiment& experiment : experiments) commands.push_back(experiment_command(experiment));
  return commands;
}

const Flag* find_flag(const Command& command, const std::string& name) {
  for (const FlagGroup& group : command.groups) {
    for (const Flag& flag : group.flags) {
      if (flag.name == name) return &flag;
    }
  }
  return nullptr;
}

bool declares(const Experiment& experiment, const std::string& name) {
  return std::any_of(experiment.parameters.begin(), experiment.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
}

std::string usage_of(const Flag& flag) {
  std::string usage = flag.letter == 0 ? "" : std::string("-") + flag.letter + ", ";
  usage += "--" + flag.name;
  return flag.form.empty() ? usage : usage + " " + flag.form;
}

}  // namespace attnlab
